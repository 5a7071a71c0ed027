"""A relay to a server that can fall silent: it then keeps every connection open and passes nothing on."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Relay:
    """Passes bytes between clients of `port` and a server until `silent` is set."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = [self._listener]
        self.port = self._listener.getsockname()[1]
        self.silent = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(client)
            if not self.silent.is_set():
                server = socket.create_connection(self._target)
                self._open.append(server)
                for source, target in ((client, server), (server, client)):
                    threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65_536):
                if not self.silent.is_set():
                    target.sendall(data)
            target.shutdown(socket.SHUT_RDWR)
        except OSError:
            return

    def close(self) -> None:
        for opened in self._open:
            with suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)
            opened.close()


@contextmanager
def relay_to(host: str, port: int) -> Iterator[Relay]:
    relay = Relay(host, port)
    try:
        yield relay
    finally:
        relay.close()
