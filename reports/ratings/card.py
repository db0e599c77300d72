"""The dataset card of rated responses and pairs."""

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy

from annotation.models import Rating
from annotation.questions.settings import gold_rule
from formats.rating_gold import VERSION as FORMAT
from projects.models import LanguageVariety, Project, Prompt, RaterKind
from reports.gold.card import PANEL, Card, JudgeOfGold, cell, judge_of, judges_table, table
from reports.gold.formats import GoldFormat
from reports.ratings.gold import for_gold, lines, rated_pairs, rated_responses

RULES = {
    "majority": "the grade given most often (ties by the mean, then the median)",
    "dawid-skene": "the grade that is likeliest by the model of Dawid and Skene, which learns from who agrees with "
    "whom what each rater confuses with what, for each question type in each variety; by majority (`majority`) where "
    "it could not be fitted",
    "mace": "the grade that is likeliest by MACE, which learns from who agrees with whom how often each rater looks, "
    "for each question type in each variety; by majority (`majority`) where it could not be fitted",
    "mean": "the mean of all grades",
}


@dataclass(frozen=True, slots=True)
class VarietyCounts:
    tag: str
    name: str
    pairs: int
    responses: int


@dataclass(frozen=True, slots=True)
class DimensionCounts:
    name: str
    ratings: int
    raters: int


@dataclass(frozen=True, slots=True)
class JudgeCounts(JudgeOfGold):
    ratings: int
    unparseable: int


@dataclass(frozen=True, slots=True)
class RatingSummary:
    """`responses` counts the lines of the file that have gold to give: pairs and single responses together."""

    pairs: int
    singles: int
    varieties: list[VarietyCounts]
    dimensions: list[DimensionCounts]
    judges: list[JudgeCounts]
    people: int
    experts: int
    human_ratings: int
    rule: str

    @property
    def responses(self) -> int:
        return self.pairs + self.singles

    @property
    def judge_ratings(self) -> int:
        return sum(judge.ratings for judge in self.judges)

    @property
    def has_simulated(self) -> bool:
        return any(judge.is_simulated for judge in self.judges)


def summarise(project: Project) -> RatingSummary:
    """Eight statements, whatever the size of the project."""
    ratings = for_gold(Rating.objects.filter(question__project=project))
    of_people = ratings.filter(rater__kind=RaterKind.HUMAN)
    pairs, singles = (
        dict(rows.order_by().values_list("variety").annotate(n=Count("pk")))
        for rows in (rated_pairs(project), rated_responses(project))
    )
    counted = of_people.aggregate(
        n=Count("pk"),
        people=Count("rater", distinct=True),
        experts=Count("rater", distinct=True, filter=Q(rater__is_expert=True)),
    )
    dimensions = (
        of_people.order_by("question__dimension__position")
        .values_list("question__dimension__name")
        .annotate(n=Count("pk"), raters=Count("rater", distinct=True))
    )
    judges = (
        ratings.filter(rater__kind=RaterKind.JUDGE)
        .order_by("rater__name")
        .values_list("rater__name", "rater__model", "rater__laboratory__name", "rater__is_simulated")
        .annotate(n=Count("pk"), unparseable=Count("pk", filter=Q(is_unparseable=True)))
    )
    return RatingSummary(
        pairs=sum(pairs.values()),
        singles=sum(singles.values()),
        varieties=_varieties(pairs, singles),
        dimensions=[DimensionCounts(*row) for row in dimensions],
        judges=[judge_of(JudgeCounts, *row) for row in judges],
        people=counted["people"],
        experts=counted["experts"],
        human_ratings=counted["n"],
        rule=gold_rule(project),
    )


def _varieties(pairs: dict[int, int], singles: dict[int, int]) -> list[VarietyCounts]:
    varieties = LanguageVariety.objects.filter(pk__in={*pairs, *singles}).order_by("name")
    return [
        VarietyCounts(variety.tag, variety.name, pairs.get(variety.pk, 0), singles.get(variety.pk, 0))
        for variety in varieties
    ]


def contents(summary: RatingSummary) -> list[str]:
    varieties = [(counts.tag, cell(counts.name), counts.pairs, counts.responses) for counts in summary.varieties]
    dimensions = [(cell(counts.name), counts.ratings, counts.raters) for counts in summary.dimensions]
    panels = [counts for counts in summary.judges if counts.model == PANEL]
    of_panels = f" and {len(panels)} panels of them, whose members each of their ratings names" if panels else ""
    return [
        f"{summary.pairs} pairs and {summary.singles} single responses. {summary.human_ratings} ratings of "
        f"{summary.people} people, {summary.experts} of them experts; {summary.judge_ratings} ratings of "
        f"{len(summary.judges) - len(panels)} judges{of_panels}.",
        table(("variety", "name", "pairs", "single responses"), varieties),
        table(("dimension", "ratings of people", "people"), dimensions),
        *judges_table(summary.judges, ratings="ratings", unparseable="unreadable"),
    ]


def how_made(summary: RatingSummary) -> list[str]:
    return [
        "two responses are shown in an order drawn for every rater, without the names of the target models",
        "gold is what experts gave (`expert`) where an expert has rated; else, as its `rule` says, "
        + RULES[summary.rule],
        "the preference of a gold is what its two grades say; on a question type without a scale, what most say",
        "judges never make gold, and none rates a response of its own laboratory; a verdict that could not be read "
        "stands in the file as `unparseable`",
        "answers to checks of raters are not in the file",
    ]


CARD = Card(
    title="rated responses",
    generated="A program made the texts and ratings to try the software at scale.",
    simulated="Some ratings were given by a program that imitates a judge.",
    format=f"format `{FORMAT}`; see `rating-gold.schema.json`. The rule of the gold, question types and templates come "
    "first, each on a line of its own `kind`; then one pair or single response a line. Grades and preferences speak of "
    "`first` and `second`, whichever was shown first (`swapped`). SHA-256 hashes are of the texts' UTF-8 bytes. Texts "
    "are exactly as rated, never normalised.",
    warnings=lambda summary: [],
    contents=contents,
    how_made=how_made,
)


def rated_prompts(project: Project) -> QuerySet[Prompt]:
    rated = [rows.filter(prompt=OuterRef("pk")) for rows in (rated_pairs(project), rated_responses(project))]
    return Prompt.objects.filter(Exists(rated[0]) | Exists(rated[1]))


RATING_GOLD = GoldFormat(
    area="ratings",
    name=gettext_lazy("Rated responses"),
    format=FORMAT,
    importer="rating-gold",
    template="reports/ratings/gold.html",
    lines=lines,
    prompts=rated_prompts,
    summarise=summarise,
    card=CARD,
)
