"""Server-sent events as chat completions are streamed in: pieces of bytes in, whole events out. Pure.

Source: HTML Living Standard, 9.2.6 "Interpreting an event stream"; the fields are those of OpenAI's chat completion
chunks, which every compatible server sends.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import orjson

from providers.client.bodies import text_of

DONE = "[DONE]"


class EventStream:
    """Cuts a stream of bytes into the data of its events. Lines end with CR, LF or both; a piece may end anywhere, also
    within a character or between CR and LF. Comments, which keep a connection alive, are passed over."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._data: list[str] = []
        self._after_return = False
        self._is_first = True

    def feed(self, piece: bytes) -> Iterator[str]:
        """The data of each event that ends within this piece."""
        for line in self._lines(piece):
            # Decoded a line at a time: no line end is part of a character.
            text = line.decode("utf-8", "replace")
            if self._is_first:
                self._is_first, text = False, text.removeprefix("\ufeff")
            if text:
                name, _colon, value = text.partition(":")
                if name == "data":
                    self._data.append(value.removeprefix(" "))
            elif self._data:
                yield self._event()

    def close(self) -> Iterator[str]:
        """What a server that ends without an empty line had said last."""
        yield from self.feed(b"\n\n")

    def _event(self) -> str:
        data, self._data = "\n".join(self._data), []
        return data

    def _lines(self, piece: bytes) -> Iterator[bytes]:
        if self._after_return and piece.startswith(b"\n"):
            piece = piece[1:]
        if piece:
            self._after_return = piece.endswith(b"\r")
        self._line += piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *ended, rest = self._line.split(b"\n")
        self._line = bytearray(rest)
        yield from (bytes(line) for line in ended)


class BrokenStream(ValueError):
    """The stream said what is no part of an answer: `code` as of a Reply's failure, and what was said."""

    def __init__(self, code: str, detail: str = "") -> None:
        self.code, self.detail = code, detail
        super().__init__(code)


@dataclass(slots=True)
class Streamed:
    """An answer as it grows. `is_ended`: the server has said that there is no more. `usage`: what it counted, last."""

    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    model: str = ""
    finish_reason: str = ""
    refusal: str = ""
    is_ended: bool = False
    usage: dict[str, Any] = field(default_factory=dict)

    def add(self, data: str) -> bool:
        """Take in the data of an event; True where it brought words, of the answer or of thought. Raises BrokenStream
        for an error in the midst of the answer, and for what is no chunk of one."""
        if data.strip() == DONE:
            self.is_ended = True
            return False
        try:
            chunk = orjson.loads(data.encode("utf-8", "surrogatepass"))
        except orjson.JSONDecodeError:
            raise BrokenStream("body_not_json", data) from None
        if not isinstance(chunk, dict) or chunk.get("error"):
            raise BrokenStream("error_body", message_of(chunk))
        self.model = self.model or (chunk["model"] if isinstance(chunk.get("model"), str) else "")
        if isinstance(chunk.get("usage"), dict):  # counted up with every chunk, or told once at the end
            self.usage = chunk["usage"]
        choices = chunk.get("choices")
        # The last chunk may hold the usage alone.
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            return False
        self.finish_reason = str(choices[0].get("finish_reason") or "") or self.finish_reason
        delta = choices[0].get("delta")
        return isinstance(delta, dict) and self._add_words(delta)

    def _add_words(self, delta: dict[str, Any]) -> bool:
        said, thought = text_of(delta.get("content")), text_of(delta.get("reasoning_content") or delta.get("reasoning"))
        refused = text_of(delta.get("refusal"))
        self.text.append(said)
        self.reasoning.append(thought)
        self.refusal += refused
        return bool(said or thought or refused)


def message_of(chunk: object) -> str:
    """What a provider complains of, in its own words."""
    said = chunk.get("error") if isinstance(chunk, dict) else chunk
    message = said.get("message") if isinstance(said, dict) else said
    return str(message or said)
