"""A set leaves the lab in one file that its own key opens, and no other; whoever withdraws goes from it too."""

import io
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

import curtain
from corpus.commands.encrypt import EncryptOptions, encrypt_command
from corpus.commands.holdout import HoldoutOptions, holdout_command
from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.dataset import removals
from session.values.clock import ManualClock
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.interruptions import bytes_of

pyrage = pytest.importorskip("pyrage", reason="the extra encrypt is not installed")


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    """The test pool of five speakers, with a folder for keys."""
    (tmp_path / "keys").mkdir()
    whole = corpus_of(tmp_path / "all", *(session_of("bbn", f"8k{n}", number=n, stretch=0.1) for n in range(1, 6)))
    drawing = HoldoutOptions(pool=str(tmp_path / "pool"), release=str(tmp_path / "release"))
    assert holdout_command(str(whole), drawing, io.StringIO(), io.StringIO()) == 0
    return tmp_path / "pool"


def encrypted(source: Path, target: str = "pool.tar.age", key: str = "keys/pool.key") -> tuple[int, str]:
    err = io.StringIO()
    lab = source.parent
    return encrypt_command(
        EncryptOptions(str(source), str(lab / target), str(lab / key)), io.StringIO(), err
    ), err.getvalue()


def opened(lab: Path, target: str = "pool.tar.age", key: str = "keys/pool.key") -> bytes:
    secret = (lab / key).read_text("ascii").splitlines()[-1]
    data: bytes = pyrage.decrypt((lab / target).read_bytes(), [pyrage.x25519.Identity.from_str(secret)])
    return data


def test_the_key_gives_the_set_back_to_the_byte(pool: Path) -> None:
    assert encrypted(pool)[0] == 0
    lab = pool.parent
    assert {stat.S_IMODE((lab / name).stat().st_mode) for name in ("pool.tar.age", "keys/pool.key")} == {0o600}
    with tarfile.open(fileobj=io.BytesIO(opened(lab))) as archive:
        found = {member.name: archive.extractfile(member) for member in archive}
    inside = {name: data.read() for name, data in found.items() if data is not None}
    assert inside == {f"pool/{name}": (pool / name).read_bytes() for name in bytes_of(pool)}
    assert b"pool/spon/8k" not in (lab / "pool.tar.age").read_bytes()


@pytest.mark.skipif(not shutil.which("age"), reason="the program age is not installed")
def test_the_program_of_that_name_opens_it(pool: Path) -> None:
    assert encrypted(pool)[0] == 0
    call = ["age", "--decrypt", "-i", "keys/pool.key", "pool.tar.age"]
    assert subprocess.run(call, cwd=pool.parent, check=True, capture_output=True).stdout == opened(pool.parent)


def test_each_set_has_a_key_of_its_own(pool: Path) -> None:
    assert (encrypted(pool)[0], encrypted(pool, "again.tar.age", "keys/again.key")[0]) == (0, 0)
    with pytest.raises(pyrage.DecryptError):
        opened(pool.parent, "pool.tar.age", "keys/again.key")


@pytest.mark.parametrize(
    ("source", "target", "key", "message"),
    [
        ("all", "pool.tar.age", "keys/pool.key", "not a set but a whole corpus"),
        ("pool", "pool.tar.age", "pool.key", "name a key in another folder"),
        ("pool", "keys/pool.tar.age", "pool/pool.key", "would be within the corpus"),
        ("pool", "pool/pool.tar.age", "keys/pool.key", "would be within the corpus"),
        ("pool", "holdout.json", "keys/pool.key", "exists already"),
        ("pool", "pool.tar.age", "keys/old.key", "exists already"),
        ("pool", "nowhere/pool.tar.age", "keys/pool.key", "not a directory"),
        ("keys", "pool.tar.age", "keys/pool.key", "name the directory of a corpus"),
    ],
)
def test_what_would_give_the_set_away_is_refused(pool: Path, source: str, target: str, key: str, message: str) -> None:
    lab = pool.parent
    (lab / "keys/old.key").write_text("another", "ascii")
    before = bytes_of(lab)
    status, err = encrypted(lab / source, target, key)
    assert (status, message in err) == (2, True), err
    assert bytes_of(lab) == before


def test_a_file_changed_in_place_stops_it_and_nothing_is_left(pool: Path) -> None:
    (path,) = pool.glob("spon/*/1/*011sx.sro")
    path.write_bytes(path.read_bytes() + b"uh\n")
    status, err = encrypted(pool)
    assert (status, "not the file that the manifest lists" in err) == (2, True)
    assert not list(pool.parent.rglob("*.age*")) + list(pool.parent.rglob("*.key*"))


def test_a_disk_that_takes_no_more_is_told_and_nothing_is_left(pool: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        status, err = encrypted(pool)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    assert (status, "File too large" in err) == (2, True)
    assert not list(pool.parent.rglob("*.age*")) + list(pool.parent.rglob("*.key*"))


def test_a_file_that_cannot_be_put_in_its_place_takes_the_other_with_it(
    pool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Path.rename

    def failing(self: Path, target: Path) -> Path:
        if target.name == "pool.tar.age":
            raise OSError(5, "Input/output error", str(target))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", failing)
    status, err = encrypted(pool)
    assert (status, "pool.tar.age: Input/output error" in err) == (2, True)
    assert not list(pool.parent.rglob("*.age*")) + list(pool.parent.rglob("*.key*"))


def test_without_the_extra_it_says_what_to_install(pool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyrage", None)
    status, err = encrypted(pool)
    assert (status, "pip install 'curtain-woz[encrypt]'" in err) == (2, True)


def test_who_withdraws_goes_from_the_encrypted_set_too(pool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nobody else does, though its first making was interrupted."""
    lab = pool.parent

    def interrupt(*_: object) -> bytes:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("corpus.commands.encrypt._member", interrupt)
        assert encrypted(pool) == (130, "interrupted\n")
    assert list((lab / "keys").iterdir()) + list(lab.glob("*.age*")) + list(lab.glob(".*.part")) == []
    (speaker,) = {path.name for path in pool.glob("spon/*")}
    (other, *_) = {path.name for path in (lab / "release").glob("spon/*")}
    assert encrypted(pool)[0] == 0

    def withdraw(who: str) -> str:
        err = io.StringIO()
        assert withdraw_command(str(lab / "all"), WithdrawOptions(who), ManualClock(), io.StringIO(), err) == 1
        return err.getvalue()

    assert "pool.tar.age" not in withdraw(other)
    assert f"{lab / 'pool.tar.age'}, encrypted set, written" in withdraw(speaker)


def test_an_encrypted_set_that_was_sent_away_stands_in_the_removal_list(pool: Path) -> None:
    (speaker,) = {path.name for path in pool.glob("spon/*")}
    assert encrypted(pool)[0] == 0
    (pool.parent / "pool.tar.age").unlink()
    status = withdraw_command(str(pool), WithdrawOptions(speaker), ManualClock(), io.StringIO(), io.StringIO())
    assert status == 1, "the corpus that it is a part of has her yet"
    assert removals.held_in(pool).removals[0].copies == ("pool.tar.age",)
    status, message = encrypted(pool, "again.age", "keys/again.key")
    assert (status, "holds no session, so there is no set to encrypt" in message) == (2, True)


def test_a_set_is_encrypted_from_the_command_line(pool: Path) -> None:
    lab = pool.parent
    call = ["encrypt", str(pool), str(lab / "pool.tar.age"), "--key", str(lab / "keys/pool.key")]
    done = CliRunner().invoke(curtain.main, call)
    assert (done.exit_code, done.stdout) == (0, f"{lab / 'pool.tar.age'}\n")
    assert "never with it" in done.stderr
