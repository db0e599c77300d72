"""Kept errors get a category, by hand or by a judge's confirmed proposal; a sample is coded twice for kappa."""

import pytest

from annotation import classification
from annotation.gold import derive
from annotation.models import Classification, ErrorCategory, GoldError
from projects.models import Rater
from projects.problems import Invalid
from tests.annotation.marked import mark, rater_of, review

pytestmark = pytest.mark.django_db


@pytest.fixture
def categories(project) -> list[ErrorCategory]:
    return [
        ErrorCategory.objects.create(project=project, slug=slug, name=slug, depth=depth, position=position)
        for position, (slug, depth) in enumerate([("inaccuracy", "thin"), ("connotation", "thick")])
    ]


@pytest.fixture
def coder(project) -> Rater:
    return Rater.objects.create(project=project, kind="human", name="Salma")


@pytest.fixture
def kept(koshari, mona, karim):
    spans = mark(koshari, mona, *koshari.text.split()[:10])
    mark(koshari, karim)
    for span in spans:
        review(span, karim, "keep")
    derive([koshari.id])
    return spans


def test_only_kept_errors_without_a_category_wait(project, koshari, kept, categories, coder):
    kept[0].reviews.update(verdict="reject")
    derive([koshari.id])
    assert list(classification.unclassified(project)) == kept[1:]
    classification.classify(kept[1], coder, categories[0])
    assert list(classification.unclassified(project)) == kept[2:]
    assert GoldError.objects.get(key=kept[1].key).category == categories[0]


def test_choosing_again_replaces(kept, categories, coder):
    classification.classify(kept[0], coder, categories[0])
    classification.classify(kept[0], coder, categories[1])
    assert GoldError.objects.get(key=kept[0].key).category == categories[1]
    assert Classification.objects.count() == 1


def test_another_projects_category_is_refused(kept, coder, other_project):
    foreign = ErrorCategory.objects.create(project=other_project, slug="x", name="x")
    with pytest.raises(Invalid):
        classification.classify(kept[0], coder, foreign)


def test_a_judges_proposal_counts_once_a_person_confirms_it(kept, categories, simba, hana, project):
    proposed = Classification.objects.create(span=kept[0], rater=simba, category=categories[1])
    derive([kept[0].response_id])
    assert GoldError.objects.get(key=kept[0].key).category is None
    assert classification.proposal_for(kept[0]) == proposed
    classification.confirm(proposed, rater_of(hana, project))
    assert GoldError.objects.get(key=kept[0].key).category == categories[1]
    assert classification.proposal_for(kept[0]) is None


def test_the_same_seed_draws_the_same_sample(project, kept, categories, coder):
    for span in kept:
        classification.classify(span, coder, categories[0])
    first, again = classification.draw_sample(project, 4, 7), classification.draw_sample(project, 4, 7)
    other = classification.draw_sample(project, 4, 8)
    assert set(first.spans.all()) == set(again.spans.all())
    assert set(first.spans.all()) != set(other.spans.all())
    assert first.spans.count() == 4


def test_a_sample_is_drawn_from_what_was_classified(project, kept, categories, coder):
    classification.classify(kept[0], coder, categories[0])
    with pytest.raises(Invalid):
        classification.draw_sample(project, 2, 7)


def test_kappa_of_the_sample_is_that_of_its_table(project, kept, categories, coder, hana):
    """Ten errors. Both coders: inaccuracy 4, connotation 3; the first alone inaccuracy 2, connotation 1.

    Observed 0.7; expected 0.6 * 0.5 + 0.4 * 0.5 = 0.5; kappa = (0.7 - 0.5) / (1 - 0.5) = 0.4.
    """
    thin, thick = categories
    second = rater_of(hana, project)
    pairs = [(thin, thin)] * 4 + [(thick, thick)] * 3 + [(thin, thick)] * 2 + [(thick, thin)]
    for span, (given, _again) in zip(kept, pairs, strict=True):
        classification.classify(span, coder, given)
    sample = classification.draw_sample(project, 10, 1)
    assert classification.sample_kappa(sample).undefined == "no items"
    assert set(classification.to_code_again(sample, second)) == set(kept)
    assert not classification.to_code_again(sample, coder).exists(), "the first coder is not the second"
    for span, (_given, again) in zip(kept, pairs, strict=True):
        classification.classify(span, second, again)
    figure = classification.sample_kappa(sample)
    assert figure.value == pytest.approx(0.4)
    assert figure.n == 10
    assert not classification.to_code_again(sample, second).exists()
