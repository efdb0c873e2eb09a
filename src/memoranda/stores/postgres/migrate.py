"""Brings a database to the schema this version works with, and proves that its tenants are isolated.

Migrations are numbered files, forward only, and each is recorded with its number. They run in one transaction
under an advisory lock, so processes that start together wait for the first.
"""

from importlib.resources import files
from importlib.resources.abc import Traversable

from psycopg import AsyncConnection, errors
from psycopg.sql import SQL, Identifier

from memoranda.errors import CapabilityError, IsolationError, StoreVersionError

APP = "memstrata_app"
GATE = "memstrata_gate"

_HERE = files("memoranda.stores.postgres")
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('memstrata migrations', 0))"
_EXTENSIONS = {"vector": "0.8", "btree_gin": "1.3"}
_LEAST_SERVER = 15


def migrations() -> dict[int, Traversable]:
    """Return the migration files by number."""
    found = [item for item in (_HERE / "migrations").iterdir() if item.name.endswith(".sql")]
    return {int(item.name.split("_")[0]): item for item in sorted(found, key=lambda item: item.name)}


async def migrate(login: AsyncConnection, schema: str) -> int:
    """Bring `schema` up to date and return its version.

    Raises:
        StoreVersionError: a newer memoranda wrote it.
        CapabilityError: the server is too old or lacks an extension, or the login may not create what is missing.
        IsolationError: the login may not work as the role `memstrata_app`.
    """
    if login.info.server_version < 10_000 * _LEAST_SERVER:
        raise CapabilityError(
            f"The server is PostgreSQL {login.info.server_version // 10_000}; {_LEAST_SERVER} or later is needed."
        )
    known = migrations()
    async with login.transaction():
        await login.execute(_LOCK)
        version = await _version(login, schema)
        if version > max(known):
            raise StoreVersionError(
                f"Schema {schema} is at version {version}, this memoranda knows {max(known)}: install a newer one."
            )
        missing = {number: item for number, item in known.items() if number > version}
        if missing:
            try:
                await _prepare(login, schema)
                for number, item in missing.items():
                    await login.execute(item.read_bytes())
                    await login.execute("INSERT INTO migrations (version, name) VALUES (%s, %s)", [number, item.name])
                await login.execute(SQL("REVOKE CREATE ON SCHEMA {} FROM memstrata_gate").format(Identifier(schema)))
            except errors.InsufficientPrivilege as error:
                raise CapabilityError(
                    f"The login may not set up schema {schema} ({error}). Open it once with a login that may create "
                    f"roles, schemas and extensions; afterwards grant {APP} to this one."
                ) from error
    return max(known)


async def _version(login: AsyncConnection, schema: str) -> int:
    table = Identifier(schema, "migrations")
    try:
        found = await (await login.execute("SELECT to_regclass(%s)", [table.as_string(None)])).fetchone()
        if found == (None,):
            return 0
        row = await (await login.execute(SQL("SELECT max(version) FROM {}").format(table))).fetchone()
    except errors.InsufficientPrivilege as error:
        raise _not_the_role(error) from error
    return (row or (0,))[0] or 0


async def _prepare(login: AsyncConnection, schema: str) -> None:
    """Create the roles, extensions and schema that are missing, and set the search path to the schema."""
    await login.execute((_HERE / "roles.sql").read_bytes())
    for extension, least in _EXTENSIONS.items():
        await _extend(login, extension, least)
    grants = """
        CREATE SCHEMA IF NOT EXISTS {schema};
        GRANT USAGE ON SCHEMA {schema} TO {app}, {gate};
        GRANT CREATE ON SCHEMA {schema} TO {gate}"""
    await login.execute(SQL(grants).format(schema=Identifier(schema), app=Identifier(APP), gate=Identifier(GATE)))
    await login.execute("SELECT set_config('search_path', %s, true)", [await search_path(login, schema)])
    await login.execute(
        """CREATE TABLE IF NOT EXISTS migrations (
            version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
        )"""
    )


async def _extend(login: AsyncConnection, extension: str, least: str) -> None:
    try:
        await login.execute(SQL("CREATE EXTENSION IF NOT EXISTS {}").format(Identifier(extension)))
    except (errors.FeatureNotSupported, errors.UndefinedFile) as error:
        raise CapabilityError(f"The server has no extension {extension}: install it there ({error}).") from error
    except errors.InsufficientPrivilege as error:
        raise CapabilityError(
            f"The extension {extension} is missing and the login may not create it: have an administrator run "
            f"CREATE EXTENSION {extension} in this database."
        ) from error
    row = await (await login.execute("SELECT extversion FROM pg_extension WHERE extname = %s", [extension])).fetchone()
    version: str = (row or ("0.0",))[0]
    if _numbers(version) < _numbers(least):
        raise CapabilityError(
            f"The extension {extension} is at {version}, {least} is needed: run ALTER EXTENSION {extension} UPDATE."
        )


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")[:2]]


async def search_path(login: AsyncConnection, schema: str) -> str:
    """Return the search path: the schema, then those of the extensions."""
    rows = await login.execute(
        "SELECT DISTINCT extnamespace::regnamespace::text FROM pg_extension WHERE extname = ANY (%s) ORDER BY 1",
        [list(_EXTENSIONS)],
    )
    return ", ".join([Identifier(schema).as_string(None), *[name async for [name] in rows]])


# ------------------------------------------------------------------------------------------- isolation

_ATTRIBUTES = """
    SELECT 'is exempt from row-level security' FROM pg_roles
    WHERE rolname = current_user AND (rolsuper OR rolbypassrls)
    UNION ALL
    SELECT 'may become ' || %(gate)s WHERE pg_has_role(current_user, %(gate)s, 'MEMBER')
    UNION ALL
    SELECT 'owns ' || relname FROM pg_class
    WHERE relnamespace = %(schema)s::regnamespace AND pg_has_role(current_user, relowner, 'MEMBER')
"""
_TABLES = """
    SELECT relname, relrowsecurity AND relforcerowsecurity AND 1 = (
        SELECT count(*) FROM pg_policies
        WHERE schemaname = %(name)s AND tablename = relname AND roles && ARRAY['public', current_user]::name[]
    )
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'tenant'
    WHERE relnamespace = %(schema)s::regnamespace AND relkind IN ('r', 'p')
"""


async def prove_isolation(app: AsyncConnection, schema: str) -> None:
    """Check, on a connection that works as `memstrata_app`, that no tenant can read another's rows.

    Raises:
        IsolationError: they could; the message says why, and what to do.
    """
    values = {"schema": Identifier(schema).as_string(None), "name": schema, "gate": GATE}
    remedy = f"Let memoranda create its roles, or grant {APP} to the login, and do not change its attributes."
    for [fault] in await (await app.execute(_ATTRIBUTES, values)).fetchall():
        raise IsolationError(f"The role that memoranda works as {fault}, so tenants are not apart. {remedy}")
    for table, protected in await (await app.execute(_TABLES, values)).fetchall():
        if not protected:
            raise IsolationError(f"{table} is not protected between tenants: run CALL protect('{table}') in {schema}.")
        seen = SQL("SELECT EXISTS (SELECT FROM {})").format(Identifier(schema, table))
        if await (await app.execute(seen)).fetchone() != (False,):
            raise IsolationError(f"Rows of {table} are seen though no tenant is named. {remedy}")


async def work_as_app(conn: AsyncConnection, path: str) -> None:
    """Set up a fresh connection to work as `memstrata_app`, which sees only the rows of a named tenant.

    Raises:
        IsolationError: the login may not work as that role, or the role is gone.
    """
    try:
        await conn.execute(
            "SELECT set_config('search_path', %s, false), set_config('timezone', 'UTC', false), "
            "set_config('role', %s, false)",
            [path, APP],
        )
    except (errors.InsufficientPrivilege, errors.InvalidParameterValue) as error:
        raise _not_the_role(error) from error
    except errors.UndefinedObject as error:
        raise IsolationError(f"The role {APP} is gone ({error}): have an administrator create it again.") from error


def _not_the_role(error: Exception) -> IsolationError:
    return IsolationError(f"The login cannot work as {APP} ({error}): have an administrator run GRANT {APP} TO it.")
