"""A hub keeps the certificate that it has made."""

from pathlib import Path

from session.hub.certificates import server_context


def test_a_certificate_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    _, first = server_context(tmp_path)
    _, second = server_context(tmp_path)
    assert first == second
    assert len(first) == 64
    assert (tmp_path / "key.pem").stat().st_mode & 0o777 == 0o600
    assert not list(tmp_path.glob("*.part"))
