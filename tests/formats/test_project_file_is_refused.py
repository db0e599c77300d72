"""Each thing wrong with a project file is said with its line and place, and nothing of the file is stored."""

import pytest
from jsonschema import Draft202012Validator

from formats.project_file.applying import create_from_file
from formats.project_file.describing import described, project_format
from projects.models import Project
from projects.problems import Invalid
from providers.endpoints import simulated_provider
from tests.formats.project_files import HEAD, WHOLE, line_of, refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def whole(db) -> Project:
    simulated_provider()
    return create_from_file(WHOLE.encode(), "nile").project


LEVELS = "labels: {criticality: [{slug: bad, name: Bad}, {slug: worse, name: Worse}]}\n"


@pytest.mark.parametrize(
    ("content", "place", "line", "words"),
    [
        ("- a\n", "", 1, "no project file"),
        ("project: {name: X, areas: []}\n", "format", 1, "missing"),
        ("format: mizan.project/2\n", "format", 1, "mizan.project/1"),
        (f"{HEAD}colour: red\n", "colour", 3, "no such field"),
        (f"{HEAD}{'a' * 119}]bbb: 1\n", "a" * 119 + "]", 3, "no such field"),
        ("format: mizan.project/1\nproject: {areas: [spans]}\n", "project.name", 2, "missing"),
        ("format: mizan.project/1\nproject: {name: X, areas: [films]}\n", "project.areas[0]", 2, "spans, rubrics"),
        ("format: mizan.project/1\nproject:\n  name: X\n  areas: []\n  preset: x\n", "project.preset", 5, "mqm"),
        (f"{HEAD}varieties: [{{tag: xx-XX}}]\n", "varieties[0].tag", 3, "not a language tag"),
        (f"{HEAD}varieties: ar-EG\n", "varieties", 3, "A list is expected"),
        (f"{HEAD}varieties: [ar-EG]\n", "varieties", 3, "record of keys"),
        (f"{HEAD}stages:\n- {{name: A, kind: films}}\n", "stages[0].kind", 4, "spans"),
        (f"{HEAD}stages:\n- {{name: A, kind: spans}}\n- {{name: A, kind: spans}}\n", "stages[1].name", 5, "twice"),
        (f"{HEAD}stages:\n- {{name: A, kind: spans, raters_per_item: 0}}\n", "stages[0].raters_per_item", 4, "1 to 50"),
        (f"{HEAD}stages:\n- {{name: A, kind: spans, raters_per_item: two}}\n", "stages[0].raters_per_item", 4, "whole"),
        (f"{HEAD}categories:\n- name: A\n  slug: no way\n", "categories[0].slug", 5, "Latin letters"),
        (f"{HEAD}categories:\n- slug: a\n  name: 7\n", "categories[0].name", 5, "text"),
        (f"{HEAD}categories:\n- {{slug: a, name: A, depth: deep}}\n", "categories[0].depth", 4, "thin, thick"),
        (f"{HEAD}{LEVELS}errors:\n  points:\n    fatal: 7\n", "errors.points.fatal", 6, "bad, worse"),
        (f"{HEAD}errors: {{weights: [{{category: a, points: 1}}]}}\n", "errors.weights[0].category", 3, "no category"),
        (f"{HEAD}errors: {{points: {{high: -1}}}}\n", "errors.points", 3, "0 to"),
        (
            f"{HEAD}labels: {{error_types: [{{slug: a, name: A, covers: [b]}}]}}\n",
            "labels.error_types[0].covers",
            3,
            "no other label",
        ),
        (
            f"{HEAD}dimensions:\n- slug: d\n  name: D\n  questions:\n  - {{slug: q, name: Q, lowest: 5, highest: 1}}\n",
            "dimensions[0].questions[0].highest",
            7,
            "above the lowest",
        ),
        (
            f"{HEAD}dimensions:\n- {{slug: d, name: D, questions: [{{slug: q, name: Q}}]}}\n"
            "- {slug: e, name: E, questions: [{slug: q, name: Q}]}\n",
            "dimensions[1].questions[0].slug",
            5,
            "twice",
        ),
        (
            f"{HEAD}rubrics: {{bands: [{{slug: b, name: B, lowest: 5, highest: 2}}]}}\n",
            "rubrics.bands[0].highest",
            3,
            "below",
        ),
        (f"{HEAD}screening: {{checks: [{{stage: A}}]}}\n", "screening.checks[0].stage", 3, "no stage"),
        (
            f"{HEAD}stages: [{{name: A, kind: spans}}]\nscreening: {{quizzes: [{{stage: A, open: true}}]}}\n",
            "screening.quizzes[0].open",
            4,
            "without questions",
        ),
        (
            f"{HEAD}stages: [{{name: A, kind: spans}}]\nscreening:\n  quizzes:\n  - stage: A\n    questions:\n"
            "    - {kind: choice, text: T, asks: {right: x, wrong: x}}\n",
            "screening.quizzes[0].questions[0].asks.wrong",
            8,
            "twice",
        ),
        (
            f"{HEAD}judges: {{prompts: [{{kind: spans, number: 2, parts: {{}}}}]}}\n",
            "judges.prompts[0].number",
            3,
            "one after the other",
        ),
        (
            f"{HEAD}judges: {{prompts: [{{kind: spans, number: 1, parts: {{nothing: x}}}}]}}\n",
            "judges.prompts[0].parts.nothing",
            3,
            "no such part",
        ),
        (f"{HEAD}working_time: {{hourly_rate: 7}}\n", "working_time.currency", 3, "which currency"),
        (f"{HEAD}working_time: {{hourly_rate: 1.234, currency: EGP}}\n", "working_time.hourly_rate", 3, "decimal"),
        (f"{HEAD}guidelines: ''\n", "guidelines", 3, "empty"),
        (f"{HEAD}benchmark: {{board: {{open: true}}}}\n", "benchmark.board.title", 3, "missing"),
        (f"{HEAD}categories: &a []\n", "categories", 3, "Anchors"),
    ],
)
def test_each_bad_input_is_said_with_its_place(content, place, line, words):
    with pytest.raises(Invalid) as found:
        create_from_file(content.encode(), "new")
    problem = next(one for one in found.value.problems if one.field == place)
    assert problem.line == line
    assert words in problem.message
    assert not Project.objects.filter(slug="new").exists()


@pytest.mark.parametrize("slug", ["nile", "two words", "x" * 61, "كشري"])
def test_a_short_name_that_is_taken_or_none_is_refused(whole, slug):
    with pytest.raises(Invalid) as found:
        create_from_file(HEAD.encode(), slug)
    assert [problem.field for problem in found.value.problems] == ["slug"]
    assert Project.objects.count() == 1


def test_all_problems_of_a_kind_are_said_at_once_and_nothing_is_half_stored(whole):
    """What a record is by itself is looked at first; what it says of the project, once all records are in order."""
    bad = WHOLE.replace("depth: thin", "depth: deep").replace("policy: majority", "policy: most")
    assert refused(bad, whole) == [
        ("stages[1].policy", line_of("- {name: Validation")),
        ("categories[0].depth", line_of("depth: thin")),
    ]
    late = WHOLE.replace("stage: Marking, share", "stage: Nowhere, share")
    late = late.replace("name: Other}\nerrors", "name: Changed}\nerrors")
    assert late.count("Changed") == 1
    assert refused(late, whole) == [("screening.checks[0].stage", line_of("stage: Marking, share"))]


def test_a_judge_whose_options_are_none_is_a_problem():
    simulated_provider()
    wrong = WHOLE.replace("model: simulated-1}", "model: simulated-1, options: {colour: red}}")
    assert refused(wrong) == [("judges.judges[0].options.colour", line_of("- {name: Simba one"))]


def test_the_schema_says_the_same_as_the_reader(whole):
    Draft202012Validator.check_schema(project_format().schema)
    validator = Draft202012Validator(project_format().schema)
    assert [error.message for error in validator.iter_errors(described(whole))] == []
    assert list(validator.iter_errors({"format": "mizan.project/1", "colour": 1}))
    assert list(validator.iter_errors({"format": "mizan.project/1", "stages": [{"name": "A"}]}))
