"""Several judges rate as one: in each order of a pair by itself, on the question type's own scale."""

import pytest

from annotation.models import Rating
from judging.ensembles.assembling import assemble
from tests.annotation.rated import make_ratings_project, pair_of, question_type
from tests.judging.panelling import judges, panel_of, rates


@pytest.fixture
def formality(project):
    make_ratings_project(project)
    return question_type(project)


@pytest.fixture
def greeting(project, formality):
    return pair_of(project, "greeting", question=formality)


def said(panel, **which) -> list[tuple]:
    found = Rating.objects.filter(rater=panel.rater, **which).order_by("is_swapped")
    return list(found.values_list("first_grade", "second_grade", "preference"))


def test_the_grades_that_most_give(project, formality, greeting):
    members = judges(project)
    for member, grades in zip(members, [(4, 2), (4, 1), (5, 2)], strict=True):
        rates(member, greeting, formality, *grades)
    panel = panel_of(members, "ratings")
    assert assemble(panel).counts == {"answers": 1, "written": 1}
    assert said(panel) == [(4.0, 2.0, "")]
    rating = Rating.objects.get(rater=panel.rater)
    # Amber gave exactly these grades, so the reasoning is Amber's.
    assert rating.comment == "Amber thinks so"
    assert [member["rater"] for member in rating.metadata["panel"]["members"]] == ["amber", "birch", "cedar"]


def test_three_different_grades_come_to_the_one_in_the_middle_and_two_to_a_tie(project, formality, greeting):
    members = judges(project)
    for member, grade in zip(members, (2, 3, 5), strict=True):
        rates(member, greeting, formality, grade, 3)
    of_three, of_two = panel_of(members, "ratings"), panel_of_others(members[:2], "Two")
    assert assemble(of_three).counts["answers"] == 1
    assert said(of_three) == [(3.0, 3.0, "")]
    assert assemble(of_two).counts == {"ties": 1}
    assert said(of_two) == []


def panel_of_others(members, name, **settings):
    from judging.ensembles.adding import add_panel

    return add_panel(members[0].project, "ratings", members, name=name, **settings)


def test_a_mean_is_the_nearest_grade_and_keeps_what_it_was(project, formality, greeting):
    members = judges(project, 2)
    rates(members[0], greeting, formality, 4, 1)
    rates(members[1], greeting, formality, 5, 2)
    panel = panel_of(members, "ratings", rule="mean")
    assemble(panel)
    assert said(panel) == [(4.0, 2.0, "")]  # 4.5 and 1.5: both towards the middle of the scale
    assert Rating.objects.get(rater=panel.rater).metadata["panel"]["means"] == [4.5, 1.5]


def test_each_order_of_a_pair_is_decided_by_itself(project, formality, greeting):
    members = judges(project)
    for member, plain, swapped in zip(
        members, [(4, 2), (4, 2), (2, 4)], [(2, 4), (4, 2), (2, 4)], strict=True
    ):  # fmt: skip
        rates(member, greeting, formality, *plain, is_of_both_orders=True)
        rates(member, greeting, formality, *swapped, is_swapped=True, is_of_both_orders=True)
    panel = panel_of(members, "ratings")
    assert assemble(panel).counts["answers"] == 2
    assert said(panel) == [(4.0, 2.0, ""), (2.0, 4.0, "")]
    assert set(Rating.objects.filter(rater=panel.rater).values_list("is_of_both_orders", flat=True)) == {True}


def test_judges_of_one_order_each_can_sit_together(project, formality, greeting):
    members = judges(project, 4)
    for number, member in enumerate(members):
        rates(member, greeting, formality, 4, 2, is_swapped=number % 2 == 1)
    panel = panel_of(members, "ratings")
    assert assemble(panel).counts["answers"] == 2
    assert said(panel) == [(4.0, 2.0, ""), (4.0, 2.0, "")]


def test_a_verdict_that_could_not_be_read_is_no_vote(project, formality, greeting):
    members = judges(project)
    rates(members[0], greeting, formality, 4, 2)
    rates(members[1], greeting, formality, 4, 2)
    rates(members[1], greeting, formality, None, None, round=2, is_unparseable=True, comment="")
    rates(members[2], greeting, formality, None, None, is_unparseable=True, comment="")
    panel = panel_of(members, "ratings")
    assert assemble(panel).counts == {"too_few": 1}


def test_preferences_are_decided_by_majority_under_every_rule(project, formality):
    which = question_type(project, "which", lowest=None, highest=None)
    members = judges(project)
    pairs = [pair_of(project, f"p{n}") for n in range(3)]
    told = [("first", "first", "second"), ("first", "tie", "second"), ("first", "second", None)]
    for pair, preferences in zip(pairs, told, strict=True):
        for member, preference in zip(members, preferences, strict=True):
            if preference:
                rates(member, pair, which, None, None, preference=preference)
    panel = panel_of(members, "ratings", rule="mean")
    assert assemble(panel).counts == {"answers": 2, "written": 2, "ties": 1}
    assert said(panel, pair=pairs[0]) == [(None, None, "first")]
    assert said(panel, pair=pairs[1]) == [(None, None, "tie")]  # one each: the one in the middle
    assert said(panel, pair=pairs[2]) == []


def test_single_responses_are_rated_too(project, formality, greeting):
    members = judges(project)
    for member, grade in zip(members, (3, 3, 1), strict=True):
        rates(member, greeting.first, formality, grade)
    panel = panel_of(members, "ratings")
    assert assemble(panel).counts["answers"] == 1
    assert said(panel, response=greeting.first) == [(3.0, None, "")]


def test_no_member_of_either_laboratory_has_a_vote(project, formality, greeting):
    from tests.judging.panelling import judge

    own = judge(project, "Nile", laboratory="delta-lab")
    members = [own, *judges(project, 2)]
    for member in members:
        rates(member, greeting, formality, 4, 2)
    panel = panel_of(members, "ratings", least_members=2)
    assemble(panel)
    metadata = Rating.objects.get(rater=panel.rater).metadata["panel"]
    assert ([each["rater"] for each in metadata["members"]], metadata["own_laboratory"]) == (["amber", "birch"], 1)


def test_assembling_again_writes_only_what_changed(project, formality, greeting):
    members = judges(project)
    farewell = pair_of(project, "farewell", question=formality)
    for member in members:
        rates(member, greeting, formality, 4, 2)
        rates(member, farewell, formality, 3, 3)
    panel = panel_of(members, "ratings")
    assert assemble(panel).counts["written"] == 2
    before = dict(Rating.objects.filter(rater=panel.rater).values_list("pair__key", "pk"))
    assert assemble(panel).counts == {"answers": 2}
    for member in members[:2]:
        rates(member, farewell, formality, 5, 3, round=2)
    assert assemble(panel).counts == {"answers": 2, "written": 1}
    after = dict(Rating.objects.filter(rater=panel.rater).values_list("pair__key", "pk"))
    assert after["greeting"] == before["greeting"]
    assert said(panel, pair=farewell) == [(5.0, 3.0, "")]
    Rating.objects.filter(rater__in=members, pair=greeting).delete()
    assert assemble(panel).counts == {"answers": 1, "withdrawn": 1}


def test_statements_do_not_grow_with_the_ratings(project, formality, django_assert_max_num_queries):
    members = judges(project)
    for number in range(25):
        pair = pair_of(project, f"p{number}", question=formality)
        for member in members:
            rates(member, pair, formality, 4, 2)
    panel = panel_of(members, "ratings")
    with django_assert_max_num_queries(34):
        assert assemble(panel).counts["written"] == 25
    with django_assert_max_num_queries(30):
        assert assemble(panel).counts == {"answers": 25}
