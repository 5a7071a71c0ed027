"""Triggers with which the store's database refuses changes: the promises of the store hold against any program that opens it.

Events are never changed or deleted and follow one another without a gap. Payloads are never changed; they are deleted only
in the transaction that appends `SpeakerWithdrawn`: a row in `erasing` names the event that is to come, its foreign key is checked
at commit, it goes away only when that event has come, and no row may be left. docs/decisions/event-store.md argues it.
"""

_TYPE = "json_extract(CAST({row}.envelope AS TEXT), '$.type')"


def _sqlite(name: str, when: str, table: str, *checks: tuple[str, str], then: str = "") -> str:
    body = "".join(f" SELECT RAISE(ABORT, '{message}') WHERE {condition};" for message, condition in checks)
    return f"CREATE TRIGGER {name} {when} ON {table} FOR EACH ROW BEGIN{body} {then} END"


_HERE = "stream = NEW.stream"
SQLITE: tuple[str, ...] = (
    _sqlite("events_update", "BEFORE UPDATE", "events", ("events are never changed", "1")),
    _sqlite("events_delete", "BEFORE DELETE", "events", ("events are never deleted", "1")),
    _sqlite(
        "events_insert",
        "BEFORE INSERT",
        "events",
        ("this event exists already", f"EXISTS (SELECT 1 FROM events WHERE {_HERE} AND seq = NEW.seq)"),
        (
            "this event does not follow from the last one",
            "NEW.seq <> 1 AND NOT EXISTS (SELECT 1 FROM events"
            f" WHERE {_HERE} AND seq = NEW.seq - 1 AND digest = NEW.prev)",
        ),
        (
            "while payloads are erased only SpeakerWithdrawn is appended",
            f"EXISTS (SELECT 1 FROM erasing WHERE {_HERE}) AND {_TYPE.format(row='NEW')} IS NOT 'SpeakerWithdrawn'",
        ),
    ),
    _sqlite("events_inserted", "AFTER INSERT", "events", then=f"DELETE FROM erasing WHERE {_HERE};"),
    _sqlite("payloads_update", "BEFORE UPDATE", "payloads", ("payloads are never changed", "1")),
    _sqlite(
        "payloads_insert",
        "BEFORE INSERT",
        "payloads",
        ("this payload exists already", f"EXISTS (SELECT 1 FROM payloads WHERE {_HERE} AND seq = NEW.seq)"),
    ),
    _sqlite(
        "payloads_delete",
        "BEFORE DELETE",
        "payloads",
        (
            "payloads are deleted only when a speaker withdraws",
            "NOT EXISTS (SELECT 1 FROM erasing WHERE stream = OLD.stream)",
        ),
    ),
    _sqlite("erasing_update", "BEFORE UPDATE", "erasing", ("an erasure is never changed", "1")),
    _sqlite(
        "erasing_insert",
        "BEFORE INSERT",
        "erasing",
        ("an erasure names an event to come", f"EXISTS (SELECT 1 FROM events WHERE {_HERE} AND seq = NEW.seq)"),
        ("an erasure is never changed", f"EXISTS (SELECT 1 FROM erasing WHERE {_HERE})"),
    ),
    _sqlite(
        "erasing_delete",
        "BEFORE DELETE",
        "erasing",
        (
            "an erasure ends with SpeakerWithdrawn",
            "NOT EXISTS (SELECT 1 FROM events WHERE stream = OLD.stream AND seq = OLD.seq"
            f" AND {_TYPE.format(row='events')} = 'SpeakerWithdrawn')",
        ),
    ),
)


def _postgresql(name: str, when: str, table: str, body: str, level: str = "ROW") -> tuple[str, str]:
    result = "OLD" if "DELETE" in when else "NEW"
    return (
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} RETURN {result}; END $$",
        f"CREATE TRIGGER {name} {when} ON {table} FOR EACH {level} EXECUTE FUNCTION {name}()",
    )


def _refuse(message: str, condition: str = "") -> str:
    raised = f"RAISE EXCEPTION '{message}' USING ERRCODE = '23000';"
    return f"IF {condition} THEN {raised} END IF;" if condition else raised


_PG_TYPE = "convert_from({row}.envelope, 'UTF8')::json ->> 'type'"
_PAIRS = (
    _postgresql("events_update", "BEFORE UPDATE", "events", _refuse("events are never changed")),
    _postgresql("events_delete", "BEFORE DELETE", "events", _refuse("events are never deleted")),
    _postgresql("events_truncate", "BEFORE TRUNCATE", "events", _refuse("events are never deleted"), "STATEMENT"),
    _postgresql(
        "events_insert",
        "BEFORE INSERT",
        "events",
        _refuse(
            "this event does not follow from the last one",
            "NEW.seq <> 1 AND NOT EXISTS (SELECT 1 FROM events AS last"
            " WHERE last.stream = NEW.stream AND last.seq = NEW.seq - 1 AND last.digest = NEW.prev)",
        )
        + _refuse(
            "while payloads are erased only SpeakerWithdrawn is appended",
            "EXISTS (SELECT 1 FROM erasing WHERE erasing.stream = NEW.stream)"
            f" AND {_PG_TYPE.format(row='NEW')} IS DISTINCT FROM 'SpeakerWithdrawn'",
        ),
    ),
    _postgresql("events_inserted", "AFTER INSERT", "events", "DELETE FROM erasing WHERE erasing.stream = NEW.stream;"),
    _postgresql("payloads_update", "BEFORE UPDATE", "payloads", _refuse("payloads are never changed")),
    _postgresql(
        "payloads_delete",
        "BEFORE DELETE",
        "payloads",
        _refuse(
            "payloads are deleted only when a speaker withdraws",
            "NOT EXISTS (SELECT 1 FROM erasing WHERE erasing.stream = OLD.stream)",
        ),
    ),
    _postgresql("payloads_truncate", "BEFORE TRUNCATE", "payloads", _refuse("payloads are kept"), "STATEMENT"),
    _postgresql("erasing_update", "BEFORE UPDATE", "erasing", _refuse("an erasure is never changed")),
    _postgresql(
        "erasing_insert",
        "BEFORE INSERT",
        "erasing",
        _refuse(
            "an erasure names an event to come",
            "EXISTS (SELECT 1 FROM events WHERE events.stream = NEW.stream AND events.seq = NEW.seq)",
        ),
    ),
    _postgresql(
        "erasing_delete",
        "BEFORE DELETE",
        "erasing",
        _refuse(
            "an erasure ends with SpeakerWithdrawn",
            "NOT EXISTS (SELECT 1 FROM events WHERE events.stream = OLD.stream AND events.seq = OLD.seq"
            f" AND {_PG_TYPE.format(row='events')} = 'SpeakerWithdrawn')",
        ),
    ),
    _postgresql("erasing_truncate", "BEFORE TRUNCATE", "erasing", _refuse("an erasure is kept"), "STATEMENT"),
)
POSTGRESQL: tuple[str, ...] = tuple(statement for pair in _PAIRS for statement in pair)

TYPES = {"sqlite": _TYPE, "postgresql": _PG_TYPE}
"""The expression for the type of the event of `{row}`, by the name of SQLAlchemy's dialect."""
BY_DIALECT = {"sqlite": SQLITE, "postgresql": POSTGRESQL}
"""The statements that guard the tables, by the name of SQLAlchemy's dialect."""
