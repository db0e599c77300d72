"""Submitted models: accepted, asked like any target model within what the lead lets them cost, and followed to their
end.

The address that somebody outside named becomes a provider of this one submission when a moderator accepts; nobody calls
it before. It is called at public addresses alone, and it never sees a key of another provider: where it needs one, that
stands under a name of its own.
"""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import BigIntegerField, Case, Exists, F, OuterRef, QuerySet, Sum, When
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone
from django.utils.translation import gettext as _

from benchmark.judged import ranked_version
from benchmark.models import Answer, Board, Configuration, Question, QuestionSet, Submission, SubmissionState
from benchmark.sending import parameters_of
from benchmark.submissions import entering, spending
from benchmark.submissions.ending import DONE, ENDED_OTHERWISE, GOING, end
from benchmark.submissions.spending import Spending
from benchmark.submissions.values import How
from judging.collecting.beginning import create_collections
from judging.collecting.endpoints import PARAMETERS, add
from judging.engine import runs
from judging.engine.run_sets import cancel_set, start_set
from judging.engine.submitted_answers import HELD, PROBLEM, UNPRICED, holds_of, is_unpriced
from judging.models import (
    Call,
    CallState,
    CollectionCall,
    CollectionState,
    PausedBecause,
    Run,
    RunSet,
    RunState,
    SubmissionHold,
)
from projects.models import Project, User
from projects.problems import Invalid, Problem
from projects.public_addresses import address_fault
from providers.client.keys import is_set
from providers.laboratories import laboratory_row
from providers.models import Provider, ServedModel
from providers.prices import Amount

OPEN_RUNS = (RunState.PLANNED, RunState.RUNNING, RunState.PAUSED)
# Of a submitter's endpoint: as much as a small server bears.
CONCURRENCY, TIMEOUT_SECONDS = 4, 120
AT_ONCE = 100
FOLLOWED = ("board__project", "board__question_set", "question_set", "configuration", "laboratory")


@dataclass(frozen=True, slots=True)
class Terms:
    """What a moderator accepts at: the most it may cost, and prices of a million tokens in US dollars: None where
    nobody has said, 0 of an endpoint that the submitter pays for."""

    money_limit: int | None = None
    token_limit: int | None = None
    input_price: Decimal | None = None
    output_price: Decimal | None = None


def key_name(submission: Submission) -> str:
    """Where the server finds the key of a submitted endpoint that needs one; empty where it needs none."""
    return f"SUBMISSION_{submission.uuid.hex[:8].upper()}_KEY" if submission.run.get("needs_key") else ""


def accept(submission: Submission, by: User, terms: Terms | None = None) -> Submission:
    """Make its card and its row of the board, and ask it the board's questions where it has an address; where the
    weights are open, it waits for answers that the lead brings in.

    Raises Invalid, and nothing was changed: decided already, an address that is not public, a key that is not there,
    more than is left of the month's budget, or what stands in the way of any run.
    """
    terms = terms or Terms()
    is_asked = submission.run.get("how") == How.ENDPOINT
    if is_asked:
        check_endpoint(submission)
    with transaction.atomic():
        # Two moderators who accept at the same moment would each give away the same rest of the budget.
        board = Board.objects.select_for_update(of=("self",)).select_related("project").get(pk=submission.board_id)
        configuration = entering.accept(submission, by)
        if is_asked:
            begin(submission, configuration, by, within(board, submission.month, terms))
    submission.refresh_from_db()
    return submission


def check_endpoint(submission: Submission) -> None:
    """Look the address up. Raises Invalid where it is not public, or where its key is not on this server."""
    import httpcore2  # with the SDK, which only a process that calls, or decides about calls, needs

    from providers.client.guarded import refuse_private

    address = submission.run["address"]
    if fault := address_fault(address):
        raise Invalid(Problem("address", fault, "address"))
    parts = urlsplit(address)
    try:
        refuse_private(parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80))
    except httpcore2.ConnectError as problem:
        message = _("The address cannot be called: %(problem)s. Nothing was changed.") % {"problem": problem}
        raise Invalid(Problem("address", message, "address")) from None
    name = key_name(submission)
    if not is_set(name):
        message = _(
            "The key is not on this server. Whoever runs the installation puts it under the name %(name)s into the "
            "file of secrets; then accept again. Nothing was changed."
        )
        raise Invalid(Problem("key_missing", message % {"name": name}))


def within(board: Board, month: str, terms: Terms) -> Terms:
    """The terms with limits that the month's budget holds. Raises Invalid for more than is left of it."""
    rest = spending.left(board, month)
    limits: dict[str, int | None] = {}
    for field, wanted, there in (
        ("money_limit", terms.money_limit, rest.money),
        ("token_limit", terms.token_limit, rest.tokens),
    ):
        limits[field] = there if wanted is None else wanted
        if there is not None and (there < 1 or (wanted or 0) > there):
            message = _("Less than that is left of what the submissions of %(month)s may cost. Nothing was changed.")
            raise Invalid(Problem("budget_used", message % {"month": month}, field))
    check_prices(terms, limits["money_limit"])
    return Terms(limits["money_limit"], limits["token_limit"], terms.input_price, terms.output_price)


def check_prices(terms: Terms, money_limit: int | None) -> None:
    """Raises Invalid where money is limited, by the terms or by the month, and nothing says what is spent of it."""
    prices = (terms.input_price, terms.output_price)
    if (prices[0] is None) != (prices[1] is None):
        message = _("Say both prices, of tokens in and of tokens out, or neither. Nothing was changed.")
        raise Invalid(Problem("price_missing", message, "input_price" if prices[0] is None else "output_price"))
    if money_limit is not None and None in prices:
        message = _(
            "Money is limited, and nobody has said what a million tokens of this model cost: no limit in money can "
            "hold for it. Say its prices, 0 where whoever submitted pays. Nothing was changed."
        )
        raise Invalid(Problem("price_missing", message, "input_price"))
    if terms.money_limit is not None and not any(prices):
        message = _(
            "A limit in money holds nothing back where both prices are 0. Say what a million tokens cost, limit its "
            "tokens, or leave the limit empty. Nothing was changed."
        )
        raise Invalid(Problem("price_missing", message, "money_limit"))


def begin(submission: Submission, configuration: Configuration, by: User, terms: Terms) -> None:
    """A provider, a target model and a run of its own, set going when the transaction ends."""
    run, laboratory = submission.run, laboratory_row(submission.laboratory.slug)
    provider = Provider.objects.create(
        name=f"submission-{submission.uuid.hex[:12]}",
        base_url=run["address"],
        key_name=key_name(submission),
        laboratory=laboratory,
        is_submitted=True,
        concurrency=CONCURRENCY,
        timeout_seconds=TIMEOUT_SECONDS,
    )
    ServedModel.objects.create(
        provider=provider,
        name=run["model"],
        laboratory=laboratory,
        input_price=terms.input_price,
        output_price=terms.output_price,
    )
    sent = {name: value for name, value in parameters_of(configuration).items() if name in PARAMETERS}
    endpoint = add(
        configuration.project,
        configuration.target_model.name,
        laboratory.slug,
        by,
        provider=provider,
        model=run["model"],
        parameters=sent,
    )
    run_set = create_collections(configuration.project, [endpoint], terms.money_limit, terms.token_limit, by=by)
    Submission.objects.filter(pk=submission.pk).update(state=SubmissionState.RUNNING)
    start_set(run_set, by)


# --- Following it to its end ---


def follow_up() -> int:
    """End submissions whose answers are all there, that failed, or that took too long; stop what still runs for one
    that has ended; ask judges what waited for what others had set aside. Returns how many have ended now."""
    rows = Submission.objects.filter(state__in=GOING).select_related(*FOLLOWED)
    ended = sum(settle(row) for row in rows.order_by("decided_at")[:AT_ONCE])
    left_over = Exists(Run.objects.filter(**of_submission(), state__in=OPEN_RUNS))
    for row in Submission.objects.filter(left_over, state__in=ENDED_OTHERWISE)[:AT_ONCE]:
        stop(row, None)
    ask_judges_again()
    return ended


def ask_judges_again() -> None:
    """Ask what judges were not asked while submissions held the rest of a month, once none of that month does."""
    waiting = SubmissionHold.objects.filter(
        is_waiting=True, shard__run__state__in=runs.OVER, board__project__archived_at=None
    )
    rows = waiting.order_by().values_list("board", "month", "shard__run").distinct()
    is_held: dict[tuple[int, str], bool] = {}
    for board, month, run in rows:
        if (board, month) not in is_held:
            is_held[board, month] = spending.is_set_aside(Board.objects.get(pk=board), month)
        if not is_held[board, month]:
            with contextlib.suppress(Invalid):  # the budget of its own set of runs is spent: it waits for the lead
                go_on_judging(Run.objects.get(pk=run), month)


def go_on_judging(run: Run, month: str) -> None:
    """Plan the calls anew; those that the month does not pay say so from now on. Raises Invalid as `retry_failed`."""
    with transaction.atomic():
        if not runs.ask_cancelled(run) and Run.objects.filter(pk=run.pk, state__in=runs.OVER).exists():
            left = Call.objects.filter(run=run, state=CallState.CANCELLED, problem=HELD)
            left.update(
                problem=UNPRICED if is_unpriced(Board.objects.get(project=run.project), run.asked_judge) else PROBLEM
            )
        waited = SubmissionHold.objects.filter(shard__run=run, month=month, is_waiting=True)
        waited.update(is_waiting=False)
        SubmissionHold.objects.filter(shard__run=run, month=month, is_over=True, money=0, tokens=0).delete()


def of_submission() -> dict[str, OuterRef]:
    """Runs of the submission of the query around."""
    return {
        "endpoint__project": OuterRef("board__project"),
        "endpoint__target_model": OuterRef("configuration__target_model"),
    }


def settle(submission: Submission) -> bool:
    """Whether a submission that goes on has ended now."""
    configuration = submission.configuration
    if configuration is None:
        reason = _("Its row of the board is gone.")
        return end(submission, SubmissionState.FAILED, GOING, reason=reason)
    ranked = ranked_version(submission.board.project, submission.board)
    n_missing = unanswered(submission.question_set or ranked, configuration)
    # Answers that the lead brings in may be to the version that is ranked by now.
    if not n_missing or (submission.question_set != ranked and not unanswered(ranked, configuration)):
        return end(submission, DONE, GOING)
    if submission.state != SubmissionState.RUNNING:
        return False  # the lead brings its answers in
    run = latest_run(configuration)
    if run is not None and run.state in runs.OVER:
        return end(submission, SubmissionState.FAILED, GOING, reason=why_failed(run, n_missing))
    since = submission.decided_at or submission.submitted_at
    if since + timedelta(hours=settings.SUBMISSION_TIMEOUT_HOURS) > timezone.now():
        return False
    return end(submission, SubmissionState.TIMED_OUT, GOING, reason=why_late(run, n_missing))


def unanswered(version: QuestionSet | None, configuration: Configuration) -> int:
    """Questions of a version that the configuration has no answer to."""
    questions = Question.objects.filter(question_set=version)
    answered = Answer.objects.filter(configuration=configuration, prompt=OuterRef("prompt"))
    return questions.filter(~Exists(answered)).count()


def latest_run(configuration: Configuration) -> Run | None:
    rows = Run.objects.filter(
        endpoint__project=configuration.project_id, endpoint__target_model=configuration.target_model_id
    )
    return rows.order_by("-pk").first()


def why_failed(run: Run, n_missing: int) -> str:
    if run.state == RunState.CANCELLED:
        return _("It was stopped; %(n)d questions have no answer.") % {"n": n_missing}
    failed = CollectionCall.objects.filter(run=run, state__in=[CollectionState.FAILED, CollectionState.UNUSABLE])
    problem = failed.exclude(problem="").values_list("problem", flat=True).first() or ""
    told = {"n": n_missing, "problem": problem.partition(":")[0][:80] or _("no reason was given")}
    return _("%(n)d questions have no answer: %(problem)s.") % told


def why_late(run: Run | None, n_missing: int) -> str:
    told = {"n": n_missing, "hours": f"{settings.SUBMISSION_TIMEOUT_HOURS:g}"}
    if run is not None and run.paused_because == PausedBecause.BUDGET:
        return _("What it may cost was used up; after %(hours)s hours %(n)d questions had no answer.") % told
    if run is not None and run.paused_because == PausedBecause.PROVIDER:
        return _("The address did not answer; after %(hours)s hours %(n)d questions had no answer.") % told
    return _("After %(hours)s hours %(n)d questions had no answer.") % told


def settle_after(run: Run) -> None:
    """A run of a target model has ended: so has its submission, where it is one."""
    endpoint = run.asked_endpoint
    rows = Submission.objects.filter(
        board__project=endpoint.project_id,
        configuration__target_model=endpoint.target_model_id,
        state=SubmissionState.RUNNING,
    )
    for row in rows.select_related(*FOLLOWED):
        settle(row)


def stop(submission: Submission, by: User | None) -> None:
    """Cancel what still runs for a submission; what is in flight is stored if it comes back."""
    if submission.configuration_id is None:
        return
    for run_set in run_sets_of(submission.board.project, [submission.configuration_id]).filter(
        Exists(Run.objects.filter(run_set=OuterRef("pk"), state__in=OPEN_RUNS))
    ):
        cancel_set(run_set, by)


def run_sets_of(project: Project, configurations: Sequence[int] | QuerySet[Any]) -> QuerySet[RunSet]:
    """Sets with a run that asks these configurations."""
    asked = Run.objects.filter(
        run_set=OuterRef("pk"),
        endpoint__project=project,
        endpoint__target_model__in=Configuration.objects.filter(pk__in=configurations).values("target_model"),
    )
    return RunSet.objects.filter(Exists(asked), project=project)


# --- What it costs ---


def spending_of(board: Board, month: str) -> Spending:
    """What asking cost, from the sums that each set of runs keeps, and what judging the answers has cost so far, call
    by call, with what is set aside for calls in flight; three statements over the month's submissions."""
    aside, gone = holds_of(board, month)  # before what calls have cost: one that ends in between is counted twice
    submitted = Submission.objects.filter(board=board, month=month, configuration__isnull=False)
    rows = run_sets_of(board.project, submitted.values("configuration"))
    is_open = Exists(Run.objects.filter(run_set=OuterRef("pk"), state__in=OPEN_RUNS))
    money, tokens = F("money_spent") + F("money_reserved"), F("tokens_spent") + F("tokens_reserved")
    sums = rows.annotate(
        money=Case(When(is_open, then=Greatest(Coalesce("money_limit", 0), money)), default=money),
        tokens=Case(When(is_open, then=Greatest(Coalesce("token_limit", 0), tokens)), default=tokens),
    ).aggregate(*(Sum(name) for name in ("money_spent", "tokens_spent", "money", "tokens")))
    judged = judging_of(submitted)
    spent = judged + gone
    asked = Amount(sums["money_spent__sum"] or 0, sums["tokens_spent__sum"] or 0) + spent
    committed = Amount(sums["money__sum"] or 0, sums["tokens__sum"] or 0) + judged + aside
    return Spending((asked.money, asked.tokens), (committed.money, committed.tokens), (spent.money, spent.tokens))


def judging_of(submitted: QuerySet[Submission]) -> Amount:
    """What judges have cost for the answers of submissions. Their runs judge other answers too and have limits of their
    own; what holds them to the month's is `judging/engine/submitted_answers.py`."""
    calls = Call.objects.filter(response__answer__configuration__in=submitted.values("configuration"))
    tokens = Coalesce("charged_tokens", F("prompt_tokens") + F("completion_tokens"), output_field=BigIntegerField())
    sums = calls.aggregate(money=Sum("cost"), tokens=Sum(tokens))
    return Amount(sums["money"] or 0, sums["tokens"] or 0)
