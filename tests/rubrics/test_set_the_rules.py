"""Nour sets how the project writes its rubrics: what comes before a freeze, and the bands of weights."""

import pytest

from projects.models import AuditEvent
from rubrics.models import RubricSettings, WeightBand
from tests.people import signed_in
from tests.rubrics.writing import authoring_stage, begun_by, criterion, draft, frozen_by

pytestmark = pytest.mark.django_db
ADDRESS = "/p/feasts/rubrics/settings/"


@pytest.fixture
def stage(project):
    return authoring_stage(project)


def form(project, new=("", "", ""), **changes) -> dict:
    """The page as it stands, with one new band and changes by field name."""
    bands = list(project.weight_bands.order_by("position"))
    sent = {"bands-TOTAL_FORMS": len(bands) + 1, "bands-INITIAL_FORMS": len(bands), "needs_difficulty_check": "on"}
    for number, band in enumerate(bands):
        sent |= {f"bands-{number}-id": band.pk, f"bands-{number}-name": band.name}
        sent |= {f"bands-{number}-lowest": band.lowest, f"bands-{number}-highest": band.highest}
    name, lowest, highest = new
    last = f"bands-{len(bands)}"
    return sent | {f"{last}-name": name, f"{last}-lowest": lowest, f"{last}-highest": highest} | changes


def bands(project) -> list[tuple]:
    return list(project.weight_bands.order_by("position").values_list("slug", "lowest", "highest"))


def test_reading_the_page_stores_nothing(stage, nour):
    assert signed_in(nour).get(ADDRESS).status_code == 200
    assert not RubricSettings.objects.exists()


def test_a_review_is_asked_for_from_now_on(stage, nour, project):
    answer = signed_in(nour).post(ADDRESS, form(project, needs_review="on"))
    assert answer.status_code == 302
    settings = RubricSettings.objects.get()
    assert (settings.needs_difficulty_check, settings.needs_review) == (True, True)
    assert AuditEvent.objects.get(action="rubrics.settings").detail["needs_review"] is True


def test_a_band_is_changed_and_another_added(stage, nour, project):
    signed_in(nour).post(ADDRESS, form(project, ("Tone of voice", 1, 2), **{"bands-0-lowest": 7}))
    assert bands(project) == [
        ("core-term", 7, 10),
        ("meaning", 5, 9),
        ("cultural-depth", 3, 7),
        ("dialect", 3, 5),
        ("tone-of-voice", 1, 2),
    ]


def test_a_name_without_latin_letters_gets_a_slug_too(stage, nour, project):
    signed_in(nour).post(ADDRESS, form(project, ("لهجة", 1, 2)))
    assert bands(project)[-1] == ("band", 1, 2)
    signed_in(nour).post(ADDRESS, form(project, ("نبرة", 1, 2)))
    assert bands(project)[-1] == ("band-2", 1, 2)


@pytest.mark.parametrize(("lowest", "highest"), [(9, 3), (0, 3), (1, 101)])
def test_a_range_that_is_none_is_refused(stage, nour, project, lowest, highest):
    before = bands(project)
    assert signed_in(nour).post(ADDRESS, form(project, ("Odd", lowest, highest))).status_code == 422
    assert bands(project) == before


def test_an_unused_band_goes_and_a_used_one_stays(stage, nour, salma, project):
    body = draft(criteria=[criterion(1, text="بيذكر الرز.", weight=9, band="core-term"), draft()["criteria"][1]])
    frozen_by(signed_in(salma), begun_by(salma, stage), body)
    lead = signed_in(nour)
    answer = lead.post(ADDRESS, form(project, **{"bands-0-DELETE": "on"}))
    assert answer.status_code == 422
    assert "so it stays" in answer.content.decode()
    assert lead.post(ADDRESS, form(project, **{"bands-3-DELETE": "on"})).status_code == 302
    assert [slug for slug, *_range in bands(project)] == ["core-term", "meaning", "cultural-depth"]


def test_bands_of_other_projects_are_out_of_reach(stage, nour, project, other_project):
    theirs = WeightBand.objects.create(project=other_project, slug="x", name="Theirs", lowest=1, highest=2)
    sent = form(project, **{"bands-0-id": theirs.pk, "bands-0-name": "Ours now"})
    before = bands(project)
    signed_in(nour).post(ADDRESS, sent)
    theirs.refresh_from_db()
    assert (theirs.name, theirs.project) == ("Theirs", other_project)
    assert bands(project) == before


def test_authors_set_no_rules(stage, salma):
    assert signed_in(salma).get(ADDRESS).status_code == 404
