"""Lending a judge to the training of a model: whose model it is, and what it may cost."""

from django.db import transaction
from django.utils.translation import gettext as _

from judging.kinds import judge_kind
from judging.models import Judge, Reward
from judging.rewards.kinds import kind_for
from projects.audit import record
from projects.models import Project, QuestionType, User
from projects.problems import Invalid, Problem
from providers.laboratories import guard_of, laboratory_row, mappings, unknown_laboratory
from providers.model_names import canonical, laboratory_of
from providers.prices import price_of


def lend(
    project: Project,
    slug: str,
    judge: Judge,
    policy: str,
    *,
    laboratory: str = "",
    question: QuestionType | None = None,
    money_limit: int | None = None,
    token_limit: int | None = None,
    by: User | None = None,
) -> Reward:
    """A judge as the reward of the model `policy`, whose laboratory its name tells where none is given.

    The limits are in billionths of a US dollar and in tokens; None is none. Raises Invalid where the name is taken,
    the judge's kind gives no reward, nobody knows whose model it is, it is of the judge's own laboratory, or money is
    limited and the judge's model has no price.
    """
    kind_for(judge).check(judge, question)
    guard = guard_of(judge.model, judge.provider)
    of_policy = canonical(laboratory) if laboratory else laboratory_of(policy, mappings())
    if of_policy is None:
        raise Invalid(Problem("laboratory_unknown", unknown_laboratory(policy), "laboratory"))
    if guard.forbids(policy, of_policy):
        message = _("A judge never rewards a model of its own laboratory.")
        raise Invalid(Problem("own_laboratory", message, "policy"))
    check_price(judge, money_limit)
    with transaction.atomic():
        if Reward.objects.filter(project=project, slug=slug).exists():
            raise Invalid(Problem("name_taken", _("This name is taken."), "slug"))
        reward = Reward.objects.create(
            project=project,
            slug=slug,
            judge=judge,
            prompt_version=judge_kind(judge.kind).prompt_text(judge).row(),
            question=question,
            policy=policy,
            policy_laboratory=laboratory_row(of_policy),
            money_limit=money_limit,
            token_limit=token_limit,
            created_by=by,
        )
        record("reward.added", actor=by, project=project, subject=slug, judge=judge.rater.name, policy=policy)
    return reward


def set_limits(reward: Reward, money_limit: int | None, token_limit: int | None, by: User | None = None) -> None:
    """Other limits; what waited for want of budget can be asked again. Raises Invalid where a price is missing."""
    check_price(reward.judge, money_limit)
    with transaction.atomic():
        Reward.objects.filter(pk=reward.pk).update(money_limit=money_limit, token_limit=token_limit, is_spent=False)
        limits = {"money_limit": money_limit, "token_limit": token_limit}
        record("reward.limited", actor=by, project=reward.project, subject=reward.slug, **limits)
    reward.refresh_from_db()


def check_price(judge: Judge, money_limit: int | None) -> None:
    if money_limit is not None and price_of(judge) is None:
        message = _("Money can be limited only where every model has a price. Without one: %(models)s.")
        raise Invalid(Problem("no_price", message % {"models": judge.model}, "money_limit"))
