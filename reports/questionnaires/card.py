"""The dataset card of answered questionnaires."""

from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils.translation import gettext_lazy

from formats.questionnaire_gold import SUBJECTS
from formats.questionnaire_gold import VERSION as FORMAT
from projects.models import Project
from reports.gold.card import Card, cell, table
from reports.gold.formats import GoldFormat
from reports.questionnaires.gold import answered, lines, prompts
from workflow.layouts import parts_of, stages_with_parts


@dataclass(frozen=True, slots=True)
class StageCounts:
    name: str
    parts: int
    items: int
    answers: int


@dataclass(frozen=True, slots=True)
class QuestionnaireSummary:
    """`responses` counts the items in the file, of whatever they are about."""

    stages: list[StageCounts]
    people: int
    experts: int
    has_simulated: bool = False  # judges' answers are not in the file

    @property
    def responses(self) -> int:
        return sum(stage.items for stage in self.stages)

    @property
    def answers(self) -> int:
        return sum(stage.answers for stage in self.stages)


def summarise(project: Project) -> QuestionnaireSummary:
    """Three statements, whatever the size of the project."""
    rows = answered(project).order_by()
    items = {f"of_{subject}": Count(subject, distinct=True) for subject in SUBJECTS}
    counted = {
        stage: (answers, sum(of_subjects))
        for stage, answers, *of_subjects in rows.values("stage")
        .annotate(n=Count("pk"), **items)
        .values_list("stage", "n", *items)
    }
    people = rows.aggregate(
        people=Count("rater", distinct=True),
        experts=Count("rater", distinct=True, filter=Q(rater__is_expert=True)),
    )
    return QuestionnaireSummary(
        [
            StageCounts(stage.name, len(parts_of(stage)), counted[stage.pk][1], counted[stage.pk][0])
            for stage in stages_with_parts(project)
            if stage.pk in counted
        ],
        **people,
    )


def contents(summary: QuestionnaireSummary) -> list[str]:
    stages = [(cell(stage.name), stage.parts, stage.items, stage.answers) for stage in summary.stages]
    return [
        f"{summary.responses} items. {summary.answers} answers of {summary.people} people, {summary.experts} of them "
        "experts.",
        table(("stage", "parts", "items", "answers"), stages),
    ]


def how_made(summary: QuestionnaireSummary) -> list[str]:
    return [
        "several responses are shown in an order drawn for every rater, without the names of the target models",
        "the gold of a part is what experts answered (`expert`) where an expert has answered it; else the answer given "
        "most often (`majority`; ties of a grade or of answers with an order by the mean, then the median; ties of "
        "others have no gold), of numbers and of each response's rank the mean (`mean`); where a part names a rule "
        "(`gold` of its stage's line), by that one, `median` among them",
        "of any of several each option is settled by itself; free text has no gold",
        "of a person's rounds the latest counts",
        "judges never make gold, and their answers are not in the file; neither are answers to checks of raters, nor "
        "what no longer fits a part that was changed",
    ]


CARD = Card(
    title="answered questionnaires",
    generated="A program made the texts and answers to try the software at scale.",
    simulated="",
    format=f"format `{FORMAT}`; see `questionnaire-gold.schema.json`. What each stage shows and asks comes first, each "
    "on a line of kind `stage`; then an item of a stage a line. Answers and gold are values by the key of the part. "
    "SHA-256 hashes are of the texts' UTF-8 bytes. Texts are exactly as shown, never normalised.",
    warnings=lambda summary: [],
    contents=contents,
    how_made=how_made,
)

QUESTIONNAIRE_GOLD = GoldFormat(
    area="questionnaires",
    name=gettext_lazy("Answered questionnaires"),
    format=FORMAT,
    importer="questionnaire-gold",
    template="reports/questionnaires/gold.html",
    lines=lines,
    prompts=prompts,
    summarise=summarise,
    card=CARD,
)
