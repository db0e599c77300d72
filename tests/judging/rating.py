"""Pairs that people rated, of templates with their splits, and judges that rate them too."""

from itertools import count

from annotation.models import Rating
from judging.engine import runs
from judging.engine.shards import work_through
from judging.judges import add_judge
from judging.models import Judge, Run
from projects.anchors import sha256
from projects.models import (
    LanguageVariety,
    Project,
    Prompt,
    PromptTemplate,
    QuestionType,
    Rater,
    Response,
    ResponsePair,
    User,
)
from providers.models import Provider
from tests.annotation.rated import rate
from tests.judging.grading import target

NUMBERS = count(1)


def worth(quality: float, words: str = "") -> str:
    """A response that the simulated provider finds to be worth so many grades."""
    return f"Response {next(NUMBERS)} of simulated quality {quality}. {words}".strip()


def template(project: Project, key: str, question: QuestionType, split: str = "train") -> PromptTemplate:
    return PromptTemplate.objects.create(project=project, key=key, question=question, text=f"{key}?", split=split)


def ask(
    project: Project,
    question: QuestionType | None,
    of: PromptTemplate | None = None,
    tag: str = "ar-EG",
    text: str = "",
) -> Prompt:
    key = f"prompt-{next(NUMBERS)}"
    text = text or f"Question {key}?"
    return Prompt.objects.create(
        project=project,
        key=key,
        text=text,
        text_sha256=sha256(text),
        variety=LanguageVariety.objects.get(tag=tag),
        question=question,
        template=of,
    )


def respond(prompt: Prompt, text: str, model: str = "Nile-7B", laboratory: str = "delta-lab") -> Response:
    return Response.objects.create(
        project=prompt.project,
        prompt=prompt,
        target_model=target(model, laboratory),
        variety=prompt.variety,
        key=f"{prompt.key}-{next(NUMBERS)}",
        text=text,
        text_sha256=sha256(text),
    )


def set_side_by_side(first: Response, second: Response) -> ResponsePair:
    return ResponsePair.objects.create(
        project=first.project,
        key=f"pair-{next(NUMBERS)}",
        prompt=first.prompt,
        variety=first.variety,
        first=first,
        second=second,
    )


def a_pair(prompt: Prompt, first: float = 4, second: float = 2, words: str = "") -> ResponsePair:
    """Two responses worth so many grades, side by side."""
    return set_side_by_side(respond(prompt, worth(first, words)), respond(prompt, worth(second, words), "Delta-9B"))


def graded_pair(
    prompt: Prompt, person: User | Rater, question: QuestionType, first: int, second: int, **fields
) -> Rating:
    """A pair that somebody has rated, such as an example is drawn from."""
    return rate(a_pair(prompt, first, second), person, question, first, second, **fields)


def examples_for(project: Project, question: QuestionType, person: User | Rater, tag: str = "ar-EG") -> list[Rating]:
    """A graded pair of each part of the scale, each of a template of its own in the training split."""
    return [
        graded_pair(
            ask(project, question, template(project, f"t-{next(NUMBERS)}", question), tag), person, question, *g
        )
        for g in ((2, 1), (3, 4), (5, 3))
    ]


def rating_judge(
    project: Project, provider: Provider, model: str = "simulated-1", kind: str = "pairwise", **how
) -> Judge:
    return add_judge(project, provider, model, kind=kind, **how)


def run_through(judge: Judge, responses=None, round: int = 1) -> Run:
    run = runs.create_run(
        judge, Response.objects.filter(project=judge.project) if responses is None else responses, round=round
    )
    for shard in runs.start_here(run):
        work_through(shard)
    run.refresh_from_db()
    return run


def states(run: Run) -> dict[str, int]:
    return {state: n for state, n in runs.counts(run).items() if n}
