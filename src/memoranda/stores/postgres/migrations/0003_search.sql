-- Under row-level security PostgreSQL checks a policy before any operator that might leak, and those of GIN are
-- not marked leakproof: the index would be left aside and every passage of the owner read. The functions here
-- therefore run as memstrata_gate, a role that does not log in and that memstrata_app cannot become, which reads two
-- tables past the policy and takes the tenant from the same setting as the policy does.

-- Terms were stemmed by core.text; here they are only taken apart. An index entry has at most 2,704 bytes, hence
-- the cut. They are kept, so that a plan made without statistics costs milliseconds and not seconds.
CREATE FUNCTION words(terms text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN string_to_array(regexp_replace(terms, '([^ ]{200})[^ ]+', '\1', 'g'), ' ');

ALTER TABLE passages ADD COLUMN words text[] COLLATE "C" GENERATED ALWAYS AS (words(terms)) STORED;
-- Without fastupdate: what was just written would wait in a list that every search reads to its end.
CREATE INDEX passages_words ON passages USING gin (tenant, "user", words) WITH (fastupdate = off);

CREATE POLICY gate ON owners FOR SELECT TO memstrata_gate USING (true);
CREATE POLICY gate ON passages FOR SELECT TO memstrata_gate USING (true);
GRANT SELECT ON owners, passages TO memstrata_gate;

-- Passages of one user that have any of the words. A word weighs ln(1 + most / n), n being how many passages
-- have it and most the highest n: rare words first. The caller scores what comes back afresh.
CREATE FUNCTION search_passages(person text, wanted text[], places text[], most bigint)
RETURNS TABLE (ref text, score double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    WITH hits AS MATERIALIZED (
        SELECT term, passage.ref
        FROM unnest(wanted) AS term JOIN passages AS passage
            ON passage.tenant = current_setting('memstrata.tenant', true)
            AND passage."user" = person
            AND passage.words @> ARRAY[term]
        WHERE cardinality(places) = 0 OR passage.channel = ANY (places)
    ),
    counts AS (SELECT term, count(*) AS number FROM hits GROUP BY term),
    weights AS (SELECT term, ln(1 + max(number) OVER () / number::double precision) AS weight FROM counts)
    SELECT hits.ref, sum(weight) AS score FROM hits JOIN weights USING (term)
    GROUP BY hits.ref ORDER BY score DESC, hits.ref LIMIT most
$$;

-- How many tenants and owners there are: numbers without names.
CREATE FUNCTION census() RETURNS TABLE (tenants bigint, users bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT count(DISTINCT tenant), count(*) FROM owners WHERE seq > 0
$$;

ALTER FUNCTION search_passages OWNER TO memstrata_gate;
ALTER FUNCTION census OWNER TO memstrata_gate;
REVOKE ALL ON FUNCTION search_passages, census FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_passages, census TO memstrata_app;
