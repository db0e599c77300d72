"""Nour takes her study to another installation: every figure is the same there, and nobody's name came along."""

import io
import json
from collections.abc import Callable
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.core.management import call_command

from formats.archive.columns import columns_of
from formats.archive.contents import Seal, contents, shared, steps, tables
from formats.archive.restoring import restore
from formats.archive.writing import MANIFEST, PROJECT_FILE, write_archive
from judging.archived import renumber_call
from judging.kinds import number_of
from projects.models import (
    AuditEvent,
    Laboratory,
    Membership,
    ModelLaboratory,
    Project,
    Rater,
    Response,
    TargetModel,
    User,
)
from reports.dashboard.dashboards import as_json, registered
from reports.gold.formats import formats_of
from tests.benchmark.boards import large_board
from tests.elsewhere import elsewhere
from tests.people import person
from tests.reports import juice, menlo, perle
from workflow.models import Assignment, Draft, Stage, WorkItem

pytestmark = pytest.mark.django_db

#: Of an installation and not of a project.
INSTALLATION = {"projects.User", "projects.WindowCount", "jobs.Worker", "benchmark.VerifiedAccount"}
INSTALLATION |= {"providers.ServedModel", "providers.ModelMapping"}
INSTALLATION |= {"projects.User_groups", "projects.User_user_permissions"}
ROOMS = {"projects", "jobs", "workflow", "annotation", "rubrics", "benchmark", "providers", "judging", "screening"}
ROOMS |= {"reports"}


def a_board() -> Project:
    project = Project.objects.create(slug="board", name="Board", preset="leaderboard", areas=["leaderboard"])
    large_board(project, 4, 40)
    return project


STUDIES: dict[str, Callable[[], Project]] = {
    "perle": lambda: perle.study(prompts=10, calibrated=2, regraded=4).project,
    "juice": juice.juice,
    "menlo": lambda: menlo.a_study(share=0.05).project,
    "board": a_board,
}


def archived(project: Project) -> bytes:
    out = io.BytesIO()
    write_archive(project, out)
    return out.getvalue()


def brought_in(archive: bytes, slug: str = "", by: User | None = None) -> Project:
    return Project.objects.get(pk=restore(io.BytesIO(archive), slug, by).project)


def figures(project: Project) -> dict:
    """Every table of every dashboard, but for the marks by which a project's data are told from another's."""
    found = {}
    for dashboard in registered():
        found[dashboard.page] = as_json(project, dashboard.tables(project))["tables"]
        for table in found[dashboard.page]:
            del table["signature"]
            table["recipe"].pop("data_snapshot", None)
            for row in table["rows"]:
                row.get("drill", {}).pop("response", None)  # a long id, another one beside the same project
    return json.loads(json.dumps(found, default=str))


def gold(project: Project) -> dict[str, list]:
    return {each.area: list(each.lines(project)) for each in formats_of(project)}


def files_of(archive: bytes) -> dict[str, bytes]:
    with ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


@pytest.mark.parametrize("study", STUDIES)
def test_every_figure_is_the_same_there_and_back_again(study, tmp_path):
    project = STUDIES[study]()
    before, its_gold, archive = figures(project), gold(project), archived(project)
    assert sum(len(found) for found in before.values()) > 20
    with elsewhere(tmp_path):
        there = brought_in(archive)
        assert differences(figures(there), before) == []
        assert gold(there) == its_gold
        again = archived(there)
    assert sorted(files_of(again)) == sorted(files_of(archive))
    assert differences(files_of(again), files_of(archive)) == []
    back = brought_in(again, "back")
    assert differences(figures(back), before) == []
    assert gold(back) == its_gold


def differences(one, other, place=""):
    """Where two figures differ by more than 1e-9, or anything else at all."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [each for key in one for each in differences(one[key], other[key], f"{place}.{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [each for at, (a, b) in pairs for each in differences(a, b, f"{place}[{at}]")]
    if isinstance(one, float) and isinstance(other, float):
        return [] if one == pytest.approx(other, rel=1e-9, abs=1e-9, nan_ok=True) else [(place, one, other)]
    return [] if one == other else [(place, one, other)]


def test_every_table_of_a_project_goes_along_or_says_why_not():
    taken = {table.model for table in tables()} | {each.model for each in shared()}
    left_out = {each.model: each.reason for of_room in contents() for each in of_room.left_out}
    assert not taken & left_out.keys()
    assert all(left_out.values())
    ours = {model for model in apps.get_models(include_auto_created=True) if model._meta.app_label in ROOMS}
    named = {model._meta.label for model in ours - taken - left_out.keys()}
    assert named == INSTALLATION


def test_what_a_row_refers_to_comes_in_before_it():
    there = {each.model for each in shared()} | {Project}
    for step in steps():
        if isinstance(step, Seal):
            continue
        for column in columns_of(step):
            is_known = column.to is None or column.to in there or column.is_own
            # What is written before the freeze is nobody's grade's: `where` says so.
            assert is_known or f"{step.file}: {column.name}" == "rubrics/criterion.jsonl: grade"
        there.add(step.model)


def test_people_go_as_pseudonyms_and_drafts_stay(project, nour, mona, koshari, tmp_path):
    rater = Rater.objects.get(user=mona)
    stage = Stage.objects.create(project=project, kind="spans", name="Marks", position=1)
    item = WorkItem.objects.create(
        stage=stage, response=koshari, variety=koshari.variety, position=1, slots=2, open_slots=1
    )
    claimed = {"status": "claimed", "lease_expires_at": "2030-01-01T00:00:00Z", "claimed_at": "2026-01-01T00:00:00Z"}
    begun = Assignment.objects.create(item=item, stage=stage, rater=rater, **claimed)
    Draft.objects.create(assignment=begun, body={"spans": [], "note": "half a thought"})
    tags = list(rater.varieties.values_list("tag", flat=True))
    archive = archived(project)
    whole = b"".join(files_of(archive).values()).decode()
    for secret in (mona.email, mona.name, nour.email, nour.name, "half a thought"):
        assert secret not in whole
    with elsewhere(tmp_path):
        lead = person("lina@example.org", "Lina")
        there = brought_in(archive, by=lead)
        [one] = there.raters.filter(kind="human")
        assert (one.name, one.pseudonym, one.user) == (rater.pseudonym, rater.pseudonym, None)
        assert list(one.varieties.values_list("tag", flat=True)) == tags
        [item] = WorkItem.objects.filter(stage__project=there)
        assert item.open_slots == 2
        assert Assignment.objects.get(item=item).status == "released"
        assert not Draft.objects.exists()
        assert list(Membership.objects.values_list("user__email", "role")) == [("lina@example.org", "lead")]
        [event] = AuditEvent.objects.filter(project=there)
        assert (event.action, event.detail["was"]) == ("archive.brought_in", "feasts")


def test_a_model_keeps_the_laboratory_that_it_has_in_the_project(project, koshari, tmp_path):
    """As the project has it, where the installation says otherwise, on either side."""
    own = Laboratory.objects.create(slug="delta", name="Delta")
    ModelLaboratory.objects.create(project=project, target_model=koshari.target_model, laboratory=own)
    archive = archived(project)
    with elsewhere(tmp_path):
        other = Laboratory.objects.create(slug="upper-nile", name="Upper Nile")
        TargetModel.objects.create(name=koshari.target_model.name, laboratory=other)
        there = brought_in(archive)
        assert TargetModel.objects.get().laboratory == other
        assert ModelLaboratory.objects.get(project=there).laboratory.slug == "delta"


def test_it_can_stand_beside_itself_under_another_name(project, koshari):
    """What may stand once in an installation (long ids of responses, of turns) is made anew."""
    beside = brought_in(archived(project), "feasts-again")
    [one] = Response.objects.filter(project=beside)
    assert (one.key, one.text) == (koshari.key, koshari.text)
    assert one.uuid != koshari.uuid
    assert brought_in(archived(project)).slug == "feasts-2"


@pytest.mark.parametrize(
    ("kind", "about", "unit", "there", "unit_there"),
    [
        ("spans", ['errors:7:[["words", 3]]'], 2, ['errors:107:[["words", 3]]'], 2),
        ("groups", [11, 12], number_of([11, 12]), [211, 212], number_of([211, 212])),
        ("categories", [11], 11, [211], 211),
        ("refinement", [11, 12], number_of([11, 12]), [211, 212], number_of([211, 212])),
        ("categories", [11, "coded:12:dates"], 11, [211, "coded:212:dates"], 211),
        (
            "same_issue",
            ["marked:11", "gold:6"],
            number_of(["gold:6", "marked:11"]),
            ["marked:211", "gold:806"],
            number_of(["gold:806", "marked:211"]),
        ),
        ("rubric", [5, 4], number_of([4, 5]), [305, 304], number_of([304, 305])),
        (
            "pointwise",
            ["question:3", "example:7:4"],
            number_of(["question:3"]),
            ["question:403", "example:107:4"],
            number_of(["question:403"]),
        ),
        (
            "pairwise",
            ["question:3", "pair:9", "other:8", "example:7:4:8:5", "preferred:7:8:first"],
            number_of(["question:3", "pair:9"]),
            ["question:403", "pair:509", "other:108", "example:107:4:108:5", "preferred:107:108:first"],
            number_of(["question:403", "pair:509"]),
        ),
        (
            "questionnaire",
            ["stage:4", "prompt:3", "other:8", "beside:7"],
            number_of(["stage:4", "prompt:3"]),
            ["stage:604", "prompt:703", "other:108", "beside:107"],
            number_of(["stage:604", "prompt:703"]),
        ),
        ("reference", ["use:2", "anchor:6:1"], 99, ["use:602", "anchor:706:1"], 99),
    ],
)
def test_what_a_call_was_about_is_named_anew(kind, about, unit, there, unit_there):
    """So is the number that follows from it: asked again, it is the question that was asked."""
    added = {"Response": 100, "Span": 200, "Criterion": 300, "QuestionType": 400, "ResponsePair": 500}
    added |= {"RuleUse": 600, "Answer": 700, "GoldError": 800, "Stage": 600, "Prompt": 700}
    parsed = {"issues": [{"errors": [{"span": 11, "quote": "x"}]}], "verdicts": [{"criterion": 5}]}
    row = {"about": about, "unit": unit, "parsed": parsed, "judge_kind": kind}
    renumber_call(row, lambda model, pk: pk + added[model.__name__])
    assert (row["about"], row["unit"]) == (there, unit_there)
    if kind == "questionnaire":
        assert row["parsed"] == parsed, "its keys are a lead's words, and a grade under “span” is no id"
        return
    assert row["parsed"] == {
        "issues": [{"errors": [{"span": 211, "quote": "x"}]}],
        "verdicts": [{"criterion": 305}],
    }


def test_by_command(project, koshari, tmp_path, capsys):
    path = tmp_path / "feasts.zip"
    call_command("archive_project", "feasts", "--to", path)
    assert [file.name for file in tmp_path.iterdir()] == ["feasts.zip"]
    with elsewhere(tmp_path):
        person("lina@example.org", "Lina")
        call_command("restore_project", path, "--slug", "moved", "--lead", "lina@example.org")
        assert Membership.objects.get(user__email="lina@example.org").project.slug == "moved"
    assert "moved" in capsys.readouterr().out


def test_the_manifest_says_what_there_is(project, koshari):
    files = files_of(archived(project))
    manifest = json.loads(files[MANIFEST])
    assert manifest["format"] == "mizan.archive/1"
    assert manifest["project"] == {"slug": "feasts", "name": "Feasts"}
    by_name = {file["name"]: file for file in manifest["files"]}
    assert by_name.keys() | {MANIFEST} == files.keys()
    assert by_name["projects/response.jsonl"]["rows"] == 1
    assert by_name["projects/response.jsonl"]["bytes"] == len(files["projects/response.jsonl"])
    assert files[PROJECT_FILE].startswith(b"format: mizan.project/1")
