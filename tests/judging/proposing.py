"""Kept errors that touch each other, and judges that propose what to make of them."""

from annotation.gold import derive
from annotation.models import ErrorCategory, Span
from judging.engine import runs
from judging.engine.shards import work_through
from judging.judges import add_judge
from judging.models import Judge, Run
from projects.models import Laboratory, Project, Rater, Response, User
from providers.models import Provider
from tests.annotation.marked import mark, review

DISH, LONGER_DISH = "أكلة مصرية", "مصرية شعبية"
FAST, LONGER_FAST = "في رمضان الناس", "في رمضان الناس بتاكل"
PHARAOHS = "أيام الفراعنة"


def keep_touching_errors(koshari: Response, mona: User, karim: User) -> dict[str, Span]:
    """Mona's and Karim's errors by their words, each kept by the other: two pairs that touch, and one alone."""
    of_mona = mark(koshari, mona, DISH, FAST, PHARAOHS)
    of_karim = mark(koshari, karim, LONGER_DISH, LONGER_FAST)
    for span in of_mona:
        review(span, karim, "keep")
    for span in of_karim:
        review(span, mona, "keep")
    derive([koshari.pk])
    return {span.quote: span for span in (*of_mona, *of_karim)}


def marked_by_a_judge(response: Response, *quotes: str, name: str = "Ibis", model: str = "ibis-1") -> list[Span]:
    """What a judge of a laboratory that nobody else is of marked, to be evaluated."""
    laboratory, _made = Laboratory.objects.get_or_create(slug="ibis-lab", defaults={"name": "Ibis Lab"})
    rater, _made = Rater.objects.get_or_create(
        project=response.project, kind="judge", name=name, model=model, laboratory=laboratory
    )
    spans = mark(response, rater, *quotes)
    response.markings.filter(rater=rater).update(is_evaluation=True)
    return spans


def add_categories(project: Project) -> list[ErrorCategory]:
    return [
        ErrorCategory.objects.create(
            project=project, slug=slug, name=name, definition=f"What {slug} means.", depth=depth, position=position
        )
        for position, (slug, name, depth) in enumerate(
            [("inaccuracy", "Cultural Inaccuracy", "thin"), ("connotation", "Cultural Connotation", "thick")], start=1
        )
    ]


def proposer(project: Project, provider: Provider, kind: str, model: str = "simulated-1") -> Judge:
    return add_judge(project, provider, model, kind=kind)


def run_through(judge: Judge) -> Run:
    run = runs.create_run(judge, Response.objects.filter(project=judge.project))
    for shard in runs.start_here(run):
        work_through(shard)
    run.refresh_from_db()
    return run
