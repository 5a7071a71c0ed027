"""The container's files name nothing that is not there: commands, options, paths, ports, variables, secrets.

No container engine is needed: what the image would run is run here, and a linter reads the rest in CI.
"""

import json
import re
import shlex
import signal
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.session import hub
from tests import ROOT
from tests.server.toy_study import toy_study

EXAMPLES = ROOT / "docs" / "examples"
STARTED_WITHIN_S = 120


def text(name: str) -> str:
    return (EXAMPLES / name).read_text(encoding="utf-8")


def guide() -> str:
    return (ROOT / "docs" / "how-to" / "serve-many-people.md").read_text(encoding="utf-8")


def instruction(name: str) -> str:
    """What stands behind an instruction of the Dockerfile, the last of this name, its lines joined."""
    joined = text("Dockerfile").replace("\\\n", " ")
    return re.findall(rf"^{name} (.*)$", joined, re.MULTILINE)[-1].strip()


def health() -> list[str]:
    return list(json.loads(instruction("HEALTHCHECK").partition("CMD")[2]))


def service(name: str) -> str:
    """The lines of one service of the compose file."""
    found = re.search(rf"^  {name}:.*\n((?:    .*\n|\n)+)", text("compose.yaml"), re.MULTILINE)
    assert found is not None, name
    return found[1]


def command() -> list[str]:
    """The words of the hubs' command."""
    folded = re.search(r"command: >-\n((?:      .*\n)+)", service("hub1"))
    assert folded is not None
    return shlex.split(re.sub(r"\$\{(\w+):\?[^}]*\}", "hub.example.org:8765", folded[1]))


def port(words: list[str], option: str) -> str:
    return words[words.index(option) + 1].rpartition(":")[2]


def test_the_image_runs_a_command_with_options_and_extras_that_there_are() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (entry,) = json.loads(instruction("ENTRYPOINT"))
    assert entry in project["scripts"]
    named = re.findall(r"EXTRAS=([\w,]+)", text("Dockerfile"))
    assert {extra for several in named for extra in several.split(",")} <= set(project["optional-dependencies"])
    for words in (json.loads(instruction("CMD")), command()):
        assert words[0] == hub.name
        given = hub.make_context("hub", words[1:]).params
        assert given["study"] == instruction("WORKDIR")
        assert [port(words, "--listen"), port(words, "--metrics")] == instruction("EXPOSE").split()


def test_the_services_know_one_another_by_the_names_and_ports_that_they_have() -> None:
    proxy, words = text("haproxy.cfg"), command()
    servers = re.findall(r"^ +server (\w+) (\w+):(\d+) check port (\d+)$", proxy, re.MULTILINE)
    assert [(name, host) for name, host, _, _ in servers] == [("hub1", "hub1"), ("hub2", "hub2")]
    for name, _, listens, watched in servers:
        assert service(name)
        assert [listens, watched] == [port(words, "--listen"), port(words, "--metrics")]
    assert "<<: *hub" in service("hub2")
    (bound,) = re.findall(r"bind :(\d+)", proxy)
    assert f'ports: ["{bound}:{bound}"]' in service("proxy")
    assert f"127.0.0.1:{port(words, '--metrics')}/health" in health()[-1]
    assert "/ready" in proxy


def test_every_file_secret_and_variable_is_one_that_the_guide_makes() -> None:
    files, said = text("compose.yaml"), guide()
    (crt,) = re.findall(r"crt (\S+)", text("haproxy.cfg"))
    mounted = dict(re.findall(r'"\./([\w.-]+):([\w./]+?)(?::ro)?"', files))
    assert mounted["my-study"] == instruction("WORKDIR")
    assert mounted["hub.pem"] == crt
    assert mounted["haproxy.cfg"].endswith("/haproxy.cfg")
    secrets = dict(re.findall(r"^  (\w+):\n    file: \./(\w+)$", files, re.MULTILINE))
    assert set(re.findall(r"/run/secrets/(\w+)", files)) == set(secrets)
    steps = said.partition("### In containers")[2].partition("```\n\n")[0]
    for made in (*mounted, *secrets.values(), *re.findall(r"\$\{(\w+)", files)):
        assert made in steps, made
    user, base = (re.findall(rf"POSTGRES_{what}: (\w+)", files)[0] for what in ("USER", "DB"))
    assert f"postgresql+psycopg://{user}@database/{base}" in steps
    assert f'echo "database:5432:{base}:{user}:' in steps
    assert service("database")
    (image,) = re.findall(r"image: (\w+)$", service("hub1"), re.MULTILINE)
    assert f"docker build -t {image} -f docs/examples/Dockerfile ." in steps


@pytest.fixture
def running(tmp_path: Path) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    """What the image would run, over a study of its own and at free ports, as soon as it is healthy."""
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        listens, watched = (str(free.getsockname()[1]) for free in (one, other))
    words = [word.replace("8765", listens).replace("9101", watched) for word in json.loads(instruction("CMD"))]
    words[1] = str(toy_study(tmp_path / "study"))
    entry = [str(Path(sys.executable).with_name(*json.loads(instruction("ENTRYPOINT"))))]
    process = subprocess.Popen(
        [*entry, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        yield process, int(watched)
    finally:
        process.kill()
        process.communicate()


def _healthy(watched: int) -> bool:
    program, *arguments = [word.replace("9101", str(watched)) for word in health()]
    assert program == "python"
    return subprocess.run([sys.executable, *arguments], capture_output=True, check=False).returncode == 0


def test_what_the_image_runs_becomes_healthy_and_ends_in_order_at_its_stop_signal(
    running: tuple["subprocess.Popen[bytes]", int],
) -> None:
    process, watched = running
    assert not _healthy(watched), "it is healthy before it listens"
    tries = 0
    while not _healthy(watched):  # each try is a process of its own
        tries += 1
        assert process.poll() is None, process.communicate()
        assert tries < 10 * STARTED_WITHIN_S
    process.send_signal(signal.Signals[instruction("STOPSIGNAL")])
    _, err = process.communicate(timeout=STARTED_WITHIN_S)
    assert process.returncode == 0, err
    assert not _healthy(watched)
