"""Nour reads the prompts, writes another, tries it on an item, saves it, and sets up a judge with it."""

import json
from html import unescape

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from judging.engine import runs
from judging.engine.calling import build
from judging.engine.questions import open_questions
from judging.engine.setups import setup_of
from judging.judges import add_judge
from judging.kinds import judge_kind
from judging.models import Judge, JudgePrompt, PromptVersion, Run
from judging.prompts.comparing import compare
from judging.prompts.own import add_prompt, find_version, versions
from judging.prompts.previews import askable, judge_for, preview
from judging.prompts.shipped import LANGUAGES, shipped
from projects.models import AuditEvent, TargetModel
from projects.problems import Invalid
from tests.annotation.rated import question_type
from tests.judging import rating
from tests.judging.grading import graded_response, grading_judge, run_through
from tests.people import signed_in
from tests.threads import at_once

PROMPTS = "/p/feasts/judges/prompts/"
STRICTER = "Be strict: a reader of Cairo pays for every slip."


@pytest.fixture
def lead(nour):
    return signed_in(nour)


def text(response) -> str:
    return unescape(response.content.decode())


def stricter(kind: str = "spans", language: str = "en") -> dict[str, str]:
    parts = dict(shipped(kind, "v1", language))
    parts["system"] = parts["system"].replace("How to answer", f"{STRICTER}\n\nHow to answer")
    return parts


def form_of(parts: dict[str, str], **more: str) -> dict[str, str]:
    """As a browser sends it: lines end in CRLF."""
    texts = {f"part-{part}": words.replace("\n", "\r\n") for part, words in parts.items()}
    return {**texts, "language": "en", "note": "", "from": "v1", **more}


def test_every_shipped_prompt_is_listed_with_who_uses_it(lead, judge, koshari, django_assert_max_num_queries):
    add_judge(judge.project, judge.provider, "simulated-2", instruction_language="ar")
    add_prompt(judge.project, "spans", stricter(), note="Stricter")
    run_through(judge)
    with django_assert_max_num_queries(14) as of_few:
        shown = text(lead.get(PROMPTS))
    for language in LANGUAGES[1:]:
        assert f">v1-{language}<" in shown
    assert ">own-1<" in shown
    assert "Stricter" in shown
    assert "simulated-2 (paragraph) ar" in shown
    for number in range(5):
        own = add_prompt(judge.project, "rubric", dict(shipped("rubric", "v1")))
        add_judge(judge.project, judge.provider, f"simulated-{number}", kind="rubric", prompt=own)
    with django_assert_max_num_queries(len(of_few)):
        lead.get(PROMPTS)


def test_a_prompt_is_saved_as_the_next_number_and_never_changed(lead, project, nour):
    answer = lead.post(f"{PROMPTS}spans/new/", form_of(stricter(), note="Stricter"))
    assert answer.url == f"{PROMPTS}spans/own-1/?saved"
    prompt = JudgePrompt.objects.get()
    assert prompt.parts == stricter()  # with the line ends of the files
    assert (prompt.number, prompt.note, prompt.based_on_shipped, prompt.created_by) == (1, "Stricter", "v1", nour)
    assert AuditEvent.objects.filter(action="prompt.added", project=project).exists()
    shown = text(lead.get(answer.url, follow=True))
    assert STRICTER in shown
    assert "data-draft-saved" in shown
    lead.post(f"{PROMPTS}spans/new/", form_of(stricter(), **{"from": "own-1"}))
    second = JudgePrompt.objects.get(number=2)
    assert second.based_on == prompt
    with pytest.raises(Exception, match="never changed"), transaction.atomic():
        JudgePrompt.objects.filter(pk=prompt.pk).update(parts={})


def test_numbers_are_the_kinds_and_the_projects_own(project, other_project):
    for kind, number in (("spans", 1), ("spans", 2), ("groups", 1)):
        assert add_prompt(project, kind, dict(shipped(kind, "v1"))).number == number
    assert add_prompt(other_project, "spans", dict(shipped("spans", "v1"))).number == 1
    with pytest.raises(IntegrityError), transaction.atomic():
        JudgePrompt.objects.create(project=project, kind="spans", number=2, parts={})


@pytest.mark.django_db(transaction=True)
def test_two_who_save_at_once_get_a_number_each(project):
    at_once(lambda _person: add_prompt(project, "groups", dict(shipped("groups", "v1"))), range(4))
    assert sorted(JudgePrompt.objects.values_list("number", flat=True)) == [1, 2, 3, 4]


def test_what_cannot_be_asked_is_not_saved_and_what_was_written_stays(lead, project):
    parts = stricter()
    parts["paragraph"] = (
        parts["paragraph"].replace("<<<paragraph {{nonce}}>>>\n", "").replace("{{prompt}}", "{{prompts}}")
    )
    answer = lead.post(f"{PROMPTS}spans/new/", form_of(parts))
    assert answer.status_code == 422
    shown = text(answer)
    assert "Nothing was saved" in shown
    assert STRICTER in shown
    assert "knows no variable {{prompts}}" in shown
    assert "somebody else wrote" in shown
    assert "data-refused" in shown  # the browser's own draft does not take its place
    assert not JudgePrompt.objects.exists()
    with pytest.raises(Invalid):
        add_prompt(project, "spans", parts)


def test_slips_are_told_while_one_writes(lead, project):
    parts = stricter()
    assert "in order" in text(lead.post(f"{PROMPTS}spans/check/", form_of(parts)))
    parts["response"] = parts["response"].replace("{{response}}", "{{response}")
    told = text(lead.post(f"{PROMPTS}spans/check/", form_of(parts)))
    assert "What is asked about a whole response" in told
    assert "line 8, column 1" in told
    assert not JudgePrompt.objects.exists()


def test_a_preview_is_what_the_judge_is_sent(lead, judge, koshari, fake_provider):
    """Word for word, but for the number in the marks, which is new in every call."""
    own = add_prompt(judge.project, "spans", stricter())
    asking = add_judge(judge.project, judge.provider, "simulated-1", prompt=own, name="Stricter")
    fake_provider.tell(record=True)
    run = run_through(asking)
    sent = [request["body"]["messages"] for request in fake_provider.asked()]
    call = run.calls.order_by("unit").first()
    version = find_version(judge.project, "spans", "own-1")
    seen = preview(judge_for(judge.project, version, asking), koshari)
    messages = json.loads(json.dumps(list(seen.messages)).replace(seen.nonce, call.nonce))
    assert messages in sent
    assert (seen.prompt.version, seen.prompt.sha256) == ("own-1", run.prompt_version.text_sha256)
    assert seen.questions == run.calls.count()
    assert seen.tokens > 0
    shown = text(lead.get(f"{PROMPTS}spans/preview/", {"version": "own-1", "item": koshari.key, "number": 2}))
    assert STRICTER in shown
    assert "question 2 of 2" in shown


@pytest.mark.parametrize("kind", ["spans", "rubric", "pointwise", "pairwise"])
def test_every_kind_is_tried_without_any_judge_and_nothing_is_sent_or_kept(
    kind, lead, project, koshari, mona, fake_provider
):
    if kind == "rubric":
        graded_response(project, mona.raters.get())
    elif kind != "spans":
        question = question_type(project)
        rating.examples_for(project, question, mona)
        rating.a_pair(rating.ask(project, question, rating.template(project, "held-out", question, "test")))
    fake_provider.tell(record=True)
    for language in LANGUAGES:
        for way in ("way-0", "way-1"):
            name = "v1" if language == "en" else f"v1-{language}"
            shown = text(lead.get(f"{PROMPTS}{kind}/preview/", {"version": name, "asked_as": way}))
            assert "<<<answer " in shown, (language, way)
            assert "{{" not in shown
    assert fake_provider.asked() == []
    assert not Judge.objects.exists()
    assert not PromptVersion.objects.exists()
    assert not Run.objects.exists()


def test_a_prompt_is_tried_before_it_is_saved(lead, project, koshari):
    shown = text(lead.post(f"{PROMPTS}spans/preview/", form_of(stricter(), asked_as="way-0")))
    assert STRICTER in shown
    assert koshari.text.splitlines()[0] in shown
    broken = stricter() | {"paragraph": "{{response}}"}
    assert "cannot be asked yet" in text(lead.post(f"{PROMPTS}spans/preview/", form_of(broken)))
    assert not JudgePrompt.objects.exists()


def test_why_an_item_cannot_be_asked_about_is_said(lead, judge, koshari, boishakh, provider, project):
    url = f"{PROMPTS}spans/preview/"
    assert "no response with the id" in text(lead.get(url, {"item": "nowhere"}))
    asked_as = f"judge-{judge.pk}"
    grader = grading_judge(project, provider)
    not_graded = text(lead.get(f"{PROMPTS}rubric/preview/", {"item": boishakh.key, "asked_as": f"judge-{grader.pk}"}))
    assert "once its rubric is frozen" in not_graded
    TargetModel.objects.filter(pk=koshari.target_model_id).update(laboratory=judge.rater.laboratory)
    own = text(lead.get(url, {"item": koshari.key, "asked_as": asked_as}))
    assert "own laboratory wrote this response (Nile-7B)" in own
    assert "<<<answer" not in own
    assert "no categories" in text(lead.get(f"{PROMPTS}categories/preview/", {"item": boishakh.key}))


def test_of_many_items_the_first_that_can_be_asked_about_is_shown(
    project, provider, mona, koshari, django_assert_num_queries
):
    grade = graded_response(project, mona.raters.get(), "later")
    judge = judge_for(project, find_version(project, "rubric", "v1"), None)
    with django_assert_num_queries(5):
        assert askable(judge, project.responses.all()) == [grade.response]


def test_a_judge_is_set_up_with_a_prompt_or_a_language(lead, provider, project, koshari):
    own = add_prompt(project, "spans", stricter(language="ko"), language="ko")
    for asks_by, name in (("v1-bn", "v1-bn"), (f"spans/own-{own.number}", "own-1")):
        form = {"provider": provider.pk, "model": "simulated-1", "kind": "spans", "asks_by": asks_by}
        shown = text(lead.post("/p/feasts/judges/add/", form, follow=True))
        assert f"prompt {name}" in shown
        assert f"version {name} (" in shown  # the plan names what the run will be pinned to
    assert Judge.objects.get(prompt=own).instruction_language == "ko"
    rubric = {"provider": provider.pk, "model": "simulated-1", "kind": "rubric", "asks_by": "spans/own-1"}
    refused = lead.post("/p/feasts/judges/add/", rubric)
    assert refused.status_code == 422
    assert "another kind of judging" in text(refused)
    with pytest.raises(Invalid):
        add_judge(project, provider, "simulated-1", instruction_language="tlh")


def test_a_run_stays_with_its_prompt_though_the_project_writes_another(project, provider, koshari):
    own = add_prompt(project, "spans", stricter())
    judge = add_judge(project, provider, "simulated-1", prompt=own)
    run = run_through(judge)
    assert (run.prompt_version.name, run.prompt_version.version) == ("spans/paragraph", "own-1")
    add_prompt(project, "spans", dict(shipped("spans", "v1")))
    assert STRICTER in run.prompt_version.text
    assert [version.runs for version in versions(project)["spans"] if version.name == "own-1"] == [1]


def test_a_part_that_came_later_is_asked_in_the_shipped_words(project, provider):
    parts = stricter("rubric", "ar")
    own = JudgePrompt.objects.create(
        project=project, kind="rubric", language="ar", number=1, parts={"system": parts["system"]}
    )
    judge = grading_judge(project, provider, prompt=own)
    prompt = judge_kind("rubric").prompt_text(judge)
    assert prompt.parts["criterion"] == shipped("rubric", "v1", "ar")["criterion"]


def test_two_versions_are_compared_by_line_and_word(lead, project):
    add_prompt(project, "spans", stricter())
    shown = text(lead.get(f"{PROMPTS}spans/compare/", {"before": "v1", "after": "own-1"}))
    assert f"<ins>{STRICTER}</ins>" in shown
    assert "Added:" in shown
    assert "The same in both:" in shown
    lines = compare("Mark every error.\nAnswer in JSON.", "Mark every grave error.\nAnswer in JSON.")
    assert [(line.change, line.text) for line in lines] == [
        ("removed", "Mark every error."),
        ("added", "Mark every grave error."),
        ("same", "Answer in JSON."),
    ]
    assert [piece.text for piece in lines[1].pieces if piece.change == "added"] == ["grave "]
    english, korean = "You rate an answer in {{language}}.", "당신은 {{language}} 답변을 평가합니다."
    assert [[piece.text for piece in line.pieces] for line in compare(english, korean)] == [[english], [korean]]
    assert "Nothing differs" in text(lead.get(f"{PROMPTS}spans/compare/", {"before": "v1", "after": "v1"}))


def test_what_is_not_there_is_not_found(lead, project, other_project):
    add_prompt(other_project, "spans", stricter())
    for path in (
        "spans/own-1/",
        "spans/v9/",
        "verdicts/v1/",
        "verdicts/new/",
        "spans/new/?from=own-1",
        "verdicts/preview/",
    ):
        assert lead.get(PROMPTS + path).status_code == 404, path


def test_hostile_words_in_a_prompt_are_shown_as_words(lead, project):
    parts = stricter() | {"system": shipped("spans", "v1")["system"] + "<script>alert(1)</script>\n"}
    add_prompt(project, "spans", parts, note="<img src=x>")
    for url in (f"{PROMPTS}spans/own-1/", PROMPTS, f"{PROMPTS}spans/compare/?after=own-1"):
        raw = lead.get(url).content.decode()
        assert "<script>alert" not in raw
        assert "<img src=x>" not in raw
    assert reverse("judge-prompts", args=["feasts"]) == PROMPTS


def test_the_request_names_the_own_prompts_words(project, provider, koshari):
    """What is built for a call holds the project's words: the row of the run is where it is read from."""
    judge = add_judge(project, provider, "simulated-1", prompt=add_prompt(project, "spans", stricter()))
    run = runs.create_run(judge, project.responses.all())
    question = next(iter(open_questions(run.shards.get())))
    request, _digest = build(setup_of(run), question, "0123456789abcdef")
    assert STRICTER in request.messages[0]["content"]
