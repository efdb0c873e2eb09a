-- A tenant's rows are seen and written only in a transaction that has named the tenant. FORCE holds the tables'
-- owner to it too. Every later migration that creates a table of rows calls `protect` for it.

CREATE PROCEDURE protect(rows regclass) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', rows);
    EXECUTE format(
        'CREATE POLICY tenant ON %s USING (tenant = current_setting(''memstrata.tenant'', true))', rows
    );
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO memstrata_app', rows);
END $$;

CALL protect('owners');
CALL protect('events');
CALL protect('records');
CALL protect('entities');
CALL protect('relations');
CALL protect('passages');
CALL protect('vectors');
CALL protect('tombstones');
CALL protect('receipts');

GRANT SELECT ON migrations TO memstrata_app;
