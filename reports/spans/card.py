"""The dataset card of gold errors."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q, Sum
from django.utils.translation import gettext_lazy

from annotation.acceptance.worth import unseen
from annotation.models import GoldAnswer, Span
from annotation.outcomes import ReviewRule, review_rules
from formats.gold import VERSION as FORMAT
from projects.models import Project, Prompt, Rater, RaterKind
from reports.gold.card import Card, JudgeOfGold, cell, judge_of, judges_table, table
from reports.gold.formats import GoldFormat
from reports.spans.gold import answered, errors_in_gold, lines


@dataclass(frozen=True, slots=True)
class VarietyCounts:
    """Of one language variety: responses, those without errors, errors, spans that await a verdict."""

    tag: str
    name: str
    responses: int
    flawless: int
    errors: int
    unsettled: int


@dataclass(frozen=True, slots=True)
class Builder(JudgeOfGold):
    """A judge that found errors of the gold, and how many of them nobody else found."""

    errors: int
    alone: int


@dataclass(frozen=True, slots=True)
class GoldSummary:
    varieties: list[VarietyCounts]
    categories: list[tuple[str, str, int]]  # name, depth, errors
    criticalities: list[tuple[str, int]]
    found_by: dict[str, int]  # humans alone, judges alone, both
    rule: ReviewRule
    has_simulated: bool
    has_imported: bool
    builders: list[Builder]
    unseen: Mapping[str, int]  # kind of proposal, how many were accepted unseen

    @property
    def responses(self) -> int:
        return sum(variety.responses for variety in self.varieties)

    @property
    def flawless(self) -> int:
        return sum(variety.flawless for variety in self.varieties)

    @property
    def errors(self) -> int:
        return sum(variety.errors for variety in self.varieties)

    @property
    def unsettled(self) -> int:
        return sum(variety.unsettled for variety in self.varieties)


def summarise(project: Project) -> GoldSummary:
    """Seven statements, whatever the size of the project."""
    errors = errors_in_gold(project)
    per_variety = dict(errors.values_list("response__variety__tag").annotate(n=Count("id")))
    answers = GoldAnswer.objects.filter(response__project=project)
    varieties = [
        VarietyCounts(tag, name, responses, flawless, per_variety.get(tag, 0), unsettled)
        for tag, name, responses, flawless, unsettled in answers.values_list(
            "response__variety__tag", "response__variety__name"
        )
        .annotate(
            responses=Count("pk"),
            flawless=Count("pk", filter=Q(kept=0, open=0, pending=0)),
            n_unsettled=Sum(F("open") + F("pending")),
        )
        .order_by("response__variety__name")
    ]
    categories = errors.values_list("category__name", "category__depth").annotate(n=Count("id")).order_by("-n")
    criticalities = errors.values_list("criticality").annotate(n=Count("id")).order_by("-n")
    found_by = errors.aggregate(
        people=Count("id", filter=Q(found_by_human=True, found_by_judge=False)),
        judges=Count("id", filter=Q(found_by_human=False, found_by_judge=True)),
        both=Count("id", filter=Q(found_by_human=True, found_by_judge=True)),
    )
    return GoldSummary(
        varieties=varieties,
        categories=[(name or "", depth or "", n) for name, depth, n in categories],
        criticalities=list(criticalities),
        found_by=found_by,
        rule=review_rules([project.id])[project.id],
        has_simulated=Rater.objects.filter(
            project=project, kind=RaterKind.JUDGE, is_simulated=True, spans__gold_error__isnull=False
        ).exists(),
        has_imported=answers.filter(is_imported=True).exists(),
        builders=builders_of(project),
        unseen=unseen(project),
    )


def builders_of(project: Project) -> list[Builder]:
    """The judges whose spans became errors of the gold, most errors first. One statement."""
    shared = Span.objects.filter(gold_error=OuterRef("gold_error")).exclude(rater=OuterRef("rater"))
    rows = (
        Span.objects.filter(rater__project=project, rater__kind=RaterKind.JUDGE, gold_error__isnull=False)
        .values_list("rater__name", "rater__model", "rater__laboratory__name", "rater__is_simulated")
        .annotate(
            errors=Count("gold_error", distinct=True),
            alone=Count("gold_error", distinct=True, filter=~Exists(shared)),
        )
        .order_by("-errors", "rater__name")
    )
    return [judge_of(Builder, *row) for row in rows]


POLICIES = {
    "unanimous": "every reviewer must keep it; one rejection removes it",
    "majority": "more reviewers keep than reject it",
    "any": "one reviewer who keeps it suffices",
}


def warnings(summary: GoldSummary) -> list[str]:
    unsettled = summary.unsettled
    return [f"**Not final.** {unsettled} marked spans still await verdicts and are not in the file."] * bool(unsettled)


def contents(summary: GoldSummary) -> list[str]:
    builders = summary.builders
    found_by = "Found by people alone: {people}; by judges alone: {judges}; by both: {both}."
    rows = [
        (counts.tag, cell(counts.name), counts.responses, counts.flawless, counts.errors, counts.unsettled)
        for counts in summary.varieties
    ]
    rows.append(("", "all", summary.responses, summary.flawless, summary.errors, summary.unsettled))
    return [
        table(("variety", "name", "responses", "without errors", "errors", "unsettled spans"), rows),
        table(
            ("category", "class", "errors"),
            [(cell(name) or "not classified", depth, n) for name, depth, n in summary.categories],
        ),
        table(("criticality", "errors"), [(name or "not stated", n) for name, n in summary.criticalities]),
        found_by.format(**summary.found_by),
        *(["Judges that helped to build it; figures that compare them with this gold favour them."] * bool(builders)),
        *judges_table(builders, errors="errors found", alone="found by nobody else"),
    ]


def how_made(summary: GoldSummary) -> list[str]:
    rule = summary.rule
    reviewers = []
    if rule.annotators_review:
        reviewers.append("every other person who annotated the response reviews a person's span, all of them a judge's")
    if rule.validators:
        reviewers.append(f"{rule.validators} validators review every span")
    imported = ["errors of imported gold files stand as they came, with the provenance given there"]
    sampled = [
        f"{kind}: {n} of those that judges proposed were accepted unseen, after people decided on a sample drawn "
        "by lot (`accepted_unseen` in the provenance)"
        for kind, n in summary.unseen.items()
    ]
    return [
        f"policy `{rule.policy}`: {POLICIES[rule.policy]}",
        f"verdicts needed: {'; '.join(reviewers)}; at least one",
        "what the policy leaves open goes to an expert, whose word is the last",
        "corrections: of several, the one most reviewers share, else the first",
        "a group of spans on one issue is one error; its best supported span stands for it",
        "category: the confirmed classification, else a corrected one, else the annotator's own",
        *sampled,
        *imported * summary.has_imported,
    ]


CARD = Card(
    title="gold errors",
    generated="Texts and answers were made by a program to try the software at scale.",
    simulated="Some errors were found by a program that imitates a judge.",
    format=f"one response a line, format `{FORMAT}`; see `gold.schema.json`. Offsets are half-open and given in code "
    "points and in UTF-16 code units; `response[start:end] == quote`. SHA-256 hashes are of the UTF-8 bytes. Texts are "
    "exactly as judged, never normalised.",
    warnings=warnings,
    contents=contents,
    how_made=how_made,
)
SPAN_GOLD = GoldFormat(
    area="spans",
    name=gettext_lazy("Gold errors"),
    format=FORMAT,
    importer="gold",
    template="reports/spans/gold.html",
    lines=lines,
    prompts=lambda project: Prompt.objects.filter(Exists(answered(project).filter(prompt=OuterRef("pk")))),
    summarise=summarise,
    card=CARD,
)
