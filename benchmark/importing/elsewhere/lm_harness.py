"""`samples_TASK_TIME.jsonl` of EleutherAI's lm-evaluation-harness (--log_samples): a line for each question and filter.

`resps` is what came, by request and repeat; `arguments` what was sent, a list of lists in older versions and
{"gen_args_0": {"arg_0", "arg_1"}} in newer ones. A task that compares likelihoods has a request for each given answer,
and [likelihood, is greedy] for a reply.
"""

import json
from collections.abc import Mapping
from typing import Any

from benchmark.importing.elsewhere import Row, first_text, keys_in, texts_in


def read(fields: Mapping[str, Any]) -> Row | None:
    if "doc_id" not in fields or not {"resps", "filtered_resps"} & fields.keys():
        return None
    doc, sent = fields.get("doc"), requests(fields.get("arguments"))
    replies = fields.get("resps", fields.get("filtered_resps"))
    is_written = len(sent) <= 1 and not is_likelihood(replies)
    return Row(
        keys=keys_in(doc),
        texts=(*texts_in(doc), *(said(each) for each in sent[:1])),
        text=first_text(replies) if is_written else None,
        same=json.dumps([fields["doc_id"], fields.get("doc_hash"), replies], sort_keys=True),
    )


def requests(arguments: object) -> list[Any]:
    """The arguments of each request."""
    if isinstance(arguments, Mapping):
        return [list(each.values()) if isinstance(each, Mapping) else each for each in arguments.values()]
    return list(arguments) if isinstance(arguments, list) else []


def said(request: object) -> str:
    """What a request asked: its text, or the last turn of a chat."""
    text = first_text(request) or ""
    if text.startswith("[{"):
        try:
            turns = json.loads(text)
        except ValueError:
            return text
        if isinstance(turns, list) and isinstance(turns[-1], dict):
            return str(turns[-1].get("content") or "")
    return text


def is_likelihood(replies: object) -> bool:
    """Whether the first reply is a pair [likelihood, is greedy]: numbers, or in newer versions their texts."""
    while isinstance(replies, list) and replies and isinstance(replies[0], list):
        replies = replies[0]
    return isinstance(replies, list) and len(replies) == 2 and replies[1] in (True, False, "True", "False")
