"""Project files of tests: one with something of every part, and projects made of generated ones."""

from typing import Any

import pytest
from hypothesis import strategies as st

from annotation.models import ErrorCategory
from formats.project_file.applying import Applied, apply_file, create_from_file
from formats.project_file.describing import VERSION
from formats.project_file.writing import write_yaml
from projects.models import AuditEvent, Label, Project, QuestionType
from projects.problems import Invalid
from screening.models import Quiz
from workflow.models import Stage

WHOLE = """\
format: mizan.project/1
project:
  name: Feasts of the Nile
  description: What people eat when.
  areas: [spans, ratings, rubrics, leaderboard]
  preset: esa
  ask_category: true
  show_target_model: true
  only_validated_prompts: true
  explanation_language: response
  licence: CC-BY-4.0
  citation: Nile and Delta, 2026
varieties:
- {tag: ar-EG, short_name: EG}
- {tag: bn-BD}
content_notes:
- {slug: violence, name: Violence, names: {ar: عنف}}
- {slug: slurs, name: Slurs}
labels:
  error_types:
  - {slug: cultural, name: Cultural}
  - {slug: linguistic, name: Linguistic, definition: Of the language.}
  - slug: both
    name: Both
    covers: [cultural, linguistic]
  criticality:
  - {slug: major, name: Major, points: 5}
  - {slug: minor, name: Minor, points: 0.5, retired: true}
  failure_types:
  - {slug: omission, name: Omission, missing: true}
guidelines: |
  # Mark what is wrong
  Once each.
stages:
- {name: Marking, kind: spans, raters_per_item: 3, minutes_held: 60, seed: 7}
- {name: Validation, kind: reviews, policy: majority, open: false}
- name: Score
  kind: ratings
  survey:
    items_between: 20
    questions:
    - {key: hard, text: How hard was it?, kind: scale}
    - key: why
      text: Why?
      kind: choice
      choices: [Long, Odd]
feedback: {outcomes: false, words: true, checks: true, case_book: between_items}
working_time: {idle_seconds: 90, quizzes: true, guidelines: true, begun: false, hourly_rate: 12.5, currency: EGP}
categories:
- slug: spelling
  name: Spelling
  definition: A letter is wrong.
  example: recieve
  error_type: linguistic
  depth: thin
- {slug: other, name: Other}
errors:
  weights:
  - {category: spelling, criticality: minor, points: 0.1}
  source_errors: nothing
  source_categories: [other]
dimensions:
- slug: overall
  name: Overall
  definition: All in all.
  questions:
  - slug: score
    name: Score
    lowest: 0
    highest: 100
    levels:
    - {grade: 0, label: Bad, summary: Nothing is right., detail: Really nothing.}
    - {grade: 100, summary: All is right.}
  - {slug: better, name: Which one is better?}
- {slug: empty, name: Nothing yet}
ratings: {asks_preference: false, asks_comment: false, gold_rule: mean, unparseable: tie}
pairs: {design: balanced, per_prompt: 2, seed: 7}
rubrics:
  needs_difficulty_check: false
  needs_review: true
  bands:
  - {slug: core, name: Core, lowest: 8, highest: 10}
screening:
  quizzes:
  - stage: Marking
    language: ar
    pass_mark: 90
    introduction: Read this.
    open: true
    questions:
    - kind: true_false
      text: A space is a word.
      asks: {right: 'false'}
    - kind: choice
      text: What is an error?
      asks:
        right: |-
          A wrong word
          A wrong fact
        wrong: A long word
      explanation: Length is no error.
  interviews:
  - {stage: Marking, step: 2, open: false}
  checks:
  - {stage: Marking, share: 20, window: 10, least: 5}
background:
- slug: years
  text: How many years have you lived there?
  purpose: We look for people who know the place.
  kind: number
  required: true
  bands: [0, 10]
  at_least: 5
- slug: school
  text: What was your last school?
  kind: choice
  options: [School, University]
system_prompts:
- {text: 'Answer in {language}.'}
- {variety: ar-EG, text: Answer as people in Cairo speak.}
judges:
  judges:
  - {name: Simba one, kind: spans, provider: simulated, model: simulated-1}
benchmark:
  question_sets:
  - slug: meals
    name: Meals
    licence: CC BY 4.0
    skills:
    - {slug: facts, name: Facts}
    - {slug: refusals, name: Refusals, counts_refusals: true}
  board: {title: Who knows meals, max_exposures: 3}
"""

#: As short as a file of a project can be.
HEAD = "format: mizan.project/1\nproject: {name: Meals, areas: [spans]}\n"

LETTERS = st.text("abc-_", min_size=1, max_size=8)
NAMES = st.text("aبখ한 :#,'\"{}[]&*!|>%@`é-", min_size=1, max_size=20).map(str.strip).filter(bool)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60)
FILLED = TEXTS.filter(lambda text: text and not text.isspace())


def listed(record: dict[str, st.SearchStrategy[Any]], optional: dict[str, Any], unique: str, most: int = 4) -> Any:
    entries = st.fixed_dictionaries(record, optional=optional)
    return st.lists(entries, max_size=most, unique_by=lambda entry: entry[unique])


LABELS = listed({"slug": LETTERS, "name": NAMES}, {"definition": TEXTS, "retired": st.booleans()}, "slug")
CRITICALITY = listed({"slug": LETTERS, "name": NAMES}, {"definition": TEXTS, "points": st.floats(0, 1000)}, "slug")
STAGES = listed(
    {"name": NAMES, "kind": st.sampled_from(["spans", "reviews", "ratings", "pairs", "authoring"])},
    {
        "raters_per_item": st.integers(1, 50),
        "minutes_held": st.integers(1, 20_160),
        "policy": st.sampled_from(["unanimous", "majority", "any"]),
        "open": st.booleans(),
        "seed": st.integers(0, 2**31 - 1),
    },
    "name",
)
CATEGORIES = listed(
    {"slug": LETTERS, "name": NAMES},
    {
        "definition": TEXTS,
        "example": TEXTS,
        "error_type": st.integers(0, 3),
        "depth": st.sampled_from(["thin", "thick", "separate"]),
    },
    "slug",
)
LEVELS = listed({"grade": st.integers(-2, 3), "summary": FILLED}, {"label": NAMES, "detail": TEXTS}, "grade")
QUESTION = st.fixed_dictionaries(
    {"slug": LETTERS, "name": NAMES, "lowest": st.just(-2), "highest": st.just(3)},
    optional={"definition": TEXTS, "levels": LEVELS, "nominal": st.booleans()},
)
DIMENSIONS = st.lists(QUESTION, max_size=4, unique_by=lambda question: question["slug"]).flatmap(
    lambda questions: st.just(
        [{"slug": f"d{at}", "name": "D", "questions": [question]} for at, question in enumerate(questions)]
    )
)


def with_known_types(data: dict[str, Any]) -> dict[str, Any]:
    """The categories of a file with types that it lists, or none."""
    types = [label["slug"] for label in data.get("labels", {}).get("error_types", [])]
    for category in data.get("categories", []):
        at = category.pop("error_type", None)
        if at is not None and types:
            category["error_type"] = types[at % len(types)]
    return data


FILES = st.fixed_dictionaries(
    {
        "format": st.just(VERSION),
        "project": st.fixed_dictionaries(
            {"name": NAMES, "areas": st.sampled_from([["spans"], ["ratings", "spans"], []])},
            optional={"description": TEXTS, "ask_category": st.booleans(), "preset": st.sampled_from(["mqm", "esa"])},
        ),
    },
    optional={
        "guidelines": FILLED | st.fixed_dictionaries({"ar": FILLED}, optional={"bn": FILLED, "zh-Hant": FILLED}),
        "labels": st.fixed_dictionaries({"error_types": LABELS, "criticality": CRITICALITY}),
        "stages": STAGES,
        "categories": CATEGORIES,
        "dimensions": DIMENSIONS,
        "ratings": st.fixed_dictionaries({}, optional={"gold_rule": st.sampled_from(["majority", "mean"])}),
    },
).map(with_known_types)


def line_of(text: str, content: str = WHOLE) -> int:
    """The line of a file in which a text stands first, counted from 1."""
    return content[: content.index(text)].count("\n") + 1


def refused(content: str, project: Project | None = None) -> list[tuple[str, int | None]]:
    """Place and line of every problem; nothing was stored."""
    tables = (Project, Stage, ErrorCategory, Label, QuestionType, Quiz, AuditEvent)
    before = [list(table.objects.order_by("pk").values()) for table in tables]
    with pytest.raises(Invalid) as found:
        _brought_in(content, project)
    assert [list(table.objects.order_by("pk").values()) for table in tables] == before
    return [(problem.field, problem.line) for problem in found.value.problems]


def _brought_in(content: str, project: Project | None) -> None:
    if project is None:
        create_from_file(content.encode(), "new")
    else:
        apply_file(project, content.encode())


def made_of(data: dict[str, Any], slug: str) -> Applied:
    return create_from_file(write_yaml(data), slug)
