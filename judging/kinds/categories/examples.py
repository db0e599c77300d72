"""Few-shot examples of categories: errors that people coded, two of each category where there are as many.

Errors that were kept and on whose category all people who coded them agree, in sight of no proposal. They come from
templates of the training split, never from the error's own, nor from a prompt with its words; first from its variety,
else its language, else any. A hash of the error and the judge's seed says which.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence

from annotation.classification import BY_PEOPLE
from annotation.models import Classification
from annotation.taxonomy import read_as, replaced
from judging.kinds import ShownExample
from judging.kinds.errors import marked_errors
from judging.kinds.examples import Candidate, Pool, places_of
from projects.among import Among
from projects.models import Project, Response, Split

CODED = "coded"
OF_EACH = 2
ANY_QUESTION = 0


def coded_pool(project: Project, own: Collection[int]) -> Pool:
    """All that may be an example, by short name of its category; nothing that the raters `own` marked."""
    pool, mapping = Pool(places_of(project)), replaced(project)
    slugs = dict(project.error_categories.offered().values_list("pk", "slug"))
    rows = Classification.objects.filter(BY_PEOPLE, span__response__project=project, span__gold_error__isnull=False)
    given: dict[tuple[int, int], set[str]] = defaultdict(set)
    columns = ("span_id", "span__response_id", "span__rater_id", "category_id")
    for span, response, rater, category in rows.order_by("span_id").values_list(*columns):
        if rater not in own and pool.places[response].origin.split == Split.TRAIN:
            given[span, response].add(slugs.get(read_as(category, mapping) or 0, ""))
    for (span, response), categories in given.items():
        [slug] = categories if len(categories) == 1 else [""]
        if slug:
            place = pool.places[response]
            name = f"{CODED}:{span}:{slug}"
            candidate = Candidate(name, place.origin.template, place.origin.words, frozenset({response}))
            pool.add(ANY_QUESTION, slug, candidate, place)
    pool.sort()
    return pool


def drawn(pool: Pool, categories: Sequence[str], item: str, of: int) -> tuple[str, ...]:
    """Names of the examples for an error of response `of`, category after category."""
    place, names = pool.places[of], []
    for slug in categories:
        shown = {of}
        for number in range(1, OF_EACH + 1):
            example = pool.draw_one(ANY_QUESTION, slug, f"{item} {number}", place, shown)
            if example is not None:
                names.append(example.name)
                shown |= example.responses
    return tuple(names)


def shown_codings(names: Collection[str]) -> dict[str, ShownExample]:
    """The examples of these names whose errors are still there. Two statements, and none without names."""
    spans = {name: int(name.split(":", 2)[1]) for name in names}
    errors = marked_errors(set(spans.values()))
    of_span = Response.objects.filter(spans__in=Among(errors)).values_list("spans__pk", "variety__name")
    languages = dict(of_span) if errors else {}
    return {
        name: ShownExample(
            prompt=errors[pk].quote,
            language=languages[pk],
            responses=(errors[pk].explanation,),
            preference=name.split(":", 2)[2],
        )
        for name, pk in spans.items()
        if pk in errors
    }
