"""Nour renames, merges and splits categories after work has begun, sees beforehand what changes, and takes it back."""

import pytest
from django.db import IntegrityError, transaction

from annotation import category_changes, category_jobs, classification
from annotation.category_changes import Part
from annotation.error_scheme import weighted
from annotation.gold import derive
from annotation.models import CategoryChange, Classification, ErrorCategory, ErrorScheme, GoldError, Span
from annotation.taxonomy import mapping_of, version
from formats.project_file.applying import apply_file
from formats.project_file.describing import file_of
from jobs.models import Job
from jobs.working import work_on
from projects.models import AuditEvent
from projects.problems import Invalid
from reports.frames import spans
from tests.annotation.marked import mark, rater_of, review
from tests.people import signed_in
from tests.reports.reading import table

pytestmark = pytest.mark.django_db
URL = "/p/feasts/error-categories/"


@pytest.fixture
def categories(project) -> dict[str, ErrorCategory]:
    slugs = ("tone", "register", "fact")
    return {
        slug: ErrorCategory.objects.create(project=project, slug=slug, name=slug.title(), position=at)
        for at, slug in enumerate(slugs)
    }


@pytest.fixture
def kept(koshari, mona, karim, categories):
    """Six kept errors: Tone, Tone, Register, Register, Fact, and one without a category of its marker."""
    spans = mark(koshari, mona, *koshari.text.split()[:6])
    for span, slug in zip(spans, ("tone", "tone", "register", "register", "fact"), strict=False):
        Span.objects.filter(pk=span.pk).update(category=categories[slug])
    mark(koshari, karim)
    for span in spans:
        review(span, karim, "keep")
    derive([koshari.pk])
    return list(Span.objects.order_by("pk"))


def names(koshari):
    """The category of each error of the final set, in reading order."""
    errors = GoldError.objects.filter(response=koshari).order_by("start").select_related("category")
    return [error.category.slug if error.category else None for error in errors]


def test_merged_categories_are_read_as_one_and_answers_keep_what_they_say(nour, project, koshari, kept, categories):
    said = list(Span.objects.order_by("pk").values_list("category__slug", flat=True))
    chosen = {"merge-categories": [categories["tone"].pk], "merge-into": categories["register"].pk}
    client = signed_in(nour)
    page = client.post(URL, chosen)
    assert page.context["touched"] == (2, 0, 0, 2, 0, 0), "two marks and two errors of the final set are of it"
    assert "Marks: 2" in page.content.decode()
    assert version(project) == 0, "a preview changes nothing"
    assert client.post(URL, {**chosen, "confirm": "1", "merge-reason": "Nobody told them apart."}).status_code == 302
    assert names(koshari) == ["register", "register", "register", "register", "fact", None]
    assert list(Span.objects.order_by("pk").values_list("category__slug", flat=True)) == said
    [change] = CategoryChange.objects.all()
    assert (change.number, change.kind, change.reason, change.made_by) == (1, "merge", "Nobody told them apart.", nour)
    assert AuditEvent.objects.filter(action="categories.changed").count() == 1
    assert [one.slug for one in project.error_categories.offered()] == ["register", "fact"]


def test_raw_answers_leave_with_both(nour, project, koshari, kept, categories):
    category_changes.merge([categories["tone"]], categories["register"], nour)
    category_changes.split(categories["fact"], [Part("Wrong"), Part("Dated")], nour)
    frame = spans(project)
    said = ["tone", "tone", "register", "register", "fact", ""]
    assert frame["category"].fillna("").tolist() == said
    assert frame["category_now"].fillna("").tolist() == ["register"] * 4 + ["", ""]


def test_taken_back_everything_is_as_before(nour, project, koshari, kept, categories):
    before = names(koshari)
    client = signed_in(nour)
    category_changes.merge([categories["tone"]], categories["register"], nour)
    assert client.post(f"{URL}1/undo/").status_code == 302
    assert names(koshari) == before
    assert version(project) == 2, "taking back is a change of its own"
    assert client.post(f"{URL}1/undo/", follow=True).context["messages"], "a second time is refused in words"
    assert version(project) == 2


def test_a_split_asks_again_only_for_the_marks_it_touches(nour, hana, project, koshari, kept, categories):
    hana_as_coder = rater_of(hana, project)
    classification.classify(kept[5], hana_as_coder, categories["register"])
    assert list(classification.unclassified(project, hana_as_coder)) == []
    page = signed_in(nour).post(
        f"{URL}register/", {"act": "split", "split-parts": "Too formal: a stiff word\nToo familiar", "confirm": "1"}
    )
    assert page.status_code == 302
    assert names(koshari) == ["tone", "tone", None, None, "fact", None]
    waiting = classification.unclassified(project, hana_as_coder)
    assert [span.pk for span in waiting] == [kept[2].pk, kept[3].pk, kept[5].pk], (
        "her own coding of it counts no longer"
    )
    formal = ErrorCategory.objects.get(name="Too formal")
    assert formal.definition == "a stiff word"
    classification.classify(kept[5], hana_as_coder, formal)
    assert names(koshari)[5] == "too-formal"
    with pytest.raises(Invalid):
        classification.classify(kept[2], hana_as_coder, categories["register"])

    category_changes.undo(CategoryChange.objects.get(), nour)
    derive([koshari.pk])
    assert names(koshari) == ["tone", "tone", "register", "register", "fact", "register"], "formal is of the register"
    assert [one.slug for one in project.error_categories.offered()] == ["tone", "register", "fact"]


def test_a_split_brings_back_what_was_merged(nour, project, koshari, kept, categories):
    category_changes.merge([categories["tone"]], categories["register"], nour)
    change = category_changes.split(categories["register"], [Part("Tone"), Part("Wording")], nour)
    category_jobs.bring_up_to_date(change, nour)
    assert names(koshari) == ["tone", "tone", None, None, "fact", None]
    assert set(change.before) == {"register", "tone", "wording"}
    with pytest.raises(Invalid):
        category_changes.undo(CategoryChange.objects.get(number=1), nour)
    # As PostgreSQL keeps the keys of JSON: the shorter first.
    change.before = {slug: change.before[slug] for slug in sorted(change.before, key=lambda slug: (len(slug), slug))}
    change.save()
    category_changes.undo(CategoryChange.objects.get(pk=change.pk), nour)
    category_jobs.bring_up_to_date(change, nour)
    assert names(koshari) == ["register"] * 4 + ["fact", None]
    assert ErrorCategory.objects.get(slug="wording").merged_into == categories["register"]


def test_a_judge_is_asked_again_too_and_its_old_proposal_is_shown_to_nobody(
    nour, simba, hana, project, koshari, kept, categories
):
    Span.objects.filter(pk=kept[5].pk).update(category=None)
    proposal = Classification.objects.create(span=kept[5], rater=simba, category=categories["tone"])
    assert classification.proposal_for(kept[5]) == proposal
    category_changes.merge([categories["tone"]], categories["register"], nour)
    assert classification.category_now(proposal) == categories["register"]
    category_changes.split(ErrorCategory.objects.get(slug="register"), [Part("A"), Part("B")], nour)
    assert classification.proposal_for(kept[5]) is None
    assert list(classification.proposed(project)) == []
    part = ErrorCategory.objects.get(name="A")
    assert classification.propose(simba, {kept[5].pk: (part, "reads so")}) == 1
    assert classification.proposal_for(kept[5]).category == part


def test_figures_follow_and_name_the_change(nour, hana, karim, project, koshari, kept, categories):
    for span, ours, theirs in zip(kept, ("tone", "tone", "fact"), ("register", "tone", "fact"), strict=False):
        for person, slug in ((hana, ours), (karim, theirs)):
            classification.classify(span, rater_of(person, project), categories[slug])
    sample = classification.draw_sample(project, 3, 1)
    assert classification.sample_kappa(sample).value == pytest.approx(0.5), "po 2/3, pe 3/9: (2/3 - 1/3) / (1 - 1/3)"
    assert "taxonomy" not in table(project, "classification-kappa").recipe.extras
    change = category_changes.merge([categories["tone"]], categories["register"], nour)
    category_jobs.bring_up_to_date(change, nour)
    assert classification.sample_kappa(sample).value == 1.0
    again = table(project, "classification-kappa")
    assert again.recipe.extras["taxonomy"] == "change 1"
    assert again.rows[-1].figures[0].value == 1.0


def test_points_of_a_category_are_those_of_the_one_it_is_read_as(nour, project, kept, categories):
    ErrorScheme.objects.create(project=project, weights=[{"category": "register", "points": 7}])
    spans = Span.objects.all()
    assert set(weighted(project, spans)) == {kept[2].pk, kept[3].pk}
    category_changes.merge([categories["tone"]], categories["register"], nour)
    assert weighted(project, spans) == {span.pk: 7.0 for span in kept[:4]}


def test_a_name_alone_changes_no_gold(nour, project, koshari, kept, categories):
    client = signed_in(nour)
    words = {"act": "rename", "name": "Voice", "definition": "How it sounds.", "example": ""}
    assert client.post(f"{URL}tone/", words).status_code == 302
    assert ErrorCategory.objects.get(slug="tone").name == "Voice"
    assert client.post(f"{URL}tone/", words).status_code == 422, "nothing differs"
    assert client.post(f"{URL}tone/", {**words, "name": ""}).status_code == 422
    category_changes.undo(CategoryChange.objects.get(), nour)
    assert ErrorCategory.objects.get(slug="tone").name == "Tone"


@pytest.mark.parametrize(
    ("parts", "why"),
    [("Only one", "two"), ("Fact\nOther", "Fact"), ("Same\nsame", "same"), (f"{'x' * 81}\nB", "too long")],
)
def test_a_split_that_cannot_be_is_told_and_changes_nothing(nour, project, categories, parts, why):
    page = signed_in(nour).post(f"{URL}tone/", {"act": "split", "split-parts": parts, "confirm": "1"})
    assert page.status_code == 422
    assert why in page.content.decode()
    assert not CategoryChange.objects.exists()
    assert ErrorCategory.objects.filter(project=project).count() == 3


def test_of_many_responses_it_is_a_job(nour, project, koshari, kept, categories, monkeypatch):
    monkeypatch.setattr(category_jobs, "FEW_RESPONSES", 0)
    chosen = {"merge-categories": [categories["tone"].pk], "merge-into": categories["fact"].pk, "confirm": "1"}
    page = signed_in(nour).post(URL, chosen)
    job = Job.objects.get()
    assert page.url == f"/p/feasts/jobs/{job.uuid}/"
    assert names(koshari)[:2] == ["tone", "tone"]
    assert work_on(job.pk)
    assert names(koshari)[:2] == ["fact", "fact"]


def test_the_database_keeps_a_category_from_being_both(project, categories):
    tone = categories["tone"]
    for wrong in ({"merged_into": tone}, {"merged_into": categories["fact"], "is_split": True}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ErrorCategory.objects.filter(pk=tone.pk).update(**wrong)


def test_two_changes_at_once_have_two_numbers(project, categories):
    CategoryChange.objects.create(project=project, number=1, kind="rename", before={}, after={})
    with pytest.raises(IntegrityError), transaction.atomic():
        CategoryChange.objects.create(project=project, number=1, kind="rename", before={}, after={})


def test_steps_are_followed_to_their_end():
    assert mapping_of([(1, 2, False), (2, 3, False), (3, None, False), (4, 5, False), (5, None, True)]) == {
        1: 3,
        2: 3,
        4: None,
        5: None,
    }


def test_a_file_that_names_a_merged_category_says_so(nour, project, categories):
    before = file_of(project)
    category_changes.merge([categories["tone"]], categories["fact"], nour)
    assert b"slug: tone" not in file_of(project)
    with pytest.raises(Invalid) as refused:
        apply_file(project, before)
    assert [problem.field for problem in refused.value.problems] == ["categories[0].slug"]
    assert apply_file(project, file_of(project)).changes == [], "what is offered goes out and comes in again"
