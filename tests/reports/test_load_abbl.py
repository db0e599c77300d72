"""The generated benchmark is loaded by the paths that real data takes, and has every count of the published one."""

import io
import json
from collections import Counter, defaultdict
from math import sqrt
from statistics import fmean, stdev

import pytest
from django.core.management import call_command
from django.urls import reverse

from agreement.answers.rules import rules
from agreement.speed import rate
from benchmark.models import (
    Answer,
    Board,
    Configuration,
    Erratum,
    Flag,
    Probe,
    Question,
    QuestionCheck,
    QuestionRevision,
    QuestionSet,
    RuleScore,
    RuleUse,
    Ruling,
    Skill,
    Source,
    SpeedSample,
)
from benchmark.question_scores import question_scores
from demo.studies import abbl
from projects.models import Project, Rater, User
from tests.people import signed_in
from tests.standing import standing

# ABBL, tables 2, 3 and 6.
FORMATS = {"mcq": 229, "generation": 228, "fill-in-the-blank": 8, "short-answer": 5}
SKILLS = {
    "MMLU": 121, "General Knowledge": 63, "Reasoning & Math": 43, "RAG QA": 41, "Translation (incl Dialects)": 36,
    "Trust & Safety": 30, "Writing (incl Dialects)": 22, "Reading Comprehension": 17, "Arabic Language & Grammar": 17,
    "Diacritization": 12, "Dialect Detection": 11, "Sentiment Analysis": 9, "Summarization": 8,
    "Instruction Following": 7, "Transliteration": 6, "Paraphrasing": 6, "Entity Extraction": 5, "Long Context": 4,
    "Coding": 3, "Hallucination": 3, "Function Calling": 3, "Structuring": 3,
}  # fmt: skip
RULES = {
    "AUTOMATED_LLM_AS_A_JUDGE_MCQ": 218, "AUTOMATED_LLM_AS_A_JUDGE_GENERATION": 173, "MANUAL_ROUGE_SCORE": 65,
    "MANUAL_METEOR_SCORE": 34, "AUTOMATED_LLM_AS_A_JUDGE_WRITING_DIALECT": 30,
    "AUTOMATED_LLM_AS_A_JUDGE_REASONING": 21, "MANUAL_WORDS_INTERSECTION": 19, "MANUAL_DIACRITIZATION": 12,
    "MANUAL_DIALECT_MATCHING": 11, "MANUAL_RELATIVE_MIN_DISTANCE": 6, "MANUAL_CLOSE_TO_REFERENCE_LENGTH": 6,
    "MANUAL_MIN_DISTANCE": 6, "MANUAL_IS_VALID_JSON": 5, "AUTOMATED_LLM_AS_A_JUDGE_GRAMMAR_IRAB": 3,
    "MANUAL_IFEVAL_1": 3, "MANUAL_STRUCTURING_1": 3, "MANUAL_IFEVAL_2": 2, "MANUAL_MRCR_FIRST_LINE_MATCH": 2,
}  # fmt: skip
CLASSES = {"nano": 2, "small": 2, "medium": 2, "large": 2}


def load() -> str:
    out = io.StringIO()
    call_command("load_demo", "--scale", "abbl", stdout=out)
    return out.getvalue()


@pytest.fixture(scope="module")
def loaded(django_db_setup, django_db_blocker):
    def make():
        said = load()
        return Project.objects.get(slug="abbl"), said

    with standing(django_db_blocker, make) as made:
        yield made


@pytest.fixture
def project(loaded, db):
    return loaded[0]


@pytest.fixture
def ada(db):
    return User.objects.create_superuser("ada@mizan.example", "a long pass phrase", name="Ada")


def board_said(*arguments: str) -> dict:
    out = io.StringIO()
    call_command("leaderboard", "abbl", "--json", *arguments, stdout=out)
    return json.loads(out.getvalue())


def models(project: Project) -> list[Configuration]:
    return list(Configuration.objects.filter(project=project, kind="model").order_by("pk"))


# --- The question set ---------------------------------------------------------------------------------------------


def test_it_says_that_it_is_generated_and_loads_once(project, loaded):
    assert "“abbl” is loaded" in loaded[1]
    assert (project.is_generated, project.areas) == (True, ["leaderboard"])
    assert "Generated" in project.description
    assert "already there" in load()
    assert all("(simulated)" in row.name for row in models(project))
    judges = Rater.objects.filter(project=project, kind="judge")
    assert set(judges.values_list("is_simulated", flat=True)) == {True}
    assert all(
        name.startswith("Generated") for name in project.raters.filter(kind="human").values_list("name", flat=True)
    )


def test_the_set_has_the_published_counts_to_the_digit(project):
    question_set = QuestionSet.objects.get(project=project)
    questions = Question.objects.filter(question_set=question_set)
    assert question_set.is_frozen
    assert question_set.licence
    assert question_set.canary
    assert questions.count() == 470
    assert Skill.objects.filter(question_set=question_set).count() == 22
    assert Source.objects.filter(question_set=question_set).count() == 64
    assert Counter(questions.values_list("format", flat=True)) == FORMATS
    assert Counter(questions.values_list("skill__name", flat=True)) == SKILLS
    assert list(question_set.skills.order_by("position").values_list("name", flat=True)) == list(SKILLS)


def test_the_rules_have_the_published_counts_to_the_digit(project):
    used = Counter(RuleUse.objects.filter(question__question_set__project=project).values_list("rule", flat=True))
    assert {rules()[name].published: count for name, count in used.items()} == RULES
    judged = sum(count for name, count in used.items() if rules()[name].is_judged)
    assert (sum(used.values()), judged, sum(used.values()) - judged) == (619, 445, 174)


def test_sources_are_translated_and_native_and_twins_are_held_back(project):
    question_set = QuestionSet.objects.get(project=project)
    assert set(question_set.sources.values_list("is_translated", flat=True)) == {True, False}
    held_back = question_set.questions.filter(is_held_back=True)
    assert held_back.count() == 15
    assert not held_back.filter(twin_of=None).exists()
    assert question_set.questions.exclude(cluster="").values("cluster").distinct().count() == 12


# --- What is computed of it ---------------------------------------------------------------------------------------


def worked_out(row):
    """The score of each question from the stored rows: what a fixed rule decides, else the mean of its rules, each
    computed or the mean of both judges, of each of whom the newest round counts."""
    rulings = {ruling.answer_id: ruling for ruling in Ruling.objects.filter(answer__configuration=row)}
    given: dict = defaultdict(lambda: defaultdict(list))
    rows = RuleScore.objects.filter(answer__configuration=row, is_as_published=False).exclude(rater__kind="human")
    for answer, target, rater, value in rows.order_by("round").values_list(
        "answer_id", "target_sha256", "rater_id", "value"
    ):
        assert 0 <= value <= 10
        given[answer, target][rater].append(value)
    answers = dict(Answer.objects.filter(configuration=row).values_list("prompt_id", "pk"))
    expected = []
    for question in Question.objects.prefetch_related("rule_uses").order_by("position"):
        ruling = rulings[answers[question.prompt_id]]
        by_rule = []
        for use in question.rule_uses.all() if ruling.decided is None else ():
            scores = given[ruling.answer_id, use.target_sha256]
            by_rule.append(scores[None][0] if None in scores else fmean(rounds[-1] for rounds in scores.values()))
        expected.append(min(fmean(by_rule), ruling.limit) if by_rule else ruling.decided)
    return expected


def test_a_question_is_the_mean_of_its_rules_and_the_benchmark_that_of_its_questions(project):
    row = Configuration.objects.get(slug="rimal-14b")
    [found] = question_scores(QuestionSet.objects.get(project=project), [row]).values
    assert found == pytest.approx(worked_out(row))
    [line] = [one for one in board_said()["configurations"] if one["id"] == row.slug]
    assert line["score"]["value"] == pytest.approx(fmean(worked_out(row)))
    assert line["n"] == 470


def test_eight_models_of_four_classes_are_ranked_and_the_undisclosed_one_waits(project):
    board = board_said()
    ranked = [one for one in board["configurations"] if one["rank"]]
    assert Counter(one["size_class"] for one in ranked) == CLASSES
    [waiting] = [one for one in board["configurations"] if not one["rank"]]
    assert (waiting["id"], waiting["size_class"], waiting["flags"]) == ("zajil", "undisclosed", ["options"])
    # The abler of every two that are ranked apart is the one put in as abler; and some share a rank.
    ability = {model.slug: model.ability for model in abbl.MODELS}
    for one in ranked:
        for other in ranked:
            if one["rank"][1] < other["rank"][0]:
                assert ability[one["id"]] > ability[other["id"]]
    assert any(first < last for first, last in (one["rank"] for one in ranked))
    assert len({tuple(one["rank"]) for one in ranked}) >= 5
    assert board["judges_are_outside"]
    assert len(board["baselines"]) == 5
    for size, count in CLASSES.items():
        of_class = board_said("--size", size)["configurations"]
        assert [one["size_class"] for one in of_class] == [size] * count


def test_the_fixed_rules_of_the_paper_have_something_to_do(project):
    """Another language is 0; three last lines of a choice stand apart; thinking is taken off."""
    rulings = Ruling.objects.filter(answer__configuration__kind="model")
    of_language = rulings.filter(fixed_by="language")
    assert set(of_language.values_list("decided", flat=True)) == {0}
    assert {"answered", "empty", "truncated", "refused"} == set(rulings.values_list("state", flat=True))
    thought = Configuration.objects.get(slug="qamar-8b")
    read = RuleScore.objects.filter(
        answer__configuration=thought, rater=None, answer__response__text__contains="<think>"
    )
    assert read.filter(value=10).count() > 100
    silent = RuleScore.objects.filter(
        target_sha256__in=RuleUse.objects.filter(rule="judge_choice").values("target_sha256"), rater__isnull=False
    )
    assert silent.filter(answer__configuration__kind="model").exists()


def test_speed_is_total_over_total(project):
    for one in board_said()["configurations"]:
        samples = SpeedSample.objects.filter(measurement__configuration__slug=one["id"])
        words, seconds = zip(*samples.values_list("words", "seconds"), strict=True)
        assert one["words_per_second"]["value"] == pytest.approx(sum(words) / sum(seconds))
    # The paper's own words: total over total, not the mean of rates.
    assert rate([10, 20, 70], [1, 1, 8]).value == pytest.approx(10.0)


def test_a_judge_that_repeats_itself_stays_within_one_percent(project):
    """Section 3.4.2, of the mean over all answers judged twice: 1 % of the scale is 0.1 of 10 points."""
    judge = Rater.objects.get(project=project, name="Simulated judge A")
    scores: dict = defaultdict(dict)
    rows = RuleScore.objects.filter(rater=judge, answer__configuration__kind="model")
    for answer, target, number, value in rows.values_list("answer_id", "target_sha256", "round", "value"):
        scores[answer, target][number] = value
    twice = [rounds for rounds in scores.values() if len(rounds) == 2]
    assert len(twice) > 150
    moved = [rounds[2] - rounds[1] for rounds in twice]
    by_chance = 2 * stdev(moved) / sqrt(len(moved))
    assert abs(fmean(moved)) <= 0.1 + by_chance


def test_corrected_spelling_is_scored_by_edits_saved(project):
    from rapidfuzz.distance import Levenshtein

    uses = RuleUse.objects.filter(question__question_set__project=project, rule="relative_edit_distance")
    question_of = {use.target_sha256: use.question for use in uses.select_related("question")}
    scores = RuleScore.objects.filter(rater=None, target_sha256__in=question_of, answer__configuration__slug="dahab-3b")
    assert scores.count() >= 4
    for score in scores.select_related("answer__response"):
        question = question_of[score.target_sha256]
        before = Levenshtein.distance(question.input_text, question.reference)
        after = Levenshtein.distance(score.answer.content, question.reference)
        assert score.value == pytest.approx(10 * max(0, (before - after) / before))


# --- What stands beside it ----------------------------------------------------------------------------------------


def test_no_page_of_the_area_is_empty(project):
    question_set = QuestionSet.objects.get(project=project)
    assert QuestionCheck.objects.values("rater").distinct().count() == 2
    decided = dict(QuestionRevision.objects.exclude(decision="keep").values_list("key", "decision"))
    assert decided == {abbl.CORRECTED[0]: "repair", abbl.DROPPED: "drop"}
    assert question_set.questions.get(key=abbl.CORRECTED[0]).reference != abbl.CORRECTED[1]
    assert Counter(Erratum.objects.values_list("state", flat=True)) == {"open": 1, "rejected": 1}
    assert set(Flag.objects.values_list("configuration__slug", "kind", "is_note")) == {
        ("zajil", "options", False),
    }
    assert Counter(Probe.objects.values_list("kind", flat=True)) == {"twins": 9, "quiz": 1}
    people = RuleScore.objects.filter(rater__kind="human")
    assert people.values("rater").distinct().count() == 2
    board = Board.objects.get(project=project)
    assert board.is_open
    assert board.judges.count() == 2


@pytest.mark.parametrize("table", ["scores", "power", "skills", "sizes", "columns", "sensitivity", "human-check"])
def test_findings_open(project, ada, table):
    assert signed_in(ada).get(reverse("leaderboard-finding", args=["abbl", table])).status_code == 200


def test_pages_open(project, ada):
    admin = signed_in(ada)
    of_set = ["abbl", abbl.SET, 1]
    assert "Anqa XL (simulated)" in admin.get(reverse("leaderboard", args=["abbl"])).content.decode()
    address = reverse("board-configuration", args=["abbl", "tamra-4b"])
    assert "Strengths and weaknesses" in admin.get(address).content.decode()
    assert "Simulated: worth" in admin.get(address, {"skill": "rag-qa"}).content.decode()
    radar = admin.get(reverse("board-radar", args=["abbl"]), {"model": ["anqa-xl", "siwa-1b"]}).content.decode()
    assert radar.count('<polygon class="radar__model') == 2
    checks = admin.get(reverse("question-checks", args=of_set), {"decision": "repair"}).content.decode()
    assert abbl.CORRECTED[0] in checks
    for name in ("question-set", "question-changes"):
        assert admin.get(reverse(name, args=of_set)).status_code == 200, name
    for name in ("board-compare", "board-settings", "errata"):
        assert admin.get(reverse(name, args=["abbl"])).status_code == 200, name
    report = admin.get(reverse("board-report", args=["abbl", "anqa-xl"]))
    assert len(report.content) < 10_000_000


def test_everybody_reads_the_open_board_and_no_text_of_a_question(project, client):
    html = client.get(reverse("open-board", args=["abbl"])).content.decode()
    assert "Sahel 72B (simulated)" in html
    for text in Question.objects.filter(is_held_back=True).values_list("instruction", flat=True):
        assert text not in html


def test_the_board_takes_as_many_queries_as_a_small_one(project, ada, django_assert_max_num_queries):
    admin = signed_in(ada)
    admin.get(reverse("leaderboard", args=["abbl"]))
    with django_assert_max_num_queries(24):
        admin.get(reverse("leaderboard", args=["abbl"]))
