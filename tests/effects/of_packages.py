"""Keys of a study whose effect is seen in what is handed over."""

import io
import tempfile
from pathlib import Path

from corpus.commands.package import Package, package_command
from corpus.packages.formats import ExportFormat
from session.study.folder import Study
from tests.corpus.corpora import corpus_of, session_of
from tests.effects.columns import described
from tests.effects.next_session import header, opened
from tests.effects.of_study import seen
from tests.effects.registry import Places


def _handed_over(study: Study) -> object:
    """What a log says, and whether there is a package, of a visit that is or is no pilot as the next one of the study."""
    session = described(session_of("bbn", "001"), pilot=opened(study).opened.pilot)
    with tempfile.TemporaryDirectory() as scratch:
        corpus, package = corpus_of(Path(scratch) / "corpus", session), Path(scratch) / "package"
        package_command(str(corpus), str(package), Package(ExportFormat.CSV), io.StringIO(), io.StringIO())
        return Places(log=header("Pilot")(study), package=package.exists())


seen("pilot", "`[Pilot:]` of every log; packages omit pilots by default", False, True, _handed_over)
