"""The PostgreSQL role that a sandbox uses: made, granted, and looked at.

A setting such as `default_transaction_read_only` is a courtesy that any client can switch off; only a role without
rights cannot write. `writing_rights` is what the sandbox and `curtain doctor` ask before they trust a role;
`missing_limits` names what only a superuser can set, for `curtain doctor`.
"""

from sqlalchemy import Connection, text

_SERVER_ROLES = ("pg_read_server_files", "pg_write_server_files", "pg_execute_server_program")

_ATTRIBUTES = text(
    "SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication FROM pg_roles WHERE rolname = current_user"
)
_MEMBERSHIPS = text(
    "SELECT rolname FROM pg_roles WHERE rolname = ANY(:roles) AND pg_has_role(current_user, oid, 'MEMBER')"
)
_TABLES = text(
    """SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'f', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND n.nspname NOT LIKE 'pg_toast%' AND n.nspname NOT LIKE 'pg_temp%'
    AND (pg_has_role(current_user, c.relowner, 'MEMBER')
      OR has_any_column_privilege(c.oid, 'INSERT') OR has_any_column_privilege(c.oid, 'UPDATE')
      OR has_table_privilege(c.oid, 'DELETE') OR has_table_privilege(c.oid, 'TRUNCATE'))
    ORDER BY 1 LIMIT 3"""
)
_SCHEMAS = text(
    """SELECT nspname FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'
    AND has_schema_privilege(oid, 'CREATE') ORDER BY 1 LIMIT 3"""
)
_DATABASE = text("SELECT has_database_privilege(current_database(), 'CREATE')")
_DEFINERS = text(
    """SELECT p.oid::regprocedure::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE p.prosecdef AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND has_schema_privilege(n.oid, 'USAGE') AND has_function_privilege(p.oid, 'EXECUTE') ORDER BY 1 LIMIT 3"""
)
# Functions of every server that write large objects, run SQL text, wait, or hold locks.
_DANGEROUS = text(
    """SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
    AND proname ~ :names AND has_function_privilege(oid, 'EXECUTE') ORDER BY 1"""
).bindparams(
    names="^(lo_|lo(read|write)$|ts_stat$|ts_rewrite$|pg_sleep|pg_(try_)?advisory|pg_notify$|(query|table|schema|database|cursor)_to_xml)"
)
_SCRATCH = "256MB"


def writing_rights(connection: Connection) -> list[str]:
    """List what the connected role may do beyond reading, as ends of a sentence about it; empty for a good role."""
    superuser, roles, databases, replication = connection.execute(_ATTRIBUTES).one()
    named = {
        "is a superuser": superuser,
        "may create roles": roles,
        "may create databases": databases,
        "may replicate": replication,
        "may create schemas": connection.execute(_DATABASE).scalar_one(),
    }
    found = [right for right, held in named.items() if held]
    found += [
        f"is a member of {name}" for name in connection.execute(_MEMBERSHIPS, {"roles": [*_SERVER_ROLES]}).scalars()
    ]
    found += [f"may create tables in the schema {name}" for name in connection.execute(_SCHEMAS).scalars()]
    if not superuser:
        found += [f"may change the table {name}" for name in connection.execute(_TABLES).scalars()]
        found += [f"may call {name} with the rights of its owner" for name in connection.execute(_DEFINERS).scalars()]
    return found


def missing_limits(connection: Connection) -> list[str]:
    """Return, in sentences, what the server itself does not bound for the connected role."""
    found = []
    if connection.exec_driver_sql("SHOW temp_file_limit").scalar_one() == "-1":
        found.append("Nothing bounds the role's temporary files; as a superuser, set temp_file_limit for it.")
    dangerous = connection.execute(_DANGEROUS).scalars().all()
    if dangerous:
        found.append(
            f"The server lets the role call {dangerous[0]} and {len(dangerous) - 1} others like it, and Curtain alone"
            " forbids that; as a superuser, make the role with make_reader."
        )
    return found


def make_reader(connection: Connection, role: str, password: str, schema: str = "public") -> None:
    """Make `role`, which may connect and SELECT from the tables of `schema` and nothing else.

    The connection belongs to the owner of the tables, with the right to create roles; the caller commits. Takes from
    everybody but the owner the right to create tables in `schema`, temporary ones in the database (PostgreSQL before 15
    gives both away), and to execute functions of `schema`, today's and later ones. A superuser's connection also
    bounds the role's temporary files and takes from everybody the server's functions that write, wait or run SQL text.
    Raises what the driver raises, for instance when the role is already there.
    """
    quote = connection.dialect.identifier_preparer.quote_identifier
    database = connection.execute(text("SELECT current_database()")).scalar_one()
    secret = "'" + password.replace("'", "''").replace("\\", "\\\\") + "'"
    named, inside = quote(role), quote(schema)
    statements = [
        f"CREATE ROLE {named} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT PASSWORD E{secret}",
        f"REVOKE CREATE ON SCHEMA {inside} FROM PUBLIC",
        f"REVOKE TEMPORARY ON DATABASE {quote(database)} FROM PUBLIC",
        f"REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA {inside} FROM PUBLIC",
        "ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC",
        f"GRANT USAGE ON SCHEMA {inside} TO {named}",
        f"GRANT SELECT ON ALL TABLES IN SCHEMA {inside} TO {named}",
        f"ALTER ROLE {named} SET default_transaction_read_only = on",
        f"ALTER ROLE {named} SET statement_timeout = '60s'",
    ]
    if connection.execute(_ATTRIBUTES).one().rolsuper:
        statements.append(f"ALTER ROLE {named} SET temp_file_limit = '{_SCRATCH}'")
        dangerous = connection.execute(_DANGEROUS).scalars()
        statements += [f"REVOKE EXECUTE ON FUNCTION {function} FROM PUBLIC" for function in dangerous]
    for statement in statements:
        connection.exec_driver_sql(statement.replace("%", "%%"))
