"""Flags and notes: signs in stored answers that they were made for the judge, by agreement/gaming.py and attacks.py.

Computed anew at will: a decision of the lead survives, an undecided flag that is no longer true goes. Baselines and
anchors are what they are on purpose and are left out.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from agreement import gaming
from agreement.answers.states import State
from agreement.answers.thinking import without_thinking
from agreement.attacks import attacks
from agreement.figures import Figure
from agreement.gaming import NO_RUNS, Runs, Signatures
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
    #: What rulings on answers to each, and scores by any of their rules, are stored under.
    targets: Mapping[int, str]
    targets_of_uses: frozenset[str]

    @classmethod
    def of(cls, question_set: QuestionSet) -> "Asked":
        rows = list(
            question_set.questions.order_by("position", "pk").values_list(
                "prompt_id", "key", "prompt__text", "options", "reference", "target_sha256"
            )
        )
        of_uses = RuleUse.objects.filter(question__question_set=question_set).values_list("target_sha256", flat=True)
        return cls(
            {prompt: key for prompt, key, *_rest in rows},
            {prompt: text for prompt, _key, text, *_rest in rows},
            {prompt: [option["text"] for option in options] for prompt, _k, _t, options, *_rest in rows if options},
            [reference for *_rest, reference, _target in rows],
            {prompt: target for prompt, *_rest, target in rows},
            frozenset(of_uses),
        )


def find_flags(
    question_set: QuestionSet, progress: Progress | None = None, changed: Collection[int] | None = None
) -> FlagCounts:
    """Compute the flags and notes of a frozen version and store them.

    changed  ids of configurations; where named, those of the others that hang on their own answers alone are left as
             they are. Whose answers are alike is found anew of all.

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
        runs = gaming.runs_of(texts)
        if changed is None or configuration.pk in changed:
            found[configuration.pk] = found_in(configuration, texts, runs, asked)
        signed[configuration.pk] = gaming.signatures_of([runs.get(prompt, NO_RUNS) for prompt in asked.keys])
    alike = duplicates(rows, signed, asked)
    counts = FlagCounts(configurations=len(rows))
    there = flags_of_others(question_set, found, counts)
    for configuration in rows:
        pk = configuration.pk
        duplicate: dict[str, Found] = {FlagKind.DUPLICATE: alike[pk]} if pk in alike else {}
        if pk in found:
            store(configuration, question_set, found[pk] | duplicate, KINDS, counts)
        elif duplicate or pk in there:
            store(configuration, question_set, duplicate, (FlagKind.DUPLICATE,), counts)
    return counts


def standing_flags(question_set: QuestionSet) -> FlagCounts:
    """What stands of an earlier pass where nothing has changed since. Two statements."""
    counts = FlagCounts(configurations=models_of(question_set).count())
    for flag in own_flags(question_set):
        count(flag, counts)
    return counts


def flags_of_others(question_set: QuestionSet, looked_at: Collection[int], counts: FlagCounts) -> set[int]:
    """Count what stands of the configurations that are not looked at; returns those of them that have a flag or note
    of near-duplicates, which is weighed with all. One statement."""
    there: set[int] = set()
    for flag in own_flags(question_set):
        if flag.configuration_id in looked_at:
            continue
        if flag.kind == FlagKind.DUPLICATE:
            there.add(flag.configuration_id)
        else:
            count(flag, counts)
    return there


def own_flags(question_set: QuestionSet) -> QuerySet[Flag]:
    models = models_of(question_set).values("pk")
    return Flag.objects.filter(question_set=question_set, kind__in=KINDS, configuration__in=models)


def count(flag: Flag, counts: FlagCounts) -> None:
    counts.decided += flag.is_decided
    if flag.detail.get("is_found", True) and not flag.is_cleared:
        counts.notes += flag.is_note
        counts.flags += not flag.is_note


def models_of(question_set: QuestionSet) -> QuerySet[Configuration]:
    """The models of the board, those that were there first before the others."""
    rows = Configuration.objects.filter(project=question_set.project_id, kind=ConfigurationKind.MODEL)
    return rows.exclude(standing=Standing.WITHDRAWN).select_related("card").order_by("created_at", "pk")


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
    configuration: Configuration, texts: Mapping[int, str], runs: Mapping[int, Runs], asked: Asked
) -> dict[str, Found]:
    """What one configuration's answers show by themselves."""
    figures = {
        FlagKind.ONE_TEXT: gaming.one_text(texts, refused_by(configuration, asked), runs),
        FlagKind.ATTACK: attacks(texts, asked.texts),
        FlagKind.OPTIONS: gaming.options_repeated(texts, asked.options),
        FlagKind.PADDING: gaming.padding(texts, runs),
        FlagKind.EMPTY_SCORED: gaming.empty_scored(texts, scored_of(configuration, texts, asked)),
    }
    return {
        kind: Found(detail_of(figure, [asked.keys[prompt] for prompt in figure.detail["questions"]]), is_note)
        for kind, figure in figures.items()
        if figure.detail["is_noted" if (is_note := kind == FlagKind.EMPTY_SCORED) else "is_flagged"]
    }


def refused_by(configuration: Configuration, asked: Asked) -> set[int]:
    """Prompts whose answer is a refusal by the ruling of this version."""
    rows = Ruling.objects.filter(answer__configuration=configuration, state=State.REFUSED.value)
    refused = rows.values_list("answer__prompt_id", "target_sha256")
    return {prompt for prompt, target in refused if asked.targets.get(prompt) == target}


def scored_of(configuration: Configuration, texts: Mapping[int, str], asked: Asked) -> set[int]:
    """Prompts whose answer a person or a judge has scored by a rule of this version; none where no answer is empty,
    for then nothing comes of it."""
    if not gaming.empty_scored(texts, texts).detail["is_noted"]:
        return set()
    rows = RuleScore.objects.filter(answer__configuration=configuration, rater__isnull=False, value__isnull=False)
    scored = rows.values_list("answer__prompt_id", "target_sha256").distinct()
    return {prompt for prompt, target in scored if target in asked.targets_of_uses}


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
