"""AlpacaEval: outputs of models (`model_outputs.json`) and what an annotator preferred (`annotations.json`).

https://github.com/tatsu-lab/alpaca_eval. An output has instruction, output, generator and dataset; an annotation has
output_1, generator_1, output_2, generator_2, annotator and preference: 1 the first, 2 the second, 1.5 (0 in old files)
a tie, or a number between that weighs the two by their probabilities. An annotation's two outputs are a pair.
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import orjson
from django.utils.translation import gettext as _

from formats.foreign.documents import wrong
from formats.foreign.rated import Rated
from formats.reading import Record

READS = "json"
TIE = 1.5


def lines_of(record: Record, kind: str) -> Iterator[Record]:
    fields, line = record.fields, record.line
    if not isinstance(fields.get("instruction"), str) or not fields["instruction"]:
        raise wrong(_("An entry of AlpacaEval has an “instruction”."), line, "instruction")
    if "output_1" not in fields:
        if kind == "items":
            yield Record(line, item_of(fields, fields.get("output"), fields.get("generator"), line))
        return
    first, second = (item_of(fields, fields.get(f"output_{n}"), fields.get(f"generator_{n}"), line) for n in (1, 2))
    pair = hashlib.sha256(f"{first['id']}\x1f{second['id']}".encode()).hexdigest()[:24]
    if kind == "items":
        for each in (first, second):
            yield Record(line, each)
        yield Record(line, {"kind": "pair", "id": pair, "first": first["id"], "second": second["id"]})
    else:
        yield Record(line, {"pair": pair, **rating_of(fields, line)})


def item_of(fields: dict[str, Any], output: Any, generator: Any, line: int) -> dict[str, Any]:
    if not isinstance(output, str) or not isinstance(generator, str) or not generator:
        raise wrong(_("An entry of AlpacaEval has outputs and their generators."), line, "output")
    said = "\x1f".join((fields["instruction"], output))
    key = f"{generator[:150]}/{hashlib.sha256(said.encode()).hexdigest()[:16]}"
    item = {"id": key, "prompt": fields["instruction"], "model": generator, "response": output}
    return {**item, "domain": fields["dataset"]} if isinstance(fields.get("dataset"), str) else item


def rating_of(fields: dict[str, Any], line: int) -> dict[str, Any]:
    annotator, preference = str(fields.get("annotator") or "AlpacaEval"), fields.get("preference")
    rating: dict[str, Any] = {"kind": "ratings", "rater": annotator, "rater_kind": "judge", "model": annotator}
    if preference is None:
        return {**rating, "unparseable": True}
    if isinstance(preference, bool) or not isinstance(preference, (int, float)):
        raise wrong(_("A preference of AlpacaEval is a number from 1 to 2."), line, "preference")
    weight = TIE if preference == 0 else float(preference)
    if not 1 <= weight <= 2:
        raise wrong(_("A preference of AlpacaEval is a number from 1 to 2."), line, "preference")
    rating["preference"] = "tie" if weight == TIE else "first" if weight < TIE else "second"
    if weight not in (1, TIE, 2):
        rating["probabilities"] = [2 - weight, 0.0, weight - 1]
    reason = fields.get("preference_raw_completion", fields.get("raw_completion"))
    if isinstance(reason, dict):
        reason = reason.get("concise_explanation")
    return {**rating, "comment": reason} if isinstance(reason, str) and reason else rating


def holds(rated: Rated) -> bool:
    """Preferences between two responses, of judges and of people."""
    return rated.is_pair


def ratings_written(ratings: Iterable[Rated]) -> Iterator[bytes]:
    """`annotations.json`. A judge that was asked in both orders has the mean of the two; what could not be read is
    null, which AlpacaEval leaves out of its win rates."""
    yield b"["
    for number, rated in enumerate(ratings):
        first, second = rated.sides
        row = {
            "instruction": rated.prompt,
            "output_1": first.text,
            "generator_1": first.model,
            "dataset": rated.domain,
            "output_2": second.text,
            "generator_2": second.model,
            "annotator": rated.rater,
            "preference": rated.weight,
            "raw_completion": {"concise_explanation": rated.games[0].comment} if rated.games[0].comment else None,
        }
        yield (b",\n" if number else b"\n") + orjson.dumps(row)
    yield b"\n]\n"
