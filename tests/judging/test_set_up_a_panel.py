"""Who can sit on a panel, and what two assemblies of it at once do."""

import pytest

from judging.ensembles import assembling, panel_kind
from judging.ensembles.adding import add_panel, candidates
from judging.ensembles.assembling import assemble
from judging.ensembles.summaries import is_out_of_date
from judging.models import Panel
from projects.models import AuditEvent, Rater
from projects.problems import Invalid
from tests.annotation.marked import mark
from tests.annotation.rated import question_type
from tests.judging.panelling import judge, judges, panel_of, rates
from tests.people import EGYPTIAN, add_response


def test_a_panel_names_no_model_and_no_laboratory(project, koshari, nour):
    members = judges(project)
    for member in members:
        mark(koshari, member)
    panel = add_panel(project, "spans", members, by=nour)
    assert (panel.rater.kind, panel.rater.model, panel.rater.laboratory) == ("judge", "", None)
    assert panel.rater.is_panel
    assert not members[0].is_panel
    assert list(Rater.objects.filter(Rater.PANELS)) == [panel.rater]
    assert panel.rater.name == "Panel of 3 (spans, majority)"
    assert AuditEvent.objects.get(action="panel.added").actor == nour


def test_only_judges_of_the_same_kind_of_answer_sit_together(project, koshari, mona):
    amber, birch, cedar = judges(project)
    mark(koshari, amber)
    mark(koshari, birch)
    rates(cedar, koshari, question_type(project), 4)
    assert list(candidates(project, "spans")) == [amber, birch]
    assert list(candidates(project, "ratings")) == [cedar]
    person = Rater.objects.get(user=mona)
    panel = panel_of([amber, birch], "spans")
    for wrong in (cedar, person, panel.rater):
        with pytest.raises(Invalid, match="members"):
            add_panel(project, "spans", [amber, wrong], name="Other")
    assert panel.rater not in candidates(project, "spans")


def test_a_judge_of_another_project_is_no_member(project, other_project, koshari):
    amber = judge(project, "Amber")
    mark(koshari, amber)
    away = judge(other_project, "Birch")
    mark(add_response(other_project, "r", EGYPTIAN, "ar-EG", model="Other"), away)
    with pytest.raises(Invalid, match="members"):
        add_panel(project, "spans", [amber, away])


def test_what_is_refused(project, koshari):
    members = judges(project)
    for member in members:
        mark(koshari, member)
    with pytest.raises(Invalid, match="at least two"):
        add_panel(project, "spans", [members[0], members[0]])
    with pytest.raises(Invalid, match="no more than"):
        add_panel(project, "spans", members, least_members=4)
    add_panel(project, "spans", members)
    with pytest.raises(Invalid, match="already"):
        add_panel(project, "spans", members)
    assert Panel.objects.count() == 1


def test_a_panel_is_out_of_date_when_members_answer_anew(project, koshari, boishakh):
    members = judges(project)
    for member in members:
        mark(koshari, member)
    panel = panel_of(members, "spans")
    assert is_out_of_date(panel)
    assemble(panel)
    assert not is_out_of_date(Panel.objects.get())
    mark(boishakh, members[0])
    assert is_out_of_date(Panel.objects.get())


def test_the_later_of_two_assemblies_takes_over(project, monkeypatch):
    """The second begins while the first is in its first batch: the first stops, and nothing is written twice."""
    members = judges(project)
    for number in range(3):
        response = add_response(project, f"r{number}", EGYPTIAN, "ar-EG")
        for member in members:
            mark(response, member, "أكلة مصرية")
    panel = panel_of(members, "spans")
    kind = panel_kind("spans")
    real, others = kind.batches, []

    def batches(raters):
        for response in sorted(members[0].markings.values_list("response", flat=True)):
            yield [response]

    def begin_another(done, total):
        if done == 1 and not others:
            others.append(assemble(Panel.objects.get()))

    monkeypatch.setattr(kind, "batches", batches)
    first = assemble(panel, on_batch=begin_another)
    assert first.is_overtaken
    assert not others[0].is_overtaken
    assert (first.counts["written"], others[0].counts["written"]) == (1, 2)
    assert panel.rater.markings.count() == 3
    assert Panel.objects.get().options["assembled"]["counts"]["answers"] == 3
    monkeypatch.setattr(kind, "batches", real)
    assert assemble(panel).counts == {"answers": 3}


def test_what_breaks_off_is_gone_on_with(project, monkeypatch):
    members = judges(project)
    for number in range(3):
        response = add_response(project, f"r{number}", EGYPTIAN, "ar-EG")
        for member in members:
            mark(response, member, "أكلة مصرية")
    panel = panel_of(members, "spans")
    kind = panel_kind("spans")
    ids = sorted(members[0].markings.values_list("response", flat=True))
    monkeypatch.setattr(kind, "batches", lambda raters: iter([[ids[0]], [ids[1]], [-1]]))
    with pytest.raises(KeyError):
        assemble(panel)
    assert panel.rater.markings.count() == 2
    assert is_out_of_date(Panel.objects.get())
    monkeypatch.undo()
    assert assemble(panel).counts == {"answers": 3, "written": 1}
    assert assembling.state_of(panel) == Panel.objects.get().options["state"]
