"""What all calls of a run share: how its judge is asked, from the rows of judge, provider and model."""

from judging.engine.calling import Setup
from judging.kinds import judge_kind
from judging.models import Judge, Run
from judging.prompts import PromptText
from providers.capabilities import capabilities_of, usual_token_limit
from providers.laboratories import guard_of


def setup_of(run: Run) -> Setup:
    """Raises projects.problems.Invalid where the laboratory behind the judge's model is not known."""
    judge = Judge.objects.select_related("provider__laboratory").get(pk=run.asked_judge.pk)
    guard = guard_of(judge.model, judge.provider)
    effort = judge.options.get("reasoning", "")
    model = capabilities_of(judge.provider, judge.model, effort)
    return Setup(
        kind=judge_kind(judge.kind),
        prompt=PromptText.of(run.pinned_prompt),
        guard=guard,
        model=judge.model,
        structured=model.structured,
        temperature=judge.temperature if model.takes_temperature else None,
        max_output_tokens=judge.max_output_tokens,
        token_limit_name=model.token_limit or usual_token_limit(guard.laboratory),
        seed=judge.options.get("seed") if model.takes_seed else None,
        reasoning_effort=effort if model.takes_effort else "",
    )
