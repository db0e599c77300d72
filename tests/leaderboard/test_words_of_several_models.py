"""Sentences about several models are short, and what must be missing breaks no page."""

from django.template.loader import render_to_string

from agreement.figures import Figure
from reports.leaderboard.comparing import RadarLine, patterns, radar
from reports.leaderboard.configuration import Said

LINES = [RadarLine(f"Skill {at}", (Figure(8.0, 9), Figure(5.0, 9))) for at in range(20)]


def test_at_most_three_skills_are_named():
    said = patterns(LINES, ["Nile", "Tigris"])
    assert "17 more" in said
    assert [f"Skill {at}" in said for at in range(4)] == [True, True, True, False]


def test_a_phone_reads_numbers_in_place_of_names():
    drawn = radar(LINES, ["Nile", "Tigris"], is_mirrored=True)
    assert all(f">{at}</text>" in drawn for at in range(1, 21))
    assert drawn.count("radar__number") == 20


def test_no_judge_is_named_for_a_choice_that_was_read():
    assert Said("judge_choice", "", False, 1, 10.0, "", "").is_read
    assert not Said("judge_choice", "Simba", False, 1, 10.0, "", "").is_read


def test_a_probe_without_a_p_value_has_a_page():
    html = render_to_string("reports/leaderboard/probe_figure.html", {"ended": True, "figure": Figure(1.5, 4)})
    assert "n = 4" in html
    assert "p =" not in html
