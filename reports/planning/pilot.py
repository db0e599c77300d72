"""What a project's own answers say of how prompts, responses and raters vary."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.figures import Figure
from agreement.planning import Components, components
from annotation.models import Rating
from projects.models import Project, QuestionType, RaterKind
from reports.dashboard.cache import key_of
from reports.dashboard.columns import Floats, Integers, columns, latest
from reports.dashboard.figures import Look, look_at
from reports.dashboard.freshness.revisions import revisions
from reports.ratings.at_first import AtFirst
from reports.rubrics.at_first import gradings_at_first
from reports.warming import FiguredPage
from rubrics.models import Grade

ASSUMPTIONS, RUBRIC_SCORES, QUESTION = "assumptions", "rubric-scores", "question-"
#: What a pilot is made of, by the names of revisions.
RESTS_ON = ("ratings of people", "grades of people", "rubrics", "responses", "pairs", "prompts", "raters")
NEWEST = Q(rubric__superseded_by=None) | Q(rubric__superseded_by__frozen_at=None)


@dataclass(frozen=True, eq=False)
class Pilot:
    """People's grades, shape (N,): of a rater and a response the latest, as it was first handed in. All ids but
    `grade`, which is in grades of the question's scale, or percent of a rubric's score."""

    response: Integers
    rater: Integers
    prompt: Integers
    grade: Floats

    def __len__(self) -> int:
        return len(self.grade)

    @property
    def responses(self) -> int:
        return len(np.unique(self.response))

    @property
    def raters(self) -> int:
        return len(np.unique(self.rater))

    @property
    def prompts(self) -> int:
        return len(np.unique(self.prompt))

    def components(self) -> Components | Figure:
        """See agreement.planning.components: an undefined figure where the answers cannot tell."""
        return components(self.response, self.rater, self.grade, self.prompt)


@dataclass(frozen=True)
class Told:
    """What a pilot tells: how many grades, responses, prompts and raters it has, and what varies, as `found`."""

    grades: int
    responses: int
    prompts: int
    raters: int
    found: Components | Figure


def ordered_questions(project: Project) -> QuerySet[QuestionType]:
    """Questions whose grades have an order: means and spreads say something of them."""
    return project.question_types.filter(lowest__isnull=False, is_nominal=False)


def sources(project: Project) -> list[tuple[str, str]]:
    """What a plan can start from, with its name: each ordered question, rubric scores where there are any, and
    assumptions."""
    named = [
        (f"{QUESTION}{question.slug}", _("Answers to “%(question)s”") % {"question": question.label})
        for question in ordered_questions(project)
    ]
    if scores(project).exists():
        named.append((RUBRIC_SCORES, _("Rubric scores, in percent")))
    return [*named, (ASSUMPTIONS, _("Assumptions"))]


def answered(project: Project) -> str:
    """The first source that people have answered; assumptions where there is none."""
    by_people = Rating.objects.filter(question=OuterRef("pk"), rater__kind=RaterKind.HUMAN, first_grade__isnull=False)
    question = ordered_questions(project).filter(Exists(by_people)).first()
    if question is not None:
        return f"{QUESTION}{question.slug}"
    return RUBRIC_SCORES if scores(project).exists() else ASSUMPTIONS


def told_by(project: Project, source: str) -> Told:
    """What the source tells, kept until its answers change: whoever plans asks for one width after the other."""
    return look(project, {"source": source}).read()


def look(project: Project, filters: Mapping[str, Any]) -> Look:
    """What the source of the filters tells, before it is read."""
    source = filters["source"]
    key = key_of("pilot", project.pk, source, [*revisions(project).of(*RESTS_ON)])
    return look_at(key, lambda _on_part: told(pilot_of(project, source)))


def answers(project: Project) -> list[QuerySet[Any]]:
    """All that a pilot may be made of: which of it is, the filters say, and there is one page for all sources."""
    return [Rating.objects.filter(question__in=ordered_questions(project)), scores(project)]


def told(pilot: Pilot) -> Told:
    return Told(len(pilot), pilot.responses, pilot.prompts, pilot.raters, pilot.components())


def pilot_of(project: Project, source: str) -> Pilot:
    """People's answers to that source, one of `sources` but assumptions."""
    if source == RUBRIC_SCORES:
        return of_rubrics(project)
    return of_question(ordered_questions(project).get(slug=source.removeprefix(QUESTION)))


def of_question(question: QuestionType) -> Pilot:
    """Grades of responses, alone or in pairs. Answers to checks are none: they say something of the rater alone."""
    graded = Rating.objects.filter(
        question=question, rater__kind=RaterKind.HUMAN, is_check=False, first_grade__isnull=False
    )
    alone, in_pairs = graded.filter(pair=None), graded.exclude(pair=None)
    sides = (
        ("first", rounds(alone, "response_id", "response_id", "response__prompt_id", "first_grade")),
        ("first", rounds(in_pairs, "pair_id", "pair__first_id", "pair__first__prompt_id", "first_grade")),
        ("second", rounds(in_pairs, "pair_id", "pair__second_id", "pair__second__prompt_id", "second_grade")),
    )
    columns_of_sides = zip(*(of_side for _side, of_side in sides), strict=True)
    pk, rater, response, prompt, _grades, _turns = (np.concatenate(parts) for parts in columns_of_sides)
    at_first = AtFirst(question.project)
    grade = np.concatenate(
        [at_first.grades(turn, np.full(len(turn), question.pk), side, given) for side, (*_, given, turn) in sides]
    )
    # Who met a response in several pairs counts with the latest grade, as in all figures.
    kept = latest((response, rater), pk)
    kept = kept[~np.isnan(grade[kept])]
    return Pilot(response[kept], rater[kept], prompt[kept], grade[kept])


def rounds(rows: QuerySet[Rating], subject: str, response: str, prompt: str, grade: str) -> list[Any]:
    """Id, rater, response, prompt, grade and assignment (0 for none) of each rater's latest round."""
    names = ("id", "round", "rater_id", subject, response, prompt, grade, "assignment_id")
    # A name stands once in a `values_list`: the subject of a response alone is the response.
    unique = list(dict.fromkeys(names))
    kinds = "".join({grade: "f", "assignment_id": "n"}.get(name, "i") for name in unique)
    column = dict(zip(unique, columns(rows.order_by().values_list(*unique), kinds), strict=True))
    kept = latest((column[subject], column["rater_id"]), column["round"])
    return [column[name][kept] for name in ("id", "rater_id", response, prompt, grade, "assignment_id")]


def scores(project: Project) -> QuerySet[Grade]:
    """People's whole gradings under the newest rubrics."""
    graded = Grade.objects.filter(NEWEST, rubric__project=project, rater__kind=RaterKind.HUMAN, is_complete=True)
    return graded.filter(rubric__frozen_at__isnull=False)


def of_rubrics(project: Project) -> Pilot:
    """Rubric scores in percent of what could be earned, of first answers."""
    names = ("id", "response_id", "rater_id", "round", "response__prompt_id", "raw", "maximum")
    read = columns(scores(project).order_by().values_list(*names), "iiiiiff")
    pk, response, rater, turn, prompt, raw, maximum = read
    at_first = gradings_at_first(project)
    for at in np.flatnonzero(np.isin(pk, np.array(list(at_first), dtype=np.int64))).tolist():
        raw[at] = at_first[int(pk[at])].raw()
    kept = latest((response, rater), turn)
    return Pilot(response[kept], rater[kept], prompt[kept], 100 * raw[kept] / maximum[kept])


PLAN = FiguredPage("plan", gettext_lazy("Plan a study"), look, answers)
