"""Effects of a study's pass mark, seen in the verdict on a drill."""

from session.collection.open_session import plan_session
from session.store.event_store import Store
from session.study.folder import Study
from tests.effects.next_session import DAY
from tests.effects.of_study import in_study
from tests.effects.registry import effect

REACHED = {"word_error": 0.2, "answers": 0.5, "canned": 0.5, "scope": 0.5, "reply_s": 40.0}
"""What a drill of six turns with a slip reached."""


def _missed(study: Study) -> object:
    mark = study.settings.training
    assert mark is not None
    return mark.missed(6, REACHED, 1)


for key, strict, mild in (
    ("turns", 10, 6), ("word_error", 0.1, 0.2), ("answers", 0.9, 0.5), ("canned", 0.9, 0.5), ("scope", 0.9, 0.5),
    ("reply_s", 30.0, 40.0), ("slips", 0, 1),
):  # fmt: skip
    effect(f"study.training.{key}", "the verdict at the end of a drill, and `[Wizard_certified:]`", strict, mild)(
        lambda value, key=key: in_study(_missed, training={key: value})  # type: ignore[misc]
    )


def _opened(study: Study) -> object:
    store = Store("sqlite://")
    try:
        return plan_session(study, store.usage, "toy 1", DAY, operator="Oz", certified=("Ada",)).opened.operator
    except ValueError as error:
        return str(error)
    finally:
        store.close()


effect("study.training.required", "the message when an uncertified wizard opens a session", False, True)(
    lambda value: in_study(_opened, training={"required": value})
)
