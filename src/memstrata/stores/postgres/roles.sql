-- The two roles of every installation in a cluster, made where the login may. memstrata_app is what connections
-- work as; memstrata_gate owns the functions of 0003_search.sql. Neither logs in, owns a table of rows or is
-- exempt from row-level security.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['memstrata_app', 'memstrata_gate'] LOOP
        IF to_regrole(name) IS NULL THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS', name);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
                NULL;  -- another database of the cluster was being set up at the same moment
            END;
        END IF;
        BEGIN
            EXECUTE format('GRANT %I TO CURRENT_USER', name);
        EXCEPTION WHEN insufficient_privilege THEN
            NULL;  -- whether the login may become it is seen when it tries
        END;
    END LOOP;
END $$;
