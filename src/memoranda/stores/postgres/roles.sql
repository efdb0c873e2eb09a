-- Create the two roles that all installations in a cluster share, if the login may. Connections work as memstrata_app;
-- memstrata_gate owns the functions of 0003_search.sql. Neither can log in, owns a table of rows or is exempt from
-- row-level security.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['memstrata_app', 'memstrata_gate'] LOOP
        IF to_regrole(name) IS NULL THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS', name);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
                NULL;  -- another database of the cluster was being set up at the same time
            END;
        END IF;
        BEGIN
            EXECUTE format('GRANT %I TO CURRENT_USER', name);
        EXCEPTION WHEN insufficient_privilege THEN
            NULL;  -- if the login may not become the role, SET ROLE fails later
        END;
    END LOOP;
END $$;
