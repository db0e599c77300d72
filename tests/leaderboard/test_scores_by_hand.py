"""Three configurations and six questions, worked out by hand."""

import numpy as np
import pytest

from benchmark.models import Board, RuleScore, Ruling
from reports.leaderboard.reader import load
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.scores import panel_of, panel_scores, scores_by
from reports.leaderboard.standings import NO_COMMON_JUDGE, NOT_SCORED, PENDING, standings
from tests.benchmark.boards import JUDGED, answers, configuration, frozen_set, judge, judged, open_questions
from tests.benchmark.sets import open_line, question_line

pytestmark = pytest.mark.django_db


@pytest.fixture
def six(project):
    """Five questions of one judged rule and one of a judged and a computed rule."""
    lines = [*open_questions(5), open_line("q5", category="Writing", rules=[*JUDGED, {"rule": "reference_length"}])]
    return frozen_set(project, *lines)


def computed(answer, question, value, **more):
    use = question.rule_uses.get(rule="reference_length")
    RuleScore.objects.create(answer=answer, target_sha256=use.target_sha256, value=value, **more)


def test_scores_of_questions_by_hand(project, six):
    simba = judge(project)
    questions = {question.key: question for question in six.questions.all()}
    nile, tigris, jordan = (configuration(project, name) for name in ("Nile", "Tigris", "Jordan"))
    of_nile = answers(nile, six)
    judged(simba, of_nile, six, [8, 6, 4, 9, 10, 6])
    computed(of_nile["q5"], questions["q5"], 2)
    Ruling.objects.filter(answer=of_nile["q2"]).update(decided=0, fixed_by="language")
    Ruling.objects.filter(answer=of_nile["q3"]).update(limit=3, limited_by="reasoning")
    of_tigris = answers(tigris, six)
    judged(simba, of_tigris, six, [5, 5, 5, 5, None, 5])
    of_jordan = answers(jordan, six)
    judged(simba, of_jordan, six, [1, 2, 3, 4, 5, 6])
    computed(of_jordan["q5"], questions["q5"], 10)
    Ruling.objects.filter(answer=of_jordan["q0"]).delete()

    loaded = load(project)
    scores = panel_scores(loaded, panel_of(loaded))
    by_name = {entry.name: scores[:, at] for at, entry in enumerate(loaded.entries)}
    # q2 by the fixed rule, q3 limited to 3, q5 the mean of 6 and 2.
    np.testing.assert_array_equal(by_name["Nile"], [8, 6, 0, 3, 10, 4])
    # The judge is missing on q4, the computed rule on q5: unscored, never the mean of the rest.
    np.testing.assert_array_equal(by_name["Tigris"], [5, 5, 5, 5, np.nan, np.nan])
    # The fixed rules have not seen q0.
    np.testing.assert_array_equal(by_name["Jordan"], [np.nan, 2, 3, 4, 5, 8])

    board = standings(project, BoardScope())
    lines = {line.entry.name: line for line in board.lines}
    assert [line.entry.name for line in board.lines] == ["Nile", "Tigris", "Jordan"]
    assert lines["Nile"].score.value == pytest.approx(31 / 6)
    assert lines["Jordan"].score.value == pytest.approx(22 / 5)
    assert lines["Jordan"].no_rank == NOT_SCORED
    assert lines["Jordan"].scored == pytest.approx(5 / 6)
    assert board.judges == ("Simba",)


def test_a_judge_counts_in_its_newest_round_and_judges_by_their_mean(project, six):
    simba, leo = judge(project), judge(project, "Leo", "Another Lab")
    of_nile = answers(configuration(project, "Nile"), six)
    judged(simba, of_nile, six, [2, 2, 2, 2, 2, 2])
    judged(simba, of_nile, six, [4, 4, 4, 4, 4, 4], round=2)
    judged(leo, of_nile, six, [8, 8, 8, 8, 8, 8])
    loaded = load(project)
    assert scores_by(loaded, [simba.pk])[:5, 0].tolist() == [4] * 5
    assert scores_by(loaded, [simba.pk, leo.pk])[:5, 0].tolist() == [6] * 5


def test_what_was_read_of_a_choice_stands_before_a_judge_and_the_paper_may_read_it_otherwise(project):
    question_set = frozen_set(project, question_line("capital"))
    simba, nile = judge(project), configuration(project, "Nile")
    of_nile = answers(nile, question_set)
    judged(simba, of_nile, question_set, [3])
    [use] = question_set.questions.get().rule_uses.all()
    read = {"answer": of_nile["capital"], "target_sha256": use.target_sha256}
    RuleScore.objects.create(**read, value=10)
    RuleScore.objects.create(**read, value=0, is_as_published=True)
    loaded = load(project)
    assert scores_by(loaded, [simba.pk]).tolist() == [[10]]
    assert scores_by(loaded, [simba.pk], as_published=True).tolist() == [[0]]


def test_a_later_version_has_the_scores_of_what_did_not_change(project, six):
    from benchmark.freezing import freeze

    simba = judge(project)
    judged(simba, answers(configuration(project, "Nile"), six), six, [8, 6, 4, 9, 10, None])
    version = six.new_version()
    changed = version.questions.get(key="q0")
    changed.reference = "Another reference."
    changed.save()
    freeze(version)
    loaded = load(project)
    assert loaded.question_set == version
    np.testing.assert_array_equal(scores_by(loaded, [simba.pk])[:, 0], [np.nan, 6, 4, 9, 10, np.nan])
    Board.objects.create(project=project, slug="feasts", title="Feasts", question_set=six)
    assert load(project).question_set == six


# --- Who judges ----------------------------------------------------------------------------------------------------


def three(project, six):
    """Nile of Delta Lab, Tigris of River Lab, Jordan of Lake Lab, each with its answers."""
    made = {}
    for name, lab in (("Nile", "Delta Lab"), ("Tigris", "River Lab"), ("Jordan", "Lake Lab")):
        made[name] = answers(configuration(project, name, made_by=lab), six)
    return made


def test_by_default_judges_come_from_laboratories_that_are_not_on_the_board(project):
    six = frozen_set(project, *open_questions(6))
    of = three(project, six)
    outside, inside = judge(project), judge(project, "Leo", "Delta Lab")
    for each in of.values():
        judged(outside, each, six, [5] * 6)
        judged(inside, each, six, [9] * 6)
    panel = panel_of(load(project))
    assert panel.judges == (outside.pk,)
    assert panel.is_outside
    assert panel.common.all()


def test_a_judge_of_no_laboratory_on_the_board_comes_before_one_that_has_judged_more(project):
    six = frozen_set(project, *open_questions(6))
    of = three(project, six)
    outside, inside = judge(project), judge(project, "Leo", "Delta Lab")
    for each in of.values():
        judged(outside, each, six, [5] * 5 + [None])
        judged(inside, each, six, [9] * 6)
    panel = panel_of(load(project))
    assert panel.judges == (outside.pk,)
    assert panel.is_outside


def test_without_an_outside_judge_the_most_configurations_with_a_common_one_are_ranked(project):
    six = frozen_set(project, *open_questions(6))
    of = three(project, six)
    delta, river = judge(project, "Leo", "Delta Lab"), judge(project, "Tiger", "River Lab")
    for name in ("Nile", "Tigris", "Jordan"):  # a judge never counts for models of its own laboratory
        judged(delta, of[name], six, [5] * 6)
    judged(river, of["Nile"], six, [7] * 6)
    board = standings(project, BoardScope())
    lines = {line.entry.name: line for line in board.lines}
    assert board.judges == ("Leo",)
    assert not board.is_outside
    assert lines["Nile"].no_rank == NO_COMMON_JUDGE
    assert lines["Nile"].score.value == 7  # by the judge that it has
    assert NO_COMMON_JUDGE not in (lines["Tigris"].no_rank, lines["Jordan"].no_rank)


def test_judges_that_the_lead_named_must_all_have_judged(project):
    six = frozen_set(project, *open_questions(6))
    of = three(project, six)
    one, two = judge(project), judge(project, "Leo", "Second Outside Lab")
    for name in of:
        judged(one, of[name], six, [5] * 6)
    judged(two, of["Nile"], six, [7] * 6)
    board = Board.objects.create(project=project, slug="feasts", title="Feasts")
    board.judges.set([one, two])
    lines = {line.entry.name: line for line in standings(project, BoardScope()).lines}
    assert lines["Nile"].score.value == 6
    assert lines["Tigris"].no_rank == NO_COMMON_JUDGE
    board.judges.set([one])
    lines = {line.entry.name: line for line in standings(project, BoardScope()).lines}
    assert lines["Tigris"].no_rank != NO_COMMON_JUDGE


# --- Who is ranked -------------------------------------------------------------------------------------------------


def hundred(project, missing_of_tigris: int):
    """A hundred questions; Nile is 3 points better than Tigris throughout, by two points or four."""
    question_set = frozen_set(project, *open_questions(100))
    simba = judge(project)
    nile, tigris = configuration(project, "Nile"), configuration(project, "Tigris", parameters=3.0)
    judged(simba, answers(nile, question_set), question_set, [8.0 if at % 2 else 6.0 for at in range(100)])
    values = [4.0 if at >= missing_of_tigris else None for at in range(100)]
    judged(simba, answers(tigris, question_set), question_set, values)
    return tigris


def ranks_of(project, **filters):
    board = standings(project, BoardScope.of(filters))
    return {line.entry.name: (line.rank, line.no_rank) for line in board.lines}


def test_a_configuration_is_ranked_from_99_per_cent_scored(project):
    hundred(project, missing_of_tigris=1)
    assert ranks_of(project) == {"Nile": ((1, 1), ""), "Tigris": ((2, 2), "")}


def test_below_99_per_cent_it_has_a_score_and_no_rank(project):
    hundred(project, missing_of_tigris=2)
    ranks = ranks_of(project)
    assert ranks["Tigris"] == (None, NOT_SCORED)


def test_a_declared_overlap_costs_no_rank(project):
    tigris = hundred(project, missing_of_tigris=0)
    before = ranks_of(project)
    assert before["Tigris"][0] is not None
    tigris.card.declared_overlap = "We trained on the public questions."
    tigris.card.save()
    assert ranks_of(project) == before


def test_one_that_waits_for_a_decision_has_no_rank_and_one_that_was_withdrawn_is_not_shown(project):
    tigris = hundred(project, missing_of_tigris=0)
    tigris.standing = "pending"
    tigris.save()
    assert ranks_of(project)["Tigris"] == (None, PENDING)
    tigris.standing = "withdrawn"
    tigris.save()
    assert set(ranks_of(project)) == {"Nile"}


def test_a_size_class_is_ranked_among_itself(project):
    hundred(project, missing_of_tigris=0)
    assert set(ranks_of(project, size="nano")) == {"Tigris"}
    assert set(ranks_of(project, size="large")) == set()


def test_five_questions_can_show_nothing_and_give_scores_without_ranks(project):
    five = frozen_set(project, *open_questions(5))
    of, simba = three(project, five), judge(project)
    for name, values in (("Nile", [9, 8, 9, 8, 9]), ("Tigris", [5, 5, 4, 5, 3]), ("Jordan", [1, 1, 0, 1, 2])):
        judged(simba, of[name], five, values)
    board = standings(project, BoardScope())
    assert board.detectable.undefined == "too few units"
    assert [line.score.value for line in board.lines] == pytest.approx([43 / 5, 22 / 5, 1])
    assert all(line.rank is None and line.no_rank == "these questions can show no difference" for line in board.lines)
