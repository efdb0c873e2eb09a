-- What a tenant shares lies under a user of its own, which is nobody: it is not counted.
CREATE OR REPLACE FUNCTION census() RETURNS TABLE (tenants bigint, users bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT count(DISTINCT tenant), count(*) FILTER (WHERE "user" <> '_shared') FROM owners WHERE seq > 0
$$;
