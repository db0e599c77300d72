"""Prompts of several turns: messages as the interfaces of models have them, and the text that people and judges read.

The text of such a prompt is the whole conversation, each message under its role, so whoever is shown a prompt is shown
all of it. Where two turns of the user follow each other, the first is answered before the second is asked.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _

Message = Mapping[str, str]
ROLES = SYSTEM, USER, ASSISTANT = "system", "user", "assistant"
MAX_MESSAGES = 100


def fault(messages: object) -> tuple[str, str] | None:
    """The code and the words of why these are no conversation that a model can be asked to go on with."""
    if not isinstance(messages, list) or not messages:
        return "no_messages", _("A list of messages is expected.")
    if len(messages) > MAX_MESSAGES:
        return "too_many", _("A conversation has at most %(limit)d messages.") % {"limit": MAX_MESSAGES}
    for message in messages:
        if not isinstance(message, dict) or set(message) != {"role", "content"} or message["role"] not in ROLES:
            return "wrong_message", _("Each message has a role (system, user or assistant) and content.")
        if not isinstance(message["content"], str) or not message["content"].strip():
            return "empty", _("A message is empty.")
    roles = [message["role"] for message in messages]
    if SYSTEM in roles[1:] or roles[-1] != USER or next(filter(lambda role: role != SYSTEM, roles), "") != USER:
        return "wrong_order", _("A conversation begins and ends with the user; a system message stands before all.")
    if any(one == other == ASSISTANT for one, other in pairwise(roles)):
        return "wrong_order", _("Two answers follow each other.")
    return None


def as_text(messages: Sequence[Message]) -> str:
    """What people and judges read: a lone message of the user as it is, else each message under its role."""
    if len(messages) == 1:
        return messages[0]["content"]
    return "\n\n".join(f"{message['role']}:\n{message['content']}" for message in messages)


def parts_asked(messages: Sequence[Message]) -> list[list[Message]]:
    """The messages in pieces, each of which ends with a turn of the user that the model is to answer."""
    pieces: list[list[Message]] = [[]]
    for number, message in enumerate(messages):
        pieces[-1].append(message)
        follows = messages[number + 1]["role"] if number + 1 < len(messages) else ""
        if message["role"] == USER and follows == USER:
            pieces.append([])
    return pieces


def answered(messages: Sequence[Message], replies: Sequence[str]) -> str:
    """The response to a conversation that was asked turn by turn: from the first reply on, each message under its role;
    a lone reply as it is."""
    if len(replies) == 1:
        return replies[0]
    said: list[Message] = []
    for piece, reply in zip([[], *parts_asked(messages)[1:]], replies, strict=True):
        said += [*piece, {"role": ASSISTANT, "content": reply}]
    return as_text(said)


def messages_of(text: str, messages: Sequence[Message]) -> list[dict[str, Any]]:
    """A prompt as messages, whether or not it has several."""
    return [dict(message) for message in messages] or [{"role": USER, "content": text}]
