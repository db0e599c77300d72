"""Training sets from errors that people and judges marked: what stayed in the gold, and what was rejected.

For judges a conversation whose answer is the gold of a response, an empty list where it has no errors (sft), or the
question with the gold beside it, as judging/training/reward.py takes it (grpo). For reward models and DPO (preference)
each rejected mark beside one that was kept in the same response, or beside "no errors" where none was kept. Only
responses whose every mark is settled teach anything.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from agreement.words import words
from annotation.models import AnchorKind, ErrorCategory, GoldAnswer, GoldError, Span
from annotation.outcomes import KEPT, REJECTED, cases
from annotation.taxonomy import read_as, replaced
from judging.prompts import fill
from judging.training.reward import LABELS, OF_MARKS
from judging.training.sets import GRPO, PREFERENCE, SFT, SplitSet, canaries_of, check_apart, mark_of, set_apart
from projects.anchors import occurrences
from projects.chunks import in_chunks
from projects.models import Project, Response
from projects.models.texts import Segmentation
from projects.splits import SEED, Origin, origins
from projects.vocabularies import vocabularies

NAME, VERSION = "training-spans", "v2"
PROMPTS = Path(__file__).parent / "prompts" / f"spans_{VERSION}"
FORMATS = (SFT, GRPO, PREFERENCE)
CHUNK = 200
#: Of a mark, as it is written in an answer.
FIELDS = ("quote", "anchor", "error_type", "criticality", "explanation", "correction")
#: Of an error of the gold, what is read to write it.
COLUMNS = ("response_id", "response__text", "start", "end", "provenance", "category_id", *FIELDS)


class Marked(NamedTuple):
    """A response whose marks are all settled, with the ids of the spans that were kept and rejected."""

    subject: int
    prompt: int
    origin: Origin
    kept: tuple[int, ...] = ()
    rejected: tuple[int, ...] = ()


class Settled(NamedTuple):
    """An error of the gold as it is written in an answer, and its places; an omission has none."""

    written: dict[str, Any]
    places: list[tuple[int, int]]


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
    categories = {} if format == PREFERENCE else categories_of(training.project)
    fields = fields_of(training.project, sorted(set(categories.values())))
    examples = sorted(training.examples[split], key=lambda marked: marked.subject)
    for start in range(0, len(examples), CHUNK):
        chunk = examples[start : start + CHUNK]
        ids = [marked.subject for marked in chunk]
        responses = Response.objects.select_related("prompt", "variety").in_bulk(ids)
        errors = {} if format == PREFERENCE else gold_errors(ids, categories)
        wanted = [pk for marked in chunk for pk in (*marked.kept, *marked.rejected)]
        spans = spans_by_id(wanted) if format == PREFERENCE else {}
        for marked in chunk:
            response = responses[marked.subject]
            if format == PREFERENCE:
                made = list(preference_rows(marked, response, fields, spans))
            elif format == SFT:
                made = [sft_row(response, fields, errors.get(response.pk, []))]
            else:
                made = [grpo_row(response, fields, errors.get(response.pk, []), training.project)]
            for number, row in enumerate(made):
                row |= place(marked, response, number)
                if canary := training.held_back.get(marked.prompt):
                    row |= {"held_back": True, "canary": canary}
                yield row


def categories_of(project: Project) -> dict[int, str]:
    """What each category is read as, by id; those that were split are none."""
    mapping = replaced(project)
    names = dict(ErrorCategory.objects.filter(project=project).values_list("pk", "slug"))
    now = {pk: read_as(pk, mapping) for pk in names}
    return {pk: names[stands] for pk, stands in now.items() if stands is not None}


def fields_of(project: Project, categories: Sequence[str] = ()) -> str:
    """The fields of an error that the project has words for, as the prompt names them, with a comma behind each."""
    known = vocabularies(project)
    levels = [label.slug for label in known.criticality.offered]
    told = [
        f'"{name}" ({either(slugs)}), ' for name, slugs in (("criticality", levels), ("category", categories)) if slugs
    ]
    return '"error_type", ' * bool(known.error_types) + "".join(told)


def either(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words)


def gold_errors(responses: Sequence[int], categories: Mapping[int, str]) -> dict[int, list[Settled]]:
    """By response, the errors of its gold: those without words first, then by place."""
    found: defaultdict[int, list[Settled]] = defaultdict(list)
    rows = GoldError.objects.filter(response__in=responses).order_by("response_id", "start", "end", "key")
    for response, text, start, end, provenance, category, *values in rows.values_list(*COLUMNS):
        written = error_of(values)
        if category in categories:
            written["category"] = categories[category]
        places = []
        if written["anchor"] == AnchorKind.WORDS:
            places = [(start, end), *((part["start"], part["end"]) for part in provenance.get("more", ()))]
            here, *more = (quoted(text, *each) for each in places)
            written |= here | ({"more": more} if more else {})
        found[response].append(Settled(written, places))
    return found


def quoted(text: str, start: int, end: int) -> dict[str, Any]:
    """The words of a place, and which of them are meant where they stand there more than once."""
    quote = text[start:end]
    if next(islice(occurrences(text, quote), 1, None), None) is None:
        return {"quote": quote}
    return {"quote": quote, "occurrence": 1 + sum(at < start for at in occurrences(text, quote))}


def spans_by_id(ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for some in in_chunks(ids):
        for pk, *values in Span.objects.filter(pk__in=some).values_list("pk", *FIELDS):
            found[pk] = error_of(values)
    return found


def error_of(values: Sequence[str]) -> dict[str, Any]:
    """What is empty is left out: an omission has no words, and not every study asks for a correction."""
    return {name: value for name, value in zip(FIELDS, values, strict=True) if value}


def asked(response: Response, fields: str, task: str = "") -> list[dict[str, str]]:
    texts = (response.prompt.text, response.text)
    shown = {"prompt": texts[0], "response": texts[1], "mark": mark_of(texts)}
    said = {"language": response.variety.name, "fields": fields, "task": task}
    system = fill(prompt_part("system"), said).rstrip("\n")
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": fill(prompt_part("question"), shown)},
    ]


def answer(errors: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    return {"role": "assistant", "content": orjson.dumps({"errors": list(errors)}).decode()}


def sft_row(response: Response, fields: str, errors: Sequence[Settled]) -> dict[str, Any]:
    return {"messages": [*asked(response, fields), answer([error.written for error in errors])]}


def grpo_row(response: Response, fields: str, errors: Sequence[Settled], project: Project) -> dict[str, Any]:
    """The gold is text, for as columns of lists those of a file without errors would be of another type. TRL hands the
    reward the columns themselves; verl finds them where it looks for the ground truth."""
    rule = Segmentation(response.variety.segmentation)
    truth: dict[str, Any] = {
        "errors": [
            {"places": error.places, **{name: error.written.get(name, "") for name in LABELS}}
            for error in errors
            if error.places
        ]
    }
    if rule != Segmentation.SPACE:
        pieces = words(response.text, rule.rule)
        truth["words"] = list(zip(pieces.starts.tolist(), pieces.ends.tolist(), strict=True))
    columns = {"response_text": response.text, "gold": orjson.dumps(truth).decode()}
    return {
        "prompt": asked(response, fields, prompt_part("task_grpo")),
        **columns,
        "data_source": f"mizan/{project.slug}{OF_MARKS}",
        "reward_model": {"style": "rule", "ground_truth": columns},
    }


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
