"""What stored answers are worth by the rules that ask nobody: fixed rules, computed rules, the reading of a choice.

Each score is stored under the hash of what it depends on (benchmark/targets.py), so an answer is scored once for all
versions in which that did not change. Nobody is called, and nothing that is there is written anew.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from agreement.answers.choices import choice_scorer, last_lines
from agreement.answers.declaration import Rule, Score, Scorer, Target
from agreement.answers.fixed import LANGUAGE, Expected, Reply, ruling_on
from agreement.answers.fixed import Ruling as FixedRuling
from agreement.answers.rules import rule_named
from agreement.answers.states import State
from benchmark.models import Answer, Configuration, Question, QuestionSet, RuleScore, RuleUse, Ruling
from benchmark.scoring_rules import primary_language
from benchmark.targets import languages_of
from projects.among import Among
from projects.insertion import as_json, insert_new_rows
from projects.problems import Invalid, Problem

# Answers to so many questions are looked at together, by however many configurations.
QUESTIONS_AT_ONCE = 10
ANSWERS_AT_ONCE = 2000
MAX_PROBLEM = 200
#: The rule that is read from the answer where it can be.
CHOICE = "judge_choice"
#: In the detail of a ruling: the option was looked for and not found.
SILENT = {"choice": "silent"}
NO_TEXT = "no_text: the refusal came without words"

RULING_FIELDS = ("target_sha256", "answer", "state", "decided", "fixed_by", "limit", "limited_by", "detail")
SCORE_FIELDS = (
    "target_sha256", "answer", "rater", "round", "is_as_published", "value", "problem", "detail", "metadata",
    "created_at",
)  # fmt: skip

#: Of an answer, what the rules go by.
REPLY = ("configuration", "prompt", "text", "reasoning", "is_cut", "is_refusal", "response__text")

#: What was asked and what is there; called between batches, which may end the work.
Progress = Callable[[int, int], None]


@dataclass(slots=True)
class ScoredCounts:
    """What a pass has done, and what the answers are.

    questions  of the set; answers  of the configurations to them.
    rulings, scores  stored by this pass; problems: those of its scores that are none.
    states  answers by what they are ("answered", "empty", "truncated", "refused"); other_language: those of the
            answered that are in another language than the question expects.
    """

    questions: int = 0
    answers: int = 0
    rulings: int = 0
    scores: int = 0
    problems: int = 0
    states: dict[str, int] = field(default_factory=dict)
    other_language: int = 0


#: An answer and a target.
Place = tuple[int, str]


class KnownRuling(NamedTuple):
    """Of a stored ruling: whether the rules go on, and whether the choice was looked for without finding one."""

    is_open: bool
    is_silent: bool


class Known(NamedTuple):
    """What is known of the answers to some questions already, so that it is not read again; None where it is not.

    rulings  all that are stored. scores  answers and targets of which no score is wanted.
    """

    rulings: Mapping[Place, KnownRuling] | None = None
    scores: Set[Place] | None = None


UNKNOWN = Known()


class Job(NamedTuple):
    """An answer and what is missing: the ruling, or the scores of these uses."""

    answer: Answer
    uses: Sequence["PreparedUse"]
    has_ruling: bool


def score_answers(
    question_set: QuestionSet,
    configurations: Iterable[Configuration] | None = None,
    progress: Progress | None = None,
) -> ScoredCounts:
    """Score every answer of these configurations (of all, where left out) that has not been under its target.

    Raises Invalid for a draft, whose targets are not known yet. Each batch is committed by itself: a pass that ends
    early goes on where it was, and two at once leave each row once.
    """
    check_frozen(question_set)
    answers = answers_of(question_set, configurations)
    counts = ScoredCounts(questions=question_set.questions.count())
    languages, done = languages_of(question_set), 0
    for questions in question_batches(question_set.questions.all()):
        written = score_questions(questions, languages, answers)
        counts.rulings += written["rulings"]
        counts.scores += written["scores"]
        counts.problems += written["problems"]
        done += len(questions)
        if progress is not None:
            progress(done, counts.questions)
    count_states(question_set, answers, counts)
    return counts


def check_frozen(question_set: QuestionSet) -> None:
    """Raises Invalid for a draft."""
    if not question_set.is_frozen:
        message = _("This version is a draft: freeze it, then its answers can be scored.")
        raise Invalid(Problem("not_frozen", message))


def answers_of(question_set: QuestionSet, configurations: Iterable[Configuration] | None) -> QuerySet[Answer]:
    rows = Answer.objects.filter(configuration__project=question_set.project_id)
    if configurations is None:
        return rows
    return rows.filter(configuration__in=Among(configuration.pk for configuration in configurations))


def question_batches(questions: QuerySet[Question]) -> Iterator[list[Question]]:
    rows = questions.order_by("pk").select_related("prompt", "skill").prefetch_related("rule_uses")
    last = 0
    while batch := list(rows.filter(pk__gt=last)[:QUESTIONS_AT_ONCE]):
        last = batch[-1].pk
        yield batch


def score_questions(questions: Sequence[Question], languages: Sequence[str], answers: QuerySet[Answer]) -> Counter[str]:
    """Score what of these answers is not scored, for some questions of one version; counts of what was written."""
    written: Counter[str] = Counter()
    for rulings, scores in unscored_rows(questions, languages, answers):
        with transaction.atomic():
            written["rulings"] += insert_new_rows(Ruling, RULING_FIELDS, rulings)
            written["scores"] += insert_new_rows(RuleScore, SCORE_FIELDS, scores)
        written["problems"] += sum(1 for row in scores if row[SCORE_FIELDS.index("problem")])
    return written


def unscored_rows(
    questions: Sequence[Question], languages: Sequence[str], answers: QuerySet[Answer], known: Known = UNKNOWN
) -> Iterator[tuple[list[tuple], list[tuple]]]:
    """Rulings and scores that are missing, as rows of `RULING_FIELDS` and `SCORE_FIELDS`, some answers at a time.
    Nothing is written."""
    by_prompt = {question.prompt_id: question for question in questions}
    for jobs in missing(questions, answers, known):
        rulings: list[tuple] = []
        scores: list[tuple] = []
        for job in jobs:
            ruling, of_uses = scored(job, by_prompt[job.answer.prompt_id], languages)
            if not job.has_ruling:
                rulings.append(ruling)
            scores += of_uses
        yield rulings, scores


# --- What is missing ---


def missing(questions: Sequence[Question], answers: QuerySet[Answer], known: Known) -> Iterator[list[Job]]:
    """Answers to these questions with what of them is not scored, some at a time.

    The uses of a rule are prepared when the first answer needs them, and once.
    """
    asked = answers.filter(prompt__in=Among(question.prompt_id for question in questions))
    by_prompt = {question.prompt_id: question for question in questions}
    prepared = {question.pk: [PreparedUse(question, use) for use in question.rule_uses.all()] for question in questions}
    rulings = known_rulings(questions, asked) if known.rulings is None else known.rulings
    scored = known_scores(questions, asked) if known.scores is None else known.scores
    wanted: dict[int, tuple[list[PreparedUse], bool]] = {}
    for pk, prompt in asked.order_by("pk").values_list("pk", "prompt_id"):
        question = by_prompt[prompt]
        ruling = rulings.get((pk, question.target_sha256))
        is_open = ruling is None or ruling.is_open
        uses = [
            use
            for use in prepared[question.pk]
            if is_open and (pk, use.target_sha256) not in scored and not (ruling and use.is_silent_in(ruling))
        ]
        if ruling is None or any(use.is_computed for use in uses):
            wanted[pk] = uses, ruling is not None
    pks = list(wanted)
    for begin in range(0, len(pks), ANSWERS_AT_ONCE):
        rows = Answer.objects.filter(pk__in=Among(pks[begin : begin + ANSWERS_AT_ONCE]))
        rows = rows.select_related("response").prefetch_related("configuration__card").only(*REPLY).order_by("pk")
        yield [Job(answer, *wanted[answer.pk]) for answer in rows]


def known_rulings(questions: Iterable[Question], answers: QuerySet[Answer]) -> dict[tuple[int, str], KnownRuling]:
    asked = Question.objects.filter(pk__in=Among(question.pk for question in questions))
    rows = Ruling.objects.filter(target_sha256__in=asked.values("target_sha256"), answer__in=answers.values("pk"))
    return {
        (answer, target): KnownRuling(decided is None, detail.get("choice") == SILENT["choice"])
        for answer, target, decided, detail in rows.values_list("answer_id", "target_sha256", "decided", "detail")
    }


def known_scores(questions: Iterable[Question], answers: QuerySet[Answer]) -> set[tuple[int, str]]:
    return set(known_scores_of(questions, answers).values_list("answer_id", "target_sha256"))


def known_scores_of(questions: Iterable[Question], answers: QuerySet[Answer]) -> QuerySet[RuleScore]:
    return RuleScore.objects.filter(
        target_sha256__in=targets_of_uses(questions), answer__in=answers.values("pk"), rater=None, is_as_published=False
    )


def targets_of_uses(questions: Iterable[Question]) -> QuerySet[Any, Any]:
    """What scores of these questions' rules are stored under, as part of a statement."""
    uses = RuleUse.objects.filter(question__in=Among(question.pk for question in questions))
    return uses.values("target_sha256")


# --- One use of a rule ---


class PreparedUse:
    """A use of a rule that keeps of its question what every answer needs."""

    def __init__(self, question: Question, use: RuleUse) -> None:
        self.question, self.use = question, use
        self.target_sha256 = use.target_sha256
        self.rule: Rule = rule_named(use.rule)
        self._scorer: Callable[[str], Score | None] | None = None
        self._problem = ""
        self._is_prepared = False

    @property
    def is_computed(self) -> bool:
        """Whether something can come of it without a judge."""
        return not self.rule.is_judged or self.use.rule == CHOICE

    def is_silent_in(self, ruling: KnownRuling) -> bool:
        return self.use.rule == CHOICE and ruling.is_silent

    def prepare(self) -> None:
        if self._is_prepared:
            return
        self._is_prepared = True
        try:
            self._scorer = self._prepared()
        except Exception as error:
            self._problem = in_short(error)

    def _prepared(self) -> Scorer | Callable[[str], Score | None] | None:
        question = self.question
        if self.use.rule == CHOICE:
            return choice_scorer(question.prompt.text, question.reference)
        if self.rule.is_judged:
            return None
        if self.use.rule_version != self.rule.version:
            raise ValueError(f"version {self.use.rule_version} of the rule is not there any more")
        target = Target(question.reference, question.input_text, primary_language(question.expected_language))
        return self.rule.scorer(target, self.use.parameters)

    def score(self, text: str) -> tuple[Score | None, str]:
        """The score, or why there is none; neither where a judge is asked. An answer that a rule fails on costs no
        other its score."""
        self.prepare()
        if self._scorer is None:
            return None, self._problem
        try:
            return self._scorer(text), ""
        except Exception as error:
            return None, in_short(error)

    def outcome(self, ruling: FixedRuling) -> tuple[Score | None, str]:
        """The same of an answer that the fixed rules leave to the others."""
        text = ruling.answer.text
        score, problem = self.score(text)
        if self.rule.is_judged and score is None:
            # A judge reads what could not be read here; where nothing was said, it has nothing to read.
            problem = NO_TEXT if ruling.state is State.REFUSED and not text.strip() else ""
        return score, problem


def in_short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:MAX_PROBLEM]


# --- One answer ---


def scored(job: Job, question: Question, languages: Sequence[str]) -> tuple[tuple, list[tuple]]:
    """The rows of one answer: its ruling, and the scores of the uses that are missing."""
    answer = job.answer
    ruling = ruling_on(reply_of(answer), expected_of(question, languages))
    scores: list[tuple] = []
    detail = dict(ruling.detail)
    if ruling.decided is None:
        for use in job.uses:
            rows = list(rows_of(use, answer, ruling))
            if use.use.rule == CHOICE and not any(is_reading(row) for row in rows):
                detail |= SILENT
            scores += rows
    decided = ruling.decided
    row = (
        question.target_sha256,
        answer.pk,
        ruling.state.value,
        None if decided is None else decided.value,
        "" if decided is None else decided.fixed_by,
        ruling.limit,
        ruling.limited_by,
        as_json(detail),
    )
    return row, scores


def is_reading(row: tuple) -> bool:
    """Whether a row of a choice is the score itself and not that of the column "as published"."""
    return not row[SCORE_FIELDS.index("is_as_published")]


def rows_of(use: PreparedUse, answer: Answer, ruling: FixedRuling) -> Iterator[tuple]:
    """The score of one use, and what the last three lines of a choice give where that is another."""
    text = ruling.answer.text
    score, problem = use.outcome(ruling)
    if score is not None or problem:
        yield score_row(use, answer, score, problem)
    if use.use.rule == CHOICE and not problem:
        published, _problem = use.score(last_lines(text))
        if published is not None and (score is None or published.value != score.value):
            yield score_row(use, answer, published, "", is_as_published=True)


def score_row(
    use: PreparedUse, answer: Answer, score: Score | None, problem: str, is_as_published: bool = False
) -> tuple:
    value, detail = (None, "{}") if score is None else (score.value, as_json(score.detail))
    now = timezone.now()
    return (use.target_sha256, answer.pk, None, 1, is_as_published, value, problem, detail, "{}", now)


def reply_of(answer: Answer) -> Reply:
    card = answer.configuration.card
    tags = tuple((opens, closes) for opens, closes in card.thinking_tags) if card else ()
    return Reply(answer.content, answer.reasoning, answer.is_cut, answer.is_refusal, tags)


def expected_of(question: Question, languages: Sequence[str]) -> Expected:
    return Expected(
        question.reference,
        counts_refusals=question.skill.counts_refusals,
        language=question.expected_language,
        languages=languages,
    )


# --- Counting ---


def count_states(question_set: QuestionSet, answers: QuerySet[Answer], counts: ScoredCounts) -> None:
    """What the answers to a set are, each counted: also those that are none."""
    rows = Ruling.objects.filter(
        target_sha256__in=question_set.questions.values("target_sha256"), answer__in=answers.values("pk")
    )
    by_state: Mapping[str, Any] = dict(rows.order_by().values_list("state").annotate(n=Count("pk")))
    counts.states = {state.value: by_state.get(state.value, 0) for state in State}
    counts.answers = sum(counts.states.values())
    counts.other_language = rows.filter(Q(fixed_by=LANGUAGE)).count()
