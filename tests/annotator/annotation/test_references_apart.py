"""The process that makes reference answers beside the annotation desk."""

from annotator.annotation.references_apart import ReferencesApart
from session.annotation.annotation_facts import Annotation
from tests.annotator.annotation_world import FLIGHTS, reader, wh


async def test_reference_answers_are_made_in_a_process_of_its_own() -> None:
    with ReferencesApart(reader()) as apart:
        assert await apart.refusal(wh(FLIGHTS)(Annotation()), "") == ""
        assert "gibberish" in (await apart.refusal(wh("gibberish")(Annotation()), "") or "")
        apart._process.kill()
        apart._process.join()
        assert await apart.refusal(wh(FLIGHTS)(Annotation()), "") is None
