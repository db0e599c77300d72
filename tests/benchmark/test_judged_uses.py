"""What Simba, a judge, is asked about stored answers."""

import pytest

from benchmark.freezing import freeze
from benchmark.judged import open_uses, store_scores, uses_to_judge
from benchmark.models import RuleScore, Ruling
from benchmark.scoring import score_answers
from tests.benchmark.answered import answered, configuration_of, frozen_set, judge
from tests.benchmark.sets import open_line, question_line

pytestmark = pytest.mark.django_db

BOTH = [{"rule": "judge_generation"}, {"rule": "rouge_l"}, {"rule": "judge_reasoning"}]
UNREAD = "لا أدري أيهما الصواب هنا"


def test_the_judged_rules_of_a_prompt_are_those_of_the_newest_frozen_version(project):
    first = frozen_set(project, open_line(rules=BOTH), question_line())
    second = first.new_version()  # a draft asks nobody anything
    prompts = list(first.questions.values_list("prompt", flat=True))
    uses = uses_to_judge(None, prompts)
    assert [[use.rule for use in uses[prompt]] for prompt in prompts] == [
        ["judge_generation", "judge_reasoning"],
        ["judge_choice"],
    ]
    assert {use.question.question_set_id for of_prompt in uses.values() for use in of_prompt} == {first.pk}

    second.questions.filter(key="tea").update(reference="القهوة مشروب دافئ")
    freeze(second)
    newest = uses_to_judge(None, prompts)
    assert newest[prompts[0]][0].target_sha256 != uses[prompts[0]][0].target_sha256
    assert newest[prompts[1]][0].target_sha256 == uses[prompts[1]][0].target_sha256
    assert uses_to_judge(first, prompts) == uses


def test_a_judge_is_asked_where_nothing_else_decides_and_once_a_round(project):
    lines = [open_line(rules=BOTH), *(question_line(key) for key in ("read", "unread", "cut", "foreign"))]
    own = frozen_set(project, *lines)
    model, simba, other = configuration_of(project), judge(project), judge(project, "Sama")
    tea = answered(model, "tea", "الشاي مشروب دافئ")
    read = answered(model, "read", "أ")
    unread = answered(model, "unread", UNREAD)
    cut = answered(model, "cut", "الجواب", is_cut=True)
    foreign = answered(model, "foreign", "The capital of the kingdom is the city of Amman.")
    asked = [answer.pk for answer in (tea, read, unread, cut, foreign)]
    found = open_uses(asked, simba)
    assert {answer: [use.rule for use in uses] for answer, uses in found.items()} == {
        tea.pk: ["judge_generation", "judge_reasoning"],
        unread.pk: ["judge_choice"],
    }
    score_answers(own)
    assert open_uses(asked, simba) == found  # whether the rules that ask nobody came first or not
    rows = [
        RuleScore(answer_id=tea.pk, target_sha256=use.target_sha256, rater=simba, value=8, detail={"reason": "near"})
        for use in found[tea.pk]
    ]
    assert store_scores(rows) == 2
    assert store_scores(rows) == 0
    assert list(open_uses(asked, simba)) == [unread.pk]
    assert list(open_uses(asked, simba, round=2)) == list(open_uses(asked, other)) == [tea.pk, unread.pk]


def test_asking_what_is_open_costs_a_few_statements(project, django_assert_max_num_queries):
    own = frozen_set(project, *(question_line(f"q{n}") for n in range(40)))
    model, simba = configuration_of(project), judge(project)
    answers = [answered(model, f"q{n}", UNREAD).pk for n in range(40)]
    score_answers(own)
    with django_assert_max_num_queries(8):
        assert len(open_uses(answers, simba)) == 40


def test_looking_at_what_is_open_writes_nothing(project, django_assert_max_num_queries):
    """Before anybody has scored: the read choice and the empty answer are left out all the same."""
    own = frozen_set(project, question_line("read"), question_line("unread"), question_line("empty"))
    model, simba = configuration_of(project), judge(project)
    answers = [
        answered(model, "read", "أ"),
        answered(model, "unread", UNREAD),
        answered(model, "empty", "x", is_cut=True),
    ]
    before = open_uses([answer.pk for answer in answers], simba)
    assert not Ruling.objects.exists()
    assert not RuleScore.objects.exists()
    score_answers(own)
    assert open_uses([answer.pk for answer in answers], simba) == before
    assert list(before) == [answers[1].pk]


def test_planning_before_anybody_has_scored_costs_a_few_statements(project, django_assert_max_num_queries):
    lines = [question_line(f"q{n}") for n in range(40)] + [open_line(f"o{n}", rules=BOTH) for n in range(40)]
    frozen_set(project, *lines)
    model, simba = configuration_of(project), judge(project)
    answers = [answered(model, line["id"], UNREAD).pk for line in lines]
    with django_assert_max_num_queries(13):
        assert list(open_uses(answers, simba)) == answers


def test_a_plan_is_the_same_when_some_of_the_answers_were_scored_before(project):
    own = frozen_set(project, open_line(rules=BOTH), *(question_line(key) for key in ("read", "unread", "cut")))
    first, second = configuration_of(project), configuration_of(project, "second")
    simba = judge(project)

    def answers_of(model):
        texts = {"tea": "الشاي مشروب دافئ", "read": "أ", "unread": UNREAD, "cut": "الجواب"}
        return [answered(model, key, text, is_cut=key == "cut") for key, text in texts.items()]

    scored_before = answers_of(first)
    score_answers(own)
    answers = [*scored_before, *answers_of(second)]
    asked = [answer.pk for answer in answers]
    planned = open_uses(asked, simba)
    assert list(planned) == [answers[at].pk for at in (0, 2, 4, 6)]
    score_answers(own)
    assert open_uses(asked, simba) == planned


def test_a_refusal_without_words_gives_a_judge_nothing_to_read(project):
    own = frozen_set(project, open_line(category="Trust & Safety", rules=BOTH))
    answer = answered(configuration_of(project), "tea", "", is_refusal=True)
    score_answers(own)
    assert open_uses([answer.pk], judge(project)) == {}
    problems = RuleScore.objects.filter(answer=answer, value=None).values_list("problem", flat=True)
    assert [problem.partition(":")[0] for problem in problems] == ["no_text", "no_text"]
