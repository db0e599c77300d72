"""Anchor answers: fixed answers to questions that every judge scores again in each of its runs, so that one that drifts
is seen. What they show stands in benchmark/anchor_passes.py."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from benchmark.answering import receive
from benchmark.judged import newest_ranked, uses_to_judge
from benchmark.models import Answer, Configuration, ConfigurationKind, Question
from formats.limits import MAX_GOLD_ANSWER
from formats.readers.choosing import read_records
from formats.reading import Record, Source
from projects import audit
from projects.anchors import sha256
from projects.models import Laboratory, Project, Prompt, Response, TargetModel, User
from projects.problems import Invalid, Problem
from projects.stored_text import text_fault

SHOWN = 100
TOP = 10
#: Whom anchor answers stand for: no model's laboratory, so every judge may be asked about them.
PEOPLE = ("people", "People")
FIELDS = {"question", "text", "expected"}


@dataclass(frozen=True, slots=True)
class Coming:
    """An anchor answer that was read. `expected`: the points a good judge gives, None where nobody said."""

    prompt: Prompt
    text: str
    expected: float | None


@transaction.atomic
def add_anchors(project: Project, file: Source, by: User | None = None) -> dict[str, int]:
    """Anchor answers from JSON lines {"question", "text", "expected"?}: all of them or, with every problem, none.

    `question` is the key of one in the newest frozen version of a set, which a judge has to score; `expected` are
    points from 0 to 10. Of one question there can be several; a text that it has is left as it is. Returns how many
    are new ("added") and how many were there ("unchanged"). Raises Invalid.
    """
    Project.objects.select_for_update().get(pk=project.pk)
    coming = read(project, file)
    counts = {"added": 0, "unchanged": 0}
    have = known_texts(project)
    rows = list(Configuration.objects.filter(project=project, kind=ConfigurationKind.ANCHOR).order_by("pk"))
    for anchor in coming:
        texts = have[anchor.prompt.pk]
        if anchor.text in texts:
            counts["unchanged"] += 1
            continue
        # A configuration answers a prompt once: the second anchor of a question stands in a second one.
        while len(rows) <= len(texts):
            rows.append(next_configuration(project, len(rows) + 1))
        receive(rows[len(texts)], anchor.prompt, anchor.text, response=response_of(rows[len(texts)], anchor))
        texts.append(anchor.text)
        counts["added"] += 1
    audit.record("anchors.added", actor=by, project=project, subject=project.slug, **counts)
    return counts


def known_texts(project: Project) -> dict[int, list[str]]:
    """The anchor answers that are there, by prompt, in the order of their configurations."""
    rows = Answer.objects.filter(configuration__project=project, configuration__kind=ConfigurationKind.ANCHOR)
    found: dict[int, list[str]] = defaultdict(list)
    for prompt, text in rows.order_by("configuration").values_list("prompt_id", "response__text"):
        found[prompt].append(text)
    return found


def next_configuration(project: Project, number: int) -> Configuration:
    people, _made = Laboratory.objects.get_or_create(slug=PEOPLE[0], defaults={"name": PEOPLE[1]})
    # Names of target models are unique in the installation.
    name = f"{project.slug} anchor {number}"
    target, _made = TargetModel.objects.get_or_create(name=name, defaults={"laboratory": people})
    return Configuration.objects.create(
        project=project,
        kind=ConfigurationKind.ANCHOR,
        target_model=target,
        slug=f"anchor-{number}",
        name=_("Anchor answers %(number)d") % {"number": number},
    )


def response_of(row: Configuration, anchor: Coming) -> Response:
    return Response.objects.create(
        project_id=row.project_id,
        key=f"{anchor.prompt.key[:180]}-{row.slug}",
        prompt=anchor.prompt,
        target_model=row.target_model,
        variety_id=anchor.prompt.variety_id,
        text=anchor.text,
        text_sha256=sha256(anchor.text),
        metadata={"anchor": {"expected": anchor.expected}},
    )


def read(project: Project, file: Source) -> list[Coming]:
    """Raises Invalid with what is wrong, by line and field."""
    newest = Question.objects.filter(question_set__in=newest_ranked().filter(project=project))
    questions = {question.key: question for question in newest.select_related("prompt").order_by("question_set")}
    judged = uses_to_judge(None, {question.prompt_id for question in questions.values()})
    problems: list[Problem] = []
    coming: list[Coming] = []
    for record in read_records(file, "jsonl"):
        if isinstance(record, Problem):
            problems.append(record)
            continue
        faults = list(faults_of(record, questions, judged))
        problems += [Problem(code, message, field, line=record.line) for code, message, field in faults]
        if not faults:
            expected = record.fields.get("expected")
            prompt = questions[record.fields["question"]].prompt
            coming.append(Coming(prompt, record.fields["text"], None if expected is None else float(expected)))
    if not coming and not problems:
        problems.append(Problem("empty_file", _("There is no anchor answer in the file.")))
    if problems:
        raise Invalid(problems[:SHOWN])
    return coming


def faults_of(record: Record, questions: dict, judged: dict) -> Iterable[tuple[str, str, str]]:
    """Code, message and field of what is wrong with a line."""
    fields = record.fields
    for name in sorted(fields.keys() - FIELDS):
        yield "unknown_field", _("There is no such field."), name
    question = questions.get(fields["question"]) if isinstance(fields.get("question"), str) else None
    if question is None:
        yield "unknown_question", _("No frozen set has a question with this key."), "question"
    elif question.prompt_id not in judged:
        yield "not_judged", _("No judge is asked about answers to this question."), "question"
    if fault := text_fault(fields.get("text"), MAX_GOLD_ANSWER):
        yield *fault, "text"
    elif not fields["text"].strip():
        yield "required", _("An anchor answer has words."), "text"
    expected = fields.get("expected")
    is_points = isinstance(expected, int | float) and not isinstance(expected, bool) and 0 <= expected <= TOP
    if expected is not None and not is_points:
        yield "out_of_range", _("Points go from 0 to 10."), "expected"
