"""Tenants are apart in PostgreSQL itself, and a store that cannot prove it does not open."""

from collections.abc import AsyncIterator, Iterator
from contextlib import nullcontext
from typing import Any

import pytest
from psycopg import AsyncConnection, errors, sql

from conformance.postgres_server import PostgresServer
from memoranda.core.base.scope import Owner
from memoranda.core.rows import TABLES, Event, Row
from memoranda.core.rows.changes import Add, Batch, Drop, Patch, Put
from memoranda.errors import CapabilityError, IsolationError
from memoranda.ports import Probe, Query, State
from memoranda.stores.postgres.store import PostgresStore
from memoranda.testing.samples import key, sample

pytestmark = pytest.mark.anyio

ACME, EVIL = Owner("acme", "alice"), Owner("evil", "alice")
EVERY = [pytest.param(kind, id=name) for name, kind in TABLES.items()]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def schema(request: pytest.FixtureRequest, postgres: PostgresServer) -> Iterator[str]:
    """The schema of the store; one of its own where the test opens its walls."""
    with postgres.schema() if hasattr(request, "param") else nullcontext(postgres.emptied()) as schema:
        yield schema


@pytest.fixture
async def store(postgres: PostgresServer, schema: str) -> AsyncIterator[PostgresStore]:
    """A store with two rows of every kind for each of two tenants."""
    store = await PostgresStore.open(postgres.url, schema=schema)
    for owner in (ACME, EVIL):
        rows = [sample(kind, owner, number) for kind in TABLES.values() for number in range(2)]
        await store.apply(Batch(owner=owner, changes=tuple(map(Put, rows))))
    yield store
    await store.close()


@pytest.fixture
async def raw(store: PostgresStore) -> AsyncIterator[AsyncConnection]:
    """One of the store's own connections, for whatever SQL somebody slips into it."""
    async with store._connections.pool.connection() as conn:
        yield conn


async def ask(conn: AsyncConnection, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    return await (await conn.execute(statement, values)).fetchall()


@pytest.mark.parametrize("table", ["owners", *TABLES])
async def test_sql_sees_nothing_until_a_tenant_is_named(raw: AsyncConnection, table: str) -> None:
    assert await ask(raw, f"SELECT * FROM {table}") == []
    async with raw.transaction():
        await ask(raw, "SELECT set_config('memstrata.tenant', 'acme', true)")
        assert {tenant for (tenant,) in await ask(raw, f"SELECT tenant FROM {table}")} == {"acme"}
        assert await ask(raw, f"SELECT * FROM {table} WHERE tenant = 'evil'") == []
    assert await ask(raw, f"SELECT * FROM {table}") == []


async def test_sql_cannot_write_for_another_tenant(raw: AsyncConnection) -> None:
    async with raw.transaction():
        await ask(raw, "SELECT set_config('memstrata.tenant', 'acme', true)")
        for statement in (
            "UPDATE events SET content = 'mine' WHERE tenant = 'evil' RETURNING id",
            "DELETE FROM events WHERE tenant = 'evil' RETURNING id",
        ):
            assert await ask(raw, statement) == []
        with pytest.raises(errors.InsufficientPrivilege):
            async with raw.transaction():
                await raw.execute("UPDATE events SET tenant = 'evil'")
        with pytest.raises(errors.InsufficientPrivilege):
            async with raw.transaction():
                await raw.execute("INSERT INTO owners VALUES ('evil', 'bob', 1, 0)")


async def test_searching_takes_the_tenant_from_the_setting(raw: AsyncConnection) -> None:
    """The function reads past the policy, so nothing given to it may name a tenant."""
    search = "SELECT ref FROM search_passages('alice', ARRAY['plain', 'null', 'said'], '{}', 99)"
    assert await ask(raw, search) == []
    async with raw.transaction():
        await ask(raw, "SELECT set_config('memstrata.tenant', 'nobody', true)")
        assert await ask(raw, search) == []


async def test_connections_can_do_nothing_but_read_and_write_rows(raw: AsyncConnection, schema: str) -> None:
    for statement in (
        "ALTER TABLE events DISABLE ROW LEVEL SECURITY",
        "DROP POLICY tenant ON events",
        "TRUNCATE events",
        "CREATE TABLE mine (id int)",
        "UPDATE migrations SET version = 0",
        "CALL protect('events')",
        f"CREATE FUNCTION {schema}.words(text, text) RETURNS int LANGUAGE sql RETURN 1",
    ):
        with pytest.raises((errors.InsufficientPrivilege, errors.InvalidParameterValue)):
            await raw.execute(statement)


@pytest.mark.parametrize("kind", EVERY)
async def test_calls_do_not_cross(store: PostgresStore, kind: type[Row]) -> None:
    """Whatever is asked in the name of one tenant, the rows of another are not in the answer."""
    nobody = Owner("nobody", "alice")
    page = await store.find(nobody, Query(kind=kind, tenant="acme", user="alice"))
    assert page.rows == ((),)
    assert page.state == State()
    assert await store.get(kind, nobody, [key(kind, 0)]) == [None]
    assert await store.count(Query(kind=kind, tenant="nobody", user=None)) == {None: 0}
    await store.apply(Batch(owner=nobody, changes=(Drop(kind, key(kind, 0)), Patch(kind, key(kind, 1), {}))))
    assert await store.count(Query(kind=kind, tenant="acme", user=None)) == {None: 2}


async def test_probes_do_not_cross(store: PostgresStore) -> None:
    terms = ("plain", "null", "said", "emoji")
    found = {who: await store.probe(Probe(owner=who, limit=9, terms=terms)) for who in (ACME, Owner("nobody", "alice"))}
    assert [bool(hits) for hits in found.values()] == [True, False]


async def test_a_tenant_named_to_break_out_is_only_a_name(store: PostgresStore) -> None:
    odd = Owner("acme' OR true --", "alice")
    assert (await store.find(odd, Query(kind=Event, tenant=odd.tenant, user=None))).rows == ((),)
    await store.apply(Batch(owner=odd, changes=(Add(sample(Event, odd, 0)),)))
    assert await store.count(Query(kind=Event, tenant=odd.tenant, user=None)) == {None: 1}


@pytest.mark.parametrize(
    ("sabotage", "repair", "says"),
    [
        ("ALTER ROLE memstrata_app BYPASSRLS", "ALTER ROLE memstrata_app NOBYPASSRLS", "exempt"),
        ("ALTER ROLE memstrata_app SUPERUSER", "ALTER ROLE memstrata_app NOSUPERUSER", "exempt"),
        ("GRANT memstrata_gate TO memstrata_app", "REVOKE memstrata_gate FROM memstrata_app", "memstrata_gate"),
        ("ALTER TABLE {schema}.events OWNER TO memstrata_app", "", "owns events"),
        ("ALTER TABLE {schema}.records DISABLE ROW LEVEL SECURITY", "", "records is not protected"),
        ("ALTER TABLE {schema}.vectors NO FORCE ROW LEVEL SECURITY", "", "vectors is not protected"),
        ("CREATE POLICY open ON {schema}.receipts USING (true)", "", "receipts is not protected"),
        ("CREATE TABLE {schema}.extra (tenant text)", "", "extra is not protected"),
        (
            "DROP POLICY tenant ON {schema}.owners; CREATE POLICY tenant ON {schema}.owners USING (true)",
            "",
            "Rows of owners are seen",
        ),
        ("REVOKE ALL ON SCHEMA {schema} FROM memstrata_app", "", "may not do this"),
    ],
)
@pytest.mark.parametrize("schema", ["own"], indirect=True)
@pytest.mark.usefixtures("store")
async def test_a_store_whose_walls_were_opened_does_not_open(
    postgres: PostgresServer, schema: str, sabotage: str, repair: str, says: str
) -> None:
    postgres.run(sabotage.format(schema=schema))
    try:
        with pytest.raises(IsolationError, match=says):
            await PostgresStore.open(postgres.url, schema=schema)
    finally:
        if repair:
            postgres.run(repair)


@pytest.fixture
def login(postgres: PostgresServer) -> Iterator[str]:
    """The URL of a login that may do nothing special."""
    postgres.run("CREATE ROLE plain LOGIN")
    yield postgres.login("plain")
    postgres.run("DROP OWNED BY plain")
    postgres.run("DROP ROLE plain")


@pytest.mark.usefixtures("store")
async def test_a_login_without_rights_is_told_what_to_do(postgres: PostgresServer, schema: str, login: str) -> None:
    with pytest.raises(CapabilityError, match="grant memstrata_app"):
        await PostgresStore.open(login, schema="another")
    with pytest.raises(IsolationError, match="GRANT memstrata_app TO it"):
        await PostgresStore.open(login, schema=schema)
    postgres.run(f"GRANT USAGE ON SCHEMA {schema} TO plain")
    postgres.run(f"GRANT SELECT ON {schema}.migrations TO plain")
    with pytest.raises(IsolationError, match="GRANT memstrata_app TO it"):
        await PostgresStore.open(login, schema=schema)


async def test_a_login_needs_no_more_than_the_role(
    postgres: PostgresServer, store: PostgresStore, schema: str, login: str
) -> None:
    postgres.run("GRANT memstrata_app TO plain")
    other = await PostgresStore.open(login, schema=schema)
    query = Query(kind=Event, tenant="acme", user="alice")
    assert (await other.find(ACME, query)) == (await store.find(ACME, query))
    await other.close()


@pytest.mark.usefixtures("store")  # which makes the roles
async def test_a_login_that_is_no_superuser_can_set_everything_up(postgres: PostgresServer, login: str) -> None:
    """As on hosted databases: it owns the tables, and FORCE holds it to the policies too."""
    postgres.run("GRANT CREATE ON DATABASE postgres TO plain")
    postgres.run("GRANT memstrata_app, memstrata_gate TO plain")
    with postgres.schema() as schema:
        store = await PostgresStore.open(login, schema=schema)
        await store.apply(Batch(owner=ACME, changes=(Add(sample(Event, ACME, 0)),)))
        assert await store.count(Query(kind=Event, tenant="acme", user=None)) == {None: 1}
        assert postgres.run(f"SELECT * FROM {schema}.events", url=login) == []
        await store.close()


async def test_the_schema_may_have_any_name(postgres: PostgresServer) -> None:
    name = 'My "schema"; --'
    store = await PostgresStore.open(postgres.url, schema=name)
    await store.apply(Batch(owner=ACME, changes=(Add(sample(Event, ACME, 0)),)))
    assert (await store.describe())["users"] == 1
    await store.close()
    drop = sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(name))
    postgres.run(drop.as_string(None))
