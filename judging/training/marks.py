"""Training sets from errors that people and judges marked: what stayed in the gold, and what was rejected.

For judges (sft) a conversation whose answer is the gold of a response, an empty list where it has no errors; for
reward models and DPO (preference) each rejected mark beside one that was kept in the same response, or beside "no
errors" where none was kept. Only responses whose every mark is settled teach anything.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from annotation.models import GoldAnswer, GoldError, Span
from annotation.outcomes import KEPT, REJECTED, cases
from judging.prompts import fill
from judging.training.sets import PREFERENCE, SFT, SplitSet, canaries_of, check_apart, mark_of, set_apart
from projects.chunks import in_chunks
from projects.models import Project, Response
from projects.splits import SEED, Origin, origins
from projects.vocabularies import vocabularies

NAME, VERSION = "training-spans", "v1"
PROMPTS = Path(__file__).parent / "prompts" / f"spans_{VERSION}"
FORMATS = (SFT, PREFERENCE)
CHUNK = 200
#: Of a mark, as it is written in an answer.
FIELDS = ("quote", "anchor", "error_type", "criticality", "explanation", "correction")


class Marked(NamedTuple):
    """A response whose marks are all settled, with the ids of the spans that were kept and rejected."""

    subject: int
    prompt: int
    origin: Origin
    kept: tuple[int, ...] = ()
    rejected: tuple[int, ...] = ()


@dataclass
class MarkSet(SplitSet[Marked]):
    """Responses to train on. `unsettled` ones have marks that await verdicts or an expert."""

    unsettled: int = 0


@cache
def prompt_part(part: str) -> str:
    return (PROMPTS / f"{part}.txt").read_text(encoding="utf-8")


def mark_set(
    project: Project, seed: int = SEED, *, with_held_back: bool = False, for_preferences: bool = False
) -> MarkSet:
    """All settled responses, by split, without those of held-back questions unless they are asked for.

    `for_preferences` takes those with a rejected mark alone. Raises sets.Leak.
    """
    result = MarkSet(project, seed)
    of_prompt, canaries = origins(project, seed), canaries_of(project)
    rows = GoldAnswer.objects.filter(response__project=project).order_by("pk")
    settled = []
    for pk, prompt, undecided, pending in rows.values_list("pk", "response__prompt_id", "open", "pending"):
        if prompt in canaries and not with_held_back:
            result.left_out += 1
        elif undecided or pending:
            result.unsettled += 1
        elif prompt in of_prompt:
            settled.append(Marked(pk, prompt, of_prompt[prompt]))
    for marked in with_outcomes(settled) if for_preferences else settled:
        result.examples[marked.origin.split].append(marked)
    result.held_back = canaries if with_held_back else {}
    set_apart(result)
    check_apart(result)
    return result


def with_outcomes(settled: Iterable[Marked]) -> Iterator[Marked]:
    """Those with a rejected mark, with what became of their marks."""
    by_response = {marked.subject: marked for marked in settled}
    for ids in in_chunks(list(by_response)):
        found: dict[int, dict[str, list[int]]] = defaultdict(lambda: {KEPT: [], REJECTED: []})
        for case in cases(ids):
            if case.outcome in (KEPT, REJECTED):
                found[case.span.response_id][case.outcome].append(case.span.id)
        for pk in ids:
            if rejected := found[pk][REJECTED]:
                yield by_response[pk]._replace(kept=tuple(found[pk][KEPT]), rejected=tuple(rejected))


def rows(training: MarkSet, split: str, format: str) -> Iterator[dict[str, Any]]:
    """In the order of the responses' ids. Texts are read some hundreds of responses at a time."""
    fields = fields_of(training.project)
    examples = sorted(training.examples[split], key=lambda marked: marked.subject)
    for start in range(0, len(examples), CHUNK):
        chunk = examples[start : start + CHUNK]
        ids = [marked.subject for marked in chunk]
        responses = Response.objects.select_related("prompt", "variety").in_bulk(ids)
        errors = gold_errors(ids) if format == SFT else {}
        wanted = [pk for marked in chunk for pk in (*marked.kept, *marked.rejected)]
        spans = {} if format == SFT else spans_by_id(wanted)
        for marked in chunk:
            response = responses[marked.subject]
            if format == SFT:
                made = [sft_row(response, fields, errors.get(response.pk, []))]
            else:
                made = list(preference_rows(marked, response, fields, spans))
            for number, row in enumerate(made):
                row |= place(marked, response, number)
                if canary := training.held_back.get(marked.prompt):
                    row |= {"held_back": True, "canary": canary}
                yield row


def fields_of(project: Project) -> str:
    """The fields of an error that the project has words for, as the prompt names them, with a comma behind each."""
    words = vocabularies(project)
    levels = [label.slug for label in words.criticality.offered]
    told = f"{', '.join(levels[:-1])} or {levels[-1]}" if len(levels) > 1 else "".join(levels)
    return '"error_type", ' * bool(words.error_types) + f'"criticality" ({told}), ' * bool(levels)


def gold_errors(responses: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """By response, the errors of its gold as they are written: those without words first, then by place."""
    found: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    rows = GoldError.objects.filter(response__in=responses).order_by("response_id", "start", "end", "key")
    for response, *values in rows.values_list("response_id", *FIELDS):
        found[response].append(error_of(values))
    return found


def spans_by_id(ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for some in in_chunks(ids):
        for pk, *values in Span.objects.filter(pk__in=some).values_list("pk", *FIELDS):
            found[pk] = error_of(values)
    return found


def error_of(values: Sequence[str]) -> dict[str, Any]:
    """What is empty is left out: an omission has no words, and not every study asks for a correction."""
    return {name: value for name, value in zip(FIELDS, values, strict=True) if value}


def asked(response: Response, fields: str) -> list[dict[str, str]]:
    texts = (response.prompt.text, response.text)
    shown = {"prompt": texts[0], "response": texts[1], "mark": mark_of(texts)}
    system = fill(prompt_part("system"), {"language": response.variety.name, "fields": fields}).rstrip("\n")
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": fill(prompt_part("question"), shown)},
    ]


def answer(errors: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    return {"role": "assistant", "content": orjson.dumps({"errors": list(errors)}).decode()}


def sft_row(response: Response, fields: str, errors: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"messages": [*asked(response, fields), answer(errors)]}


def preference_rows(
    marked: Marked, response: Response, fields: str, spans: Mapping[int, Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Each rejected mark once; kept ones take turns."""
    question = asked(response, fields)
    for number, rejected in enumerate(marked.rejected):
        best = [spans[marked.kept[number % len(marked.kept)]]] if marked.kept else []
        yield {"prompt": question, "chosen": [answer(best)], "rejected": [answer([spans[rejected]])]}


def place(marked: Marked, response: Response, number: int) -> dict[str, Any]:
    """What a row says of where it comes from."""
    return {
        "id": f"{response.key}/{number + 1}",
        "response": response.key,
        "variety": response.variety.tag,
        "template": marked.origin.template,
        "split": marked.origin.split,
    }
