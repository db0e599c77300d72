"""Every page under a strict policy, and with hostile text in every field that a person, a file or a judge can fill."""

import re
from html.parser import HTMLParser

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import ErrorCategory, Span
from judging.models import Call, Judge, JudgePrompt, RunSet
from judging.prompts.shipped import shipped
from projects.guidelines import publish
from projects.models import (
    Dimension,
    LanguageVariety,
    Level,
    Project,
    Prompt,
    PromptTemplate,
    QuestionType,
    Rater,
    Response,
    ResponsePair,
    TargetModel,
    User,
)
from projects.templatetags.projects import markdown
from providers.models import ServedModel
from rubrics.models import Criterion, DifficultyCheck, DraftReview, Grade, Verdict, WeightBand
from screening.models import Attempt, Quiz, QuizQuestion
from screening.quiz.taking import begin
from tests.annotation.marked import mark, review
from tests.annotation.rated import rate
from tests.people import add_response, join, person, signed_in
from tests.preset_parts import add_bands
from tests.rubrics.rubrics import frozen_rubric, graded
from tests.security.test_permission_matrix import MATRIX, address, client_of, everybody_signed_in
from tests.security.world import build_world
from tests.standing import standing
from workflow.models import Assignment, Draft, ItemQuestion, Status, Survey, SurveyAnswer, WorkItem

pytestmark = pytest.mark.django_db

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'><svg/onload=alert(3)>{{7*7}}${7*7}"
ACCOUNT_PAGES = [
    *("/account/", "/accounts/2fa/", "/accounts/sessions/", "/accounts/password/change/", "/accounts/logout/"),
    *("/accounts/reauthenticate/", "/accounts/2fa/totp/activate/", "/accounts/2fa/webauthn/", "/", "/api/v1/docs/"),
    *("/nothing/here/", "/accounts/email/", "/session/signed-in/"),
]
# Pages that are taken along as one file, with its own style and search: never opened at the product's own address.
FILES = {"board-report": ["<style>", "<script>"]}
VISITOR_PAGES = ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/invitation/none/", "/nothing/"]
ADDRESSES = ("href", "src", "action", "formaction", "data", "xlink:href")


class Foreign(HTMLParser):
    """Whatever in a page a browser would run or style that is not the product's own: read as a browser reads it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        shown = self.get_starttag_text() or tag
        if tag == "script" and "src" not in values and values.get("type") != "application/json":
            self.found.append(shown)
        if tag in ("style", "object", "embed", "base") or "style" in values or values.get("src") == "x":
            self.found.append(shown)
        if any(name.startswith("on") or name == "srcdoc" for name in values):
            self.found.append(shown)
        addresses = (re.sub(r"\s", "", values.get(name, "")).lower() for name in ADDRESSES)
        if any(address.startswith(("javascript:", "data:", "vbscript:")) for address in addresses):
            self.found.append(shown)


# A provider's list that nobody fetched, the plan to read a run again that goes on, a comparison with no other project,
# and questions that no model solves, without naming models.
WITH_NOTHING_TO_SHOW = {
    "provider-models-listed": 302,
    "api-board-compare": 400,
    "api-board-radar": 400,
    "api-run-read-again": 422,
    "api-project-differences": 422,
    "api-question-set-unsolved": 422,
}
PAGES = [name for name, methods in MATRIX["routes"].items() if "get" in methods]


def assert_strict(answer) -> None:
    policy = answer.headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "*" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def assert_inert(answer, own: list[str] | None = None) -> None:
    """`own`: what a file that stands alone brings along itself."""
    if answer.headers["Content-Type"].startswith("text/html"):
        assert Foreign(answer.getvalue().decode()).found == (own or [])


@pytest.mark.parametrize(
    "html",
    [HOSTILE, "<p style='x'>", "<a href=' java\nscript:x'>", "<svg><style>", "<b ONCLICK=x>", "<script type=module>"],
)
def test_the_search_finds_what_it_looks_for(html):
    assert Foreign(html).found


@pytest.fixture(scope="module")
def standing_world(django_db_setup, django_db_blocker):
    with standing(django_db_blocker, make_hostile_world) as world:
        yield world


@pytest.fixture
def world(standing_world, db):
    return standing_world


@pytest.fixture
def nour(world):
    return User.objects.get(email="nour@example.org")


def make_hostile_world():
    """Everything that can be filled in is hostile; names are as long as they may be."""
    project = Project.objects.create(slug="feasts", name="Feasts")
    nour = join(person("nour@example.org", "Nour Haddad"), project, "lead")
    world = build_world(project, Project.objects.create(slug="weddings", name="Weddings"))
    project.name, project.description = HOSTILE, HOSTILE
    project.guidelines = f"# {HOSTILE}\n\n{HOSTILE}\n\n[a](javascript:alert(4))\n\n<https://example.org>\n"
    project.save()
    for number, stage in enumerate(project.stages.all()):
        stage.name = f"{HOSTILE[:78]}{number}"
        stage.save()
    for number, model in enumerate(TargetModel.objects.all()):
        model.name = f"{HOSTILE}{number}"
        model.save()
    ErrorCategory.objects.update(name=HOSTILE[:80], definition=HOSTILE, example=HOSTILE)
    response = add_response(project, HOSTILE[:60], HOSTILE, "en-US", model="second")
    for number, prompt in enumerate(Prompt.objects.exclude(pk=response.prompt_id)):
        Prompt.objects.filter(pk=prompt.pk).update(key=f"{HOSTILE[:60]}{number}")
    for user in (world.person_with("annotator"), nour):
        user.name = HOSTILE[:120]
        user.save()
    Rater.objects.filter(user=world.person_with("annotator")).update(name=HOSTILE[:110])
    elsewhere = Rater.objects.get(name="Elsewhere")
    Rater.objects.filter(pk=elsewhere.pk).update(name=HOSTILE[:100] + "2")
    [span] = mark(response, elsewhere, HOSTILE[:20], explanation=HOSTILE, correction=HOSTILE)
    review(span, world.person_with("annotator"), "reject", comment=HOSTILE)
    Span.objects.update(explanation=HOSTILE, correction=HOSTILE)
    world.arguments["response"] = response.uuid
    fill_rubrics(world, response)
    fill_ratings(world)
    fill_work(world, response)
    fill_judging(world)
    return everybody_signed_in(world)


def fill_rubrics(world, response) -> None:
    """A hostile draft, a review of it with remarks, bands, a frozen rubric and a grade with an error and a reason."""
    add_bands(world.project)
    WeightBand.objects.filter(project=world.project, slug="dialect").update(name=HOSTILE[:80])
    criterion = {"key": "k", "text": HOSTILE, "weight": 9, "band": "dialect", "objectivity": "", "explicitness": ""}
    texts = {"prompt": HOSTILE, "gold_answer": HOSTILE}
    body = {"scope": "cultural", **texts, "criteria": [criterion], "accepted": []}
    for turn in Assignment.objects.filter(stage__project=world.project, stage__kind="authoring"):
        Draft.objects.update_or_create(assignment=turn, defaults={"body": body})
    DraftReview.objects.update(body=body, remarks=HOSTILE)
    DifficultyCheck.objects.update(model=HOSTILE)
    author = world.person_with("author").raters.get()
    rubric = frozen_rubric(response.prompt, author, text=HOSTILE)
    grade = graded(response, author, rubric, ["c1"], [-4])
    Criterion.objects.filter(grade=grade).update(text=HOSTILE)
    Verdict.objects.filter(grade=grade).update(justification=HOSTILE)
    Grade.objects.filter(pk=grade.pk).update(comment=HOSTILE)
    world.arguments["rubric"] = rubric.uuid


def fill_ratings(world) -> None:
    """Hostile question types and levels, a template, a quiz with its texts, a rating with its comment."""
    Dimension.objects.update(name=HOSTILE[:80], definition=HOSTILE)
    QuestionType.objects.update(name=HOSTILE[:80], definition=HOSTILE)
    Level.objects.update(label=HOSTILE[:40], summary=HOSTILE, detail=HOSTILE)
    PromptTemplate.objects.update(text=f"{HOSTILE} [locale_country]")
    Quiz.objects.update(introduction=HOSTILE, retraining=HOSTILE)
    QuizQuestion.objects.update(text=HOSTILE, explanation=HOSTILE)
    Attempt.objects.all().delete()  # what was asked in it never changes: she begins anew
    attempt = begin(world.person_with("annotator").raters.get(), Quiz.objects.get())
    routes = ("attempt", "attempt-save", "attempt-submit")
    world.arguments |= {f"{route}.attempt": attempt.uuid for route in routes}
    question = QuestionType.objects.filter(project=world.project)[0]
    rate(
        ResponsePair.objects.get(pk=world.arguments["rated-pair.pair"]),
        world.person_with("annotator"),
        question,
        4,
        2,
        comment=HOSTILE,
    )


def fill_judging(world) -> None:
    """Judges and panels of hostile names, what one said, a prompt with its note, and whom a run set was to ask."""
    for number, judge in enumerate(Rater.objects.filter(project=world.project, kind="judge")):
        Rater.objects.filter(pk=judge.pk).update(name=f"{HOSTILE[:100]}{number}", model=judge.model and HOSTILE)
    Judge.objects.filter(project=world.project).update(model=HOSTILE)
    Call.objects.update(raw_output=HOSTILE, problem=f"other_model: {HOSTILE}", reply_model=HOSTILE)
    found = {"answer": HOSTILE, "model": HOSTILE, "fingerprint": HOSTILE, "flags": {}, "requests": 1}
    ServedModel.objects.update(name=HOSTILE, found=found, tested_at=timezone.now())
    RunSet.objects.update(items={"search": HOSTILE})
    parts = {part: f"{HOSTILE}\n{text}" for part, text in shipped("spans", "v1", "en").items()}
    own = JudgePrompt.objects.create(project=world.project, kind="spans", number=7, parts=parts, note=HOSTILE)
    world.arguments["judge-prompt.version"] = f"own-{own.number}"


def fill_work(world, response) -> None:
    """A hostile question with its answer, a change of the guidelines, and a survey that is due."""
    publish(world.project, world.project.guidelines, HOSTILE, None)
    ItemQuestion.objects.update(text=HOSTILE, answer=HOSTILE, answered_at=timezone.now(), is_published=True)
    asked = [{"key": "q", "text": HOSTILE, "kind": "choice", "choices": [HOSTILE, "other"]}]
    Survey.objects.update(batch_size=1, questions=asked)
    stage = Survey.objects.get().stage
    item = WorkItem.objects.get_or_create(
        stage=stage,
        response=response,
        is_check=False,
        defaults={"variety": response.variety, "position": 99, "slots": 2, "open_slots": 1},
    )[0]
    annotator = world.person_with("annotator").raters.get()
    Assignment.objects.create(
        item=item, stage=stage, rater=annotator, status=Status.SUBMITTED, submitted_at=timezone.now()
    )
    SurveyAnswer.objects.create(survey=stage.survey, rater=annotator, batch=7, answers={"q": HOSTILE})


@pytest.mark.parametrize("name", PAGES)
def test_no_page_runs_what_people_wrote(name, world):
    role = next(
        role
        for role in ("annotator", "author", "lead", "admin")
        if role in MATRIX["groups"][MATRIX["routes"][name]["get"]]
    )
    for who in {role, "lead"} if name in ("project", "guidelines") else {role}:
        answer = client_of(who, world).get(address(name, world))
        assert answer.status_code == WITH_NOTHING_TO_SHOW.get(name, 200)
        assert_strict(answer)
        if name in FILES:
            assert answer.headers["Content-Disposition"].startswith("attachment")
        assert_inert(answer, FILES.get(name))


def test_the_task_screens_data_cannot_end_its_block(world):
    client = client_of("annotator", world)
    html = client.get(address("task", world)).content.decode()
    blocks = re.findall(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', html, re.S)
    assert blocks
    assert not any("<" in block for block in blocks)


@pytest.mark.parametrize("path", ACCOUNT_PAGES)
def test_ones_own_pages_are_strict(path, world):
    answer = client_of("annotator", world).get(path, follow=True)
    assert_strict(answer)
    assert_inert(answer)


@pytest.mark.parametrize("path", VISITOR_PAGES)
def test_pages_for_visitors_are_strict(path, db):
    answer = Client().get(path)
    assert_strict(answer)
    assert_inert(answer)


def test_refused_forms_and_files_are_shown_as_text(world, nour):
    client = signed_in(nour)
    variety = LanguageVariety.objects.get(tag="en-US")
    invited = client.post(
        f"/p/{world.project.slug}/people/invite/",
        {"email": HOSTILE, "name": HOSTILE, "roles": ["annotator"], "varieties": [variety.pk]},
    )
    assert invited.status_code == 422
    file = SimpleUploadedFile(f"{HOSTILE[:40]}.jsonl", f'{{"{HOSTILE[:30]}": 1, "id": "<img src=x>"}}\n'.encode())
    imported = client.post(f"/p/{world.project.slug}/import/", {"kind": "item", "file": file})
    for answer in (invited, imported):
        assert_strict(answer)
        assert_inert(answer)


@pytest.mark.parametrize(
    "source",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](&#106;avascript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](vbscript:x)",
        "![x](javascript:alert(1))",
        "<a href='javascript:alert(1)'>x</a>",
        "[x]: javascript:alert(1)\n\n[x]",
        "<javascript:alert(1)>",
        "[x](https://example.org \"' onmouseover=alert(1) x='\")",
        "`<img src=x onerror=alert(1)>`",
        "| a |\n|---|\n| <b onclick=alert(1)> |",
    ],
)
def test_markdown_makes_nothing_that_runs(source):
    html = str(markdown(source))
    assert Foreign(html).found == []
    assert not re.search(r"<(?!/?(p|a|code|table|thead|tbody|tr|td|th|em|strong|img)\b)[a-z]", html), html


def test_every_field_was_there_to_be_seen(world, nour):
    """The search above would find nothing on pages that show nothing."""
    escaped = "&lt;script&gt;alert(1)"
    lead, annotator = signed_in(nour), client_of("annotator", world)
    shown = {
        "model that was tested": client_of("admin", world).get(address("served-model", world)),
        "project name": lead.get(f"/p/{world.project.slug}/"),
        "guidelines": annotator.get(f"/p/{world.project.slug}/guidelines/"),
        "stage": lead.get(reverse("stages", args=[world.project.slug])),
        "response, explanation": lead.get(address("response", world)),
        "people": lead.get(f"/p/{world.project.slug}/people/"),
        "rubric": lead.get(address("rubric", world)),
        "draft of a rubric": lead.get(address("rubric-draft", world)),
        "calls of a judge": lead.get(address("run-calls", world)),
        "prompts of judges": lead.get(address("judge-prompts", world)),
        "prompt of a judge": lead.get(address("judge-prompt", world)),
        "panel": lead.get(address("panel", world)),
        "run set": lead.get(address("run-set", world)),
    }
    for what, answer in shown.items():
        assert escaped in answer.content.decode(), what
    assert Response.objects.filter(text=HOSTILE).exists()
