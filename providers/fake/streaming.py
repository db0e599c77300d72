"""An answer in pieces, as server-sent events: chunks of a chat completion, and [DONE] (`stream` in the request)."""

import json
import re

PIECE = re.compile(r"\s*\S+")


def events(body: dict, with_usage: bool = False) -> list[bytes]:
    """The events of a completion, a word in each; thought, where there is some, before the words."""
    choice = body["choices"][0]
    message = choice["message"]
    shared = {name: body[name] for name in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    deltas: list[dict] = [{"role": "assistant"}]
    deltas += [{name: message[name]} for name in message if name not in ("role", "content")]
    text = message.get("content") or ""
    words = PIECE.findall(text)
    deltas += [{"content": word} for word in words]
    if rest := text[sum(map(len, words)) :]:
        deltas.append({"content": rest})
    chunks = [shared | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append(shared | {"choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]})
    if with_usage:
        chunks.append(shared | {"choices": [], "usage": body["usage"]})
    said = [json.dumps(chunk, ensure_ascii=False).encode("utf-8", "surrogatepass") for chunk in chunks]
    return [b"data: " + data + b"\n\n" for data in (*said, b"[DONE]")]


def chunked(content: bytes) -> bytes:
    """As HTTP/1.1 sends a piece of a body whose length nobody knows; an empty one is its end."""
    return b"%x\r\n%s\r\n" % (len(content), content)
