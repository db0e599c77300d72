"""Nour has judges explain in the language that people explain in, and keeps those that were asked in English."""

import json
import unicodedata

import pytest

from annotation.models import Span
from formats.project_file.applying import apply_file, create_from_file
from formats.project_file.describing import described, file_of
from judging.judges import add_judge
from judging.kinds import judge_kind, judge_kinds
from judging.kinds.explained import EXPLAINED
from judging.models import Judge
from judging.prompts.checking import problems_of
from judging.prompts.own import add_prompt
from judging.prompts.shipped import EXPLAINED as EXPLAINED_WORDS
from judging.prompts.shipped import FIRST, LANGUAGES, SLOT, WITH_SLOT, has_slot, shipped
from projects.creation import create_project
from projects.models import Project
from projects.presets import presets
from projects.problems import Invalid
from providers.fake.explaining import language_in
from tests.judging import grading, proposing
from tests.people import signed_in

#: Of each kind the start of the hash that its English prompt had before there was a choice of language.
BEFORE = {
    "categories": "30465845700d",
    "editing": "b5b01f2749c1",
    "groups": "b74e91bc75cd",
    "pairwise": "ad230d94377a",
    "pointwise": "ab1ebe573be1",
    "reference": "59e801e1108d",
    "refinement": "4ab3f1cdd1be",
    "rubric": "e093c6cb3530",
    "same_issue": "a514fe6aa691",
    "sentences": "2eaa3e0d18d1",
    "spans": "1a647c0c2069",
}
KINDS = [name for name, kind in judge_kinds().items() if EXPLAINED in kind.options]
API = "/api/v1/projects/feasts/judges/"


def asked_of(fake_provider) -> str:
    """All that the judge was told in the last request."""
    return json.dumps(fake_provider.asked()[-1]["body"]["messages"], ensure_ascii=False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_that_asks_for_english_has_one_slot_in_its_place(language):
    """In each part at most one: pairs are asked by one of two parts, which have one each."""
    asking = {kind for kind in judge_kinds() if has_slot(kind)}
    assert asking == set(KINDS)
    for kind in KINDS:
        first, second = shipped(kind, FIRST, language), shipped(kind, WITH_SLOT, language)
        changed = [part for part in first if first[part] != second[part]]
        assert changed == (["grades", "preference"] if kind == "pairwise" else ["system"])
        assert all(second[part].count("{{" + SLOT + "}}") == 1 for part in changed)
        assert not any(EXPLAINED_WORDS[language][0] in text for text in second.values())
        assert problems_of(second, shipped(kind, WITH_SLOT)) == []


def test_the_first_prompt_stays_one_that_can_be_an_own_one():
    for kind in judge_kinds():
        assert problems_of(shipped(kind, FIRST), shipped(kind, WITH_SLOT if has_slot(kind) else FIRST)) == []


@pytest.mark.parametrize("instructed", LANGUAGES)
@pytest.mark.parametrize(
    ("chosen", "named"), [("response", "Egyptian Arabic"), ("ko", "Korean"), ("en", "English"), ("ar-eg", "Egyptian")]
)
def test_a_judge_is_told_the_language_by_its_english_name(
    chosen, named, instructed, project, provider, fake_provider, koshari
):
    fake_provider.tell(record=True)
    how = {"explanation_language": chosen, "instruction_language": instructed}
    judge = grading.add_judge(project, provider, "simulated-1", **how)
    run = proposing.run_through(judge)
    assert set(run.calls.values_list("state", flat=True)) == {"scored"}
    before, after = EXPLAINED_WORDS[instructed]
    told = asked_of(fake_provider)
    assert after.replace("{{" + SLOT + "}}", named) in told or named == "Egyptian"
    assert "{{" not in told
    assert named in told
    if chosen != "en":
        assert before not in told
    version = WITH_SLOT if instructed == "en" else f"{WITH_SLOT}-{instructed}"
    assert run.prompt_version.version == judge.asks_by == version


def test_a_judge_without_a_choice_is_asked_as_it_always_was(project, provider):
    judge = add_judge(project, provider, "simulated-1")
    assert SLOT not in judge.options
    assert judge.asks_by == FIRST
    assert (
        judge_kind("spans").prompt_text(judge).sha256
        == judge_kind("spans")
        .prompt_text(Judge(project=project, kind="spans", options={"granularity": "paragraph"}))
        .sha256
    )


@pytest.mark.parametrize("kind", BEFORE)
def test_a_judge_of_an_older_installation_is_asked_word_for_word_as_it_was(kind, project, provider):
    proposing.add_categories(project)
    judge = add_judge(project, provider, "simulated-1", kind=kind)
    assert judge_kind(kind).prompt_text(judge).sha256[:12] == BEFORE[kind]


@pytest.mark.parametrize(
    "written", ["{{ explanation_language }}", "{{Explanation_language}}", "{{explanation-langage}}"]
)
def test_a_slot_that_is_misspelled_is_told_as_the_one_that_is_meant(written):
    asked = shipped("spans", WITH_SLOT)
    [problem] = problems_of({**asked, "system": asked["system"].replace("{{" + SLOT + "}}", written)}, asked)
    assert problem.code == "not_a_variable"
    assert "{{explanation_language}}" in problem.message


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_project_says_holds_for_judges_added_from_then_on(kind, project, provider):
    before = add_judge(project, provider, "simulated-1", kind=kind)
    Project.objects.filter(pk=project.pk).update(explanation_language="response")
    project.refresh_from_db()
    after = add_judge(project, provider, "simulated-1", kind=kind)
    english = add_judge(project, provider, "simulated-1", kind=kind, explanation_language="en")
    assert [judge.options.get(SLOT) for judge in (before, after, english)] == [None, "response", "en"]
    assert len({judge.rater.name for judge in (before, after, english)}) == 3
    if kind == "categories":
        proposing.add_categories(project)
    hashes = {judge_kind(kind).prompt_text(judge).sha256 for judge in (before, after, english)}
    assert len(hashes) == 3


def test_an_own_prompt_has_the_slot_or_says_the_language_itself(project, provider, fake_provider, koshari):
    plain = add_prompt(project, "spans", dict(shipped("spans", FIRST)))
    slotted = add_prompt(project, "spans", dict(shipped("spans", WITH_SLOT)))
    with pytest.raises(Invalid, match="says itself"):
        add_judge(project, provider, "simulated-1", prompt=plain, explanation_language="ar")
    project.explanation_language = "ar"
    assert SLOT not in add_judge(project, provider, "simulated-1", prompt=plain).options
    assert add_judge(project, provider, "simulated-1", prompt=slotted).options[SLOT] == "ar"
    project.explanation_language = ""
    fake_provider.tell(record=True)
    judge = add_judge(project, provider, "simulated-1", name="slotted", prompt=slotted)
    run = proposing.run_through(judge)
    assert run.prompt_version.version == "own-2"
    assert "explanation: in English" in asked_of(fake_provider)


@pytest.mark.parametrize("wrong", ["klingon", "eg-AR", "🙂", "x" * 60, "und", "zxx", 7, ["ar"], "response "])
def test_what_is_no_language_is_refused_and_nothing_is_added(wrong, project, provider, nour):
    told = {"provider": "simulated", "model": "simulated-1", "explanation_language": wrong}
    answer = signed_in(nour).post(API, json.dumps(told), content_type="application/json")
    assert answer.status_code in (400, 422) if wrong != "response " else answer.status_code == 201
    assert Judge.objects.count() == (wrong == "response ")


@pytest.mark.parametrize(
    ("told", "options", "version"),
    [
        ({"asks_by": "v2-ar"}, {SLOT: "response"}, "v2-ar"),
        ({"asks_by": "v2", SLOT: "SW"}, {SLOT: "sw"}, "v2"),
        ({SLOT: "sw"}, {SLOT: "sw"}, "v2"),
        ({"asks_by": "v1"}, {}, "v1"),
        ({}, {SLOT: "bn"}, "v2"),
    ],
)
def test_programs_choose_by_version_or_by_language(told, options, version, project, provider, nour):
    Project.objects.filter(pk=project.pk).update(explanation_language="bn" if not told else "")
    body = {"provider": "simulated", "model": "simulated-1", **told}
    answer = signed_in(nour).post(API, json.dumps(body), content_type="application/json")
    assert answer.status_code == 201, answer.content
    assert answer.json()["asks_by"] == version
    assert {SLOT: answer.json()["options"].get(SLOT)} == (options or {SLOT: None})


def test_the_first_version_takes_no_language(project, provider, nour):
    body = {"provider": "simulated", "model": "simulated-1", "asks_by": "v1", SLOT: "ar"}
    answer = signed_in(nour).post(API, json.dumps(body), content_type="application/json")
    assert answer.status_code == 422
    assert "Choose v2" in answer.content.decode()
    assert not Judge.objects.exists()


def test_nour_chooses_it_on_the_page_in_place_of_the_projects(project, provider, nour):
    lead = signed_in(nour)
    page = lead.get("/p/feasts/judges/add/?prompt=v2-ar").content.decode()
    assert 'value="v1-ar" selected' in page
    assert 'value="response" selected' in page
    form = {"kind": "spans", "provider": provider.pk, "model": "simulated-1", "asks_by": "v1-ar", "granularity": ""}
    assert lead.post("/p/feasts/judges/add/", {**form, SLOT: "response"}).status_code == 302
    assert Judge.objects.get().asks_by == "v2-ar"
    Project.objects.filter(pk=project.pk).update(explanation_language="en")
    assert lead.post("/p/feasts/judges/add/", {**form, SLOT: ""}).status_code == 302
    assert Judge.objects.latest("pk").options[SLOT] == "en"
    assert lead.post("/p/feasts/judges/add/", {**form, SLOT: "zz"}).status_code == 422
    assert "explains in: the language of each response" in lead.get("/p/feasts/judges/").content.decode()


def test_each_version_has_its_page_and_a_preview(project, nour, koshari):
    lead = signed_in(nour)
    for name in ("v1", "v1-ko", "v2", "v2-ko"):
        assert lead.get(f"/p/feasts/judges/prompts/spans/{name}/").status_code == 200, name
    assert lead.get("/p/feasts/judges/prompts/editing/v2/").status_code == 404


def test_the_project_file_holds_the_projects_language_and_each_judges_own(project, provider):
    add_judge(project, provider, "simulated-1", name="before")
    Project.objects.filter(pk=project.pk).update(explanation_language="response")
    project.refresh_from_db()
    add_judge(project, provider, "simulated-1", name="after")
    add_judge(project, provider, "simulated-1", name="named", explanation_language="sw", instruction_language="ar")
    said = described(project)
    assert said["project"]["explanation_language"] == "response"
    judges = {judge["name"]: judge for judge in said["judges"]["judges"]}
    chosen = {name: judge.get("options", {}).get(SLOT) for name, judge in judges.items()}
    assert chosen == {"before": None, "after": "response", "named": "sw"}
    assert judges["named"]["prompt"] == "v2-ar"
    assert not apply_file(project, file_of(project)).changes
    copy = create_from_file(file_of(project), "copy").project
    of_copy = {judge.rater.name: judge.asks_by for judge in Judge.objects.filter(project=copy)}
    assert of_copy == {"before": "v1", "after": "v2", "named": "v2-ar"}
    assert file_of(copy) == file_of(project)
    wrong = file_of(project).replace(b"explanation_language: response\n", b"explanation_language: klingon\n", 1)
    with pytest.raises(Invalid) as refused:
        apply_file(project, wrong)
    assert [problem.field for problem in refused.value.problems] == ["project.explanation_language"]


def test_nour_sets_it_for_the_project_and_no_other_tag_by_the_page(project, nour):
    lead = signed_in(nour)
    page = lead.get("/p/feasts/settings/").content.decode()
    assert "Language of explanations" in page
    form = {"name": project.name, SLOT: "response", "guidelines": project.guidelines}
    assert lead.post("/p/feasts/settings/", form).status_code == 302
    project.refresh_from_db()
    assert project.explanation_language == "response"
    assert lead.post("/p/feasts/settings/", {**form, SLOT: "klingon"}).status_code == 422


@pytest.mark.parametrize("instructed", LANGUAGES)
@pytest.mark.parametrize(
    ("chosen", "script"),
    [("response", "ARABIC"), ("bn", "BENGALI"), ("ko", "HANGUL"), ("id", "LATIN"), ("sw", "LATIN")],
)
def test_the_simulated_provider_explains_in_the_language_that_it_is_asked_for(
    chosen, script, instructed, project, provider, koshari
):
    """Of Swahili it has no sentence, and says what it always said."""
    judge = add_judge(project, provider, "simulated-1", explanation_language=chosen, instruction_language=instructed)
    proposing.run_through(judge)
    said = list(Span.objects.filter(rater=judge.rater).values_list("explanation", flat=True))
    assert said
    assert {unicodedata.name(text[0]).split()[0] for text in said} == {script}
    assert all(text.startswith({"id": "Simulasi", "sw": "Simulated"}.get(chosen, "")) for text in said)
    assert all(any(letter.isdigit() for letter in text) for text in said)  # how many words, as in English


@pytest.mark.parametrize("preset", sorted(set(presets()) - {"leaderboard"}))
def test_a_project_of_a_shipped_preset_has_judges_explain_in_the_language_of_the_responses(preset, db):
    project = create_project(Project(slug="new", name="New", preset=preset), None)
    assert project.explanation_language == "response"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "reference"])
@pytest.mark.parametrize("instructed", LANGUAGES)
def test_where_each_kind_says_the_language_the_simulated_provider_finds_it(kind, instructed):
    """Whatever stands before it, as of the language of the text."""
    system = "\n".join(shipped(kind, WITH_SLOT, instructed).values())
    filled = system.replace("{{" + SLOT + "}}", "Egyptian Arabic").replace("{{language}}", "Korean")
    assert language_in(filled) == "Arabic"
    assert language_in(filled.replace("Egyptian Arabic", "English")) is None
