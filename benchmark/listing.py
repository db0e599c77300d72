"""Question sets as they are listed: counts by skill and format."""

from collections import Counter
from dataclasses import dataclass, field

from django.db.models import Count, Q, QuerySet

from benchmark.models import Question, QuestionSet
from formats.choices import QuestionFormat
from projects.models import Project


@dataclass(slots=True)
class SkillRow:
    """A skill of a set: how many questions it has, by format in the order of the set's formats."""

    name: str
    counts_refusals: bool
    total: int
    by_format: list[int]


@dataclass(slots=True)
class Overview:
    """What a set holds, held-back questions included: their number is no secret, their text is."""

    questions: int = 0
    held_back: int = 0
    formats: list[str] = field(default_factory=list)
    skills: list[SkillRow] = field(default_factory=list)
    sources: int = 0
    rule_uses: list[tuple[str, int]] = field(default_factory=list)


def listed(project: Project) -> QuerySet[QuestionSet]:
    """Every version, the newest of each set first."""
    held_back = Count("questions", filter=Q(questions__is_held_back=True))
    rows = project.question_sets.annotate(n_questions=Count("questions"), n_held_back=held_back)
    return rows.order_by("slug", "-version")


def overview_of(question_set: QuestionSet) -> Overview:
    """In four statements, whatever the number of questions."""
    cells = Counter(
        {
            (skill, question_format): n
            for skill, question_format, n in question_set.questions.values_list("skill", "format")
            .annotate(n=Count("pk"))
            .order_by()
        }
    )
    present = [choice for choice in QuestionFormat if any(cell[1] == choice.value for cell in cells)]
    uses = question_set.questions.filter(rule_uses__isnull=False).values_list("rule_uses__rule")
    return Overview(
        questions=cells.total(),
        held_back=question_set.questions.filter(is_held_back=True).count(),
        formats=[str(choice.label) for choice in present],
        skills=[
            SkillRow(
                skill.name,
                skill.counts_refusals,
                sum(cells[skill.pk, choice.value] for choice in present),
                [cells[skill.pk, choice.value] for choice in present],
            )
            for skill in question_set.skills.all()
        ],
        sources=question_set.sources.count(),
        rule_uses=list(uses.annotate(n=Count("rule_uses")).order_by("-n", "rule_uses__rule")),
    )


def questions_in_lines(questions: QuerySet[Question]) -> QuerySet[Question]:
    return questions.select_related("prompt__variety", "skill", "source").order_by("position", "pk")
