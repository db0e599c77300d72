"""The canonical form of a rubric: the same bytes for the same rubric, whoever writes them down, and their hash."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

FORMAT = "mizan.rubric/1"


@dataclass(frozen=True, slots=True)
class CanonicalCriterion:
    """A criterion as it is hashed; `band` is the band's slug, empty for none."""

    key: str
    text: str
    weight: int
    band: str
    objectivity: str
    explicitness: str
    tags: Sequence[str] = ()


def canonical_form(
    *, prompt_sha256: str, variety: str, scope: str, gold_answer: str, criteria: Iterable[CanonicalCriterion]
) -> bytes:
    """UTF-8 JSON with sorted keys and no spaces; the criteria in their order; no text is normalised.

    The version and the time are left out: what is hashed is what the rubric says. Tags stand in it where a criterion
    has some, so that rubrics without any keep the hash they had before there were tags.
    """
    form = {
        "format": FORMAT,
        "prompt_sha256": prompt_sha256,
        "variety": variety,
        "scope": scope,
        "gold_answer": gold_answer,
        "criteria": [
            {
                "key": criterion.key,
                "text": criterion.text,
                "weight": criterion.weight,
                "band": criterion.band,
                "objectivity": criterion.objectivity,
                "explicitness": criterion.explicitness,
                **({"tags": list(criterion.tags)} if criterion.tags else {}),
            }
            for criterion in criteria
        ],
    }
    return json.dumps(form, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def rubric_sha256(canonical: bytes) -> str:
    return hashlib.sha256(canonical).hexdigest()
