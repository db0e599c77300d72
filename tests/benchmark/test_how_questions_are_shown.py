"""Nothing of a question is read twice, and what names an option runs as the question does."""

import pytest
from django.utils import translation

from reports.templatetags.board import direction_of, fixed_rule_name
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


@pytest.mark.parametrize(
    ("answer", "runs"),
    [
        ("I think the answer depends on how it is read.", "ltr"),
        ("A. الليرة", "rtl"),
        ("B) the dinar", "ltr"),
        ("الإجابة الصحيحة هي A. الليرة", "rtl"),
        ("D", "rtl"),
        ("12", "rtl"),
        ("", "rtl"),
    ],
)
def test_an_answer_runs_as_its_words_do_and_a_label_alone_as_its_question(project, answer, runs):
    assert direction_of(asked(project, instruction="ما عملة تركيا؟"), answer) == runs


def test_a_fixed_rule_has_a_name_in_the_language_of_the_reader():
    assert fixed_rule_name("truncated") == "cut short"
    with translation.override("ar"):
        assert fixed_rule_name("refused") != "refused"
