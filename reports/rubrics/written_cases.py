"""Frozen rubrics for the case book: what others demanded of an answer to a prompt, by nobody's name.

A rubric is settled once it is frozen; the newest one of a prompt stands there. What an author has still to write a
rubric for is hidden like every item (annotation/casebook/hiding.py), and so is what they have to grade by one.
"""

from collections.abc import Collection, Iterable, Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.casebook.answered import AnsweredKind, Written, awaited_prompts, beginning, notes_of_prompts
from annotation.casebook.filters import TAG, Filter, label
from annotation.casebook.finding import Found, Reader
from annotation.casebook.indexing import Place, Wanted
from annotation.casebook.kinds import Point, Shown
from annotation.casebook.words import words_of
from projects.models import Project
from reports.dashboard.freshness.revisions import digest, revisions
from reports.rubrics.cases import tag_filter
from reports.rubrics.tags import newest_rubrics
from rubrics.models import Criterion, Rubric


class RubricCases(AnsweredKind):
    name = "rubrics"
    of_prompts = True

    def state(self, project: Project) -> str:
        return digest(revisions(project).of("rubrics"))

    def answered(self, project: Project) -> Iterable[int]:
        return written(project).order_by().values_list("prompt_id", flat=True).distinct()

    def settled(self, project: Project, written: dict[int, Written]) -> dict[Place, Wanted]:
        wanted = {}
        for place, (rubric, criteria) in rubrics_of(project, list(written)).items():
            variety, language = written[rubric.prompt_id]
            texts = [beginning(rubric.prompt.text), *(each.text for each in criteria), beginning(rubric.gold_answer)]
            tags = tuple(dict.fromkeys(label(TAG, tag) for each in criteria for tag in each.tags))
            wanted[place] = Wanted(variety, None, tuple(words_of("\n".join(texts), language)), tags)
        return wanted

    def filters(self, reader: Reader) -> Sequence[Filter]:
        return [tag_filter(reader.project)]

    def show(self, reader: Reader, found: Sequence[Found]) -> list[Shown]:
        prompts = {each.prompt_id for each in found}
        rubrics = rubrics_of(reader.project, prompts)
        # While a new version is written, the one before is no example of how to write it.
        waited_for = awaited_prompts(found, ["authoring"])
        notes = notes_of_prompts(self.name, prompts)
        shown = []
        for each in found:
            there = rubrics.get(Place(0, each.key, True, self.name, None, each.prompt_id))
            if there is None or each.prompt_id in waited_for:
                continue
            rubric, criteria = there
            outcome = ngettext("%(n)d criterion", "%(n)d criteria", len(criteria)) % {"n": len(criteria)}
            one = Shown(each.pk, rubric.prompt, self.name, title=rubric.prompt.text, outcome=outcome)
            one.points = [Point(each.text, beside(each)) for each in criteria]
            one.explanation = rubric.gold_answer.strip()
            shown.append(one.note(notes.get((each.prompt_id, each.key))))
        return shown


def written(project: Project) -> QuerySet[Rubric]:
    newest: QuerySet[Rubric] = newest_rubrics(project)
    return newest


def rubrics_of(project: Project, prompt_ids: Collection[int]) -> dict[Place, tuple[Rubric, list[Criterion]]]:
    """The newest frozen rubrics of these prompts with their criteria in order; two statements."""
    found: dict[int, tuple[Rubric, list[Criterion]]] = {}
    for rubric in written(project).filter(prompt__in=prompt_ids).select_related("prompt__variety").order_by("version"):
        found[rubric.pk] = (rubric, [])
    criteria = Criterion.objects.filter(rubric__in=list(found), grade=None, response=None)
    for criterion in criteria.order_by("position", "pk"):
        found[criterion.rubric_id][1].append(criterion)
    return {
        Place(0, f"v{rubric.version}", True, RubricCases.name, None, rubric.prompt_id): (rubric, of_rubric)
        for rubric, of_rubric in found.values()
    }


def beside(criterion: Criterion) -> str:
    """Its weight and its tags."""
    weight = _("weight %(weight)s") % {"weight": f"{criterion.weight:+d}"}
    return " · ".join([weight, *criterion.tags])
