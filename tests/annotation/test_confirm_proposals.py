"""What judges propose waits for a person: confirmed, changed or refused; the doubly coded sample stays people's own."""

import pytest

from annotation import classification, groups
from annotation.gold import derive
from annotation.models import Classification, ErrorCategory, ErrorGroup, GoldError, GroupProposal
from projects.models import Rater
from reports.dashboard.tables import by_id
from reports.spans.dashboard import SPANS
from tests.annotation.marked import mark, rater_of, review
from tests.people import signed_in
from workflow.models import Assignment, Stage, WorkItem

pytestmark = pytest.mark.django_db
GROUPS, PROPOSALS, BY_HAND = "/p/feasts/groups/", "/p/feasts/classification/proposals/", "/p/feasts/classification/"


@pytest.fixture
def categories(project) -> dict[str, ErrorCategory]:
    return {
        slug: ErrorCategory.objects.create(project=project, slug=slug, name=name, depth=depth, position=position)
        for position, (slug, name, depth) in enumerate(
            [("inaccuracy", "Cultural Inaccuracy", "thin"), ("connotation", "Cultural Connotation", "thick")]
        )
    }


@pytest.fixture
def kept(koshari, mona, karim):
    """Three errors that touch each other, kept."""
    of_mona = mark(koshari, mona, "في رمضان الناس", "الناس بتاكل")
    of_karim = mark(koshari, karim, "في رمضان الناس بتاكل")
    for span in of_mona:
        review(span, karim, "keep")
    for span in of_karim:
        review(span, mona, "keep")
    derive([koshari.id])
    return [*of_mona, *of_karim]


@pytest.fixture
def proposed_group(koshari, kept, simba):
    return groups.propose(koshari, kept, simba, "All three date the custom wrongly")


@pytest.fixture
def proposed(kept, categories, simba):
    """Simba's category for each error: the same for all three."""
    classification.propose(simba, {span.pk: (categories["inaccuracy"], "It can be looked up") for span in kept})
    return list(Classification.objects.filter(rater=simba).order_by("span_id"))


def page(person, address: str) -> str:
    response = signed_in(person).get(address)
    assert response.status_code == 200
    return response.content.decode()


# --- Groups -------------------------------------------------------------------------------------------


def test_hana_sees_that_a_simulated_judge_proposes_and_why_but_not_whose_errors_they_are(hana, project, proposed_group):
    shown = page(hana, GROUPS)
    assert "Proposed by a judge" in shown
    assert "simulated" in shown
    assert "All three date the custom wrongly" in shown
    assert shown.count(" checked") == 3
    for rater in Rater.objects.filter(project=project):
        assert rater.pseudonym not in shown
    assert "simba" not in shown.lower()


def test_hana_confirms_a_group_in_part(hana, proposed_group, kept):
    choice = {"act": "confirm", "choosing": "1", "span": [kept[0].pk, kept[2].pk]}
    signed_in(hana).post(f"{GROUPS}{proposed_group.pk}/", choice)
    proposed_group.refresh_from_db()
    assert proposed_group.state == "changed"
    assert set(ErrorGroup.objects.get().spans.all()) == {kept[0], kept[2]}
    assert GoldError.objects.count() == 2


def test_choosing_one_alone_is_refused_and_the_proposal_waits_on(hana, proposed_group, kept):
    answer = signed_in(hana).post(
        f"{GROUPS}{proposed_group.pk}/", {"act": "confirm", "choosing": "1", "span": [kept[0].pk]}, follow=True
    )
    assert "Choose at least two" in answer.content.decode()
    proposed_group.refresh_from_db()
    assert proposed_group.state == "open"
    assert not ErrorGroup.objects.exists()


def test_an_error_of_another_proposal_cannot_be_slipped_in(hana, proposed_group, kept, boishakh, mona):
    [elsewhere] = mark(boishakh, mona, "ইলিশ মাছ")
    choice = {"act": "confirm", "choosing": "1", "span": [kept[0].pk, kept[1].pk, elsewhere.pk]}
    signed_in(hana).post(f"{GROUPS}{proposed_group.pk}/", choice)
    assert set(ErrorGroup.objects.get().spans.all()) == {kept[0], kept[1]}


def test_hana_refuses_a_group_and_it_never_counts(hana, koshari, proposed_group, kept, simba):
    signed_in(hana).post(f"{GROUPS}{proposed_group.pk}/", {"act": "dismiss"})
    assert GoldError.objects.count() == 3
    assert "No proposal waits" in page(hana, GROUPS)
    assert groups.propose(koshari, kept, simba) is None, "what was refused is not proposed again"


def test_later_shows_the_next_one(nour, koshari, proposed_group, kept, simba):
    other = groups.propose(koshari, kept[:2], simba, "These two alone")
    assert "These two alone" in page(nour, f"{GROUPS}?after={proposed_group.pk}")
    assert "All three date" in page(nour, f"{GROUPS}?after={other.pk}"), "behind the last comes the first"
    assert "All three date" in page(nour, f"{GROUPS}?after=1e9")


def test_nothing_is_shown_to_an_expert_whose_own_work_on_it_is_unfinished(
    hana, project, koshari, proposed_group, proposed
):
    stage = Stage.objects.create(project=project, kind="validation", name="Experts")
    item = WorkItem.objects.create(
        stage=stage, response=koshari, variety=koshari.variety, position=1, slots=1, open_slots=0
    )
    Assignment.objects.create(item=item, stage=stage, rater=rater_of(hana, project), status="reserved")
    assert "No proposal waits" in page(hana, GROUPS)
    assert "No proposal waits" in page(hana, PROPOSALS)
    client = signed_in(hana)
    assert client.post(f"{GROUPS}{proposed_group.pk}/", {"act": "confirm"}).status_code == 404
    for act in ("confirm", "change", "refuse"):
        address = f"/p/feasts/classification/{proposed[0].pk}/{act}/"
        assert client.post(address, {"category": "connotation"}).status_code == 404
    assert not ErrorGroup.objects.exists()


# --- Categories ---------------------------------------------------------------------------------------


def test_a_proposed_category_is_confirmed_changed_or_refused(hana, project, proposed, kept, categories):
    shown = page(hana, PROPOSALS)
    assert "3 proposals wait" in shown
    assert "It can be looked up" in shown
    assert "simulated" in shown
    for digit in "0129":
        assert f'data-digit="{digit}"' in shown
    client = signed_in(hana)
    client.post(f"/p/feasts/classification/{proposed[0].pk}/confirm/")
    client.post(f"/p/feasts/classification/{proposed[1].pk}/change/", {"category": "connotation"})
    client.post(f"/p/feasts/classification/{proposed[2].pk}/refuse/")
    gold = dict(GoldError.objects.values_list("key", "category__slug"))
    assert gold == {kept[0].key: "inaccuracy", kept[1].key: "connotation", kept[2].key: None}
    assert "No proposal waits" in page(hana, PROPOSALS)
    assert "1 error waits" in page(hana, BY_HAND), "what was refused still wants a category"


def test_choosing_the_proposed_category_confirms_it(hana, proposed, kept, project):
    signed_in(hana).post(f"/p/feasts/classification/{proposed[0].pk}/change/", {"category": "inaccuracy"})
    proposed[0].refresh_from_db()
    assert proposed[0].confirmed_by == rater_of(hana, project)
    assert not Classification.objects.filter(rater__kind="human").exists()


def test_what_was_decided_meanwhile_is_not_refused(nour, hana, proposed, kept):
    signed_in(hana).post(f"/p/feasts/classification/{proposed[0].pk}/confirm/")
    answer = signed_in(nour).post(f"/p/feasts/classification/{proposed[0].pk}/refuse/", follow=True)
    assert "decided meanwhile" in answer.content.decode()
    assert GoldError.objects.filter(category__slug="inaccuracy").count() == 1


def test_the_database_refuses_a_proposal_decided_both_ways(proposed, hana, project):
    from django.db import IntegrityError, transaction

    coder = rater_of(hana, project)
    with pytest.raises(IntegrityError), transaction.atomic():
        Classification.objects.update(confirmed_by=coder, refused_by=coder)


def test_who_codes_by_hand_sees_no_proposal(nour, hana, koshari, proposed, kept):
    for person in (nour, hana):
        shown = page(person, BY_HAND)
        assert "It can be looked up" not in shown
        assert shown.count("Cultural Inaccuracy") == 1, "as a choice, not as an answer"
    assert "Cultural Inaccuracy" not in page(hana, f"/p/feasts/responses/{koshari.uuid}/")
    assert "Cultural Inaccuracy" in page(nour, f"/p/feasts/responses/{koshari.uuid}/"), "a lead sees all"


# --- What counts --------------------------------------------------------------------------------------


def found(project, table_id: str):
    return by_id(SPANS.tables(project), table_id)


def test_no_figure_counts_a_proposal_before_it_is_confirmed(project, koshari, kept, categories, simba, hana):
    before = [(table.id, [(row.labels, row.figures) for row in table.rows]) for table in SPANS.tables(project)]
    groups.propose(koshari, kept, simba)
    classification.propose(simba, {span.pk: (categories["connotation"], "") for span in kept})
    derive([koshari.id])
    after = [(table.id, [(row.labels, row.figures) for row in table.rows]) for table in SPANS.tables(project)]
    assert after == before
    groups.confirm(GroupProposal.objects.get(), rater_of(hana, project))
    classification.confirm(Classification.objects.first(), rater_of(hana, project))
    assert GoldError.objects.get().category == categories["connotation"]


def test_choices_made_in_sight_of_a_proposal_are_not_drawn_for_the_second_coder(
    project, proposed, kept, categories, hana, mona
):
    """Of three errors, one is coded by hand; the others are changed, and refused and then coded, by the same person."""
    coder = rater_of(hana, project)
    classification.classify(kept[0], coder, categories["connotation"])
    classification.change(proposed[1], coder, categories["connotation"])
    classification.refuse(proposed[2], coder)
    classification.classify(kept[2], coder, categories["connotation"])
    assert set(Classification.objects.filter(after_proposal=True).values_list("span", flat=True)) == {
        kept[1].pk,
        kept[2].pk,
    }
    sample = classification.draw_sample(project, 1, 7)
    assert list(sample.spans.all()) == [kept[0]]
    second = rater_of(mona, project)
    for span in kept:
        classification.classify(span, second, categories["connotation"])
    assert classification.sample_kappa(sample).n == 1
    codings = found(project, "classification-kappa")
    assert codings.rows[0].figures[0].n == 1, "the dashboard rests on what both coded by themselves"


def test_who_decided_on_a_proposal_is_not_the_second_coder(project, proposed, kept, categories, hana, mona):
    first, decider = rater_of(mona, project), rater_of(hana, project)
    classification.refuse(proposed[0], decider)
    classification.classify(kept[0], first, categories["connotation"])
    classification.classify(kept[1], first, categories["connotation"])
    sample = classification.draw_sample(project, 2, 7)
    assert list(classification.to_code_again(sample, decider)) == [kept[1]]


def test_the_second_coder_finds_the_first_ones_choice_nowhere(project, koshari, proposed, kept, categories, hana, nour):
    client = signed_in(nour)
    for span in kept:
        client.post(f"/p/feasts/classification/spans/{span.pk}/", {"category": "connotation"})
    client.post("/p/feasts/classification/sample/draw/", {"size": "3", "seed": "7"})
    address = f"/p/feasts/responses/{koshari.uuid}/"
    for shown in (page(hana, "/p/feasts/classification/sample/"), page(hana, PROPOSALS)):
        assert "It can be looked up" not in shown
        assert shown.count("Cultural Connotation") <= 1
    assert "Cultural Connotation" not in page(hana, address)
    signed_in(hana).post(f"/p/feasts/classification/spans/{kept[0].pk}/", {"category": "inaccuracy", "from": "sample"})
    assert "Cultural Connotation" in page(hana, address), "once she has coded it herself, she may see"
