"""Nour says which models meet, sees what that makes, and sets their responses side by side."""

from collections import Counter

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from annotation.models import PairDesign
from annotation.pairs.forming import design_of, form, would_form
from annotation.steps import pairing
from formats.project_file.applying import write_parts
from formats.project_file.part import Findings, parts
from projects.models import AuditEvent, Laboratory, LanguageVariety, Project, Response, ResponsePair, TargetModel
from projects.problems import Invalid
from projects.steps import DONE, OPEN
from tests.judging.collecting import add_prompt
from tests.people import signed_in
from tests.preset_parts import add_question_types

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(project) -> Project:
    Project.objects.filter(pk=project.pk).update(areas=["ratings"], preset="ratings")
    project.refresh_from_db()
    add_question_types(project)
    for n in range(4):
        add_prompt(project, f"p{n}", f"السؤال رقم {n}؟")
    return project


def answer(project: Project, *models: str) -> None:
    """Each of these models has answered each prompt."""
    laboratory, _new = Laboratory.objects.get_or_create(slug="delta-lab", name="Delta Lab")
    for name in models:
        model, _new = TargetModel.objects.get_or_create(name=name, defaults={"laboratory": laboratory})
        for prompt in project.prompts.all():
            said = {"project": project, "variety": prompt.variety, "target_model": model, "prompt": prompt}
            Response.objects.create(key=f"{prompt.key}-{name}", text=f"{name} said so.", text_sha256="0" * 64, **said)


def design(project: Project, kind: str = "all", **more) -> PairDesign:
    wanted = design_of(project)
    for name, value in {"design": kind, **more}.items():
        setattr(wanted, name, value)
    return wanted


@pytest.fixture
def lead(nour):
    return signed_in(nour)


def test_sides_and_counts_are_told_before_anything_is_formed(study):
    answer(study, "A", "B", "C")
    said = would_form(design(study, seed=5))
    assert not ResponsePair.objects.exists()
    assert not PairDesign.objects.exists()
    assert (len(said.pairs), said.there, said.too_few) == (12, 0, 0)
    assert {model.name: model.pairs for model in said.models} == {"A": 8, "B": 8, "C": 8}
    assert sum(model.first for model in said.models) == 12
    assert form(design(study, seed=5)).pairs == said.pairs
    first = Counter(study.pairs.values_list("first__target_model__name", "second__target_model__name"))
    assert set(first.values()) == {2}  # of four meetings of two, each stands first in two


def test_each_against_a_baseline_and_so_many_a_prompt(study):
    answer(study, "A", "B", "C", "D")
    assert len(would_form(design(study, "baseline", baseline="C")).pairs) == 12
    said = would_form(design(study, "balanced", per_prompt=3, among=["A", "B", "C", "D"]))
    assert [model.pairs for model in said.models] == [6, 6, 6, 6]
    assert len(would_form(design(study, "all", among=["A", "B"])).pairs) == 4


def test_nobodys_pair_twice(study, nour):
    answer(study, "A", "B")
    form(design(study), by=nour)
    with pytest.raises(Invalid, match="are there already"):
        form(design(study), by=nour)
    with pytest.raises(Invalid, match="are there already"):
        form(design(study, seed=9))
    answer(study, "C")
    assert len(form(design(study)).pairs) == 8
    assert ResponsePair.objects.count() == 12
    pair = study.pairs.first()
    same = {"project": study, "prompt": pair.prompt, "variety": pair.variety}
    for first, second in ((pair.first, pair.second), (pair.second, pair.first)):
        with pytest.raises(IntegrityError), transaction.atomic():
            ResponsePair.objects.create(key="again", first=first, second=second, **same)
    event = AuditEvent.objects.filter(action="pairs.formed").first()
    assert AuditEvent.objects.filter(action="pairs.formed", actor=nour).count() == 1
    assert event is not None


def test_only_the_newest_version_of_a_response_is_paired(study):
    answer(study, "A", "B")
    old = study.responses.get(key="p0-A")
    Response.objects.create(
        project=study,
        prompt=old.prompt,
        variety=old.variety,
        target_model=old.target_model,
        key="p0-A-2",
        text="Newer.",
        text_sha256="1" * 64,
        earlier=old,
    )
    paired = {response for pair in would_form(design(study)).pairs for response in pair[1:3]}
    assert old.pk not in paired
    assert len(paired) == 8


def test_responses_in_two_varieties_do_not_meet(study):
    answer(study, "A", "B")
    Response.objects.filter(key="p0-B").update(variety=LanguageVariety.objects.get(tag="en-US"))
    said = would_form(design(study))
    assert (len(said.pairs), said.too_few) == (3, 2)


def test_what_cannot_be_meant_is_refused(study):
    with pytest.raises(Invalid, match="No prompt has responses of two"):
        form(design(study))
    answer(study, "A", "B")
    with pytest.raises(Invalid, match="no responses of “Z”"):
        form(design(study, "baseline", baseline="Z"))
    with pytest.raises(Invalid, match="no responses of “Y”"):
        form(design(study, among=["A", "Y"]))
    with pytest.raises(Invalid, match="From 1 to 100"):
        form(design(study, "balanced", per_prompt=0))
    assert not ResponsePair.objects.exists()


def test_the_number_of_statements_does_not_grow(study, django_assert_num_queries):
    answer(study, "A", "B")
    with django_assert_num_queries(5):
        would_form(design(study))
    answer(study, "C", "D")
    with django_assert_num_queries(5):
        would_form(design(study))


def test_on_its_page(lead, study):
    assert "Nothing to pair yet" in lead.get("/p/feasts/pairs/").content.decode()
    assert pairing(study)[0] == OPEN
    answer(study, "A", "B")
    shown = lead.post("/p/feasts/pairs/", {"design": "balanced", "per_prompt": "1", "seed": "3"}).content.decode()
    assert "4 pairs would be formed." in shown
    assert not ResponsePair.objects.exists()
    assert 'name="form"' in shown
    refused = lead.post("/p/feasts/pairs/", {"design": "baseline", "seed": "3", "form": "1"})
    assert refused.status_code == 422
    chosen = {"design": "balanced", "per_prompt": "1", "seed": "3", "form": "1"}
    shown = lead.post("/p/feasts/pairs/", chosen, follow=True).content.decode()
    assert "4 pairs were formed." in shown
    assert pairing(study) == (DONE, "4 pairs are there.")
    assert design_of(study).design == "balanced"


def test_by_command_and_by_api(lead, study, capsys):
    answer(study, "A", "B")
    call_command("form_pairs", "feasts", "--design", "baseline", "--baseline", "A", "--dry-run")
    said = capsys.readouterr().out
    assert "Pairs to form: 4" in said
    assert "A: 4 pairs, first in 2" in said
    url = "/api/v1/projects/feasts/pairs/"
    asked = {"design": "all", "seed": 2, "models": ["A", "B"]}
    counted = lead.post(url, {**asked, "dry_run": True}, content_type="application/json")
    assert (counted.status_code, counted.json()["pairs"]) == (200, 4)
    assert not ResponsePair.objects.exists()
    made = lead.post(url, asked, content_type="application/json")
    assert made.status_code == 201
    assert made.json()["models"] == [{"name": "A", "pairs": 4, "first": 2}, {"name": "B", "pairs": 4, "first": 2}]
    again = lead.post(url, asked, content_type="application/json")
    assert (again.status_code, again.json()["problems"][0]["code"]) == (422, "nothing_to_form")
    with pytest.raises(CommandError, match="are there already"):
        call_command("form_pairs", "feasts")


def test_the_design_stands_in_the_project_file(study, other_project):
    answer(study, "A", "B")
    form(design(study, "balanced", per_prompt=2, seed=8, among=["A", "B"]))
    part = next(part for part in parts() if part.key == "pairs")
    said = part.read(study)
    assert said == {"design": "balanced", "per_prompt": 2, "seed": 8, "models": ["A", "B"]}
    findings = Findings()
    write_parts(other_project, {"pairs": said, "system_prompts": [{"text": "In {language}."}]}, findings)
    assert findings.shown == []
    assert part.read(other_project) == said
    told = next(part for part in parts() if part.key == "system_prompts")
    assert told.read(other_project) == [{"text": "In {language}."}]
    write_parts(other_project, {"system_prompts": [{"variety": "ar-EG", "text": "In {tongue}."}]}, findings)
    assert "“{tongue}”" in str(findings.shown[0].message)
    assert findings.shown[0].field == "system_prompts[0].text"
