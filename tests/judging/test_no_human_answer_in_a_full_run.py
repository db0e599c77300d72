"""A full run of judges of every kind, in every setting, where all that people wrote is a word that is searched for.

What may be found is what a judge is asked about: a marked error's words and explanation, a criterion's words, the
taxonomy, of few-shot examples the gold, and, by the kind that refines errors alone, what people said when they kept
them, between marks of its own. Everything else holds the word: each free text of each table of annotation,
rubrics, workflow and screening, and the names of people.
"""

import ast
import dataclasses
import json
import re
import typing
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, models, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Adjudication, Review, Span
from judging.engine import runs
from judging.engine.questions import open_questions
from judging.engine.shards import work_through
from judging.kinds import Material
from judging.kinds import errors as of_errors
from judging.kinds.rubric import criteria as of_criteria
from judging.kinds.spans.kind import Spans
from judging.models import ANSWERED, Call
from projects.models import Rater, RaterKind, Response
from tests.annotation.marked import rater_of
from tests.judging.every_kind import KINDS, judge_of, work_for_every_kind
from tests.judging.grading import ask as ask_by_rubric
from tests.judging.grading import freeze, reference, respond
from tests.judging.rating import a_pair, ask, examples_for, template
from tests.security.world import build_world
from workflow.models import Assignment, Draft, ItemQuestion, SetAsideDraft, Stage

ROOT = Path(__file__).parent.parent.parent
CANARY = "zq7canary"
ROOMS = ("annotation", "rubrics", "workflow", "screening")
# What a judge may be shown, by table.
SHOWN = {
    "annotation.Span": {"quote", "explanation"},
    "annotation.GoldError": {"explanation"},  # to the judge that says whether another's error is the same issue
    "annotation.ErrorCategory": {"slug", "name", "definition", "example"},
    "rubrics.Criterion": {"text"},
    "workflow.Stage": {"kind", "show", "ask"},  # what a questionnaire shows and asks
}
# What the product itself reads: names of kinds and answers in a fixed form.
NOT_WRITTEN_BY_PEOPLE = {
    "annotation.GoldError": {"quote"},  # of the spans: derived, and guarded by the database
    "rubrics.Criterion": {"quote"},  # guarded by the database: it is the response's own
    "annotation.Review": {"quote"},  # likewise
    "annotation.Refinement": {"quote"},
    "rubrics.Rubric": {"sha256"},
    "screening.Quiz": {"language"},
    "screening.Interview": {"language"},
    "rubrics.DraftReview": {"body_sha256"},
    "rubrics.DifficultyCheck": {"prompt_sha256"},
}
PEOPLE = {
    "projects.User": ("name", "email"),
    "projects.Invitation": ("name", "email"),
    "projects.GuidelinesVersion": ("text", "change"),
    "projects.ApiToken": ("name",),
}
SETTINGS: dict[str, list[dict]] = {
    "spans": [{}, {"granularity": "response", "with_taxonomy": True}],
    "rubric": [{}, {"target": "shown"}],
    "pointwise": [{"shots": shots, "rubric": rubric} for shots in ("zero", "few") for rubric in (True, False)],
    "pairwise": [{"shots": shots, "rubric": rubric} for shots in ("zero", "few") for rubric in (True, False)],
    "sentences": [{}, {"with_taxonomy": True}],
    "groups": [{}],
    "categories": [{}],
    "refinement": [{}],
    "same_issue": [{}],
    "reference": [{}],
    "editing": [{}],
    "questionnaire": [{}],
}


def free_texts(model: type[models.Model]) -> list[str]:
    left = SHOWN.get(model._meta.label, set()) | NOT_WRITTEN_BY_PEOPLE.get(model._meta.label, set())
    return [
        field.name
        for field in model._meta.concrete_fields
        if isinstance(field, models.CharField | models.TextField | models.JSONField)
        and not field.choices
        and field.name not in left
    ]


def write_canaries() -> tuple[set[str], set[str]]:
    """Put the word into every free text of every row; the fields that hold it, and those that the database guards."""
    held, guarded = set(), set()
    tables = [model for room in ROOMS for model in apps.get_app_config(room).get_models()]
    wanted = [(model, name) for model in tables for name in free_texts(model)]
    wanted += [(apps.get_model(label), name) for label, names in PEOPLE.items() for name in names]
    for model, name in wanted:
        for row in model._default_manager.all():
            word = f"{CANARY}-{row.pk}"
            value = {"note": word} if isinstance(model._meta.get_field(name), models.JSONField) else word
            try:
                with transaction.atomic():
                    model._default_manager.filter(pk=row.pk).update(**{name: value})
                held.add(f"{model._meta.label}.{name}")
            except DatabaseError:
                guarded.add(f"{model._meta.label}.{name}")
    for rater in Rater.objects.filter(kind=RaterKind.HUMAN):
        Rater.objects.filter(pk=rater.pk).update(name=f"{CANARY}-{rater.pk}", pseudonym=f"{CANARY}-p{rater.pk}")
    return held, guarded


@pytest.fixture
def written(project, other_project, koshari, mona, karim, hana):
    """All that people write, somewhere in the project; every free text of it holds the word."""
    build_world(project, other_project)
    question = work_for_every_kind(project, koshari, mona, karim)
    examples_for(project, question, mona)
    held_out = a_pair(ask(project, question, template(project, "held-out", question, "test")), 4, 2)
    assert held_out.pk
    Review.objects.update(verdict="keep")
    kept = Span.objects.filter(response=koshari).first()
    Adjudication.objects.create(span=kept, rater=rater_of(hana, project), is_kept=True, reason="Kept.")
    ItemQuestion.objects.update(answer="Ask nobody.", answered_at=timezone.now())
    assignment = Assignment.objects.filter(draft=None).first()
    # A zone stands beside a date alone.
    Stage.objects.update(due_at=timezone.now(), due_zone="UTC")
    Draft.objects.create(assignment=assignment, body={})
    SetAsideDraft.objects.create(assignment=assignment, base_version=1, body={})
    # What is frozen the database lets nobody change, so it holds the word from its beginning.
    grader = Rater.objects.get(user=mona, project=project)
    prompt = ask_by_rubric(project, "sealed")
    reference(respond(prompt), freeze(prompt, grader, hidden=CANARY), grader)
    return write_canaries()


@pytest.fixture
def recorded(written, fake_provider):
    fake_provider.tell(record=True)
    return fake_provider


def run_everything(project, provider) -> dict[str, set[str]]:
    """Judges of every kind in every setting over everything there is; by kind, the states in which calls ended."""
    states = {}
    for kind, settings in SETTINGS.items():
        for number, how in enumerate(settings):
            judge = judge_of(kind, project, provider, name=f"{kind} {number}", **how)
            run = runs.create_run(judge, Response.objects.filter(project=project))
            for shard in runs.start_here(run):
                work_through(shard)
        states[kind] = set(Call.objects.filter(judge__rater__name__startswith=kind).values_list("state", flat=True))
    return states


COMMENT = re.compile(r"<<<comment ([0-9a-f]{16})>>>.*?<<<end of comment \1>>>", re.S)


def leaks(fake_provider) -> list[str]:
    """Every request that holds the word, from where it stands; of the kind that refines beside comments."""
    asked = [json.dumps(request["body"], ensure_ascii=False) for request in fake_provider.asked()]
    asked = [
        COMMENT.sub("", text) if '\\"occurrence\\"' in text and '\\"errors\\"' not in text else text for text in asked
    ]
    return [text[max(0, text.index(CANARY) - 80) :][:200] for text in asked if CANARY in text]


def test_all_that_people_write_holds_the_word(written):
    """Rows stand in every table that people's answers are written to, and what the word is not in is known."""
    held, guarded = written
    answers = {
        *("annotation.Span.correction", "annotation.Review.comment", "annotation.Adjudication.reason"),
        *("annotation.Classification.reason", "annotation.GroupProposal.reason", "annotation.Rating.comment"),
        *("annotation.Marking.metadata", "annotation.GoldError.correction"),
        *("rubrics.Verdict.justification", "rubrics.Grade.comment", "rubrics.DraftReview.body"),
        *("workflow.Draft.body", "workflow.ItemQuestion.text", "workflow.ItemQuestion.answer"),
        *("screening.QuizQuestion.explanation", "screening.AttemptQuestion.answer", "workflow.Assignment.skip_note"),
    }
    assert answers - held == set()
    assert guarded - held <= {
        *("rubrics.Rubric.gold_answer", "rubrics.Rubric.difficulty", "rubrics.Rubric.accepted_findings"),
        *("rubrics.Rubric.metadata", "rubrics.Criterion.key", "rubrics.Criterion.failure_type"),
        # What somebody was asked in a quiz stays as it was; a pause is written down once.
        *(f"screening.AttemptQuestion.{name}" for name in ("text", "content", "explanation")),
        "screening.Pause.note",
        # Of what area it is: one of our own words.
        "annotation.SettledCase.kind",
        # A reason stands beside a decision alone.
        "workflow.TimeCorrection.reason",
    }


def test_nothing_that_people_wrote_is_in_any_request_of_a_full_run(project, provider, recorded):
    states = run_everything(project, provider)
    assert states.keys() == set(KINDS)
    assert all(found & set(ANSWERED) for found in states.values()), "every kind was asked and answered"
    assert len(recorded.asked()) == Call.objects.exclude(attempts=0).count() > 40
    assert leaks(recorded) == []
    for request in recorded.asked():
        text = json.dumps(request["body"], ensure_ascii=False)
        for rater in Rater.objects.filter(project=project, kind=RaterKind.HUMAN):
            assert str(rater.uuid) not in text
    shown = [request for request in recorded.asked() if COMMENT.search(json.dumps(request["body"]))]
    assert 0 < len(shown) <= Call.objects.filter(judge__rater__name__startswith="refinement").count()
    told = [re.findall(r"Native readers (?:graded|found)", json.dumps(request["body"])) for request in recorded.asked()]
    few = Call.objects.filter(judge__options__shots="few").exclude(attempts=0).count()
    assert sum(map(bool, told)) == few > 0, "the gold of few-shot examples is the one exception"


# --- By construction ----------------------------------------------------------------------------------


def leaves(of: type, place: str = "") -> Iterator[str]:
    """Every field of a dataclass that is no dataclass itself, by its path."""
    for field in dataclasses.fields(of):
        hint = typing.get_type_hints(of)[field.name]
        parts = [part for part in typing.get_args(hint) if part not in (type(None), Ellipsis)] or [hint]
        assert len(parts) == 1, f"{place}{field.name} may hold several things"
        if dataclasses.is_dataclass(parts[0]) and isinstance(parts[0], type):
            yield from leaves(parts[0], f"{place}{field.name}.")
        else:
            assert parts[0] in (str, int), f"{place}{field.name} may hold anything"
            yield place + field.name


def test_material_can_hold_texts_and_numbers_that_are_known_by_name():
    """Another field is another way for an answer to reach a judge: it is added here, with its reason, or not at all."""
    assert set(leaves(Material)) == {
        *("prompt", "response", "other", "language", "target"),
        *("errors.id", "errors.words", "errors.place", "errors.explanation", "errors.start"),
        "errors.comments",  # what people said of an error that they kept, for the kind that refines it
        *("criteria.id", "criteria.text", "criteria.weight"),
        # By its short name, name and dimension the question is found in another installation; they are not sent.
        *("question.id", "question.slug", "question.name", "question.dimension"),
        "questionnaire.id",
        "questionnaire.name",  # by which the prompt's layout is found; it is not sent
        "questionnaire.parts",  # keys of what it asks, which tell it from another of that name; they are not sent
        "others",  # further responses that stand beside the first
        *("examples.prompt", "examples.language", "examples.responses", "examples.grades", "examples.preference"),
        *("reference.id", "reference.rule", "reference.reference", "reference.language"),
        *("reference.passage", "reference.options"),
        "examples.errors",  # what people settled on of other responses, of the training split: gold as grades are
    }


def test_what_asks_and_reads_knows_no_table_of_answers():
    names = [*(f"judging/engine/{name}.py" for name in ("calling", "parsing", "refusals")), "judging/kinds/__init__.py"]
    names += ["judging/kinds/forms.py"]
    names += [
        str(path.relative_to(ROOT)) for room in ("client", "limiter") for path in ROOT.glob(f"providers/{room}/*.py")
    ]
    assert len(names) > 18
    for name in names:
        tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
        imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not {module for module in imported if module.startswith(ROOMS)}, name


# Columns that hold what people said of a response, a span or a criterion.
SAID = {
    *("verdict", "comment", "correction", "error_type", "criticality", "is_kept", "reason", "justification", "value"),
    *("first_grade", "second_grade", "preference", "failure_type", "gold_answer", "body", "answers", "penalty"),
}


@pytest.mark.every_case
@pytest.mark.parametrize("kind", KINDS)
def test_no_column_that_holds_an_answer_is_read_to_make_a_question(kind, project, provider, koshari, mona, karim):
    """Not even read: what is not fetched cannot be shown by a later mistake."""
    work_for_every_kind(project, koshari, mona, karim)
    run = runs.create_run(judge_of(kind, project, provider), Response.objects.filter(project=project))
    for shard in run.shards.select_related("run__judge", "run__prompt_version"):
        with CaptureQueriesContext(connection) as queries:
            assert list(open_questions(shard))
    told = " ".join(query["sql"] for query in queries)
    assert {column for column in SAID if f'"{column}"' in told} == ({"comment"} if kind == "refinement" else set())


# --- The guards, one at a time taken away -------------------------------------------------------------


def with_corrections_of_errors(monkeypatch):
    columns = tuple("correction" if name == "explanation" else name for name in of_errors.COLUMNS)
    monkeypatch.setattr(of_errors, "COLUMNS", columns)


def with_keys_of_criteria(monkeypatch):
    monkeypatch.setattr(of_criteria, "COLUMNS", ("id", "key", "weight"))


def with_comments_of_reviewers(monkeypatch):
    def material(self, bare, found, target, prompt):
        said = Review.objects.values_list("comment", flat=True)
        return replace(bare, prompt=f"{bare.prompt} {' '.join(said)}")

    monkeypatch.setattr(Spans, "material", material)


@pytest.mark.parametrize(
    ("take_away", "kind"),
    [
        (with_corrections_of_errors, "groups"),
        (with_corrections_of_errors, "categories"),
        (with_keys_of_criteria, "rubric"),
        (with_comments_of_reviewers, "spans"),
    ],
)
def test_the_search_finds_what_a_missing_guard_lets_through(take_away, kind, project, provider, recorded, monkeypatch):
    take_away(monkeypatch)
    monkeypatch.setattr(f"{__name__}.SETTINGS", {kind: SETTINGS[kind]})
    run_everything(project, provider)
    assert leaks(recorded)
