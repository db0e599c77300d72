"""Which kinds of errors each detector finds, which erroneous sentences, and whether judges name kinds as people do.

Who marked what stands in conftest.py (`answered`).
"""

import pytest

from annotation.classification import draw_sample, propose, to_code_again, to_propose
from annotation.gold import derive
from annotation.models import Classification
from projects.models import Rater
from tests.annotation.marked import rater_of
from tests.reports.reading import figure, table

pytestmark = pytest.mark.django_db


def test_categories_of_the_errors_that_each_detector_found(project, answered, mona, thick):
    # The gold: one thick and one thin error by people, and one of the judge's that has no category yet.
    found = table(project, "error-categories")
    assert figure(found, "People", "Custom", measure="errors").value == 1
    share = figure(found, "People", "Custom", measure="share")
    assert (share.value, share.n, share.detail["uncategorised"]) == (0.5, 2, 0)
    of_judge = figure(found, "Simba", "Custom", measure="share")
    assert (of_judge.undefined, of_judge.detail["uncategorised"]) == ("no errors with a category", 1)

    Classification.objects.create(span=answered["pharaohs"], rater=rater_of(mona, project), category=thick)
    derive([answered["pharaohs"].response_id])
    found = table(project, "error-categories")
    assert figure(found, "Simba", "Custom", measure="share").value == 1.0
    assert "Simba, Custom: 1.00" in found.summary


def test_recall_of_erroneous_sentences_by_category(project, answered):
    # Both errors with a category lie in the second sentence, where the judge marked the rice.
    found = table(project, "sentence-recall")
    assert figure(found, "Simba", "Custom", measure="recall of sentences").value == 1.0
    assert figure(found, "Simba", "Fact", measure="recall of sentences").value == 1.0
    thick = next(row for row in found.rows if row.labels[0] == "Simba" and row.drill.get("depth") == "thick")
    assert (thick.figures[0].value, thick.figures[0].n) == (1.0, 1)
    # Its words meet neither error, so span by span it found none of them.
    assert figure(table(project, "category-recall"), "Simba", "Custom", measure="recall").value == 0.0


def test_kappa_of_a_judge_with_people_beside_that_of_two_people(project, answered, karim, thick, thin):
    assert table(project, "classification-kappa-judges").rows == ()
    coder = Rater.objects.create(project=project, kind="judge", name="Coder", model="coder-1")
    karim = rater_of(karim, project)
    # Mona: thick, thin. Karim: thick, thick. The judge: thick, thin. Of four pairs of a person with the judge three
    # agree; by margins of 3 thick to 1 and 2 to 2 one half would by chance: kappa (3/4 - 1/2) / (1/2).
    for name, of_judge, of_karim in (("nightly", thick, thick), ("every night", thin, thick)):
        Classification.objects.create(span=answered[name], rater=coder, category=of_judge)
        Classification.objects.create(span=answered[name], rater=karim, category=of_karim)
    found = table(project, "classification-kappa-judges")
    kappa = figure(found, "Coder", measure="kappa with people")
    assert (kappa.value, kappa.n) == (pytest.approx(0.5), 4)
    # Mona against Karim: they agree on one of two, as chance would have it.
    assert figure(found, "Coder", measure="kappa of two people").value == pytest.approx(0.0)
    # The agreement of people among themselves is the same with the judge and without.
    [of_two, _of_all] = table(project, "classification-kappa").rows
    assert (of_two.figures[0].value, of_two.figures[0].n) == (pytest.approx(0.0), 2)


def test_what_a_person_chose_in_sight_of_a_proposal_is_in_no_kappa(project, answered, thick):
    coder = Rater.objects.create(project=project, kind="judge", name="Coder", model="coder-1")
    Classification.objects.create(span=answered["nightly"], rater=coder, category=thick)
    assert len(table(project, "classification-kappa-judges").rows) == 1
    Classification.objects.filter(span=answered["nightly"], rater__kind="human").update(after_proposal=True)
    assert table(project, "classification-kappa-judges").rows == ()


def test_judges_are_asked_about_the_sample_that_people_code_twice(project, answered, karim, thin):
    assert set(to_propose(project)) == {answered["pharaohs"]}  # the one error without a category
    sample = draw_sample(project, 2, 1)
    assert set(to_propose(project)) == {answered["pharaohs"], answered["nightly"], answered["every night"]}
    coder = Rater.objects.create(project=project, kind="judge", name="Coder", model="coder-1")
    errors = answered["nightly"].response.gold_errors.order_by("key")
    before = list(errors.values_list("key", "category"))
    assert propose(coder, {answered["nightly"].pk: (thin, "a fact")}) == 1
    derive([answered["nightly"].response_id])
    # The proposal changes no gold, and the second coder is still asked.
    assert list(errors.values_list("key", "category")) == before
    assert answered["nightly"] in to_code_again(sample, rater_of(karim, project))
