"""Flags and notes: signs in stored answers that they were made for the judge, by agreement/gaming.py and attacks.py.

Computed anew at will: a decision of the lead survives, an undecided flag that is no longer true goes. Baselines and
anchors are what they are on purpose and are left out.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from agreement import gaming
from agreement.answers.thinking import without_thinking
from agreement.attacks import attacks
from agreement.figures import Figure
from agreement.gaming import Signatures
from benchmark.models import (
    Answer,
    Configuration,
    ConfigurationKind,
    Flag,
    FlagKind,
    QuestionSet,
    RuleScore,
    RuleUse,
    Ruling,
    Standing,
)
from benchmark.scoring import check_frozen
from projects import audit

#: So many questions that a flag is about are named in its detail, for people to look at.
NAMED = 20
#: What this module finds; `contaminated` is what probes find.
KINDS = tuple(kind for kind in FlagKind if kind != FlagKind.CONTAMINATED)

#: Configurations looked at and their number; called between them, which may end the work.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Found:
    """What was found of a configuration; `detail` in JSON types."""

    detail: Mapping[str, Any]
    is_note: bool = False


@dataclass(slots=True)
class FlagCounts:
    """configurations  looked at; flags, notes  that stand; new, gone  by this pass; decided  by a lead and kept."""

    configurations: int = 0
    flags: int = 0
    notes: int = 0
    new: int = 0
    gone: int = 0
    decided: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions of a version in their order: key, text, texts of the options and reference, by prompt."""

    keys: Mapping[int, str]
    texts: Mapping[int, str]
    options: Mapping[int, Sequence[str]]
    references: Sequence[str] = field(repr=False)

    @classmethod
    def of(cls, question_set: QuestionSet) -> "Asked":
        rows = list(
            question_set.questions.order_by("position", "pk").values_list(
                "prompt_id", "key", "prompt__text", "options", "reference"
            )
        )
        return cls(
            {prompt: key for prompt, key, *_rest in rows},
            {prompt: text for prompt, _key, text, *_rest in rows},
            {prompt: [option["text"] for option in options] for prompt, _k, _t, options, _r in rows if options},
            [reference for *_rest, reference in rows],
        )


def find_flags(question_set: QuestionSet, progress: Progress | None = None) -> FlagCounts:
    """Compute the flags and notes of a frozen version and store them.

    The texts of one configuration are in memory at a time; of all others their signatures, 256 bytes an answer. Raises
    Invalid for a draft.
    """
    check_frozen(question_set)
    asked = Asked.of(question_set)
    rows = list(models_of(question_set))
    found: dict[int, dict[str, Found]] = {}
    signed: dict[int, Signatures] = {}
    for done, configuration in enumerate(rows):
        if progress is not None:
            progress(done, len(rows))
        texts = texts_of(configuration, asked)
        found[configuration.pk] = found_in(question_set, configuration, texts, asked)
        signed[configuration.pk] = gaming.signatures([texts.get(prompt) for prompt in asked.keys])
    for pk, duplicate in duplicates(rows, signed, asked).items():
        found[pk][FlagKind.DUPLICATE] = duplicate
    counts = FlagCounts(configurations=len(rows))
    for configuration in rows:
        store(configuration, question_set, found[configuration.pk], KINDS, counts)
    return counts


def models_of(question_set: QuestionSet) -> Iterator[Configuration]:
    """The models of the board, those that were there first before the others."""
    rows = Configuration.objects.filter(project=question_set.project_id, kind=ConfigurationKind.MODEL)
    yield from rows.exclude(standing=Standing.WITHDRAWN).select_related("card").order_by("created_at", "pk")


def texts_of(configuration: Configuration, asked: Asked) -> dict[int, str]:
    """What a configuration answered to the questions, by prompt, without its thinking: no judge is shown that."""
    tags = configuration.card.thinking_tags if configuration.card else ()
    rows = Answer.objects.filter(configuration=configuration)
    texts = rows.values_list("prompt_id", "response__text", "text").iterator()
    return {
        prompt: without_thinking(text if worded is None else worded, tags=tags).text
        for prompt, worded, text in texts
        if prompt in asked.keys
    }


def found_in(
    question_set: QuestionSet, configuration: Configuration, texts: Mapping[int, str], asked: Asked
) -> dict[str, Found]:
    """What one configuration's answers show by themselves."""
    targets = question_set.questions.values("target_sha256")
    refused = Ruling.objects.filter(answer__configuration=configuration, target_sha256__in=targets, state="refused")
    of_uses = RuleUse.objects.filter(question__question_set=question_set).values("target_sha256")
    given = RuleScore.objects.filter(
        answer__configuration=configuration, target_sha256__in=of_uses, rater__isnull=False, value__isnull=False
    )
    figures = {
        FlagKind.ONE_TEXT: gaming.one_text(texts, set(refused.values_list("answer__prompt_id", flat=True))),
        FlagKind.ATTACK: attacks(texts, asked.texts),
        FlagKind.OPTIONS: gaming.options_repeated(texts, asked.options),
        FlagKind.PADDING: gaming.padding(texts),
        FlagKind.EMPTY_SCORED: gaming.empty_scored(texts, set(given.values_list("answer__prompt_id", flat=True))),
    }
    return {
        kind: Found(detail_of(figure, [asked.keys[prompt] for prompt in figure.detail["questions"]]), is_note)
        for kind, figure in figures.items()
        if figure.detail["is_noted" if (is_note := kind == FlagKind.EMPTY_SCORED) else "is_flagged"]
    }


def detail_of(figure: Figure, keys: Sequence[str]) -> dict[str, Any]:
    """The figure with the first questions that it is about; how many there are, and of how many."""
    detail = {"value": figure.value, "n": figure.n, "count": len(keys), "questions": list(keys[:NAMED])}
    return detail | ({"found": figure.detail["found"]} if "found" in figure.detail else {})


def duplicates(rows: Sequence[Configuration], signed: Mapping[int, Signatures], asked: Asked) -> dict[int, Found]:
    """By configuration, with whom it shares its answers.

    One model run in two ways (another precision, sampling, effort) answers nearly alike and nobody gains by it: a note
    for both. Between two models it is a flag for the one that came later, for an answer can only be taken from one that
    is there; the earlier has a note.
    """
    by_pk = {row.pk: row for row in rows}
    keys = list(asked.keys.values())
    partners: dict[int, list[dict[str, Any]]] = {}
    is_flag: dict[int, bool] = {}
    reference = gaming.signatures(asked.references)
    for (first, second), figure in gaming.near_duplicate_pairs(dict(signed), reference).items():
        is_same_model = by_pk[first].card_id == by_pk[second].card_id
        for pk, other, is_later in ((first, second, False), (second, first, True)):
            detail = detail_of(figure, [keys[row] for row in figure.detail["questions"]])
            detail |= {"with": by_pk[other].slug, "is_same_model": is_same_model, "is_later": is_later}
            partners.setdefault(pk, []).append(detail)
            is_flag[pk] = is_flag.get(pk, False) or (is_later and not is_same_model)
    return {
        pk: Found({"count": len(alike), "pairs": alike[:NAMED]}, is_note=not is_flag[pk])
        for pk, alike in partners.items()
    }


def store(
    configuration: Configuration,
    question_set: QuestionSet,
    found: Mapping[str, Found],
    kinds: Sequence[str],
    counts: FlagCounts,
) -> None:
    """Make the rows of these kinds say what was found. Those that a lead has decided on keep the decision, and say in
    `is_found` whether it is still found."""
    with transaction.atomic():
        rows = Flag.objects.select_for_update().filter(
            configuration=configuration, question_set=question_set, kind__in=kinds
        )
        known = {row.kind: row for row in rows}
        for kind, row in known.items():
            if kind not in found and not row.is_decided:
                row.delete()
                counts.gone += 1
            elif kind not in found:
                row.detail = {**row.detail, "is_found": False}
                row.save(update_fields=["detail"])
                counts.decided += 1
        for kind, what in found.items():
            detail = {**what.detail, "is_found": True}
            if kind not in known:
                row = Flag(configuration=configuration, question_set=question_set, kind=kind)
                counts.new += 1
                subject = f"{question_set}: {configuration.slug}"
                said = {"flag": kind, "note": what.is_note}
                audit.record("flag.found", actor=None, project=question_set.project, subject=subject, **said)
            else:
                row = known[kind]
            counts.decided += row.is_decided
            if row.pk is None or (row.detail, row.is_note) != (detail, what.is_note):
                row.detail, row.is_note = detail, what.is_note
                row.save()
            if not row.is_cleared:
                counts.notes += what.is_note
                counts.flags += not what.is_note
