"""Everything that was graded in a project, as arrays: a few queries whatever the number of grades.

Positions are indices into `Responses`, `Grades` and `Criteria`, each in the order of its ids. Only responses whose
prompt has a frozen rubric are there, and only grades under its newest version count; others are counted beside them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from django.db.models import F
from django.db.models.functions import Length
from numpy.typing import NDArray

from judging.models import Call, CallState
from projects.among import Among
from projects.models import Project, Response, Vocabulary
from projects.vocabularies import words
from reports.dashboard.columns import Flags, Floats, Integers, Rows, as_it_comes, codes, columns, latest, positions
from reports.dashboard.project_contents import varieties_with_rubrics
from reports.dashboard.reader import Reading, fingerprints_of
from reports.dashboard.sureness import sure_of
from reports.rubrics.at_first import at_first
from reports.rubrics.scope import DOMAINS, RubricScope
from reports.rubrics.tags import MOST_TAGS, newest_rubrics, tagged
from rubrics.models import (
    Criterion,
    Explicitness,
    Grade,
    GradeRole,
    Objectivity,
    Verdict,
    VerdictValue,
)

#: The judge kind whose answers are grades.
JUDGE_KIND = "rubric"
OBJECTIVITY = (Objectivity.OBJECTIVE.value, Objectivity.SUBJECTIVE.value)
EXPLICITNESS = (Explicitness.EXPLICIT.value, Explicitness.IMPLICIT.value)
#: States of a call that the judge declined, and of one whose answer came and could not be read.
REFUSED = (CallState.REFUSED.value,)
UNREADABLE = (CallState.MALFORMED.value, CallState.TRUNCATED.value)
#: Roles of grades that were asked about the errors of the first grading.
GIVEN_ERRORS = (GradeRole.REGRADE.value, GradeRole.JUDGE.value)
#: Verdicts under which a criterion's weight counts.
COUNTS = (VerdictValue.PASS.value, VerdictValue.PRESENT.value)
#: What a group of figures may rest on, and the revisions that tell of it; a group names those it does. People's grades
#: and judges' are told apart, so that a judge's new grade leaves what rests on people alone as it was. A frozen rubric
#: never changes, so that it was frozen stands for its criteria.
PARTS = {
    "responses": ("responses", "prompts", "rubrics", "raters"),
    "people": ("grades of people",),
    "judges": ("grades of judges", "laboratories"),
    "errors": ("errors",),
    "verdicts": ("verdicts of people",),
    "verdicts_of_judges": ("verdicts of judges", "laboratories"),
    "calls": (f"calls {JUDGE_KIND}", "laboratories"),
    "speakers": ("speakers",),
    "experts": ("experts",),
    "laboratories": ("laboratories",),
}


def fingerprints(project: Project) -> dict[int, dict[str, str]]:
    """Variety id to the fingerprint of each of PARTS, for every variety with responses to a prompt with a rubric."""
    shared = {"errors": words(project, Vocabulary.FAILURE_TYPE).facts()}
    return fingerprints_of(project, PARTS, shared, varieties_with_rubrics)


@dataclass(frozen=True, eq=False)
class Responses(Rows):
    """ids and, per response, variety, prompt and target model by id, domain (index into DOMAINS), key, length in
    characters; shape (R,)."""

    id: Integers
    variety: Integers
    prompt: Integers
    model: Integers
    domain: Integers
    key: NDArray[Any]
    uuid: NDArray[Any]
    length: Integers


@dataclass(frozen=True, eq=False)
class Grades(Rows):
    """The grades that count: of each rater and response the latest complete round, and every reference; shape (G,).

    response    index; rater  id; percent  P.
    is_given    whether the grader was asked about the errors that the first grading recorded, as judges and who grades
                again are; who calibrates records errors of their own, and was told of none.
    is_latest   False for a reference that a later round of the same rater has overtaken.
    """

    id: Integers
    response: Integers
    rater: Integers
    percent: Floats
    by_human: Flags
    is_reference: Flags
    is_latest: Flags
    is_given: Flags


@dataclass(frozen=True, eq=False)
class Rubrics(Rows):
    """The newest frozen rubric of each prompt with responses: ids of itself, the prompt, its variety and the author;
    shape (P,)."""

    id: Integers
    prompt: Integers
    variety: Integers
    author: Integers


@dataclass(frozen=True, eq=False)
class Criteria(Rows):
    """Criteria of those rubrics, shape (C,).

    rubric   index, -1 of a rubric without responses here.
    failure  index into `Loaded.failure_types`, -1 for positive ones and where none was given.
    grade    index of the grade a negative one belongs to, -1 for positive ones and for grades that do not count.
    """

    id: Integers
    rubric: Integers
    weight: Integers
    objectivity: Integers
    explicitness: Integers
    failure: Integers
    grade: Integers


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What grades say of criteria: indices, and whether the criterion counts; shape (V,)."""

    grade: Integers
    criterion: Integers
    counts: Flags


@dataclass(frozen=True, eq=False)
class Asked:
    """What a judge was asked: per response whether a call was planned or a grade stands, whether a complete grade
    under the newest rubric stands, and, where none does, whether it refused or could not be read; shape (R,) each."""

    planned: Flags
    scored: Flags
    refused: Flags
    unreadable: Flags


@dataclass(frozen=True, eq=False)
class Loaded:
    """All of it; `varieties` as asked for, also those without a response, `judges` by rater id.

    reference   index of the reference grade of each response, -1 without one; shape (R,).
    maximum     S_max of each response's rubric, NaN where no grade tells; shape (R,).
    outdated    complete grades under an older version of the rubric, per response; shape (R,).
    variety_of_rater  id of the variety a person speaks, by rater id; 0 where they name none or several.
    failure_types  the project's, in its order.
    tags        indices of the criteria with each tag, of the most frequent ones.
    panels      ids of raters that are several judges as one; experts  of people who are; project  its id.
    rounds      the same by round of judges, without verdicts, where one has answered in two.
    with_own    the same without verdicts, with grades of models of a judge's own laboratory, where there are any.
    sure        of each grade as `sureness.sure_of`.
    at_first    the same with people's first gradings in place of those that were amended or sent back, where there are
                any: measures of how far people agree read that.
    """

    varieties: Sequence[int]
    responses: Responses
    rubrics: Rubrics
    grades: Grades
    criteria: Criteria
    verdicts: Verdicts
    reference: Integers
    maximum: Floats
    outdated: Integers
    judges: dict[int, Asked]
    variety_of_rater: dict[int, int]
    panels: frozenset[int]
    experts: frozenset[int]
    failure_types: tuple[str, ...]
    tags: Mapping[str, Integers] = field(default_factory=dict)
    project: int = 0
    rounds: "Mapping[int, Loaded]" = field(default_factory=dict)
    with_own: "Loaded | None" = None
    sure: Floats | None = None
    at_first: "Loaded | None" = None

    @property
    def human(self) -> Floats:
        """P of the reference grade of each response, NaN without one; shape (R,)."""
        if not len(self.grades):
            return np.full(len(self.responses), np.nan)
        return np.where(self.reference >= 0, self.grades.percent[self.reference], np.nan)


def load(
    project: Project,
    varieties: Sequence[int],
    scope: RubricScope,
    *,
    with_verdicts: bool = True,
    round: int | None = None,
    keep_own: bool = False,
) -> Loaded:
    """What was graded in these varieties (ids), as far as the scope takes it in; judges' grades of models of their own
    laboratory only with `keep_own`.

    Criteria and verdicts are most of it; who needs scores alone leaves them.
    """
    reading = _Reading(project, varieties, scope, round)
    reading.keeps_own = keep_own
    responses, newest, rubrics = reading.responses()
    grades, maximum, outdated = reading.grades(responses, newest)
    reference = np.full(len(responses), -1, dtype=np.int64)
    reference[grades.response[grades.is_reference]] = np.flatnonzero(grades.is_reference)
    criteria = reading.criteria(rubrics, grades, with_verdicts)
    loaded = Loaded(
        varieties,
        responses,
        rubrics,
        grades,
        criteria,
        reading.verdicts(grades, criteria, with_verdicts),
        reference,
        maximum,
        outdated,
        reading.judges(responses, grades),
        reading.variety_of_rater(),
        reading.panels.raters,
        frozenset(reading.raters[reading.is_expert].tolist()),
        reading.failure_types,
        reading.by_tag(criteria),
        project.pk,
        reading.each_round(partial(load, with_verdicts=False)),
        reading.with_own(partial(load, with_verdicts=False)),
        sure_of(project, reading.turn),
    )
    of_tag = frozenset(reading.tag_ids.tolist()) if reading.tag else None
    first = at_first(project, loaded, of_tag) if with_verdicts and round is None else None
    return replace(loaded, at_first=first)


class _Reading(Reading):
    """The queries."""

    def __init__(self, project: Project, varieties: Sequence[int], scope: RubricScope, round: int | None = None):
        super().__init__(project, varieties, scope, round)
        if scope.model:
            self.chosen["target_model__name"] = scope.model
        self.domain = scope.domain
        self.failure_types = words(project, Vocabulary.FAILURE_TYPE).slugs
        self.tag = scope.tag
        # Of the criteria with the tag of the scope: ids, rubrics and weights.
        chosen = (
            [(one.id, one.rubric, one.weight) for one in tagged(project) if self.tag in one.tags] if self.tag else []
        )
        self.tag_ids, self.tag_rubrics, self.tag_weights = np.array(chosen, dtype=np.int64).reshape(-1, 3).T

    def responses(self) -> tuple[Responses, Integers, Rubrics]:
        """The responses, the id of the newest rubric of each, and these rubrics."""
        rubrics = newest_rubrics(self.project)
        if self.domain:
            rubrics = rubrics.filter(scope=self.domain)
        if self.tag:
            rubrics = rubrics.filter(pk__in=Among(np.unique(self.tag_rubrics[self.tag_weights > 0]).tolist()))
        rows = rubrics.order_by("prompt").values_list("prompt", "id", "scope", "author")
        prompts, rubric, domain, author = columns(rows, "iioi")
        rows = Response.objects.filter(**self.chosen).order_by("id")
        names = ("id", "variety_id", "prompt_id", "target_model_id", "key", "uuid")
        values = columns(rows.values_list(*names, Length("text")), "iiiiooi")
        at = positions(prompts, values[2])
        ids, variety, prompt, model, key, uuid, length = (column[at >= 0] for column in values)
        at = at[at >= 0]
        responses = Responses(ids, variety, prompt, model, codes(domain, DOMAINS)[at], key, uuid, length)
        there, first = np.unique(at, return_index=True)
        written = Rubrics(rubric[there], prompts[there], variety[first], author[there])
        return responses, rubric[at], written.taken(np.argsort(written.id))

    def grades(self, responses: Responses, newest: Integers) -> tuple[Grades, Floats, Integers]:
        """The grades that count, S_max of each response, and how many grades an older rubric has."""
        rows = Grade.objects.filter(**self.within("response"), is_complete=True).order_by("id")
        names = ("id", "response_id", "rater_id", "rubric_id", "round", "raw", "maximum", "role")
        values = columns(rows.values_list(*names, as_it_comes(F("assignment_id"))), "iiiiiffon")
        response, rater = positions(responses.id, values[1]), positions(self.raters, values[2])
        known = (response >= 0) & (rater >= 0) & self._shown(values[2], response, responses)
        known[known] = self.may_count(values[2][known], responses.model[response[known]])
        known &= self.of_the_round(self.is_human[np.maximum(rater, 0)] | ~known, values[4])
        response, rater = response[known], rater[known]
        ids, _, _, rubric, turn, raw, highest, role, assignment = (column[known] for column in values)
        is_newest = newest[response] == rubric
        outdated = np.bincount(response[~is_newest], minlength=len(responses))
        kept = np.flatnonzero(is_newest)
        last = np.zeros(len(ids), dtype=bool)
        last[kept[latest((response[kept], rater[kept]), turn[kept])]] = True
        is_reference = is_newest & (role == GradeRole.REFERENCE)
        chosen = np.flatnonzero(last | is_reference)
        self.turn = assignment[chosen]
        if self.tag:
            raw, highest = self._points_of_tag(ids, rubric)
        maximum = np.full(len(responses), np.nan)
        maximum[response[chosen]] = highest[chosen]
        grades = Grades(
            ids[chosen],
            response[chosen],
            self.raters[rater[chosen]],
            100 * raw[chosen] / highest[chosen],
            self.is_human[rater[chosen]],
            is_reference[chosen],
            last[chosen],
            np.isin(role[chosen].astype(str), GIVEN_ERRORS),
        )
        return grades, maximum, outdated

    def _points_of_tag(self, grades: Integers, rubric: Integers) -> tuple[Floats, Floats]:
        """S_raw and S_max of these grades under the criteria with the tag alone; S_max NaN with nothing to reach."""
        rows = Verdict.objects.filter(**self.within("grade__response"), criterion__grade=None, value__in=COUNTS)
        grade, criterion = columns(rows.order_by("id").values_list("grade_id", "criterion_id"), "ii")
        grade, criterion = positions(grades, grade), positions(self.tag_ids, criterion)
        known = (grade >= 0) & (criterion >= 0)
        raw = np.bincount(grade[known], self.tag_weights[criterion[known]], minlength=len(grades))
        order = np.unique(self.tag_rubrics)
        at, is_positive = positions(order, self.tag_rubrics), self.tag_weights > 0
        most = np.bincount(at[is_positive], self.tag_weights[is_positive], minlength=len(order))
        place = positions(order, rubric)
        highest = np.where(place >= 0, most[place] if len(order) else 0.0, 0.0).astype(float)
        return raw.astype(float), np.where(highest > 0, highest, np.nan)

    def by_tag(self, criteria: Criteria) -> dict[str, Integers]:
        if not len(criteria):
            return {}
        found: dict[str, list[int]] = {}
        for one in tagged(self.project):
            for tag in one.tags:
                found.setdefault(tag, []).append(one.id)
        frequent = sorted(found, key=lambda tag: (-len(found[tag]), tag))[:MOST_TAGS]
        places = {tag: positions(criteria.id, np.array(found[tag], dtype=np.int64)) for tag in sorted(frequent)}
        return {tag: place[place >= 0] for tag, place in places.items() if (place >= 0).any()}

    def _shown(self, rater: Integers, response: Integers, responses: Responses) -> Flags:
        if not len(responses):
            return np.zeros(len(rater), dtype=bool)
        return self.panels.shown(rater, responses.prompt[response])

    def criteria(self, rubrics: Rubrics, grades: Grades, with_verdicts: bool) -> Criteria:
        rows = Criterion.objects.filter(rubric__in=newest_rubrics(self.project)).order_by("id")
        rows = rows if with_verdicts else rows.none()
        if self.tag:
            rows = rows.filter(pk__in=Among(self.tag_ids.tolist()))
        names = ("id", "rubric_id", "weight", "objectivity", "explicitness", "failure_type", "grade_id")
        ids, rubric, weight, objectivity, explicitness, failure, grade = columns(rows.values_list(*names), "iiiooon")
        return Criteria(
            ids,
            positions(rubrics.id, rubric),
            weight,
            codes(objectivity, OBJECTIVITY),
            codes(explicitness, EXPLICITNESS),
            codes(failure, self.failure_types),
            positions(grades.id, grade),
        )

    def verdicts(self, grades: Grades, criteria: Criteria, with_verdicts: bool) -> Verdicts:
        rows = Verdict.objects.filter(**self.within("grade__response")).order_by("id")
        rows = rows if with_verdicts else rows.none()
        grade, criterion, value = columns(rows.values_list("grade_id", "criterion_id", "value"), "iio")
        grade, criterion = positions(grades.id, grade), positions(criteria.id, criterion)
        kept = (grade >= 0) & (criterion >= 0)
        return Verdicts(grade[kept], criterion[kept], np.isin(value[kept].astype(str), COUNTS))

    def judges(self, responses: Responses, grades: Grades) -> dict[int, Asked]:
        calls = Call.objects.filter(**self.within("response"), run__project=self.project, judge__kind=JUDGE_KIND)
        asked = calls.exclude(state=CallState.CANCELLED).order_by()
        rater, response, state = columns(asked.values_list("judge__rater_id", "response_id", "state").distinct(), "iio")
        response = positions(responses.id, response)
        kept = (response >= 0) & np.isin(rater, self.raters)
        kept[kept] = self.may_count(rater[kept], responses.model[response[kept]])
        rater, response, state = rater[kept], response[kept], state[kept].astype(str)
        asked_by_judge = {}
        for pk in np.union1d(rater, grades.rater[~grades.by_human]).tolist():
            scored, planned = np.zeros(len(responses), dtype=bool), np.zeros(len(responses), dtype=bool)
            scored[grades.response[grades.rater == pk]] = True
            planned[response[rater == pk]] = True
            ended = [np.zeros(len(responses), dtype=bool) for _ in (REFUSED, UNREADABLE)]
            for flags, states in zip(ended, (REFUSED, UNREADABLE), strict=True):
                flags[response[(rater == pk) & np.isin(state, states)]] = True
            asked_by_judge[pk] = Asked(planned | scored, scored, *(flags & ~scored for flags in ended))
        return asked_by_judge
