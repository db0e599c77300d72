"""A new grade makes exactly the figures stale that it changes; all others are kept."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from projects.models import LanguageVariety, Rater
from reports.dashboard.names import TOTAL
from reports.rubrics.dashboard import RUBRICS
from rubrics.models import Grade, GradeRole, Verdict
from tests.reports.perle import study

pytestmark = pytest.mark.django_db

ALL_GROUPS = {
    "scores",
    "authoring",
    "judges",
    "joint",
    "own_laboratory",
    "footing",
    "rounds",
    "criteria",
    "failures",
    "severity",
    "groups",
    "unsure",
}
#: These are of all varieties together alone.
TOGETHER = {"joint", "own_laboratory", "footing", "rounds", "criteria", "severity", "groups", "unsure"}


@pytest.fixture
def drawn(db):
    return study(prompts=4, calibrated=2, regraded=2)


@pytest.fixture
def project(drawn):
    return drawn.project


@pytest.fixture
def iraqi(project):
    return LanguageVariety.objects.get(tag="ar-IQ")


def computed(project, **filters) -> set[tuple[str, int]]:
    """What a reading of the dashboard had to compute: (group, variety or TOTAL)."""
    dashboard = RUBRICS.figures(project, filters)
    dashboard.tables()
    return set(dashboard.computed)


def grade_of(project, tag: str, role: str) -> Grade:
    return Grade.objects.filter(response__project=project, response__variety__tag=tag, role=role).order_by("id")[0]


def grade_again(project, kind: str, role: str, tag: str = "ar-IQ") -> Grade:
    """One more rater of this kind repeats the first grading of a response."""
    first = grade_of(project, tag, GradeRole.REFERENCE)
    rater = Rater.objects.create(project=project, kind=kind, name="One more")
    made = Grade.objects.create(
        response=first.response, rubric=first.rubric, rater=rater, role=role, raw=first.raw, maximum=first.maximum
    )
    Verdict.objects.bulk_create(
        Verdict(grade=made, criterion_id=criterion, value=value)
        for criterion, value in first.verdicts.values_list("criterion_id", "value")
    )
    return made


def of(groups: set[str], variety: LanguageVariety) -> set[tuple[str, int]]:
    return {(group, TOTAL) for group in groups} | {(group, variety.pk) for group in groups - TOGETHER}


def test_reading_again_computes_nothing(project):
    assert {group for group, _pool in computed(project)} == ALL_GROUPS
    assert computed(project) == set()


def test_a_judges_grade_leaves_what_people_said_as_it_was(project, iraqi):
    computed(project)
    grade_again(project, "judge", GradeRole.JUDGE)
    assert computed(project) == of({"judges", "joint", "own_laboratory", "footing", "rounds", "criteria"}, iraqi)


def test_a_persons_grade_changes_its_own_setting_and_the_total(project, iraqi):
    computed(project)
    grade_again(project, "human", GradeRole.REGRADE)
    assert computed(project) == of(ALL_GROUPS, iraqi)


def test_a_verdict_that_leaves_the_score_changes_what_rests_on_verdicts(project, iraqi):
    judged = Verdict.objects.filter(grade__response__variety=iraqi, grade__role=GradeRole.JUDGE)
    passed = judged.filter(value="pass", grade__verdicts__value="fail").order_by("id").first()
    failed = judged.filter(value="fail", grade=passed.grade).first()
    computed(project)
    Verdict.objects.filter(pk=passed.pk).update(value="fail")
    Verdict.objects.filter(pk=failed.pk).update(value="pass")
    assert computed(project) == {("criteria", TOTAL)}


def test_a_persons_verdict_changes_severity_too(project, iraqi):
    said = Verdict.objects.filter(grade__response__variety=iraqi, grade__role=GradeRole.CALIBRATION).first()
    computed(project)
    Verdict.objects.filter(pk=said.pk).update(value="fail" if said.value == "pass" else "pass")
    assert computed(project) == {("criteria", TOTAL), ("severity", TOTAL)}


def test_who_speaks_what_changes_severity_and_groups_alone(project, drawn):
    computed(project)
    drawn.people["ar-IQ"][0].varieties.set(LanguageVariety.objects.filter(tag="ar-EG"))
    assert {group for group, _pool in computed(project)} == {"severity", "groups"}


def test_what_was_kept_equals_what_is_computed_afresh(project):
    RUBRICS.tables(project)
    grade_again(project, "judge", GradeRole.JUDGE)
    kept = [table.as_json() for table in RUBRICS.tables(project)]
    cache.clear()
    assert [table.as_json() for table in RUBRICS.tables(project)] == kept


def test_filters_have_figures_of_their_own_and_another_language_has_not(project):
    computed(project)
    assert {pool for _group, pool in computed(project, variety="ar-IQ")} == {TOTAL}
    assert computed(project, domain="cultural")
    with translation.override("ar"):
        assert computed(project) == set()


def test_the_number_of_queries_does_not_grow_with_the_grades(db):
    def queries(prompts: int, slug: str) -> int:
        project = study(slug, prompts=prompts, calibrated=2).project
        cache.clear()
        with CaptureQueriesContext(connection) as captured:
            RUBRICS.tables(project)
        return len(captured)

    assert queries(3, "few") == queries(9, "more") <= 40
