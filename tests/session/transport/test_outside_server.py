"""Whatever a server outside does, a caller gets its bytes or one error with a kind, within a time and a size."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from session.transport.outside_server import (
    FailedExchange,
    InvalidServerError,
    OutsideError,
    OutsideServer,
    outside_server,
)
from tests.fake_server import FakeServer, Handler, Reply


@pytest.mark.parametrize(
    ("reply", "seconds", "outcome", "how"),
    [
        (lambda handler: handler.give(b"x" * 101), 20, FailedExchange.TOO_LARGE, "returned more than 100 bytes"),
        (lambda handler: handler.give(b"", 503), 20, FailedExchange.REFUSED, "refused with HTTP status 503"),
        (
            lambda handler: handler.give(b"", 302, to="/elsewhere"),
            20,
            FailedExchange.REFUSED,
            "refused with HTTP status 302",
        ),
        (lambda handler: handler.connection.close(), 20, FailedExchange.UNREACHABLE, "cannot be reached: "),
        (
            lambda handler: handler.wfile.write(b"SMTP\r\n"),
            20,
            FailedExchange.UNREACHABLE,
            "cannot be reached: BadStatusLine",
        ),
        (Handler.drip, 0.1, FailedExchange.LATE, "returned nothing within 0.1 s"),
    ],
)
def test_a_bad_reply_has_a_kind_and_one_line(
    fake_server: FakeServer, reply: Reply, seconds: float, outcome: FailedExchange, how: str
) -> None:
    fake_server.reply = reply
    server = OutsideServer(fake_server.url, "s3cret", seconds)
    with pytest.raises(OutsideError) as raised:
        server.asked(b"{}", "application/json", "*/*", 100).reply()
    assert raised.value.outcome is outcome
    assert str(raised.value).startswith(how)
    assert "\n" not in str(raised.value)
    assert "s3cret" not in str(raised.value) + repr(server)
    assert fake_server.arrived.wait(60)  # a busy machine's server may see the question after nobody waits any more
    assert len(fake_server.asked) == 1, "the key goes nowhere else"


def test_bytes_come_back_up_to_the_limit_and_nobody_need_wait_for_them(fake_server: FakeServer) -> None:
    fake_server.reply = lambda handler: handler.give(b"x" * 100)
    server = outside_server(fake_server.url, "K", 60, {"K": " s3cret\n"})
    assert server.asked(b"{}", "application/json", "*/*", 100).reply() == b"x" * 100
    assert fake_server.asked[0][1]["Authorization"] == "Bearer s3cret"
    fake_server.reply = lambda handler: handler.server.release.wait()
    fake_server.arrived.clear()
    exchange = server.asked(b"{}", "application/json", "*/*", 100)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(exchange.reply)
        assert fake_server.arrived.wait(60)
        exchange.cancel()
        with pytest.raises(OutsideError) as raised:
            waiting.result(60)
    assert raised.value.outcome is FailedExchange.CANCELLED


@pytest.mark.parametrize(
    ("url", "key", "seconds", "field", "reason"),
    [
        ("file:///etc/passwd", "", 3, "url", "http:// or https://"),
        ("h/v1", "", 3, "url", "http:// or https://"),
        ("http://[::1", "", 3, "url", "not an address"),
        ("http://h:99999/", "", 3, "url", "not an address"),
        ("http://me:pass@h/", "", 3, "url", "without a password"),
        ("https://h", "NONE", 3, "key", "no environment variable NONE"),
        ("http://h", "K", 3, "url", "https only"),
        ("https://h", "", 0, "seconds", "above 0"),
        ("https://h", "", 121, "seconds", "at most 120"),
        ("https://h", "", float("nan"), "seconds", "not nan"),
    ],
)
def test_a_server_that_cannot_be_asked_names_field_and_reason(
    url: str, key: str, seconds: float, field: str, reason: str
) -> None:
    with pytest.raises(InvalidServerError, match=reason) as raised:
        outside_server(url, key, seconds, {"K": "abc"})
    assert raised.value.field == field
    assert "pass" not in raised.value.reason.replace("password", "")
    assert outside_server("http://127.0.0.1:8000/v1", "K", 3, {"K": "abc"}).key == "abc"
