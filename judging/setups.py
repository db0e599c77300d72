"""What all calls of a run share: how its judge is asked, from the rows of judge, provider and model."""

from judging.asking import Setup
from judging.kinds import judge_kind
from judging.laboratories import guard_of
from judging.models import Judge, Run
from judging.prompts import PromptText


def setup_of(run: Run) -> Setup:
    """Raises projects.problems.Invalid where the laboratory behind the judge's model is not known."""
    judge = Judge.objects.select_related("provider__laboratory").get(pk=run.judge_id)
    guard = guard_of(judge.model, judge.provider)
    return Setup(
        kind=judge_kind(judge.kind),
        prompt=PromptText.of(run.prompt_version),
        guard=guard,
        model=judge.model,
        structured=judge.provider.structured_output,
        temperature=judge.temperature,
        max_output_tokens=judge.max_output_tokens,
        # OpenAI's own models refuse the older name; everybody else understands it.
        token_limit_name="max_completion_tokens" if guard.laboratory == "openai" else "max_tokens",
    )
