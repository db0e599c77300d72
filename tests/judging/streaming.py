"""A real server that streams what a story tells it to, piece by piece, and whose time is the story's: it moves the
clock that its caller reads, so that eight seconds of inference take none."""

import json
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from providers.client import streaming

Piece = bytes | float | threading.Event | None
#: Wait until the caller has looked at the clock, as it does when the first words have come.
LOOKED = None
PATIENCE = 60.0


def chunk(text: str = "", *, finish: str | None = None, model: str = "simulated-1", **delta: str) -> bytes:
    """The event of one piece of an answer, as OpenAI's servers write it."""
    said = {"content": text} | delta if text or delta else {}
    body = {"model": model, "choices": [{"index": 0, "delta": said, "finish_reason": finish}]}
    return b"data: " + json.dumps(body, ensure_ascii=False).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


@dataclass
class Told:
    """What is answered: pieces of bytes, each sent by itself, and between them seconds that pass on the server's clock;
    an event is waited for, and so is LOOKED."""

    pieces: Sequence[Piece]
    status: int = 200
    kind: str = "text/event-stream"
    headers: Sequence[str] = ()
    # The connection ends without the last chunk of HTTP.
    breaks_off: bool = False


def words(n: int, seconds: float, first: float = 0.0, model: str = "simulated-1") -> Told:
    """An answer of n words within so many seconds, the first of them after `first`."""
    rest = " ".join(["كلمة"] * (n - 1))
    pieces: list[Piece] = [first, chunk("كلمة", model=model), LOOKED, seconds - first]
    pieces += [chunk(f" {rest}", model=model)] if rest else []
    return Told([*pieces, chunk(finish="stop", model=model), DONE])


@dataclass
class StreamingServer:
    """`answer` is told what was asked and the number of the request, from 1 on."""

    answer: Callable[[dict, int], Told]
    now: float = 100.0
    asked: list[dict] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    connections: int = 0
    open: int = 0
    most_open: int = 0

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._changed = threading.Condition()
        self._looks = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}/v1"
        threading.Thread(target=self._accept, daemon=True).start()

    def clock(self) -> float:
        with self._changed:
            self._looks += 1
            self._changed.notify_all()
            return self.now

    def stop(self) -> None:
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _address = self._listening.accept()
            except OSError:
                return
            self.connections += 1
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._serve, args=[connection], daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as sent:
            while head := self._head(sent):
                [length] = [line.split()[1] for line in head.splitlines() if line.lower().startswith("content-length")]
                received = sent.read(int(length))
                if len(received) < int(length):  # who asked has gone while sending
                    return
                body = json.loads(received)
                with self._lock:
                    self.asked.append(body)
                    self.heads.append(head)
                    number = len(self.asked)
                    self.open += 1
                    self.most_open = max(self.most_open, self.open)
                told = self.answer(body, number)
                try:
                    self._send(connection, told)
                except OSError:
                    return
                finally:
                    with self._lock:
                        self.open -= 1
                if told.breaks_off:
                    return

    def _head(self, sent) -> str:
        lines = []
        while (line := sent.readline()) not in (b"", b"\r\n"):
            lines.append(line.decode())
        return "".join(lines)

    def _send(self, connection: socket.socket, told: Told) -> None:
        fields = [f"Content-Type: {told.kind}", "Transfer-Encoding: chunked", *told.headers]
        connection.sendall((f"HTTP/1.1 {told.status} Told\r\n" + "\r\n".join(fields) + "\r\n\r\n").encode())
        before = self._looks
        for piece in told.pieces:
            if piece is LOOKED:
                with self._changed:
                    assert self._changed.wait_for(lambda: self._looks > before, PATIENCE)
            elif isinstance(piece, threading.Event):
                piece.wait(PATIENCE)
            elif isinstance(piece, bytes):
                connection.sendall(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            else:
                self.now += piece
        if not told.breaks_off:
            connection.sendall(b"0\r\n\r\n")


def follow(monkeypatch, server: StreamingServer) -> None:
    """Let those who measure read the server's clock."""
    monkeypatch.setattr(streaming, "clock", server.clock)
