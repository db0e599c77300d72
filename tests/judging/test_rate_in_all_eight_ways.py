"""One command lets a model rate in all eight ways, says what became of each, and goes on where it was broken off."""

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Rating
from judging.engine import runs
from judging.judges import eight_setups
from judging.models import Call, Judge, Run, RunState
from projects.models import Rater, Response
from tests.annotation.rated import question_type
from tests.judging.rating import a_pair, ask, examples_for, template

SETUPS = [
    "simulated-1 (pointwise, zero-shot)",
    "simulated-1 (pointwise, zero-shot, rubric)",
    "simulated-1 (pointwise, few-shot)",
    "simulated-1 (pointwise, few-shot, rubric)",
    "simulated-1 (pairwise, zero-shot)",
    "simulated-1 (pairwise, zero-shot, rubric)",
    "simulated-1 (pairwise, few-shot)",
    "simulated-1 (pairwise, few-shot, rubric)",
]


@pytest.fixture
def study(project, provider, mona):
    """Six graded pairs of the training split, enough for an example pair to have others shown; and one of the test."""
    formality = question_type(project)
    examples_for(project, formality, mona)
    examples_for(project, formality, mona)
    a_pair(ask(project, formality, template(project, "held-out", formality, "test")), 5, 2)
    return provider


def said(capsys, *options: str) -> dict[str, list[str]]:
    call_command("run_judges", "feasts", "--setups", *options)
    lines = capsys.readouterr().out.splitlines()
    heading = next(number for number, line in enumerate(lines) if line.startswith("Judge "))
    return {line.split("  ")[0]: line.split("  ", 1)[1].split() for line in lines[heading:]}


def test_eight_judges_are_added_and_asked_and_compared(study, capsys):
    table = said(capsys, f"simulated-1@{study.name}", "--here")
    assert table.pop("Judge") == [
        "Questions",
        "Scored",
        "Unreadable",
        "Refused",
        "Cut",
        "short",
        "Failed",
        "Not",
        "asked",
    ]
    # Seven pairs: fourteen responses one by one, fourteen orders two by two.
    assert table == {name: ["14", "14", "0", "0", "0", "0", "0"] for name in SETUPS}
    assert [str(judge) for judge in Judge.objects.order_by("pk")] == SETUPS
    assert Rating.objects.filter(rater__kind="judge").count() == 8 * 14
    assert Call.objects.values("prompt_version").distinct().count() == 8, "eight prompts, none like another"


def test_the_plan_writes_nothing(study, capsys):
    table = said(capsys, f"simulated-1@{study.name}", "--plan")
    assert {name: row[-1] for name, row in table.items() if name in SETUPS} == dict.fromkeys(SETUPS, "14")
    assert table["All judges"][-1] == "112"
    assert not Judge.objects.exists()
    assert not Rater.objects.filter(kind="judge").exists()
    assert not Run.objects.exists()


def test_a_second_time_nothing_is_added_and_nothing_is_asked(study, capsys, fake_provider):
    first = said(capsys, f"simulated-1@{study.name}", "--here")
    served = fake_provider.counts()["served"]
    assert said(capsys, f"simulated-1@{study.name}", "--here") == first
    assert fake_provider.counts()["served"] == served == 112
    assert Judge.objects.count() == 8


def test_what_was_begun_and_broken_off_is_gone_on_with(study, project, capsys):
    """One run was planned and not begun, one was cancelled before its first question."""
    judges = eight_setups(project, study, "simulated-1")
    responses = Response.objects.filter(project=project)
    runs.create_run(judges[0], responses)
    runs.cancel(runs.create_run(judges[5], responses))
    table = said(capsys, f"simulated-1@{study.name}", "--here")
    assert {name: table[name][:2] for name in SETUPS} == {name: ["14", "14"] for name in SETUPS}
    assert set(Run.objects.values_list("state", flat=True)) == {RunState.DONE, RunState.CANCELLED}


def test_what_was_said_in_other_ways_is_counted_beside(study, capsys):
    table = said(capsys, f"simulated-1:refuse@{study.name}", f"simulated-2:malformed@{study.name}", "--here")
    refusing = {name: row for name, row in table.items() if name.startswith("simulated-1:refuse")}
    unreadable = {name: row for name, row in table.items() if name.startswith("simulated-2:malformed")}
    assert set(map(tuple, refusing.values())) == {("14", "0", "0", "14", "0", "0", "0")}
    assert set(map(tuple, unreadable.values())) == {("14", "0", "14", "0", "0", "0", "0")}
    assert len(refusing) == len(unreadable) == 8


def test_a_judge_set_up_on_the_page_is_one_of_the_eight(study, project):
    from judging.judges import add_judge

    mine = add_judge(project, study, "simulated-1", kind="pairwise", shots="few", rubric=False, name="Mine")
    assert mine in eight_setups(project, study, "simulated-1")
    assert Judge.objects.count() == 8


@pytest.mark.parametrize("setup", ["simulated-1", "simulated-1@nobody", "@simulated"])
def test_a_setup_that_names_no_provider_says_which_there_are(setup, study):
    with pytest.raises(CommandError, match=f"is not MODEL@PROVIDER. The providers: {study.name}"):
        call_command("run_judges", "feasts", "--setups", setup)


def test_an_unknown_laboratory_adds_no_judge(study, project):
    type(study).objects.update(laboratory=None)
    with pytest.raises(CommandError, match="map_model our-own LABORATORY"):
        call_command("run_judges", "feasts", "--setups", f"our-own@{study.name}")
    assert not Judge.objects.exists()
