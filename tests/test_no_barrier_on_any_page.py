"""axe on every page there is, and nothing wider than a phone: left to right in light, right to left in dark at 360 px.

The pages are found by walking the addresses of the whole product, so a new page is visited without being named here.
What is no page has to be named: an address that shows no page to anybody and stands in no list fails the test. The
world is made once for both looks; within a look, a text that looks like one of another page is weighed there alone.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import uuid4

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from axe_playwright_python.base import AXE_SCRIPT
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse
from django.utils import timezone

from annotation.models import GroupProposal
from benchmark.editing import repair
from benchmark.freezing import freeze
from benchmark.models import Ban, Board, Erratum, Flag, Probe, QuestionCheck, Submission, VerifiedAccount
from benchmark.probing.figures import quiz_figure
from demo.jobs import queue_demo
from demo.loading import load_by_hand
from jobs.enqueuing import add_job
from jobs.importing import IMPORT, begin_import, keep_for_mapping
from jobs.models import Job
from jobs.verbs import cancel, pause
from jobs.working import work_on
from judging.collecting.endpoints import add_by_hand, add_endpoint
from judging.engine import runs, shards
from judging.engine.choice import Choice
from judging.engine.run_sets import create_set
from judging.ensembles.adding import add_panel, candidates
from judging.ensembles.assembling import assemble
from judging.judges import add_judge
from judging.models import Judge, Panel
from judging.prompts.own import add_prompt
from judging.prompts.shipped import shipped
from projects.creation import create_project
from projects.guidelines import Written, publish
from projects.guidelines_drafts import save
from projects.invitations import invite
from projects.models import Project, Response, User
from providers.model_lists import fetch_list
from providers.models import Provider, ServedModel
from providers.trying import try_model
from reports.gold.exporting import prepare
from screening.models import Attempt
from tests.annotation.localising import localised_now, templates_to_show
from tests.annotation.questionnaires import questionnaire
from tests.annotation.shown import questions_to_show, rated_now, ratings_to_show
from tests.barriers import barriers, too_wide
from tests.benchmark import boards
from tests.benchmark.sets import open_line, question_line, set_of
from tests.frontend.conftest import bundle  # noqa: F401
from tests.judging.collecting import collect
from tests.judging.conftest import fake_provider, fake_provider_process, provider  # noqa: F401
from tests.people import PASSWORD
from tests.projects.test_health_names_the_programs import ended, program, write
from tests.rubrics.rubrics import frozen_rubric
from tests.rubrics.shown import rubrics_to_show
from tests.screening.shown import screening_to_show
from tests.security.world import derived_arguments, snapshot_arguments
from workflow.claims import claim_next
from workflow.models import Stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LOOKS = [("en", "light", 1280), ("ar", "dark", 360)]
ACTS = {  # answered to POST or PUT alone
    *("issue-token", "revoke-token", "project-archive", "invite", "withdraw-invitation", "set_language"),
    *("laboratory-settle", "project-clone", "language-add", "language-change", "target-replicates"),
    *("stage-plan", "stage-open", "stage-lock", "reassign", "reopen", "map-model"),
    *("group-spans", "propose-groups", "decide-group", "draw-sample", "adjudicate"),
    *("classify", "confirm-category", "change-category", "refuse-category", "error-categories-undo"),
    *("settle-acceptance", "decide-refinement", "templates-of-prompts"),
    *("question-type-remove", "dimension-remove"),
    *("guidelines-language", "guidelines-draft"),
    *("guidelines-read", "answers-read", "notice-go", "notices-read", "question-reply", "question-close"),
    *("quiz-begin", "attempt-save", "attempt-submit", "quiz-open", "quiz-question-delete", "quiz-question-move"),
    *("checks-add", "check-active", "pause-lift", "interview-open", "about-me-take-back"),
    *("rater-group-add", "rater-groups-assign", "rater-group-rename", "rater-group-delete"),
    *("open-board-withdraw", "board-ban-lift", "verified-account-remove"),
    *("provider-models-fetch", "served-model-test", "served-model-take-over", "served-model-remove"),
    *("judge-run", "run-cancel", "run-pause", "run-resume", "run-retry", "judge-prompt-check", "panel-assemble"),
    *("run-set-pause", "run-set-resume", "run-set-cancel", "run-set-retry", "run-set-limits"),
    *("job-pause", "job-resume", "job-cancel", "job-retry", "gold-prepare", "frame-prepare", "foreign-prepare"),
    *("import-mapping-delete", "import-take-back", "archive-take"),
    *("installation-job-pause", "installation-job-resume", "installation-job-cancel", "installation-job-retry"),
    *("target-collect", "target-remove", "difficulty-ask"),
    *("collection-take", "collection-cancel", "collection-pause", "collection-resume", "collection-retry"),
    *("task-draft", "task-submit", "task-skip", "task-release", "task-amend"),
    *("rubric-revise", "rubric-take-up", "rubric-lint", "rubric-ask-review"),
    *("rubric-difficulty-by-hand", "rubric-difficulty-mark", "question-set-freeze", "question-set-version"),
    *("benchmark-question-drop", "question-checks-keep", "question-check-take-over", "question-check-decide"),
    *("question-check-reveal", "errata-apply", "question-set-score", "benchmark-baselines"),
    *("board-drift-accept", "board-human-check", "question-set-shuffle", "question-set-export"),
    "benchmark-answers-export",
    *("board-flags-find", "board-flag-decide"),
    *("dataset-prepare", "gold-snapshot-take", "my-time-ask", "task-signs", "time-correct", "time-decide"),
    *("case-note", "reading-signs", "work-continue", "my-limits", "task-pass", "task-remarks"),
}
DATA = {  # files, fragments; what programs read is named "api-..."
    *("health", "ready", "import-schema", "texts", "results-csv", "results-json", "gold-file", "gold-card"),
    *("rubric-results-csv", "rubric-results-json", "rating-results-csv", "rating-results-json"),
    *("questionnaire-results-csv", "questionnaire-results-json"),
    *("group-quality-csv", "group-quality-json"),
    *("rater-results-csv", "rater-results-json", "task-questions", "judge-laboratory", "target-laboratory"),
    *("task-saved", "mfa_download_recovery_codes", "mfa_login_webauthn", "judge-costs-csv", "judge-costs-json"),
    *("text-results-csv", "text-results-json", "project-file-download", "import-mapping", "my-time-csv"),
    *("working-time-csv", "gold-snapshot-file", "job-file", "frame-file", "leaderboard-csv"),
    *("quiz-file", "background-csv", "my-remarks-csv"),
    *("leaderboard-json", "board-report", "open-board-json", "open-board-csv", "open-board-parquet"),
}
# Send on whoever looks: to one's work; to changing the pass phrase, which all have; nobody gets codes by mail.
LEADS_ON = {"start", "work-next", "account_set_password", "account_confirm_login_code"}
BEGUN = " of a project just begun"
# Shown where a security key is registered, which takes a device; made of the same blocks as the pages beside them.
OF_A_DEVICE = {"mfa_edit_webauthn", "mfa_remove_webauthn", "mfa_reauthenticate_webauthn"}


@dataclass(frozen=True)
class Visit:
    name: str
    address: str
    session: str


@pytest.fixture
def demo(db, provider) -> Project:  # noqa: F811
    """The demo project with judges that answered and failed, something to group, to classify and to reassign."""
    project = load_by_hand(PASSWORD)
    User.objects.filter(email="lead@example.org").update(is_superuser=True)
    lead = User.objects.get(email="lead@example.org")
    publish(project, None, "In Arabic.", lead, language="en", translations={"ar": Written("# ما العمل")})
    save(project, "ar", "# ما العمل\n\nأكثر من ذلك.", "", f"{project.guidelines_version}.0.ar", lead)
    broken = add_judge(project, provider, "simulated-1:malformed", name="Broken judge")
    for judge in (Judge.objects.get(project=project, rater__name="Simulated judge A"), broken):
        run = runs.create_run(judge, project.responses.filter(variety__tag="ar-EG"), round=2)
        for shard in runs.start_here(run):
            shards.work_through(shard)
    response = project.responses.get(key="demo-eg-01")
    proposal = GroupProposal.objects.create(response=response, reason="Both are about the oven.")
    proposal.spans.add(*response.spans.all()[:2])
    return project


@pytest.fixture
def empty(db) -> Project:
    """A project just begun, of the lead of the demo: every page of it says what to do next."""
    return create_project(Project(slug="empty", name="Just begun"), User.objects.get(email="lead@example.org"))


def at_home(email: str) -> Client:
    """Signed in, and asked for the pass phrase a moment ago, so that no page asks for it again."""
    client = Client()
    client.post("/accounts/login/", {"login": email, "password": PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


@pytest.fixture
def of_rubrics(demo) -> dict[str, object]:
    return rubrics_to_show(demo)


@pytest.fixture
def visitors(demo, of_rubrics) -> dict[str, Client]:
    """Who looks at pages, in the order in which a page is shown to the first who may see it."""
    careful, invited, halfway = at_home("expert@example.org"), Client(), Client()
    expert = User.objects.get(email="expert@example.org")
    TOTP.activate(expert, generate_totp_secret())
    RecoveryCodes.activate(expert)
    halfway.post("/accounts/login/", {"login": expert.email, "password": PASSWORD})
    invited.post(f"/invitation/{invitation_to(demo)}/")
    return {
        "lead": at_home("lead@example.org"),
        "annotator": at_home("mona@example.org"),
        "author": at_home("salma@example.org"),
        "careful": careful,
        "invited": invited,
        "visitor": Client(),
        "half signed in": halfway,
    }


def invitation_to(project: Project) -> str:
    lead = User.objects.get(email="lead@example.org")
    varieties = [project.responses.get(key="demo-eg-01").variety]
    return invite(project, "new@example.org", roles=["annotator"], varieties=varieties, invited_by=lead)[1]


@pytest.fixture
def arguments(demo, of_rubrics) -> dict[str, object]:
    """Values of the addresses' arguments; a key is "argument" or "route.argument"."""
    mona = User.objects.get(email="mona@example.org").raters.get(project=demo)
    stage = Stage.objects.get(project=demo, kind="spans")
    assignment = claim_next(mona, stage)
    assert assignment is not None
    run = demo.judge_runs.order_by("pk").last()
    return {
        "slug": demo.slug,
        "kind": "item",
        "category": demo.error_categories.first().slug,
        "table_id": "progress",
        "judge-costs-finding.table_id": "judge-costs",
        "text-results-finding.table_id": "text-lengths",
        "rater-results-finding.table_id": "raters",
        "group-quality-finding.table_id": "group-quality",
        "stage": stage.pk,
        "response": Response.objects.get(project=demo, key="demo-eg-01").uuid,
        "assignment": assignment.uuid,
        "token": invitation_to(demo),
        "uuid": run.uuid,
        "run-set.uuid": create_set(demo, [run.judge], Choice(), first_round=7).uuid,
        "judge.pk": run.judge_id,
        "panel.pk": panel_to_show(demo).pk,
        **arguments_of_prompts(demo),
        **arguments_of_collecting(demo),
        **arguments_of_providers(run.judge.provider),
        "job.uuid": jobs_to_show(demo).uuid,
        "import-map.uuid": keep_for_mapping(demo, ["Nr;سؤال;Antwort\n1;ليه؟;Darum.\n".encode()], "study.csv").uuid,
        "installation-job.uuid": queue_demo("juice").uuid,
        "roles.pk": mona.user_id,
        "key": "a-key",
        "uidb36": "1",
        "pk": 1,
        "span": 1,
        "proposal": 1,
        **of_rubrics,
        **templates_to_show(demo, mona),
        **screening_to_show(demo, mona, stage),
        **ratings_to_show(demo, mona),
        **questions_to_show(demo, assignment, stage),
        **question_set_to_show(demo),
        **board_to_show(demo),
        **snapshot_arguments(demo, "ratings"),
        **derived_arguments(Response.objects.get(project=demo, key="demo-eg-01")),
        "stage-layout.stage": questionnaire(demo, {"key": "right", "choice": "هل هو صحيح؟", "of": ["نعم", "لا"]}).pk,
    }


def board_to_show(demo: Project) -> dict[str, object]:
    """Two models that answered six questions and were judged, on a board that everybody may read."""
    questions = boards.frozen_set(demo, *boards.open_questions(6), id="board", canary=str(uuid4()))
    judge = boards.judge(demo, "Leo")
    for name, score in (("Lake", 5.0), ("River", 6.0)):
        model = boards.configuration(demo, name, made_by=f"{name} Lab")
        boards.judged(judge, boards.answers(model, questions), questions, [score] * 6)
    board = Board.objects.create(
        project=demo, slug="demo-board", title="لوحة", is_open=True, takes_submissions=True, submission_tokens=10**6
    )
    lead, author = (User.objects.get(email=f"{name}@example.org") for name in ("lead", "salma"))
    lake = boards.laboratory("Lake Lab")
    VerifiedAccount.objects.create(user=author, laboratory=boards.laboratory("River Lab"))
    Ban.objects.create(board=board, user=author, reason="دعاية")
    run = {"how": "endpoint", "address": "https://pond.example.org/v1", "model": "pond", "needs_key": True}
    common = {"board": board, "account": lead, "laboratory": lake, "card": {"access": "api"}, "run": run}
    pond = Submission.objects.create(**common, month="2026-01", name="بركة Pond")
    Submission.objects.create(**common, month="2025-12", name="Puddle", state="refused", reason="لا عنوان لها")
    for kind, detail in (
        ("one_text", {"count": 3, "n": 6, "questions": ["q0"]}),
        ("contaminated", {"verdict": "clear"}),
    ):
        Flag.objects.create(configuration=model, question_set=questions, kind=kind, detail=detail)
    chosen = {"choice": {"place": 1, "chosen": 1, "way": "options", "reply": "B"}}
    quiz = quiz_figure({"q0": chosen})
    probe = Probe.objects.create(
        configuration=model, question_set=questions, kind="quiz", figure=quiz.as_json(), ended_at=timezone.now()
    )
    probe.results.create(question_key="q0", result=chosen)
    return {
        "board": board.slug,
        "probe": probe.pk,
        **{f"{route}.uuid": pond.uuid for route in ("open-board-submission", "board-submission")},
        "configuration": model.slug,
        "card": model.slug,
        "leaderboard-finding.table_id": "scores",
    }


def question_set_to_show(demo: Project) -> dict[str, object]:
    """A draft whose second question is held back, after a frozen version in which a fault was reported. Two people
    have checked a question of it, and one was worded anew."""
    frozen = freeze(set_of(demo, question_line(), open_line(held_back=True)))
    erratum = Erratum.objects.create(
        project=demo, question=frozen.questions.get(key="capital"), fault="other", words="خطأ"
    )
    draft = frozen.new_version()
    published = freeze(set_of(demo, question_line("old"), id="published", canary=...))
    later = freeze(published.new_version())
    question = draft.questions.get(key="tea")
    for rater in demo.raters.filter(kind="human").order_by("pk")[:2]:
        QuestionCheck.objects.create(question=question, rater=rater, answer="شاي", is_aligned=True, decision="keep")
    repair(question, reference="الشاي مشروب ساخن.", actor=None)
    routes = (
        *("benchmark-question", "benchmark-question-edit", "question-set", "question-checks", "question-changes"),
        "question-set-unsolved",
    )
    of_published = {
        f"{route}.{name}": value
        for route in ("erratum-report", "question-versions")
        for name, value in (("question_set", published.slug), ("version", 1))
    }
    return {
        "question_set": draft.slug,
        **{f"{route}.version": 2 for route in routes},
        **{f"benchmark-question{route}.question": question.pk for route in ("", "-edit")},
        **of_published,
        "erratum-report.question": published.questions.get().pk,
        "later": later.version,
        "erratum": erratum.uuid,
    }


def jobs_to_show(demo: Project) -> Job:
    """A refused import, whose page is shown; and on the list also a gold file, one that waits, one that is paused."""
    lead = User.objects.get(email="lead@example.org")
    work_on(prepare(demo, by=lead).pk)
    prepare(demo, by=lead)
    for name, act in (("second.jsonl", pause), ("third.jsonl", cancel)):
        options = {"kind": "items", "file_format": "jsonl", "dry_run": False, "name": name}
        act(add_job(IMPORT, demo, lead, options=options, total=10_000_000), lead)
    return begin_import(demo, [b'{"id": "r1", "owner": "nobody"}\n'], "items.jsonl", "items", "jsonl", by=lead)


def panel_to_show(demo: Project) -> Panel:
    """The demo's judges as one, assembled."""
    panel = add_panel(demo, "spans", list(candidates(demo, "spans")))
    assemble(panel)
    return panel


def arguments_of_providers(of_judge: Provider) -> dict[str, object]:
    """A model that was tested, and the provider's list as an administrator fetched it a moment ago."""
    served = ServedModel.objects.create(provider=of_judge, name="simulated-1", input_price=1, output_price=2)
    try_model(served)
    fetch_list(of_judge, User.objects.get(email="lead@example.org"))
    of_provider = ("provider", "provider-models", "provider-models-listed", "served-model-add")
    return {**{f"{route}.pk": of_judge.pk for route in of_provider}, "served-model.pk": served.pk}


def arguments_of_prompts(demo: Project) -> dict[str, object]:
    """A prompt of the project's own, in Arabic."""
    own = add_prompt(demo, "spans", dict(shipped("spans", "v1", "ar")), language="ar", note="As people write it")
    routes = ("judge-prompt", "judge-prompt-add", "judge-prompt-preview", "judge-prompts-compared")
    return {**{f"{route}.kind": "spans" for route in routes}, "version": f"own-{own.number}"}


def arguments_of_collecting(demo: Project) -> dict[str, object]:
    """A model that refused and is asked through its provider, and one that people paste for."""
    author = demo.raters.filter(kind="human")[0]
    prompt = demo.prompts.order_by("pk")[0]
    frozen_rubric(prompt, author)
    refusing = add_endpoint(demo, Provider.objects.get(is_simulated=True), "simulated-2:refuse")
    collection = collect(refusing)
    by_hand = add_by_hand(demo, "claude-by-hand")
    return {
        "target.pk": refusing.pk,
        "collection.uuid": collection.uuid,
        "collection-calls.uuid": collection.uuid,
        "target-paste.pk": by_hand.pk,
        "prompt": prompt.pk,
    }


def routes(resolver: URLResolver, above: frozenset[str] = frozenset()) -> dict[str, frozenset[str]]:
    """Every address of the product: its name and the names of its arguments."""
    found: dict[str, frozenset[str]] = {}
    for entry in resolver.url_patterns:
        named = above | set(entry.pattern.converters) | set(entry.pattern.regex.groupindex)
        if isinstance(entry, URLResolver):
            found |= routes(entry, named)
        else:
            assert entry.name, f"{entry.pattern} has no name"
            found[entry.name] = named
    return found


def address(name: str, wanted: frozenset[str], arguments: dict) -> str:
    return reverse(name, kwargs={each: arguments.get(f"{name}.{each}", arguments[each]) for each in wanted})


def is_page(answer) -> bool:
    return "text/html" in answer.headers.get("Content-Type", "") and b"<html" in answer.content


def visit(name: str, path: str, visitors: dict[str, Client]) -> Visit | None:
    """The page as the first sees it who is shown one, or None where nobody is."""
    for client in visitors.values():
        answer = client.get(path)
        if answer.status_code == 200 and not answer.streaming and is_page(answer):
            return Visit(name, path, session_of(client))
    return None


def session_of(client: Client) -> str:
    return client.cookies["sessionid"].value if "sessionid" in client.cookies else ""


@pytest.fixture
def programs(settings) -> Iterator[None]:
    """The health page lists those of `make run`, of which one is being started again."""
    killed = ended("was ended by SIGKILL", -9)
    # Written in an hour, so that it is not too old before the last page was looked at.
    write(settings.DATA_DIR, program("web", os.getpid()), program("worker", None, 3, killed), ago=-3600)
    yield
    (settings.DATA_DIR / "processes.json").unlink()


@pytest.fixture
def pages(visitors, arguments, demo, empty, of_rubrics, programs) -> list[Visit]:
    """Every page of the product, every page of a project just begun, and pages in other states."""
    known, found, unseen = routes(get_resolver()), [], []
    of_programs = {name for name in known if name.startswith("api-")}
    no_pages = ACTS | DATA | LEADS_ON | OF_A_DEVICE | of_programs
    assert no_pages <= set(known), no_pages - set(known)
    for name in sorted(set(known) - no_pages):
        page = visit(name, address(name, known[name], arguments), visitors)
        if page is None:
            unseen.append(name)
            continue
        found.append(page)
        if known[name] == {"slug"} and page.address.startswith("/p/"):
            path = reverse(name, args=[empty.slug])
            shown = visit(f"{name}{BEGUN}", path, {"lead": visitors["lead"]})
            found += [shown] if shown else []  # a lead has no work of their own
    assert not unseen, f"{unseen} show nobody a page: give them arguments, or name them among what is no page"
    return [*found, *in_other_states(visitors, demo), *rubrics_in_other_states(visitors, of_rubrics)]


def prepared_file(demo: Project) -> object:
    return demo.jobs.get(kind="gold_export", state="done").uuid


def failed_attempt() -> object:
    return Attempt.objects.get(is_passed=False).uuid


def in_other_states(visitors: dict[str, Client], demo: Project) -> list[Visit]:
    lead, annotator = session_of(visitors["lead"]), session_of(visitors["annotator"])
    reviews = Stage.objects.get(project=demo, kind="reviews")
    return [
        Visit("a review", visitors["annotator"].post(f"/p/demo/my-work/{reviews.pk}/next")["Location"], annotator),
        Visit("a prompt that is localised", f"/tasks/{localised_now(demo).uuid}/", annotator),
        Visit("a pair that is rated", f"/tasks/{rated_now(demo).uuid}/", annotator),
        Visit("a failed quiz", f"/quiz-attempts/{failed_attempt()}/", annotator),
        Visit("two prompts compared", "/p/demo/judges/prompts/spans/compare/?before=v1&after=v1-ko", lead),
        Visit("a prompt on an item", "/p/demo/judges/prompts/spans/preview/?version=v1-bn", lead),
        Visit("a gold file that is prepared", f"/p/demo/jobs/{prepared_file(demo)}/", lead),
        Visit("not found", "/nowhere/", lead),
        Visit("no response like that", "/p/demo/responses/?outcome=rejected&depth=thin&variety=en-KR", lead),
        Visit("a filter that is refused", "/p/demo/responses/?rater=nobody", lead),
    ]


def rubrics_in_other_states(visitors: dict[str, Client], of_rubrics: dict) -> list[Visit]:
    author, lead = session_of(visitors["author"]), session_of(visitors["lead"])
    return [
        Visit("a rubric in the making", f"/tasks/{of_rubrics['rubric in the making']}/", author),
        Visit("the newest version of a rubric", f"/p/demo/rubrics/{of_rubrics['newest rubric']}/", author),
        Visit("frozen rubrics", "/p/demo/rubrics/?show=frozen", lead),
        Visit("discarded rubrics", "/p/demo/rubrics/?show=discarded", lead),
    ]


def test_no_barrier_on_any_page(pages, page, live_server, bundle):  # noqa: F811
    complaints = []
    page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
    page.on("console", lambda said: complaints.append(f"{page.url}: {said.text}") if "Policy" in said.text else None)
    page.add_init_script(AXE_SCRIPT)
    for language, scheme, width in LOOKS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        known: set[str] = set()
        for visit in pages:
            if visit.name.endswith(BEGUN) and language != "en":
                continue  # the same templates with less in them: once is enough
            look_as(page, live_server.url, visit.session, language)
            page.goto(live_server.url + visit.address)
            assert page.evaluate("document.documentElement.dir") == ("rtl" if language == "ar" else "ltr"), visit
            unfold(page)
            found = [*barriers(page, known), *too_wide(page)]
            complaints += [f"{visit.name} in {language}: {each}" for each in found]
    assert not complaints, "\n".join(complaints)


def look_as(page, url: str, session: str, language: str) -> None:
    page.context.clear_cookies()
    cookies = {"sessionid": session, "django_language": language}
    page.set_extra_http_headers({"Accept-Language": language})  # open pages look at no cookie
    page.context.add_cookies([{"name": name, "value": value, "url": url} for name, value in cookies.items() if value])


def unfold(page) -> None:
    page.evaluate(
        """async () => {
          for (const one of document.querySelectorAll("details")) one.open = true;
          await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        }"""
    )
