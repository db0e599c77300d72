"""What else a board says: what it cannot rank, other ways to count, judges beside people, speed."""

import numpy as np
import pytest
from django.utils import timezone, translation

from agreement.length_control import LengthControl
from agreement.ranks import mean_score
from benchmark.models import Board, Flag, FrozenControl, Ruling, SpeedMeasurement, SpeedSample
from reports.dashboard.tables import by_id
from reports.leaderboard.dashboard import LEADERBOARD
from reports.leaderboard.measures.columns import freeze_control, frozen_control
from reports.leaderboard.measures.judges import agreement
from reports.leaderboard.measures.speed import frontier
from reports.leaderboard.scatter import dots, scatter
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.standings import standings, study_of
from reports.templatetags.board import counted
from tests.benchmark.boards import answers, configuration, frozen_set, judge, judged, large_board, open_questions
from tests.benchmark.sets import question_line

pytestmark = pytest.mark.django_db
ISOLATES = dict.fromkeys(range(0x2066, 0x206A))


def table(project, table_id, **filters):
    return by_id(LEADERBOARD.tables(project, filters), table_id)


def figures(project, table_id, measure, **filters):
    found = table(project, table_id, **filters)
    place = found.measures.index(measure)
    return {row.labels: row.figures[place] for row in found.rows}


def test_models_that_are_level_are_all_named_as_the_highest(feasts):
    """Nobody reads from the order of a table that one of two with the same score were ahead."""
    question_set, simba = frozen_set(feasts, *open_questions(6, skill=["Poetry", "Reasoning"] * 3)), judge(feasts)
    for name, value in (("Nile", 4.0), ("Tigris", 4.0), ("Jordan", 1.0)):
        judged(simba, answers(configuration(feasts, name), question_set), question_set, [value] * 6)
    assert "Highest score: Nile, Tigris: 4.00" in table(feasts, "scores").summary.translate(ISOLATES)
    assert table(feasts, "skills").summary.endswith("Poetry: Nile, Tigris; Reasoning: Nile, Tigris.")


# --- Skills ----------------------------------------------------------------------------------------------------------


def test_a_skill_that_can_show_nothing_has_scores_and_no_rank(feasts):
    """Five questions of poetry, thirty of reasoning: of five questions no difference can be shown."""
    skills = ["Poetry" if at < 5 else "Reasoning" for at in range(35)]
    question_set, simba = frozen_set(feasts, *open_questions(35, skill=skills)), judge(feasts)
    for name, better in (("Nile", 4), ("Tigris", 0)):
        values = [3.0 + better + at % 3 * (1 + better % 3) / 2 for at in range(35)]
        judged(simba, answers(configuration(feasts, name), question_set), question_set, values)
    best = figures(feasts, "skills", "rank at best")
    assert best["Reasoning", "Nile"].value == 1
    assert best["Reasoning", "Tigris"].value == 2
    assert best["Poetry", "Nile"].undefined == "these questions can show no difference"
    assert figures(feasts, "skills", "score")["Poetry", "Nile"].value is not None
    least = figures(feasts, "power", "smallest difference shown")
    assert least[("Poetry",)].undefined == "too few units"
    assert 0 < least[("Reasoning",)].value < 10


def test_questions_of_one_passage_are_one_unit(feasts):
    lines = [line | {"cluster": f"passage {at // 4}"} for at, line in enumerate(open_questions(40))]
    question_set, simba = frozen_set(feasts, *lines), judge(feasts)
    values = [float(at // 4 % 5) for at in range(40)]
    judged(simba, answers(configuration(feasts, "Nile"), question_set), question_set, values)
    unit = standings(feasts, BoardScope()).unit
    assert (unit["unit"], unit["units"]) == ("cluster", 10)
    # All four of a passage are equal: ten passages are worth ten questions and not forty.
    assert unit["effective"] == pytest.approx(10, rel=0.1)


def test_every_interval_says_its_unit_and_effective_number():
    """Ten passages of four questions that are equal within each. Squares around the mean add up to 4 x 82.5: the
    variance of single questions is 330 / 39, the squared standard error 10 / 9 x 16 x 82.5 / 40^2: 9.2 questions."""
    shared = mean_score(np.repeat(np.arange(10.0), 4), np.repeat(np.arange(10), 4))
    assert counted(shared) == "n = 40; 10 passages; effective number 9"
    with translation.override("ar"):
        assert counted(shared).startswith("\u2068n = 40\u2069؛ "), "the two numbers are no one run"


def test_passages_that_differ_less_than_by_chance_are_no_further_questions():
    """Each of ten passages has a 0 and a 10: their means are alike, and the ratio of variances is far above n."""
    figure = mean_score([0.0, 10.0] * 9 + [0.0, 9.0], np.repeat(np.arange(10), 2))
    assert figure.detail["effective"] == 20
    assert counted(mean_score(np.arange(10.0))) == "n = 10"


def test_a_blind_choice_of_two_scores_five(feasts):
    frozen_set(feasts, *(question_line(f"c{at}") for at in range(4)))
    configuration(feasts, "Nile")
    assert standings(feasts, BoardScope()).chance.value == 5


# --- Other ways to count ---------------------------------------------------------------------------------------------


def test_question_mean_and_skill_mean_by_hand(feasts):
    skills = ["Poetry"] * 6 + ["Reasoning"] * 2
    question_set, simba = frozen_set(feasts, *open_questions(8, skill=skills)), judge(feasts)
    judged(simba, answers(configuration(feasts, "Nile"), question_set), question_set, [8.0, 6, 8, 6, 8, 6, 1, 3])
    # 46 / 8 over questions; (7 + 2) / 2 over skills.
    assert figures(feasts, "columns", "question mean")[("Nile",)].value == 46 / 8
    assert figures(feasts, "columns", "skill mean")[("Nile",)].value == 4.5


def test_flagged_models_stay_out_of_the_calibrated_and_the_controlled_column(feasts, board):
    for measure in ("calibrated on people", "length-controlled"):
        found = figures(feasts, "columns", measure)
        [jordan] = [figure for labels, figure in found.items() if labels[0].startswith("Jordan")]
        assert jordan.undefined == "a flagged configuration stays out of this column"
    board.project.configurations.get(name="Jordan").flags.update(is_cleared=True, reason="A test")
    found = figures(feasts, "columns", "length-controlled")
    assert found[("Jordan",)].undefined == "the control is not frozen yet"


def test_the_column_as_published_has_one_judge_for_all(feasts, board):
    leo = judge(feasts, "Leo", "Nile Lab")
    for row in feasts.configurations.filter(kind="model"):
        given = {answer.prompt.benchmark_questions.get().key: answer for answer in row.answers.all()}
        judged(leo, given, board, [2.0] * 40)
    assert figures(feasts, "columns", "as published")[("Nile",)].undefined == "no judge is named for this column"
    Board.objects.create(project=feasts, slug="arabic", title="Feasts", published_judge=leo)
    found = figures(feasts, "columns", "as published")
    assert {figure.value for figure in found.values()} == {2.0}
    assert figures(feasts, "columns", "question mean")[("Nile",)].value != 2


def test_looking_at_the_board_freezes_nothing(feasts):
    large_board(feasts, 8, 40)
    assert {figure.undefined for figure in figures(feasts, "columns", "length-controlled").values()} == {
        "the control is not frozen yet"
    }
    assert not FrozenControl.objects.exists()


def test_the_control_is_frozen_and_a_newcomer_moves_nobody(feasts):
    question_set = large_board(feasts, 8, 40)
    frozen_control(study_of(feasts))
    before = figures(feasts, "columns", "length-controlled")
    frozen = FrozenControl.objects.get(question_set=question_set)
    assert frozen.n_configurations == len(LengthControl.from_json(frozen.control).references) == 8
    simba = feasts.raters.get(kind="judge")
    newcomer = answers(configuration(feasts, "Newcomer", made_by="New Lab"), question_set)
    judged(simba, newcomer, question_set, [10.0 if at % 2 else 9.0 for at in range(40)])
    # Asked for again, and by two at once who both found none: what is frozen stays.
    for freeze in (frozen_control, freeze_control):
        freeze(study_of(feasts))
    assert FrozenControl.objects.get(question_set=question_set).control == frozen.control
    after = figures(feasts, "columns", "length-controlled")
    assert after.keys() - before.keys() == {("Newcomer",)}
    assert all(after[labels].value == figure.value for labels, figure in before.items())


def test_a_flagged_model_says_nothing_about_what_length_is_worth(feasts):
    question_set = large_board(feasts, 8, 40)
    flagged = feasts.configurations.filter(kind="model").first()
    Flag.objects.create(configuration=flagged, question_set=question_set, kind="padding")
    frozen_control(study_of(feasts))
    fitted_on = LengthControl.from_json(FrozenControl.objects.get().control).references
    assert len(fitted_on) == 7
    assert flagged.slug not in fitted_on


# --- How sure the order is ------------------------------------------------------------------------------------------


def test_the_fewest_questions_without_which_another_leads(feasts):
    """Nile wins one question by 9 and loses eight by 1: without that one, Tigris leads."""
    question_set, simba = frozen_set(feasts, *open_questions(9)), judge(feasts)
    for name, values in (("Nile", [9.0, *[5] * 8]), ("Tigris", [0.0, *[6] * 8])):
        judged(simba, answers(configuration(feasts, name), question_set), question_set, values)
    found = table(feasts, "sensitivity")
    assert found.findings == ("Without 1 question of 9, Tigris is ahead of Nile.",)
    assert {row.labels: [figure.value for figure in row.figures] for row in found.rows} == {
        ("Nile",): [1, 1, 1],
        ("Tigris",): [2, 2, 2],
    }


# --- Judges and people -----------------------------------------------------------------------------------------------


def test_judges_beside_people_by_hand(feasts, board):
    """Mona gives 6 and Karim 4 for an answer that Simba gives 5: no error; the two people are 2 apart."""
    found = table(feasts, "human-check")
    first = found.rows[0]
    assert first.labels == ("All skills", "The board's judges")
    assert [figure.value for figure in first.figures[1:]] == [0, 0]
    assert found.ceilings["MAD"].value == 2


def test_kappa_mad_and_signed_error_of_four_answers():
    """Errors +1, -1, +2, 0: MAD 1, signed error 0.5; kappa 1 - sum d^2 / n over the same of margins."""
    score, reference = [3.0, 4.0, 9.0, 7.0], [2.0, 5.0, 7.0, 7.0]
    found = agreement(np.array(score), np.array(reference))
    assert (found.mad.value, found.signed.value) == (1.0, 0.5)
    observed = sum((one - other) ** 2 for one, other in zip(score, reference, strict=True)) / 4
    expected = sum((one - other) ** 2 for one in score for other in reference) / 16
    assert found.kappa.value == pytest.approx(1 - observed / expected)


def test_the_spread_of_a_judge_that_was_asked_again(feasts, board):
    simba = feasts.raters.get(name="Simba")
    nile = feasts.configurations.get(name="Nile")
    given = {answer.prompt.benchmark_questions.get().key: answer for answer in nile.answers.all()}
    # 8, 9 and 10 in the first round, 10 in the second: apart by 2, 1 and 0.
    judged(simba, given, board, [10.0, 10.0, 10.0, *[None] * 37], round=2)
    spread = figures(feasts, "repeats", "standard deviation")[("Simba",)]
    assert spread.value == pytest.approx((2 + 1) / 3 / 2**0.5)
    assert figures(feasts, "repeats", "answers asked again")[("Simba",)].value == 3


# --- Speed ---------------------------------------------------------------------------------------------------------


def timed(row, samples, **changes):
    one = SpeedMeasurement.objects.create(
        configuration=row, began_at=timezone.now(), ended_at=timezone.now(), **{"is_local": False, **changes}
    )
    for at, (words, seconds) in enumerate(samples):
        SpeedSample.objects.create(measurement=one, position=at, words=words, characters=5 * words, seconds=seconds)


def test_speed_is_total_over_total_and_local_never_stands_beside_an_api(feasts, board):
    nile, tigris = (feasts.configurations.get(name=name) for name in ("Nile", "Tigris"))
    timed(nile, [(10, 1), (20, 1), (70, 8)])
    timed(tigris, [(50, 1)], is_local=True, hardware="One card")
    by_api, local = table(feasts, "speed-api"), table(feasts, "speed-local")
    assert [row.labels[0] for row in by_api.rows] == ["Nile"]
    assert [row.labels[0] for row in local.rows] == ["Tigris"]
    assert by_api.rows[0].figures[0].value == 10.0  # not 12.9, the mean of rates
    shown = standings(feasts, BoardScope())
    assert [dot.name for dot in dots(shown, is_local=False)] == ["Nile"]
    assert scatter(dots(shown, is_local=False), is_mirrored=False) == ""


def test_the_frontier_is_of_those_that_none_beats_in_both():
    points = {"slow and good": (9, 1), "fast and bad": (2, 9), "beaten": (1.5, 8), "middle": (5, 5), "also": (5, 4)}
    assert frontier(points) == ["slow and good", "middle", "fast and bad"]


def test_the_newest_version_is_ranked_and_a_draft_never(feasts, board):
    board.new_version()
    assert standings(feasts, BoardScope()).version == 1
    Ruling.objects.all().delete()
    assert all(line.score.value is None for line in standings(feasts, BoardScope()).lines)
