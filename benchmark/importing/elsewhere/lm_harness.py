"""`samples_TASK_TIME.jsonl` of EleutherAI's lm-evaluation-harness (--log_samples): a line for each question and filter.

`resps` is what came, by request and repeat; `arguments` what was sent, a list of lists in older versions and
{"gen_args_0": {"arg_0", "arg_1"}} in newer ones. A task that compares likelihoods has a request for each given answer,
and [likelihood, is greedy] for a reply; one of whole texts sends the text alone, and its reply is one number.
"""

import json
from collections.abc import Mapping
from typing import Any

from benchmark.importing.elsewhere import Row, first_text, keys_in, last_asked, texts_in, texts_of

#: What stands in the first lines of such a file and of no other.
MARKS = (b'"doc_id"', b'resps"')


def read(fields: Mapping[str, Any]) -> Row | None:
    if "doc_id" not in fields or not {"resps", "filtered_resps"} & fields.keys():
        return None
    doc, sent = fields.get("doc"), requests(fields.get("arguments"))
    replies = fields.get("resps", fields.get("filtered_resps"))
    return Row(
        keys=keys_in(doc),
        texts=(*texts_in(doc), *(said(each) for each in sent[:1])),
        text=first_text(replies) if is_written(sent, replies) else None,
        same=json.dumps([fields["doc_id"], fields.get("doc_hash"), replies], sort_keys=True),
        choices=choices_in(doc),
    )


def requests(arguments: object) -> list[Any]:
    """The arguments of each request."""
    if isinstance(arguments, Mapping):
        return [list(each.values()) if isinstance(each, Mapping) else each for each in arguments.values()]
    return list(arguments) if isinstance(arguments, list) else []


def said(request: object) -> str:
    """What a request asked: its text, or what the user of a chat said last."""
    text = first_text(request) or ""
    if text.startswith("[{"):
        try:
            return last_asked(json.loads(text)) or text
        except ValueError:
            return text
    return text


def is_written(sent: list[Any], replies: object) -> bool:
    """Whether the replies are texts that the model wrote, not likelihoods: of given answers, or of a whole text."""
    is_of_whole_text = bool(sent) and isinstance(sent[0], list) and len(sent[0]) == 1
    return len(sent) <= 1 and not is_of_whole_text and not is_likelihood(replies)


def is_likelihood(replies: object) -> bool:
    """Whether the first reply is a pair [likelihood, is greedy]: numbers, or in newer versions their texts."""
    while isinstance(replies, list) and replies and isinstance(replies[0], list):
        replies = replies[0]
    return isinstance(replies, list) and len(replies) == 2 and replies[1] in (True, False, "True", "False")


def choices_in(doc: object) -> tuple[str, ...]:
    """Given answers, as a list or beside their labels."""
    choices = doc.get("choices") if isinstance(doc, Mapping) else None
    return texts_of(choices.get("text") if isinstance(choices, Mapping) else choices)
