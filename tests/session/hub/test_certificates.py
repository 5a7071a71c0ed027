"""A hub keeps the certificate that it has made."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography import x509

from session.hub.certificates import fingerprint, server_context


def test_a_certificate_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    _, first = server_context(tmp_path)
    _, second = server_context(tmp_path)
    assert first == second
    assert len(first) == 64
    assert (tmp_path / "key.pem").stat().st_mode & 0o777 == 0o600
    assert not list(tmp_path.glob("*.part"))


def test_what_a_browser_shows_of_it_names_nothing(tmp_path: Path) -> None:
    server_context(tmp_path)
    made = x509.load_pem_x509_certificate((tmp_path / "certificate.pem").read_bytes())
    assert {made.subject.rfc4514_string(), made.issuer.rfc4514_string()} == {"CN=server"}


def test_of_a_chain_the_first_certificate_is_the_server_s_own(tmp_path: Path) -> None:
    (tmp_path / "authority").mkdir()
    _, own = server_context(tmp_path)
    server_context(tmp_path / "authority")
    chain = tmp_path / "chain.pem"
    texts = [(folder / "certificate.pem").read_text() for folder in (tmp_path, tmp_path / "authority")]
    chain.write_text("Bag Attributes\n" + "".join(texts))
    assert fingerprint(chain) == own


def test_hubs_that_begin_at_the_same_moment_have_one_certificate(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as hubs:
        found = list(hubs.map(lambda _: server_context(tmp_path)[1], range(8)))
    assert len(set(found)) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["certificate.pem", "key.pem"]


def test_a_key_whose_certificate_could_not_be_written_gets_one_the_next_time(tmp_path: Path) -> None:
    server_context(tmp_path)
    key = (tmp_path / "key.pem").read_bytes()
    (tmp_path / "certificate.pem").unlink()
    server_context(tmp_path)
    assert (tmp_path / "key.pem").read_bytes() == key


def test_a_certificate_without_its_key_is_told(tmp_path: Path) -> None:
    server_context(tmp_path)
    (tmp_path / "key.pem").unlink()
    with pytest.raises(OSError, match=r"certificate\.pem lies there without key\.pem"):
        server_context(tmp_path)
