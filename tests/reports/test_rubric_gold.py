"""Graded responses leave as JSONL and come back into an empty project byte for byte; a damaged file stores nothing."""

import io
import json
from datetime import timedelta
from pathlib import Path

import jsonschema
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from formats.importing.running import Outcome, run_import
from formats.reading import Source
from formats.rubric_gold import FORMAT
from projects.models import Project, Rater, Response
from reports.gold.formats import format_of, formats_of
from reports.rubrics.gold import lines
from rubrics.models import Criterion, Grade, Rubric
from tests.formats.records import misplaced
from tests.people import add_response, signed_in
from tests.preset_parts import add_taxonomy
from tests.rubrics.files import JUDGE, criterion, grade_line, negative, rubric_line, stored, verdicts
from tests.rubrics.rubrics import make_rubrics_project
from workflow.models import Assignment, Stage, WorkItem

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]
SCHEMA = FORMAT.schema
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA, format_checker=jsonschema.FormatChecker())
SUHOOR = "على السحور"


@pytest.fixture
def graded(project, koshari, mona) -> Project:
    """Two responses under rubrics in two versions, graded by people of two communities and a judge."""
    make_rubrics_project(project)
    emoji = add_response(project, "emoji", "🍚 رز 🍚", "ar-EG")
    Response.objects.filter(pk=emoji.pk).update(metadata={"ż": [1.5, None], "a": {"c": 1, "b": "x"}})
    stored(
        project,
        "rubrics",
        rubric_line(
            reviewed_by="Hoda",
            difficulty={"outcome": "partial", "model": "Nile-7B", "asked_at": "2026-02-27T10:00:00Z"},
            accepted_findings=[{"reason": "حاجتين", "code": "overlap", "words": "بصل", "criterion": "c2"}],
        ),
        rubric_line(prompt_id="p-emoji"),
        rubric_line(criterion("d1", 7, band="meaning"), prompt_id="p-emoji", version=2, frozen_at="2026-04-01T00:00Z"),
    )
    asked = verdicts(c1="pass", c2="pass", n1="absent")
    stored(
        project,
        "grades",
        grade_line(negative(), rater="Mona Adel", comment="“تمام”\u2028", metadata={"b": 1, "a": 2}),
        grade_line(negative("n2", quote=...), rater="Hoda", role="regrade", verdicts=asked),
        grade_line(rater="Zaynab", role="calibration", varieties=["ar-IQ"], verdicts=verdicts(c1="fail", c2="fail")),
        grade_line(**{**JUDGE, "negatives": ...}, verdicts=asked, simulated=True, graded_at="2026-05-01T08:00:00.25Z"),
        grade_line(item="emoji", version=1, verdicts=verdicts(c1="fail", c2="fail"), negatives=[]),
        grade_line(
            negative("e1", quote="🍚", occurrence=2, justification="مرتين"),
            item="emoji",
            verdicts=verdicts(d1="fail"),
        ),
    )
    return project


def exported(project: Project) -> bytes:
    return b"".join(lines(project))


def read(project: Project) -> list[dict]:
    return [json.loads(line) for line in lines(project)]


def fresh(slug: str = "copy") -> Project:
    return make_rubrics_project(Project.objects.create(slug=slug, name=slug))


def taken_in(project: Project, file: bytes) -> Outcome:
    return run_import(project, Source(io.BytesIO(file), "gold.jsonl"), "items")


def test_a_response_leaves_with_its_rubric_and_every_verdict(graded, mona):
    koshari, emoji = read(graded)
    for line in (koshari, emoji):
        VALIDATOR.validate(line)
        assert list(line) == SCHEMA["required"]
        assert misplaced(FORMAT, line) == []
    [rubric] = koshari["rubrics"]
    assert (rubric["version"], rubric["frozen_at"]) == (1, "2026-03-01T09:30:00+00:00")
    assert rubric["sha256"] == Rubric.objects.get(prompt__key="p-koshari").sha256
    assert [each["key"] for each in rubric["criteria"]] == ["c1", "c2"]
    assert [band["slug"] for band in rubric["bands"]] == ["core-term"]
    reference, regrade, calibration, judge = rubric["grades"]
    assert [each["role"] for each in rubric["grades"]] == ["reference", "regrade", "calibration", "judge"]
    # c1 for 10 of 15 points, the error takes 5.
    assert (reference["raw"], reference["maximum"], reference["percent"]) == (5, 15, 100 * 5 / 15)
    [error] = reference["negatives"]
    assert koshari["response"][error["start"] : error["end"]] == error["quote"] == SUHOOR
    assert regrade["verdicts"][-1] == {"criterion": "n1", "value": "absent", "justification": ""}
    assert (regrade["negatives"][0]["start"], regrade["negatives"][0]["quote"]) == (None, "")
    assert calibration["varieties"] == ["ar-IQ"]
    assert (judge["name"], judge["model"], judge["laboratory"], judge["simulated"]) == (
        "Judge",
        "omega-1",
        "omega",
        True,
    )


def test_versions_stand_apart_the_newest_first(graded):
    _koshari, emoji = read(graded)
    newest, first = emoji["rubrics"]
    assert (newest["version"], first["version"]) == (2, 1)
    assert [len(newest["grades"]), len(first["grades"])] == [1, 1]
    [error] = newest["grades"][0]["negatives"]
    # The second bowl of rice: five code points on, but six UTF-16 units, for the first bowl is two.
    assert (error["start"], error["end"], error["start_utf16"], error["end_utf16"]) == (5, 6, 6, 8)


def test_people_leave_by_pseudonym_alone(graded, mona, nour):
    file = exported(graded).decode()
    assert Rater.objects.get(user=mona).pseudonym in file
    for name in ("Mona", "Hoda", "Zaynab", "Salma", "mona@example.org"):
        assert name not in file


def test_the_order_of_freeze_and_showing_is_in_the_file(graded, koshari, mona):
    stage = Stage.objects.create(project=graded, kind="scoring", name="Scoring", position=2)
    item = WorkItem.objects.create(
        stage=stage, response=koshari, variety=koshari.variety, position=1, slots=1, open_slots=0
    )
    now = timezone.now()
    Assignment.objects.create(
        item=item,
        stage=stage,
        rater=Rater.objects.get(user=mona),
        claimed_at=now,
        lease_expires_at=now + timedelta(hours=1),
    )
    line, _emoji = read(graded)
    assert line["first_shown_at"] == now.isoformat()
    assert line["rubrics"][0]["frozen_at"] < line["collected_at"] < line["first_shown_at"]
    # What another installation saw stays what it saw.
    file = exported(graded)
    assert taken_in(fresh(), file).problems == []
    assert exported(Project.objects.get(slug="copy")) == file


def test_what_was_exported_comes_out_of_an_empty_project_unchanged(graded):
    file = exported(graded)
    copy, third = fresh(), fresh("third")
    outcome = taken_in(copy, file)
    assert outcome.problems == []
    assert outcome.kind == "rubric-gold"
    assert exported(copy) == file
    assert taken_in(third, exported(copy)).is_stored
    assert exported(third) == file
    assert Grade.objects.filter(response__project=copy).count() == 6
    assert Rubric.objects.get(project=copy, version=2).supersedes == Rubric.objects.get(
        project=copy, version=1, prompt__key="p-emoji"
    )


def test_an_empty_project_without_bands_gets_those_of_the_file(graded):
    file = exported(graded)
    bare = Project.objects.create(slug="bare", name="Bare", areas=["rubrics"])
    assert taken_in(bare, file).problems == []
    assert exported(bare) == file
    assert set(bare.weight_bands.values_list("slug", flat=True)) == {"core-term", "meaning"}


def test_a_file_taken_in_twice_is_refused(graded):
    copy = fresh()
    file = exported(graded)
    assert taken_in(copy, file).is_stored
    assert {problem.code for problem in taken_in(copy, file).problems} == {"already_there"}


def damaged(line: dict, path: str, value: object) -> bytes:
    """The line with one place changed: "rubrics.0.grades.0.raw"."""
    line = json.loads(json.dumps(line))
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place = line
    for step in way:
        place = place[step]
    place[last] = value
    return json.dumps(line, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("path", "value", "field", "code"),
    [
        ("response_sha256", "0" * 64, "response_sha256", "hash_differs"),
        ("owner", "Omar", "owner", "unknown_field"),
        ("variety", "xx-XX", "variety", "unknown_variety"),
        ("rubrics", [], "rubrics", "nothing"),
        ("collected_at", "2199-01-01T00:00:00Z", "collected_at", "in_future"),
        ("first_shown_at", "2026-02-01T00:00:00Z", "first_shown_at", "shown_before_freeze"),
        ("rubrics.0.sha256", "0" * 64, "rubrics[0].sha256", "hash_differs"),
        ("rubrics.0.gold_answer", "حاجة تانية", "rubrics[0].sha256", "hash_differs"),
        ("rubrics.0.criteria.0.weight", 9, "rubrics[0].grades[0].maximum", "score_differs"),
        ("rubrics.0.criteria.0.weight", True, "rubrics[0].criteria[0].weight", "not_whole_number"),
        ("rubrics.0.criteria.0.band", "gold", "rubrics[0].criteria[0].band", "unknown"),
        ("rubrics.0.bands.0.highest", 12, "rubrics[0].bands[0]", "band_differs"),
        ("rubrics.0.bands.0.highest", 1, "rubrics[0].bands[0].highest", "reversed"),
        ("rubrics.0.role", "lead", "rubrics[0].role", "unknown_field"),
        ("rubrics.0.grades.0.raw", 6, "rubrics[0].grades[0].percent", "score_differs"),
        ("rubrics.0.grades.0.raw", None, "rubrics[0].grades[0].raw", "score_differs"),
        ("rubrics.0.grades.0.percent", 50, "rubrics[0].grades[0].percent", "score_differs"),
        ("rubrics.0.grades.0.verdicts.1.value", "pass", "rubrics[0].grades[0].raw", "score_differs"),
        ("rubrics.0.grades.0.verdicts.1.value", "absent", "rubrics[0].grades[0].verdicts[1].value", "verdict_misfits"),
        ("rubrics.0.grades.0.graded_at", "2026-02-01T00:00:00Z", "rubrics[0].grades[0].graded_at", "before_freeze"),
        ("rubrics.0.grades.0.negatives.0.start", 0, "rubrics[0].grades[0].negatives[0].start_utf16", "offsets_differ"),
        ("rubrics.0.grades.0.negatives.0.quote", "x", "rubrics[0].grades[0].negatives[0].quote", "quote_differs"),
        ("rubrics.0.grades.1.role", "reference", "rubrics[0].grades[1].role", "second_reference"),
        ("rubrics.0.grades.3.name", None, "rubrics[0].grades[3].name", "missing"),
        ("rubrics.0.grades.3.rater_kind", "human", "rubrics[0].grades[3].role", "role_misfits"),
    ],
)
def test_a_damaged_line_is_named_and_nothing_is_stored(graded, path, value, field, code):
    copy = fresh()
    tables = (Response, Rubric, Grade, Criterion, Rater)
    before = [table.objects.count() for table in tables]
    outcome = taken_in(copy, damaged(read(graded)[0], path, value))
    assert (field, code) in {(problem.field, problem.code) for problem in outcome.problems}
    assert not outcome.is_stored
    assert before == [table.objects.count() for table in tables]


def test_a_person_of_the_project_is_no_judge_of_a_file(graded):
    copy = fresh()
    line = read(graded)[0]
    pseudonym = line["rubrics"][0]["grades"][3]["rater"]
    Rater.objects.create(project=copy, kind="human", name="Amal", pseudonym=pseudonym)
    outcome = taken_in(copy, json.dumps(line).encode())
    assert [problem.code for problem in outcome.problems] == ["rater_differs"]


# --- The file, the page, the card ---


def test_the_command_writes_the_gold_of_the_projects_own_preset(graded, tmp_path):
    path = tmp_path / "gold.jsonl"
    call_command("export_gold", graded.slug, output=path, stdout=io.StringIO())
    assert path.read_bytes() == exported(graded)
    with pytest.raises(CommandError, match="It has: rubrics"):
        call_command("export_gold", graded.slug, of="spans")


def test_a_project_with_two_kinds_of_work_gives_the_gold_of_each(graded, nour):
    Project.objects.filter(pk=graded.pk).update(areas=["rubrics", "spans"])
    add_taxonomy(graded)
    graded.refresh_from_db()
    assert [each.area for each in formats_of(graded)] == ["rubrics", "spans"]
    assert format_of(graded, "spans").format == "mizan.gold/1"
    page = signed_in(nour).get(f"/p/{graded.slug}/gold/").content.decode()
    assert "?of=spans" in page
    assert "mizan.gold/1" in signed_in(nour).get(f"/p/{graded.slug}/gold/?of=spans").content.decode()
    assert signed_in(nour).get(f"/p/{graded.slug}/gold/?of=pairs").status_code == 404


def test_the_page_counts_and_offers_file_card_and_schema(graded, nour, django_assert_max_num_queries):
    lead = signed_in(nour)
    with django_assert_max_num_queries(22):
        page = lead.get(f"/p/{graded.slug}/gold/").content.decode()
    assert "Egyptian Arabic" in page
    assert "simulated judge" in page
    file = lead.get(f"/p/{graded.slug}/gold/file/")
    assert b"".join(file.streaming_content) == exported(graded)
    api = lead.get(f"/api/v1/projects/{graded.slug}/gold/")
    assert b"".join(api.streaming_content) == exported(graded)
    schema = lead.get("/schemas/rubric-gold.schema.json")
    assert json.loads(b"".join(schema.streaming_content))["$id"] == "mizan.rubric-gold/1"


def test_the_card_says_what_the_file_is_and_is_not(graded, nour):
    card = signed_in(nour).get(f"/p/{graded.slug}/gold/card/").content.decode()
    assert "| ar-EG | Egyptian Arabic | cultural | 2 |" in card
    assert "| hallucination | 2 |" in card
    assert "**Simulated judges.**" in card
    assert "**Earlier versions.** 1 grades" in card
    for name in ("Mona", "Hoda", "Salma"):
        assert name not in card


def test_a_response_collected_before_the_freeze_is_said_in_the_card(graded, nour):
    Response.objects.filter(key="koshari").update(created_at="2026-01-01T00:00:00Z")
    card = signed_in(nour).get(f"/p/{graded.slug}/gold/card/").content.decode()
    assert "**Collected before the freeze.** 1 responses" in card


def test_an_empty_project_says_what_comes_next(project, nour):
    make_rubrics_project(project)
    page = signed_in(nour).get(f"/p/{project.slug}/gold/").content.decode()
    assert "No gold yet" in page


def test_the_statements_of_an_export_do_not_grow_with_its_responses(graded, django_assert_max_num_queries):
    from tests.people import EGYPTIAN

    keys = [f"r{number}" for number in range(20)]
    for key in keys:
        add_response(graded, key, EGYPTIAN, "ar-EG")
    stored(graded, "rubrics", *(rubric_line(prompt_id=f"p-{key}") for key in keys))
    stored(graded, "grades", *(grade_line(negative(), item=key) for key in keys))
    with django_assert_max_num_queries(13):
        assert len(read(graded)) == 22
