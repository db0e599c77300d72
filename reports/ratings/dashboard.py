"""The dashboards of ratings, as page, command and programming interface know them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.models import Rating
from projects.models import Project, RaterKind, TargetModel
from reports.dashboard.dashboards import Dashboard, Tile, ceiling_tile, count_tile, judge_tile, n_tile
from reports.dashboard.figures import Group, Source
from reports.dashboard.names import TOTAL
from reports.dashboard.setups import changes
from reports.dashboard.tables import Table, by_id
from reports.dashboard.wording import count_text
from reports.progress import progress
from reports.ratings import reader
from reports.ratings.alphas import ALPHAS
from reports.ratings.context import Context
from reports.ratings.measures import (
    alternative,
    confusions,
    distributions,
    footing,
    groups,
    joint,
    judging,
    models,
    own_laboratory,
    people,
    raters,
    rounds,
    stated,
    systems,
    unsure,
)
from reports.ratings.results import RatingResults, setups_named
from reports.ratings.scope import RatedScope, RatingScope

BY_PEOPLE = ("texts", "people")
BY_ALL = (*BY_PEOPLE, "judges")
# A scale of more grades above its lowest takes a worker, however few ratings there are: from 1 to 100, minutes.
WIDE_SCALE = 20
SOURCE = Source(reader, RatingResults, Context)


def options(project: Project, scope: RatingScope, group: str, variety: int) -> dict[str, Any]:
    """Which two judges, or which two target models, are compared, which judges differ in one thing alone, and with
    which model all others are compared, in the total alone; 0 for a name of none."""
    if variety == TOTAL and group == "judges":
        setups = setups_named(project)
        chosen: dict[str, Any] = {"changes": tuple(changes(setups, list(setups)))}
        if scope.setup and scope.other_setup:
            judges = project.raters.filter(kind=RaterKind.JUDGE)
            named = (judges.filter(Q(pseudonym=name) | Q(name=name)) for name in (scope.setup, scope.other_setup))
            chosen["setups"] = tuple(rows.values_list("id", flat=True).first() or 0 for rows in named)
        return chosen
    if variety == TOTAL and group == "models" and scope.model and scope.other_model:
        models = (TargetModel.objects.filter(name=name) for name in (scope.model, scope.other_model))
        return {"models": tuple(rows.values_list("id", flat=True).first() or 0 for rows in models)}
    if variety == TOTAL and group == "systems" and scope.model:
        return {"baseline": TargetModel.objects.filter(name=scope.model).values_list("id", flat=True).first() or 0}
    return {}


def tiles(project: Project, chosen: Mapping[str, Any], tables: Sequence[Table]) -> list[Tile]:
    """Grades given, how far people agree, and the judge that prefers as they do most often beside a person."""
    names = ("ratings-by-dimension", "ratings-by-variety", "judges-against-gold")
    grades, varieties, judges = (by_id(tables, name) for name in names)
    made = []
    if grades is not None and grades.rows:
        alpha, _ac, _near, mean, _spread, ratings, _items, people = grades.rows[-1].figures
        n = len({row.drill["variety"] for row in varieties.rows if "variety" in row.drill}) if varieties else 0
        note = ngettext("in %(n)d variety", "in %(n)d varieties", n) % {"n": n}
        made += [
            count_tile(_("Grades by people"), ratings.number, ratings.n, note),
            n_tile(_("Mean grade"), mean, "grade"),
        ]
        note = ngettext("%(n)s rater", "%(n)s raters", int(people.number)) % {"n": count_text(people.number)}
        made.append(Tile(_("Alpha of people"), alpha, "share", note))
    if judges is not None and judges.rows:
        place = judges.measures.index(_("preference accuracy"))
        if judges.rows[0].figures[place].value is not None:
            made += judge_tile(_("Best preference accuracy of a judge"), judges.rows[0], place, "share")
        ceiling = judges.ceilings.get(judges.measures[place])
        made += ceiling_tile(_("Preference accuracy of people"), ceiling, "share")
    return made


def ratings_of(project: Project) -> list[QuerySet[Rating]]:
    return [Rating.objects.filter(question__project=project)]


def has_wide_scale(project: Project) -> bool:
    """Intervals of agreement take as long as the scale has pairs of grades; one that nobody has used costs nothing."""
    wide = project.question_types.filter(highest__gt=F("lowest") + WIDE_SCALE)
    return wide.filter(Exists(Rating.objects.filter(question=OuterRef("pk")))).exists()


RATINGS = Dashboard(
    area="ratings",
    page="rating-results",
    title=gettext_lazy("Rating results"),
    lead=gettext_lazy(
        "How people grade, how far they agree, and how near judges come to them: what they say of a single response, "
        "and which of two they prefer. Brackets hold the 95 % interval."
    ),
    empty=gettext_lazy("Figures appear here once responses have been rated."),
    scope=RatingScope,
    source=SOURCE,
    groups=(
        Group(people, BY_PEOPLE, gettext_lazy("How people grade")),
        Group(groups, (*BY_PEOPLE, "speakers"), gettext_lazy("Groups of people"), ("people",), together_only=True),
        Group(unsure, BY_PEOPLE, gettext_lazy("Sure and unsure answers"), together_only=True),
        Group(judging, BY_ALL, gettext_lazy("Judges and gold")),
        Group(joint, (*BY_ALL, "laboratories"), gettext_lazy("What draws judges"), together_only=True),
        Group(
            own_laboratory,
            (*BY_ALL, "laboratories"),
            gettext_lazy("Judges and their own laboratory"),
            together_only=True,
        ),
        Group(footing, BY_ALL, gettext_lazy("Judges beside people"), together_only=True),
        Group(stated, BY_ALL, gettext_lazy("Judges that say how sure they are"), together_only=True),
        Group(rounds, BY_ALL, gettext_lazy("Judges asked again"), together_only=True),
        Group(distributions, BY_ALL, gettext_lazy("Judges and the disagreement of people"), together_only=True),
        Group(models, BY_ALL, gettext_lazy("Target models beside each other"), together_only=True),
        Group(systems, BY_ALL, gettext_lazy("Target models in order")),
        Group(alternative, BY_ALL, gettext_lazy("Judges in place of people"), together_only=True),
    ),
    options=options,
    first=(progress,),
    answers=ratings_of,
    takes_long=has_wide_scale,
    tiles=tiles,
    responses="rated-pairs",
    listed=RatedScope,
    alphas=ALPHAS,
)

#: A page of its own: severities of two thousand people take a while.
RATERS = Dashboard(
    area="ratings",
    page="rater-results",
    route="rating-results/raters/",
    title=gettext_lazy("Raters"),
    lead=gettext_lazy("How each person grades beside the others. People stand here under their pseudonyms."),
    empty=gettext_lazy("People appear here once they have rated responses."),
    scope=RatingScope,
    offered=("variety", "dimension", "question", "split"),
    source=SOURCE,
    groups=(
        Group(raters, BY_PEOPLE, gettext_lazy("Each person beside the others")),
        Group(confusions, BY_PEOPLE, gettext_lazy("How far each person is to be believed"), reads=("raters",)),
    ),
    answers=ratings_of,
    takes_long=has_wide_scale,
    responses="rated-pairs",
    listed=RatedScope,
)
