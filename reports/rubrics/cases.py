"""Settled verdicts on criteria for the case book: what the first grading of a person says of each criterion.

The first grading of a person is the gold of rubrics. A verdict of it is settled once nobody is waited for to grade the
response again. No judge has a part in what is shown.
"""

from collections.abc import Collection, Iterable, Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.casebook.answered import AnsweredKind, Written, awaited, beginning, notes_of
from annotation.casebook.filters import OUTCOME, TAG, Filter, label
from annotation.casebook.finding import Found, Reader
from annotation.casebook.indexing import Place, Wanted
from annotation.casebook.kinds import Shown, Side
from annotation.casebook.words import words_of
from annotation.said import Said
from formats.choices import VerdictValue
from projects.models import Project, RaterKind, Response
from reports.dashboard.freshness.revisions import digest, revisions
from reports.rubrics.gold_rows import for_gold
from reports.rubrics.tags import tags_of
from rubrics.models import Grade, GradeRole, Verdict
from workflow.models import feedback_rules


class VerdictCases(AnsweredKind):
    name = "verdicts"

    def state(self, project: Project) -> str:
        told = feedback_rules(project).shows_words
        return digest((revisions(project).of("grades of people", "errors", "rubrics"), told))

    def answered(self, project: Project) -> Iterable[int]:
        return first_gradings(project).order_by().values_list("response_id", flat=True).distinct()

    def settled(self, project: Project, written: dict[int, Written]) -> dict[Place, Wanted]:
        texts = dict(Response.objects.filter(pk__in=list(written)).values_list("pk", "text"))
        shows_words = feedback_rules(project).shows_words
        wanted = {}
        for place, verdict in verdicts_of(project, list(written)).items():
            variety, language = written[place.response_id]
            said = verdict.justification if shows_words else ""
            words = "\n".join(
                (verdict.criterion.text, verdict.criterion.quote, said, beginning(texts[place.response_id]))
            )
            labels = [label(TAG, tag) for tag in verdict.criterion.tags] + [label(OUTCOME, verdict.value)]
            wanted[place] = Wanted(variety, None, tuple(words_of(words, language)), tuple(dict.fromkeys(labels)))
        return wanted

    def filters(self, reader: Reader) -> Sequence[Filter]:
        return [tag_filter(reader.project), Filter(OUTCOME, _("Outcome"), VerdictValue.choices)]

    def show(self, reader: Reader, found: Sequence[Found]) -> list[Shown]:
        responses = {each.response_id for each in found}
        verdicts = verdicts_of(reader.project, responses)
        waited_for = awaited(found)
        by_id = Response.objects.select_related("variety").in_bulk(responses)
        notes = notes_of(self.name, responses)
        shows_words = reader.is_lead or feedback_rules(reader.project).shows_words
        shown = []
        for each in found:
            verdict = verdicts.get(Place(each.response_id, each.key, True, self.name))
            if verdict is None or (each.response_id, None) in waited_for:
                continue
            response = by_id[each.response_id]
            outcome = str(VerdictValue(verdict.value).label)
            one = Shown(each.pk, response, self.name, title=verdict.criterion.text, outcome=outcome)
            one.sides = [Side("", response, beginning(response.text), "")]
            one.quote = verdict.criterion.quote
            if shows_words and (said := verdict.justification.strip()):
                one.said = [Said(outcome, said, [])]
            shown.append(one.note(notes.get((each.response_id, None, each.key))))
        return shown


def first_gradings(project: Project) -> QuerySet[Grade]:
    of_people = Grade.objects.filter(role=GradeRole.REFERENCE, rater__kind=RaterKind.HUMAN)
    return for_gold(of_people.filter(response__project=project))


def verdicts_of(project: Project, response_ids: Collection[int]) -> dict[Place, Verdict]:
    """The verdicts of the first gradings of these responses; one statement. A criterion is named by its key after the
    version of its rubric, for a key is unique in that alone."""
    gradings = first_gradings(project).filter(response__in=response_ids).values("pk")
    verdicts = Verdict.objects.filter(grade__in=gradings).select_related("criterion", "grade__rubric").order_by("pk")
    return {
        Place(
            each.grade.response_id, f"v{each.grade.rubric.version}:{each.criterion.key}", True, VerdictCases.name
        ): each
        for each in verdicts
    }


def tag_filter(project: Project) -> Filter:
    return Filter(TAG, _("Tag of a criterion"), [(tag, tag) for tag in tags_of(project, revisions(project))])
