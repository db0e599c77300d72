"""What of the tables of judges, runs and collected responses goes into an archive.

A call says in its JSON what it was about and what was read of its reply, by ids: here they become the archive's.
"""

from typing import Any

from django.db.models import Case, F, Model, UUIDField, Value, When

from annotation.models import GoldError, Span
from benchmark.models import Answer, RuleUse
from formats.archive.contents import Contents, LeftOut, Renumber, Row, Shared, Table
from formats.archive.of_projects import checked
from jobs.models import OPEN, Job, JobState
from judging.kinds import number_of
from judging.kinds.categories.examples import CODED
from judging.kinds.examples import GRADED, PREFERRED
from judging.kinds.questionnaire.examples import FILLED_IN, parse, written
from judging.kinds.questionnaire.kind import Questionnaires
from judging.kinds.questionnaire.shown import BESIDE, BESIDE_PROMPT, PROMPT, STAGE
from judging.kinds.ratings import OTHER, PAIR, QUESTION
from judging.kinds.reference.shown import ANCHOR, ANSWER, USE
from judging.kinds.same_issue.kind import GOLD, MARKED
from judging.kinds.spans.examples import ERRORS
from judging.models import (
    Call,
    CollectionCall,
    DifficultyModel,
    Judge,
    JudgePrompt,
    Panel,
    PanelMember,
    PausedBecause,
    PromptVersion,
    Reward,
    Rollout,
    Run,
    RunSet,
    RunState,
    Shard,
    SubmissionHold,
    SystemPrompt,
    TargetEndpoint,
)
from projects.models import Laboratory, Prompt, QuestionType, Rater, Response, ResponsePair
from providers.models import Provider
from rubrics.models import Criterion
from workflow.models import Stage

#: What a name in `Call.about` is of, and at which of its places ids stand.
NAMED: dict[str, tuple[type[Model], tuple[int, ...]]] = {
    QUESTION: (QuestionType, (0,)),
    PAIR: (ResponsePair, (0,)),
    OTHER: (Response, (0,)),
    STAGE: (Stage, (0,)),
    PROMPT: (Prompt, (0,)),
    BESIDE: (Response, (0,)),
    BESIDE_PROMPT: (Prompt, (0,)),
    GRADED: (Response, (0, 2)),
    PREFERRED: (Response, (0, 1)),
    ERRORS: (Response, (0,)),
    USE: (RuleUse, (0,)),
    ANSWER: (Answer, (0,)),
    ANCHOR: (Answer, (0,)),
    GOLD: (GoldError, (0,)),
    CODED: (Span, (0,)),
    MARKED: (Span, (0,)),
}
#: Under which keys of `Call.parsed` an id stands.
PARSED: dict[str, type[Model]] = {"span": Span, "criterion": Criterion}
ADDRESS_OF_NONE = "https://provider.invalid/v1"


def named_anew(name: Any, of_ids: type[Model], renumber: Renumber) -> Any:
    """An entry of `Call.about`: an id of the model that the judge's kind asks about, or a name."""
    if not isinstance(name, str):
        return renumber(of_ids, name)
    sort, rest = name.split(":", 1)
    if sort == FILLED_IN:
        return filled_in_anew(name, renumber)
    model, places = NAMED[sort]
    parts = rest.split(":", 1) if sort == ERRORS else rest.split(":")
    for place in places:
        if place < len(parts):
            parts[place] = str(renumber(model, int(parts[place])))
    return ":".join([sort, *parts])


def filled_in_anew(name: str, renumber: Renumber) -> str:
    """An example of a questionnaire: a prompt that is shown alone, or responses, and the answers to it."""
    prompt, responses, answers = parse(name)
    return written(
        None if prompt is None else renumber(Prompt, prompt), [renumber(Response, pk) for pk in responses], answers
    )


def parsed_anew(value: Any, renumber: Renumber) -> Any:
    if isinstance(value, list):
        return [parsed_anew(each, renumber) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: renumber(PARSED[key], each) if key in PARSED and type(each) is int else parsed_anew(each, renumber)
        for key, each in value.items()
    }


def renumber_call(row: Row, renumber: Renumber) -> None:
    """Its unit follows from what it is about, where that is rows: the same question has the same number there."""
    asked = row["about"]
    of_ids = Criterion if row["judge_kind"] == "rubric" else Span
    about = [named_anew(name, of_ids, renumber) for name in asked]
    keyed = [place for place, name in enumerate(asked) if is_of_its_number(name)]
    if row["judge_kind"] == "categories":
        row["unit"] = about[0]
    elif keyed and row["unit"] == number_of([asked[place] for place in keyed]):
        row["unit"] = number_of([about[place] for place in keyed])
    row["about"] = about
    if row["judge_kind"] != Questionnaires.kind:  # its keys are a lead's words, and name no id
        row["parsed"] = parsed_anew(row["parsed"], renumber)


def is_of_its_number(name: Any) -> bool:
    return not isinstance(name, str) or name.split(":", 1)[0] in (QUESTION, PAIR, GOLD, MARKED, STAGE, PROMPT)


def renumber_job(row: Row, renumber: Renumber) -> None:
    """A shard's job names the provider whose share it takes."""
    sort, _colon, pk = row["resource"].partition(":")
    if sort == "provider" and pk.isdigit():
        row["resource"] = f"{sort}:{renumber(Provider, int(pk))}"


def renumber_panel(row: Row, renumber: Renumber) -> None:
    """Members whose weight could not be fitted stand under their ids. What it was assembled of is not compared with
    what is there in another installation: it says that it may be assembled anew."""
    options = {key: value for key, value in row["options"].items() if key not in ("state", "assembling")}
    if "unweighed" in options:
        said = options["unweighed"].items()
        options["unweighed"] = {str(renumber(Rater, int(pk))): reason for pk, reason in said}
    row["options"] = options


def provider_said(row: Model, project: Model) -> Row:
    """Neither its address nor the name of its key, which are of an installation."""
    assert isinstance(row, Provider)
    laboratory = row.laboratory
    told = [laboratory.slug, laboratory.name] if laboratory else None
    return {"name": row.name, "laboratory": told, "is_simulated": row.is_simulated}


def provider_found(row: Row, project: Model) -> int:
    """The provider of this name, or one without an address and a key, until an administrator gives it some."""
    laboratory = None
    if row["laboratory"] is not None:
        slug, name = row["laboratory"]
        defaults = {"name": checked(Laboratory, "name", name)}
        slug = checked(Laboratory, "slug", slug)
        laboratory = Laboratory.objects.get_or_create(slug=slug, defaults=defaults)[0]
    simulated = row["is_simulated"] is True
    defaults = {"base_url": ADDRESS_OF_NONE, "laboratory": laboratory, "is_simulated": simulated}
    return Provider.objects.get_or_create(name=checked(Provider, "name", row["name"]), defaults=defaults)[0].pk


def prompt_said(row: Model, project: Model) -> Row:
    assert isinstance(row, PromptVersion)
    return {"name": row.name, "version": row.version, "text": row.text, "text_sha256": row.text_sha256}


def prompt_found(row: Row, project: Model) -> int:
    values = {name: checked(PromptVersion, name, row[name]) for name in ("name", "version", "text_sha256")}
    text = checked(PromptVersion, "text", row["text"])
    return PromptVersion.objects.get_or_create(**values, defaults={"text": text})[0].pk


_under_way = (RunState.PLANNED, RunState.RUNNING)

# A run that is not over is paused there, until somebody who has its provider goes on with it.
OF_JUDGES = Contents(
    "judging",
    60,
    (
        Table(model=JudgePrompt, project="project"),
        Table(model=Judge, project="project"),
        Table(model=TargetEndpoint, project="project"),
        Table(model=SystemPrompt, project="project"),
        Table(model=DifficultyModel, project="project"),
        Table(model=RunSet, project="project", instead={"money_reserved": Value(0), "tokens_reserved": Value(0)}),
        Table(
            model=Run,
            project="project",
            instead={
                "state": Case(When(state__in=_under_way, then=Value(RunState.PAUSED)), default=F("state")),
                "paused_because": Case(
                    When(state__in=_under_way, then=Value(PausedBecause.PERSON)), default=F("paused_because")
                ),
            },
        ),
        Table(
            model=Job,
            project="shard__run__project",
            instead={
                "state": Case(When(state__in=OPEN, then=Value(JobState.PAUSED)), default=F("state")),
                "claim": Value(None, output_field=UUIDField(null=True)),
            },
            renumber=renumber_job,
        ),
        Table(model=Shard, project="run__project", instead={"money_reserved": Value(0), "tokens_reserved": Value(0)}),
        Table(model=Call, project="run__project", beside={"judge_kind": F("judge__kind")}, renumber=renumber_call),
        Table(model=CollectionCall, project="endpoint__project"),
        Table(model=Panel, project="project", renumber=renumber_panel),
        Table(model=PanelMember, project="panel__project"),
        # What it cost stands in figures.
        Table(model=Reward, project="project", instead={"money_reserved": Value(0), "tokens_reserved": Value(0)}),
    ),
    (
        LeftOut(Rollout, "scores kept for a training that asks again, under keys made of ids; no figure rests on it"),
        LeftOut(
            SubmissionHold, "what workers have set aside for calls in flight; those of another installation are none"
        ),
    ),
    (Shared(Provider, provider_said, provider_found), Shared(PromptVersion, prompt_said, prompt_found)),
)
