"""The whole corpus as a BagIt bag (RFC 8493): a format that archives accept and check.

Payload is the corpus as it is, below `data/`. README, datasheet and the heads of the chains are tag files beside it.
"""

from collections.abc import Callable

from corpus.dataset.subset import WantedFile, taken
from corpus.formats import layout, manifest
from corpus.io.staging import Staging
from corpus.packages.package_writer import Contents, PackageSummary

HOW = """\
A BagIt bag; data/ is the corpus in the MADCOW layout. To check it: bagit.py --validate THIS-DIRECTORY, or
sha256sum -c manifest-sha256.txt, or curtain verify THIS-DIRECTORY/data."""
_ESCAPES = {"%": "%25", "\r": "%0D", "\n": "%0A"}


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Copy the corpus below `data/`, each file compared with its manifest."""
    corpus = contents.corpus
    files = (
        WantedFile(path, entry, staging.keep(f"data/{path}", entry)) for path, entry in corpus.manifest.files.items()
    )
    for wanted, data in taken(corpus, files, contents.jobs):
        staging.put(f"data/{wanted.path}", data, wanted.entry)
    own = (corpus.root / layout.MANIFEST).is_file()  # initial data have none, and get the one that they would have
    staging.write(f"data/{layout.MANIFEST}", corpus.read(layout.MANIFEST) if own else manifest.render(corpus.manifest))
    return PackageSummary(sum(len(course.turns) for course in contents.courses), len(corpus.speakers()), HOW)


def count(contents: Contents) -> int:
    """Return how many files the bag will have."""
    return len(contents.corpus.manifest.files)


def seal(staging: Staging) -> None:
    """The bag's own files: declaration, information, manifests of payload and tag files."""
    payload = {path: entry for path, entry in staging.files.items() if path.startswith("data/")}
    octets = sum(entry.bytes for entry in payload.values())
    staging.write("bagit.txt", b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n")
    staging.write(
        "bag-info.txt",
        f"Bag-Software-Agent: Curtain\nPayload-Oxum: {octets}.{len(payload)}\n"
        "External-Description: Spoken language, MADCOW layout\n".encode(),
    )
    staging.write("manifest-sha256.txt", _manifest(staging, lambda path: path in payload))
    staging.write("tagmanifest-sha256.txt", _manifest(staging, lambda path: path not in payload))


def _manifest(staging: Staging, wanted: Callable[[str], bool]) -> bytes:
    lines = [f"{entry.sha256}  {_encoded(path)}\n" for path, entry in sorted(staging.files.items()) if wanted(path)]
    return "".join(lines).encode()


def _encoded(path: str) -> str:
    """A path as a manifest holds it (RFC 8493, section 2.1.3)."""
    return "".join(_ESCAPES.get(char, char) for char in path)
