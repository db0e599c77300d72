"""Nothing of a question is read twice, and what names an option runs as the question does."""

import pytest

from tests.benchmark.sets import question_line, set_of

pytestmark = pytest.mark.django_db

OPTIONS = [{"label": "A", "text": "الليرة"}, {"label": "B", "text": "الدينار"}]


def asked(project, **changes):
    line = question_line("coin", options=OPTIONS, output="A. الليرة", **changes)
    return set_of(project, line).questions.select_related("prompt__variety").get()


def test_options_that_the_instruction_lists_stand_there_alone(project):
    question = asked(project, instruction="ما عملة تركيا؟\nA. الليرة\nB. الدينار")
    assert question.options_beside == []


def test_options_whose_labels_it_leaves_out_are_listed(project):
    question = asked(project, instruction="ما عملة تركيا: الليرة أم الدينار؟")
    assert question.options_beside == OPTIONS


def test_a_latin_label_does_not_turn_an_arabic_answer(project):
    assert asked(project, instruction="ما عملة تركيا؟").answer_direction == "rtl"
