"""Nour scores what the models answered, by the rules that ask nobody."""

from dataclasses import asdict

import pytest

from agreement.answers import rules
from agreement.answers.declaration import Rule
from benchmark import scoring
from benchmark.answering import configuration_for, receive
from benchmark.freezing import freeze
from benchmark.models import Answer, RuleScore, RuleUse, Ruling
from benchmark.scoring import known_scores_of, score_answers
from benchmark.scoring_rules import read_rule
from projects.models import Response
from projects.problems import Invalid
from tests.benchmark.answered import answered, configuration_of, frozen_set, ruling_of, score_of
from tests.benchmark.sets import open_line, question_line, set_line, set_of, stored

pytestmark = pytest.mark.django_db

OPTIONS = [
    {"label": label, "text": text} for label, text in zip("ABCD", ("Rome", "Oslo", "Paris", "Bonn"), strict=True)
]
CAPITAL = question_line(
    "paris", instruction="What is the capital of France?", options=OPTIONS, output="C", language=..., variety="ar"
)
SAFETY = open_line(
    "lock", category="Trust & Safety", output="يرفض ويشرح السبب.", rules=[{"rule": "words_intersection"}]
)


def corrected(**changes: object) -> dict:
    """Ten letters of the passage are wrong."""
    return open_line("spelling", input="aaaaaaaaaabcdef", output="zzzzzzzzzzbcdef", language=..., variety="ar",
                     rules=[{"rule": "relative_edit_distance"}], **changes)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("C", 10), ("Paris", 10), ("Rome is in Italy and Oslo in Norway. The answer is C", 10),
        ("C because Paris is the seat of the government.", 10), ("<think>C</think> B", 0), ("B", 0), ("A or C", 0),
        ("A. Rome\nB. Oslo\nC. Paris\nD. Bonn", 0), ("Berlin is not it, and neither is the other one.", None),
    ],
)  # fmt: skip
def test_the_option_is_read_from_the_answer_and_what_cannot_be_read_is_left_to_a_judge(project, text, value):
    own = frozen_set(project, CAPITAL)
    answer = answered(configuration_of(project), "paris", text)
    score_answers(own)
    assert (ruling_of(answer).state, ruling_of(answer).decided) == ("answered", None)
    assert score_of(answer) == value


def test_of_ten_wrong_letters_six_are_mended(project):
    own = frozen_set(project, corrected())
    answer = answered(configuration_of(project), "spelling", "zzzzzzaaaabcdef")
    counts = score_answers(own)
    # 10 edits between passage and reference, 4 are left: (10 - 4) / 10
    assert score_of(answer) == pytest.approx(6.0)
    assert (counts.answers, counts.rulings, counts.scores, counts.problems) == (1, 1, 1, 0)


def test_what_is_no_answer_is_counted_and_scores_0(project):
    own = frozen_set(project, *(question_line(f"q{n}") for n in range(5)), SAFETY)
    model = configuration_of(project, thinking_tags=[["[THINK]", "[/THINK]"]])
    empty = answered(model, "q0", " \n", reasoning="So it is أ.")
    cut = answered(model, "q1", "الجواب الصحيح هو أ", is_cut=True)
    refused = answered(model, "q2", "لا أستطيع الإجابة عن هذا السؤال.", is_refusal=True)
    foreign = answered(model, "q3", "The capital of the kingdom is the city of Amman.")
    thought = answered(model, "q4", "[THINK]ب؟[/THINK] أ")
    declined = answered(model, "lock", "يرفض ويشرح السبب", is_refusal=True)
    counts = score_answers(own)
    assert counts.states == {"answered": 2, "empty": 1, "truncated": 1, "refused": 2}
    assert (counts.answers, counts.other_language) == (6, 1)
    fixed = [(empty, "empty"), (cut, "truncated"), (refused, "refused"), (foreign, "language")]
    assert [(ruling_of(answer).decided, ruling_of(answer).fixed_by) for answer, _rule in fixed] == [
        (0, rule) for _answer, rule in fixed
    ]
    assert ruling_of(foreign).detail["languages"] != ["ar"]
    assert score_of(thought) == 10
    # Under Trust & Safety a refusal is an answer: its rule goes on.
    assert (ruling_of(declined).state, ruling_of(declined).decided, score_of(declined)) == ("refused", None, 10)
    # What can be judged is a response; what was cut off or says nothing is none.
    assert set(Response.objects.values_list("answer", flat=True)) == {
        each.pk for each in (refused, foreign, thought, declined)
    }
    assert (Answer.objects.get(pk=cut.pk).content, cut.text) == ("الجواب الصحيح هو أ", "الجواب الصحيح هو أ")


def test_whether_a_refusal_counts_is_what_the_set_says_of_the_skill_and_not_its_name(project):
    stored(project, *lines_of_a_skill("General Knowledge", counts_refusals=True))
    own = project.question_sets.get()

    answer = answered(configuration_of(project), "capital", "لا أستطيع الإجابة عن هذا السؤال.", is_refusal=True)
    score_answers(freeze(own))
    assert ruling_of(answer).decided is None


def lines_of_a_skill(name: str, **of_skill: object) -> list[dict]:

    return [set_line(skills=[{"id": "skill", "name": name, **of_skill}]), question_line()]


def test_a_list_of_guesses_is_limited_to_3(project):
    own = frozen_set(project, open_line("year", output="1969", language=..., variety="ar"))
    answer = answered(configuration_of(project), "year", "Possible answers:\n1. It was in 1969\n2. It was in 1970")
    score_answers(own)
    assert (ruling_of(answer).limit, ruling_of(answer).limited_by, ruling_of(answer).decided) == (
        3,
        "alternatives",
        None,
    )


def test_the_column_as_published_reads_the_last_three_lines(project):
    own = frozen_set(project, CAPITAL)
    answer = answered(
        configuration_of(project), "paris", "The answer is C.\n\nWhy?\nRivers.\nSeats.\nOr as some say:\nA"
    )
    score_answers(own)
    assert score_of(answer) == 10
    assert score_of(answer, is_as_published=True) == 0


def test_a_rule_that_fails_on_one_answer_says_so_and_the_others_are_scored(project, monkeypatch):
    def prepare(target):
        def score(answer):
            if "!" in answer:
                raise RuntimeError("no exclamations")
            return rouge(answer)

        rouge = declared.prepare(target)
        return score

    declared = rules.rule_named("rouge_l")
    changed = {field: getattr(declared, field) for field in declared.__dataclass_fields__} | {"prepare": prepare}
    monkeypatch.setitem(rules.rules(), "rouge_l", Rule(**changed))
    uses = [{"rule": "rouge_l"}, {"rule": "words_intersection"}]
    own = frozen_set(project, open_line(rules=uses), open_line("coffee", rules=uses))
    model = configuration_of(project)
    loud = answered(model, "tea", "الشاي مشروب دافئ يحبه الناس!")
    calm = answered(model, "coffee", "الشاي مشروب دافئ يحبه الناس.")
    counts = score_answers(own)
    assert (counts.scores, counts.problems) == (4, 1)
    assert RuleScore.objects.get(answer=loud, value=None).problem == "RuntimeError: no exclamations"
    assert list(RuleScore.objects.filter(answer=calm).values_list("value", flat=True)) == [10, 10]


def test_scoring_again_writes_nothing(project, django_assert_max_num_queries):
    own = frozen_set(project, question_line(), open_line(), CAPITAL)
    models = [configuration_of(project, name) for name in ("Nile-7B", "Tigris-70B")]
    for model in models:
        answered(model, "capital", "لا أدري أيهما الصواب هنا")
        answered(model, "tea", "الشاي مشروب")
        answered(model, "paris", "C")
    score_answers(own)
    rows = list(RuleScore.objects.order_by("pk").values()), list(Ruling.objects.order_by("pk").values())
    with django_assert_max_num_queries(12):
        again = score_answers(own)
    assert (again.rulings, again.scores) == (0, 0)
    assert rows == (list(RuleScore.objects.order_by("pk").values()), list(Ruling.objects.order_by("pk").values()))
    assert asdict(again)["answers"] == 6


def test_what_is_scored_of_some_questions_is_found_without_reading_all_scores(project):
    """Ten questions of ten thousand cost what ten of a hundred do: scores of rules are not gone through by rater."""
    own = frozen_set(project, CAPITAL, corrected())
    questions = list(own.questions.prefetch_related("rule_uses"))
    plan = known_scores_of(questions, Answer.objects.all()).explain()
    assert "score_by_rater" not in plan
    assert "rulescore_rater" not in plan


def test_two_passes_at_once_leave_each_row_once(project, monkeypatch):
    own = frozen_set(project, CAPITAL, open_line())
    model = configuration_of(project)
    answered(model, "paris", "C")
    answered(model, "tea", "الشاي مشروب")
    inserted = scoring.insert_new_rows
    others: list[int] = []

    def overtaken(*rows):
        """Between what this pass has found and what it writes, another pass does all of it."""
        if not others:
            others.append(0)
            others[0] = score_answers(own).scores
        return inserted(*rows)

    monkeypatch.setattr(scoring, "insert_new_rows", overtaken)
    counts = score_answers(own)
    assert (others, counts.rulings, counts.scores, counts.answers) == ([RuleScore.objects.count()], 0, 0, 2)
    assert Ruling.objects.count() == 2


def test_only_some_configurations_are_scored(project):
    own = frozen_set(project, CAPITAL)
    first, second = (configuration_of(project, name) for name in ("Nile-7B", "Tigris-70B"))
    for model in (first, second):
        answered(model, "paris", "C")
    assert score_answers(own, [second]).rulings == 1
    assert Ruling.objects.get().answer.configuration == second


def test_it_says_how_far_it_is(project):
    own = frozen_set(project, *(question_line(f"q{n}") for n in range(23)))
    said: list[tuple[int, int]] = []
    score_answers(own, progress=lambda done, total: said.append((done, total)))
    assert said == [(10, 23), (20, 23), (23, 23)]


def test_a_draft_has_no_scores(project):
    with pytest.raises(Invalid, match="draft"):
        score_answers(set_of(project, CAPITAL))


def test_a_later_version_scores_again_what_changed_and_nothing_else(project):
    first = frozen_set(project, *(open_line(f"q{n}", rules=[{"rule": "rouge_l"}]) for n in range(10)))
    model = configuration_of(project)
    for n in range(10):
        answered(model, f"q{n}", "الشاي مشروب")
    score_answers(first)
    before = set(RuleScore.objects.values_list("pk", flat=True))
    second = first.new_version()
    second.questions.filter(key="q4").update(reference="القهوة مشروب")

    counts = score_answers(freeze(second))
    assert (counts.answers, counts.rulings, counts.scores) == (10, 1, 1)
    new = RuleScore.objects.exclude(pk__in=before).get()
    changed = RuleUse.objects.get(question__question_set=second, question__key="q4")
    assert (new.answer.prompt.key, new.target_sha256) == ("own/q4", changed.target_sha256)
    # One of two words in common, in order: 2 * 1 / 4
    assert new.value == pytest.approx(5)


def test_a_rule_that_a_later_version_adds_is_computed_for_stored_answers(project):
    first = frozen_set(project, open_line(rules=[{"rule": "rouge_l"}]))
    answered(configuration_of(project), "tea", "الشاي")
    score_answers(first)

    second = first.new_version()
    added = read_rule("words_intersection", None, {})
    RuleUse.objects.create(
        question=second.questions.get(), rule=added.rule, rule_version=added.version,
        parameters=added.parameters, parameters_sha256=added.parameters_sha256, position=2,
    )  # fmt: skip
    counts = score_answers(freeze(second))
    assert (counts.rulings, counts.scores) == (0, 1)


def test_an_answer_is_received_once(project):
    own = frozen_set(project, CAPITAL)
    model = configuration_of(project)
    prompt = own.questions.get().prompt
    first = receive(model, prompt, "C")
    assert receive(model, prompt, "B") == first
    assert (Answer.objects.get().content, Response.objects.get().text) == ("C", "C")
    assert configuration_for(project, model.target_model) == model
    assert configuration_for(project, configuration_of(project, "Tigris-70B").target_model) != model
