"""Nour's scripts rename, merge and split categories as she would on the page: first a dry run, then the change."""

import io

import pytest
from django.core.management import CommandError, call_command

from annotation.gold import derive
from annotation.models import CategoryChange, ErrorCategory, GoldError, Span
from projects.models import AuditEvent
from tests.annotation.marked import mark, review
from tests.people import signed_in

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/projects/feasts/error-categories/"


@pytest.fixture
def kept(project, koshari, mona, karim):
    """Three kept errors: Tone, Tone, Register."""
    categories = {
        slug: ErrorCategory.objects.create(project=project, slug=slug, name=slug.title(), position=at)
        for at, slug in enumerate(("tone", "register", "fact"))
    }
    spans = mark(koshari, mona, *koshari.text.split()[:3])
    for span, slug in zip(spans, ("tone", "tone", "register"), strict=True):
        Span.objects.filter(pk=span.pk).update(category=categories[slug])
    mark(koshari, karim)
    for span in spans:
        review(span, karim, "keep")
    derive([koshari.pk])


def post(user, **said):
    return signed_in(user).post(ADDRESS, said, content_type="application/json")


def of_the_gold() -> list[str]:
    return list(GoldError.objects.order_by("start").values_list("category__slug", flat=True))


def command(*words: str) -> str:
    out = io.StringIO()
    call_command("change_categories", "feasts", *words, stdout=out)
    return out.getvalue()


def test_a_dry_run_says_what_a_merge_touches_and_changes_nothing(nour, kept):
    answer = post(nour, kind="merge", categories=["tone"], into="register", dry_run=True)
    assert answer.status_code == 200
    told = answer.json()
    assert told["touched"] == {"spans": 2, "reviews": 0, "codings": 0, "gold": 2, "weights": 0, "rules": 0}
    assert (told["number"], told["after"]["tone"]["merged_into"]) == (None, "register")
    assert not CategoryChange.objects.exists()
    assert ErrorCategory.objects.offered().count() == 3
    assert of_the_gold() == ["tone", "tone", "register"]


def test_a_merge_is_made_told_and_taken_back(nour, kept):
    answer = post(nour, kind="merge", categories=["tone"], into="register", reason="Nobody told them apart.")
    assert (answer.status_code, answer.json()["number"]) == (201, 1)
    assert of_the_gold() == ["register"] * 3
    assert AuditEvent.objects.filter(action="categories.changed").count() == 1
    told = signed_in(nour).get(ADDRESS).json()
    assert told["version"] == 1
    [tone] = [one for one in told["categories"] if one["slug"] == "tone"]
    assert tone["merged_into"] == "register"
    [change] = told["changes"]
    assert (change["reason"], change["can_be_undone"]) == ("Nobody told them apart.", True)
    assert post(nour, kind="undo", number=1, reason="They do.").status_code == 201
    assert of_the_gold() == ["tone", "tone", "register"]
    again = post(nour, kind="undo", number=1)
    assert (again.status_code, again.json()["problems"][0]["code"]) == (422, "conflict")


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"kind": "merge", "categories": ["nothing"], "into": "register"}, "categories"),
        ({"kind": "merge", "categories": ["tone"], "into": "nothing"}, "into"),
        ({"kind": "merge", "categories": ["register"], "into": "register"}, "categories"),
        ({"kind": "rename", "category": "nothing", "name": "X"}, "category"),
        ({"kind": "rename", "category": "tone"}, "name"),
        ({"kind": "split", "category": "tone", "parts": [{"name": "A"}]}, "parts"),
        ({"kind": "split", "category": "tone", "parts": [{"name": "Fact"}, {"name": "B"}]}, "parts"),
        ({"kind": "undo", "number": 9}, "number"),
        ({"kind": "undo"}, "number"),
    ],
)
def test_what_cannot_be_is_refused_by_a_dry_run_as_by_the_change(nour, kept, said, field):
    for dry_run in (True, False):
        answer = post(nour, **said, dry_run=dry_run)
        assert answer.status_code == 422, answer.content
        assert answer.json()["problems"][0]["field"] == field
    assert not CategoryChange.objects.exists()


def test_a_split_by_program_asks_again_for_the_marks_it_touches(nour, kept):
    parts = [{"name": "Too formal", "definition": "رسمي"}, {"name": "Too familiar 🙂"}]
    answer = post(nour, kind="split", category="tone", parts=parts)
    assert answer.status_code == 201
    assert of_the_gold() == [None, None, "register"]
    assert ErrorCategory.objects.get(name="Too formal").definition == "رسمي"
    again = post(nour, kind="split", category="tone", parts=parts)
    assert again.json()["problems"][0]["code"] == "conflict"


def test_only_leads_change_categories(mona, kept):
    assert post(mona, kind="rename", category="tone", name="X").status_code == 404
    assert signed_in(mona).get(ADDRESS).status_code == 404


def test_the_command_does_the_same(kept):
    assert "Would touch: 2 marks" in command("merge", "tone", "--into", "register", "--dry-run")
    assert not CategoryChange.objects.exists()
    assert "Change 1." in command("rename", "tone", "--name", "Tone of voice", "--reason", "Clearer.")
    assert ErrorCategory.objects.get(slug="tone").name == "Tone of voice"
    assert "Change 2." in command("split", "tone", "--part", "Formal: too formal", "--part", "Familiar")
    assert ErrorCategory.objects.get(name="Formal").definition == "too formal"
    assert "Change 3." in command("undo", "2")
    assert of_the_gold() == ["tone", "tone", "register"]
    with pytest.raises(CommandError, match="no change of this number"):
        command("undo", "77")
