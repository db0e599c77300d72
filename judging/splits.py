"""Which side of a split a prompt stands on: that of its template, with all translations of it.

A template that was assigned to a split stands there. The others are drawn, each by a hash of the seed and its own
id, so that a template stays where it is when others come. A prompt without a template is a template of its own;
prompts that ask the same words are one.
"""

import hashlib
from collections.abc import Mapping
from typing import NamedTuple

from projects.models import Project, Split

SEED = 0
# What is drawn for each, in shares of templates: about those of the published study.
SHARES: Mapping[str, float] = {Split.TRAIN: 0.7, Split.VALIDATION: 0.05, Split.TEST: 0.25}


class Origin(NamedTuple):
    """Where a prompt comes from: its template's id (or the hash of its own words), the split of that, and that hash."""

    template: str
    split: str
    words: str


def drawn(template: str, seed: int = SEED, shares: Mapping[str, float] = SHARES) -> str:
    """The split of a template that none was assigned: the same one whenever it is asked with this seed."""
    digest = hashlib.sha256(f"{seed}\x1f{template}".encode()).digest()
    point = int.from_bytes(digest[:8], "big") / 2**64
    for split, share in shares.items():
        if point < share:
            return str(split)
        point -= share
    return str(list(shares)[-1])


def origin(template: str | None, assigned: str | None, text_sha256: str, seed: int = SEED) -> Origin:
    name = f"template {template}" if template is not None else f"prompt {text_sha256}"
    return Origin(name, assigned or drawn(name, seed), text_sha256)


def origins(project: Project, seed: int = SEED) -> dict[int, Origin]:
    """By id of prompt, for all prompts of a project. One statement."""
    rows = project.prompts.values_list("pk", "template__key", "template__split", "text_sha256")
    return {pk: origin(key, split, text, seed) for pk, key, split, text in rows}
