"""One of everything a route can point at, so that the matrix can be walked."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import uuid4

from django.utils import timezone

from annotation import category_changes
from annotation.models import (
    Acceptance,
    Classification,
    ErrorCategory,
    GoldAnswer,
    GroupProposal,
    Refinement,
    SettledCase,
)
from benchmark.freezing import freeze
from benchmark.models import Ban, Board, Erratum, Flag, Probe, QuestionCheck, Submission, VerifiedAccount
from demo.jobs import queue_demo
from formats.mapping.saved import save_mapping
from jobs.enqueuing import add_job
from jobs.importing import IMPORT, keep_for_mapping
from jobs.listing import VERBS
from jobs.working import work_on
from judging.collecting.beginning import create_collection
from judging.collecting.endpoints import add_endpoint
from judging.deriving.steps import add_cut, take
from judging.engine import runs
from judging.engine.choice import Choice
from judging.engine.run_sets import create_set
from judging.ensembles.adding import add_panel
from judging.judges import add_judge
from judging.models import Call
from judging.rewards.lending import lend
from projects.derived import Made, store
from projects.invitations import invite
from projects.models import Import, Project, PromptTemplate, Rater, Response, ResponsePair, User
from providers.models import Provider, ServedModel
from reports.gold.exporting import prepare
from reports.models import GoldSnapshot
from rubrics.authoring.checking import draft_sha256
from rubrics.authoring.difficulty import begin as begin_check
from rubrics.authoring.task import AuthoringTaskType
from rubrics.models import DraftReview
from screening.models import Interview, Pause, RaterGroup
from screening.quiz.taking import begin
from tests.annotation.marked import mark
from tests.annotation.rated import question_type
from tests.benchmark import boards
from tests.benchmark.sets import question_line, set_of
from tests.judging.collecting import add_frozen
from tests.people import add_response, join, person
from tests.rubrics.rubrics import frozen_rubric
from tests.screening.quizzes import add_check, five_statements
from workflow.beginning import begin_own
from workflow.claims import claim_next
from workflow.models import ItemQuestion, Stage, Survey, TimeCorrection
from workflow.planning import plan_items

RUN_ROUTES = [
    *("run", "run-calls", "run-cancel", "run-pause", "run-resume", "run-retry", "run-read-again"),
    *("api-run", "api-run-cancel", "api-run-pause", "api-run-resume", "api-run-retry", "api-run-read-again"),
]
INSTALLATION_JOB_ROUTES = ["installation-job", *(f"installation-job-{verb}" for verb in VERBS)]
IMPORT_OPTIONS = {"kind": "items", "file_format": "jsonl", "dry_run": False, "name": "items.jsonl"}
SET_ROUTES = ["run-set", "api-run-set"]
SET_ROUTES += [f"{route}-{verb}" for route in SET_ROUTES for verb in ("pause", "resume", "cancel", "retry", "limits")]

QUESTION_ROUTES = [f"benchmark-question{route}.question" for route in ("", "-edit", "-drop")]
QUESTION_ROUTES += ["question-check-decide.question", "erratum-report.question"]


@dataclass
class World:
    project: Project
    other_project: Project
    # Values of a route's arguments; a key is "argument" or "route.argument".
    arguments: dict[str, Any] = field(default_factory=dict)
    people: dict[str, User] = field(default_factory=dict)
    # Session keys of those who are signed in, by role.
    sessions: dict[str, str] = field(default_factory=dict)
    # What a route must be sent to get past its own reading; the answer may still be that the content is wrong.
    bodies: dict[str, dict[str, Any]] = field(default_factory=dict)

    def argument(self, route: str, name: str) -> Any:
        return self.arguments.get(f"{route}.{name}", self.arguments.get(name))

    def person_with(self, role: str) -> User:
        if role not in self.people:
            self.people[role] = join(
                person(f"{role}@example.org", role.title()), self.project, role, varieties=("en-US",)
            )
        return self.people[role]


THREAD_ROUTES = ("question-answer", "question-reply", "question-close", "my-question")


def build_world(project: Project, other_project: Project) -> World:
    world = World(project, other_project)
    response = add_response(project, "r1", "One response. With two sentences.", "en-US")
    member = world.person_with("annotator")
    invitation, token = invite(
        project, "new@example.org", roles=["annotator"], varieties=[response.variety], invited_by=member
    )
    stage = Stage.objects.create(project=project, kind="spans", name="Marking", overlap=2)
    plan_items(stage)
    assignment = claim_next(member.raters.get(), stage)
    assert assignment is not None
    question = ItemQuestion.objects.create(
        project=project, assignment=assignment, rater=assignment.rater, text="What of this?"
    )
    Survey.objects.create(stage=stage, questions=[])
    asked = TimeCorrection.objects.create(
        rater=assignment.rater, day=date(2026, 1, 5), request="Too little.", asked_at=timezone.now()
    )
    world.arguments = {
        "number": 1,
        **dict.fromkeys((f"{name}.pk" for name in THREAD_ROUTES), question.pk),
        "time-decide.pk": asked.pk,
        "stage": stage.pk,
        "stage-layout.stage": Stage.objects.create(project=project, kind="questionnaire", name="Answering").pk,
        "assignment": assignment.uuid,
        "kind": "item",
        "slug": project.slug,
        "table_id": "progress",
        **dict.fromkeys(("frame-file.name", "frame-prepare.name", "api-frame.name"), "spans"),
        "file_format": "csv",
        "activity": "guidelines",
        "language": "ar",
        "script": "app",
        "token": token,
        "pk": member.pk,
        "withdraw-invitation.pk": invitation.pk,
        "laboratory-settle.pk": response.target_model_id,
        "language-change.pk": response.variety_id,
        **judging_arguments(project),
        **refining_arguments(response),
        **collecting_arguments(project),
        **rubric_arguments(world, response),
        **derived_arguments(response),
        **template_arguments(project),
        **rating_arguments(response),
        **screening_arguments(world, stage),
        **job_arguments(project),
        **snapshot_arguments(project),
        **question_set_arguments(world),
        **board_arguments(project),
    }
    as_json = {"content_type": "application/json"}
    world.bodies = {
        "guidelines-language": {"data": {"language": "automatic"}},
        "guidelines-draft": {"data": {"language": "main", "text": "x", "change": "", "state": "1.0"}, **as_json},
        "reading-signs": {"data": {"now": 1, "signs": []}, **as_json},
        "api-case": {"data": {"why": "It is clear."}, **as_json},
        "task-draft": {"data": {"body": {"no_errors": True, "spans": []}}, "headers": {"If-Match": '"0"'}, **as_json},
        "task-submit": {"data": {"submission": str(uuid4()), "version": 0, "body": {}}, **as_json},
        "difficulty-ask": {"data": {"prompt": "Too easy?"}, **as_json},
        "laboratory-settle": {"data": {"laboratory": response.target_model.laboratory_id}},
        "task-remarks": {"data": {"remarks": {"bookmarked": True}}, **as_json},
        "task-skip": {"data": {"reason": "other", "note": "Too long for me"}, **as_json},
        "rubric-lint": {"data": {"body": {}}, **as_json},
        "rubric-difficulty-by-hand": {"data": {"prompt": "Why?", "model": "Nile-7B", "outcome": "partial"}, **as_json},
        "rubric-difficulty-mark": {
            "data": {"check": world.argument("rubric-difficulty-mark", "check"), "outcome": "failed"},
            **as_json,
        },
        "rubric-ask-review": {"data": {}, **as_json},
        "question-check-reveal": {"data": {"text": "Amman"}, **as_json},
        "attempt-save": {"data": {"q1": "true"}, "headers": {"If-Match": '"0"'}},
        "reassign": {"data": {"rater": world.person_with("validator").raters.get().pseudonym}},
    }
    return world


def question_set_arguments(world: World) -> dict[str, Any]:
    """A draft with a question that everybody may read and the annotator checks; and two versions that are frozen."""
    project = world.project
    question_set = set_of(project, question_line(variety="en-US"))
    question = question_set.questions.get()
    stage = Stage.objects.create(project=project, kind="question_check", name="Checks", overlap=1)
    plan_items(stage)
    turn = claim_next(world.person_with("annotator").raters.get(), stage)
    assert turn is not None
    check = QuestionCheck.objects.create(
        question=question, rater=turn.rater, answer="Amman", is_aligned=True, decision="keep"
    )
    first = freeze(set_of(project, question_line("old"), id="published", canary=...))
    later = freeze(first.new_version())
    erratum = Erratum.objects.create(project=project, question=first.questions.get(), fault="other", words="Wrong.")
    return {
        "question_set": question_set.slug,
        "version": question_set.version,
        **dict.fromkeys(QUESTION_ROUTES, question.pk),
        "question-check-reveal.assignment": turn.uuid,
        "question-check-take-over.check": check.pk,
        "erratum": erratum.uuid,
        **dict.fromkeys(("question-versions.question_set", "api-question-versions.question_set"), first.slug),
        **dict.fromkeys(("question-versions.later", "api-question-versions.later"), later.version),
    }


def board_arguments(project: Project) -> dict[str, Any]:
    """A frozen set and a model that answered it, which is on the board."""
    canary = "6f1f4a6e-6f0d-4b52-9f0e-0c6f0f3b9a12"
    frozen = boards.frozen_set(project, *boards.open_questions(6), id="board", canary=canary)
    row = boards.configuration(project, "Lake")
    leo = boards.judge(project, "Leo")
    boards.judged(leo, boards.answers(row, frozen), frozen, [5.0] * 6)
    tables = ("leaderboard-csv.table_id", "leaderboard-json.table_id", "leaderboard-finding.table_id")
    models = [
        *("board-configuration.configuration", "board-report.configuration"),
        *("api-board-configuration.configuration", "api-board-report.configuration"),
        *("configuration-edit.configuration", "configuration-decide.configuration"),
        *("api-configuration.configuration", "api-configuration-decide.configuration"),
        *("model-card.card", "model-card-edit.card", "api-model-card.card"),
    ]
    flag = Flag.objects.create(configuration=row, question_set=frozen, kind="one_text")
    probe = Probe.objects.create(configuration=row, question_set=frozen, kind="quiz")
    return {
        **dict.fromkeys(tables, "scores"),
        **dict.fromkeys(models, row.slug),
        **submission_arguments(project),
        **dict.fromkeys(("board-drift-accept.rater", "api-drift-accept.rater"), leo.pk),
        **dict.fromkeys(("board-flag-decide.flag", "api-flag-decide.flag"), flag.pk),
        "board-probe.probe": probe.pk,
    }


def submission_arguments(project: Project) -> dict[str, Any]:
    """A board that takes submissions, one that waits, and an account that is verified and banned."""
    board = Board.objects.create(project=project, slug="open", title="Open", is_open=True, takes_submissions=True)
    outsider = person("outsider@example.org", "Outsider")
    lake = boards.laboratory("Lake Lab")
    VerifiedAccount.objects.create(user=outsider, laboratory=lake)
    submission = Submission.objects.create(
        board=board, account=outsider, laboratory=lake, month="2026-01", name="Pond", run={"how": "weights"}
    )
    ban = Ban.objects.create(board=board, user=outsider, reason="Spam")
    routes = ["open-board-submission", "open-board-withdraw", "api-open-board-withdraw"]
    routes += ["board-submission", "api-board-submission"]
    uuids = {f"{route}.uuid": submission.uuid for route in routes}
    return {
        "board": board.slug,
        "ban": ban.pk,
        **dict.fromkeys(("verified-account-remove.pk", "api-verified-account.pk"), outsider.pk),
        **uuids,
    }


def judging_arguments(project: Project) -> dict[str, Any]:
    """A judge whose provider nobody listens at, a planned run of it, and a run that is over."""
    judge = add_judge(project, Provider.objects.create(name="p", base_url="http://127.0.0.1:9/v1"), "gpt-4o")
    run = runs.create_run(judge, project.responses.all())
    Call.objects.filter(run=runs.create_run(judge, project.responses.all(), round=2)).update(state="failed")
    run_set = create_set(project, [judge], Choice(), first_round=3)
    served = ServedModel.objects.create(provider=judge.provider, name="gpt-4o")
    of_provider = ("provider", "provider-models", "provider-models-fetch", "provider-models-listed", "served-model-add")
    of_model = ("served-model", "served-model-test", "served-model-take-over", "served-model-remove")
    prompt_routes = ("", "-add", "-check", "-preview", "s-compared")
    other = add_judge(project, judge.provider, "gpt-4o-mini")
    panel = add_panel(project, "spans", [judge.rater, other.rater])
    grading = add_judge(project, judge.provider, "gpt-4o", kind="rubric")
    reward = lend(project, "reward", grading, "Nile-7B", laboratory="delta-lab")
    return {
        **dict.fromkeys(("api-reward.reward", "api-reward-score.reward"), reward.slug),
        **{f"judge-prompt{route}.kind": "spans" for route in prompt_routes},
        "judge-prompt.version": "v1-ar",
        **dict.fromkeys(
            ("judge-costs-csv.table_id", "judge-costs-json.table_id", "judge-costs-finding.table_id"), "judge-costs"
        ),
        **dict.fromkeys(
            ("text-results-csv.table_id", "text-results-json.table_id", "text-results-finding.table_id"), "text-lengths"
        ),
        **dict.fromkeys(
            ("group-quality-csv.table_id", "group-quality-json.table_id", "group-quality-finding.table_id"),
            "group-quality",
        ),
        **dict.fromkeys(
            ("rater-group-rename.group", "rater-group-delete.group"),
            RaterGroup.objects.create(project=project, name="Vendor").pk,
        ),
        "panel.pk": panel.pk,
        "panel-assemble.pk": panel.pk,
        "judge.pk": judge.pk,
        "judge-run.pk": judge.pk,
        **{f"{route}.pk": judge.provider_id for route in of_provider},
        **{f"{route}.pk": served.pk for route in of_model},
        **{f"{route}.uuid": run.uuid for route in RUN_ROUTES},
        **{f"{route}.uuid": run_set.uuid for route in SET_ROUTES},
    }


TARGET_ROUTES = ("target", "target-collect", "target-remove", "target-paste", "target-replicates")


def collecting_arguments(project: Project) -> dict[str, Any]:
    """A target model whose provider nobody listens at, and a planned collection from it."""
    prompt = add_frozen(project, "frozen", "A prompt whose rubric is frozen.", "en-US")
    endpoint = add_endpoint(project, Provider.objects.get(name="p"), "gpt-4o")
    collection = create_collection(endpoint)
    verbs = ("calls", "take", "cancel", "pause", "resume", "retry")
    routes = ("collection", *(f"collection-{verb}" for verb in verbs))
    return {
        **{f"{route}.pk": endpoint.pk for route in TARGET_ROUTES},
        **{f"{route}.uuid": collection.uuid for route in routes},
        "target-paste.prompt": prompt.pk,
        "collection-take.pk": collection.collection_calls.get(prompt=prompt).pk,
    }


def derived_arguments(response: Response) -> dict[str, Any]:
    """A text that was cut, which nothing takes further."""
    step = add_cut(response.project, "words", 1)
    take(step, False)
    [made] = store(step, [Made(response, "One")])
    steps: dict[str, Any] = dict.fromkeys(("derived-step.pk", "api-derivation-step.pk"), step.pk)
    return {**steps, "derived-text.response": made.uuid}


def snapshot_arguments(project: Project, area: str = "spans") -> dict[str, Any]:
    """A snapshot of gold; what is in it does not matter here."""
    snapshot = GoldSnapshot.objects.create(
        project=project, area=area, name="first", sha256="0" * 64, size=0, lines=0, responses=0
    )
    ways = ("file", "changes")
    return {f"{route}-{way}.pk": snapshot.pk for route in ("gold-snapshot", "api-gold-snapshot") for way in ways}


def job_arguments(project: Project) -> dict[str, Any]:
    """A gold file that is prepared and can be taken, an import that waits, and a job of no project."""
    prepared, waiting = prepare(project), add_job(IMPORT, project, options=IMPORT_OPTIONS)
    of_none = queue_demo("juice")
    work_on(prepared.pk)
    of_file: dict[str, Any] = dict.fromkeys(("job-file.uuid", "api-job-file.uuid"), prepared.uuid)
    verbs = [f"{route}-{verb}" for route in ("job", "api-job") for verb in VERBS]
    of_file |= {f"{route}.uuid": of_none.uuid for route in INSTALLATION_JOB_ROUTES}
    kept = save_mapping(project, {"kind": "items", "fields": {"id": "{id}"}}, "Theirs")
    of_file |= {f"{route}.pk": kept.pk for route in ("import-mapping", "import-mapping-delete", "api-import-mapping")}
    brought = Import.objects.create(project=project, kind="items", imported_at=timezone.now())
    of_file |= dict.fromkeys(("import-take-back.uuid", "api-import-take-back.uuid"), brought.uuid)
    of_file["import-map.uuid"] = keep_for_mapping(project, [b"id;text\nr1;Why?\n"], "theirs.csv").uuid
    return of_file | {f"{route}.uuid": waiting.uuid for route in ("job", "api-job", *verbs)}


def screening_arguments(world: World, stage: Stage) -> dict[str, Any]:
    """A quiz in the language of all, an attempt of the annotator's at it, a check, and a pause of the annotator's."""
    quiz = five_statements(stage, language="en")
    annotator = world.person_with("annotator").raters.get()
    check = add_check(stage, add_response(world.project, "known", "A response with a known error.", "en-US"), "error")
    pause = Pause.objects.create(stage=stage, rater=annotator, right=1, n=8, mark=70)
    interview = Interview.objects.create(stage=stage, step=20)
    attempt = begin(annotator, quiz)
    questions = ("quiz-question", "quiz-question-delete", "quiz-question-move")
    question = quiz.questions.first()
    assert question is not None
    return {
        "quiz_id": quiz.pk,
        "quiz-question-add.kind": "choice",
        **{f"{route}.question": question.pk for route in questions},
        **{f"{route}.attempt": attempt.uuid for route in ("attempt", "attempt-save", "attempt-submit")},
        "position": 1,
        "check": check.pk,
        "pause": pause.pk,
        "interview": interview.pk,
    }


def rubric_arguments(world: World, response: Response) -> dict[str, Any]:
    """The author's rubrics, one begun and one frozen, and one of a colleague that waits for a review."""
    project, author = world.project, world.person_with("author").raters.get()
    colleague = join(person("colleague@example.org", "Colleague"), project, "author", varieties=("en-US",))
    stage = Stage.objects.create(project=project, kind="authoring", name="Writing", overlap=1)
    own = begin_own(author, stage, response.variety, uuid4())
    theirs = begin_own(colleague.raters.get(), stage, response.variety, uuid4())
    body = AuthoringTaskType().empty_draft(theirs)
    review = DraftReview.objects.create(assignment=theirs, body=body, body_sha256=draft_sha256(body))
    check = begin_check(own, "A question.", "Nile-7B", by_hand=False)
    calls = (
        *("rubric-lint", "rubric-difficulty-by-hand", "rubric-difficulty-mark", "rubric-ask-review", "rubric-draft"),
        "difficulty-ask",
    )
    stages = {f"{route}.stage": stage.pk for route in ("rubric-begin", "rubric-take-up")}
    return stages | {
        "rubric": frozen_rubric(response.prompt, author).uuid,
        "review": review.pk,
        "rubric-difficulty-mark.check": check.pk,
        **{f"{call}.assignment": own.uuid for call in calls},
    }


def template_arguments(project: Project) -> dict[str, Any]:
    """A question type in its dimension, and a template."""
    question = question_type(project)
    template = PromptTemplate.objects.create(project=project, key="t-1", question=question, text="In [locale_country]?")
    return {"question": question.pk, "dimension": question.dimension_id, "template": template.pk}


def rating_arguments(response: Response) -> dict[str, Any]:
    """A pair of the response and another to the same prompt; and the one table of a page of its own."""
    other = add_response(response.project, "r2", "Another response.", response.variety.tag, "Delta-9B")
    Response.objects.filter(pk=other.pk).update(prompt=response.prompt)
    pair = ResponsePair.objects.create(
        project=response.project,
        key="pair",
        prompt=response.prompt,
        variety=response.variety,
        first=response,
        second=other,
    )
    return {
        "rated-pair.pair": pair.pk,
        **dict.fromkeys(
            ("rater-results-csv.table_id", "rater-results-json.table_id", "rater-results-finding.table_id"), "raters"
        ),
    }


def refining_arguments(response: Response) -> dict[str, Any]:
    """A span of someone who worked elsewhere, a proposed group with it, a category proposed for it, and
    its place in the case book."""
    rater = Rater.objects.create(project=response.project, kind="human", name="Elsewhere")
    [span] = mark(response, rater, "One")
    category = ErrorCategory.objects.create(project=response.project, slug="inaccuracy", name="Inaccuracy")
    proposal = GroupProposal.objects.create(response=response)
    proposal.spans.add(span)
    coding = Classification.objects.create(span=span, rater=rater, category=category)
    change = category_changes.rename(category, {"name": "Not so"}, None)
    gold = GoldAnswer.objects.create(response=response)
    case = SettledCase.objects.create(
        project=response.project, gold=gold, key=span.key, is_kept=False, variety=response.variety
    )
    sample = Acceptance.objects.create(project=response.project, number=1, kind="groups", seed=1, drawn=1, rest=1)
    refinement = Refinement.objects.create(span=span, rater=rater, explanation="Better.")
    return {
        "case": case.pk,
        "decide-refinement.proposal": refinement.pk,
        **dict.fromkeys(("settle-acceptance.number", "api-settle-acceptance.number"), sample.number),
        "category": category.slug,
        "error-categories-undo.number": change.number,
        "response": response.uuid,
        "span": span.pk,
        "decide-group.proposal": proposal.pk,
        **{f"{act}-category.proposal": coding.pk for act in ("confirm", "change", "refuse")},
    }
