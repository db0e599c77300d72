"""What judges are asked about answers: the judged rules that nothing else has decided."""

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from itertools import groupby

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from agreement.answers.rules import rules
from benchmark.models import Answer, Board, Question, QuestionSet, RuleScore, RuleUse, Ruling
from benchmark.scoring import RULING_FIELDS, SCORE_FIELDS, Known, Place, is_reading, score_questions, unscored_rows
from benchmark.targets import languages_of
from projects.among import Among
from projects.insertion import as_json, insert_new_rows
from projects.models import Project, Rater

#: Of a question, what says which it is: texts are read where a rule needs them.
NAMED = ("key", "question_set", "prompt", "target_sha256")
#: And what the rules that ask nobody score its answers by.
SCORED_BY = (
    *("question_set", "prompt__text", "skill", "target_sha256"),
    *("reference", "input_text", "expected_language"),
)
ANSWER, TARGET, DECIDED = (RULING_FIELDS.index(name) for name in ("answer", "target_sha256", "decided"))
SCORED_ANSWER, SCORED_TARGET = (SCORE_FIELDS.index(name) for name in ("answer", "target_sha256"))


def newest_frozen() -> QuerySet[QuestionSet]:
    """Of every set of every project its newest frozen version."""
    later = QuestionSet.objects.filter(
        project=OuterRef("project"), slug=OuterRef("slug"), version__gt=OuterRef("version"), frozen_at__isnull=False
    )
    return QuestionSet.objects.filter(~Exists(later), frozen_at__isnull=False)


def newest_ranked() -> QuerySet[QuestionSet]:
    """The same without those whose options are shuffled, which no board ranks and no person is asked about."""
    return newest_frozen().filter(shuffle=None)


def ranked_version(project: Project, board: Board | None) -> QuestionSet | None:
    """The version that a board ranks: the one it names, or the newest that is frozen; never a draft."""
    if board is not None and board.question_set is not None and board.question_set.is_frozen:
        return board.question_set
    rows = project.question_sets.filter(frozen_at__isnull=False, shuffle=None)
    return rows.order_by("-frozen_at", "-pk").first()


def uses_to_judge(question_set: QuestionSet | None, prompts: Collection[int]) -> dict[int, list[RuleUse]]:
    """By prompt the judged uses of rules: in this version, or in the newest frozen version of every set.

    Where two sets ask the same of a prompt, it is one use. Of its question each comes with what tells which it is.
    """
    sets = newest_frozen() if question_set is None else QuestionSet.objects.filter(pk=question_set.pk)
    judged = [name for name, rule in rules().items() if rule.is_judged]
    uses = RuleUse.objects.filter(
        question__prompt__in=Among(prompts), question__question_set__in=sets.values("pk"), rule__in=judged
    )
    uses = uses.select_related("question").only("rule", "target_sha256", *(f"question__{name}" for name in NAMED))
    found: dict[int, dict[str, RuleUse]] = {}
    for use in uses.order_by("question__question_set", "question__position", "question", "position", "pk"):
        found.setdefault(use.question.prompt_id, {}).setdefault(use.target_sha256, use)
    return {prompt: list(by_target.values()) for prompt, by_target in found.items()}


def open_uses(answers: Collection[int], rater: Rater, round: int = 1) -> dict[int, list[RuleUse]]:
    """By answer what a judge is still to be asked in a round; answers of which nothing is left are not named.

    Left out are answers that a fixed rule decides, choices that could be read, what the judge has scored already, and
    answers without a text to judge. Where the fixed and computed rules have not been applied yet, this goes by what
    they would give and writes nothing: a plan is looked at on pages.
    """
    rows = Answer.objects.filter(pk__in=Among(answers), response__isnull=False)
    prompt_of = dict(rows.values_list("pk", "prompt_id"))
    uses = uses_to_judge(None, set(prompt_of.values()))
    ruled = rulings_of(prompt_of)
    undecided = {place for place, decided in ruled.items() if decided is None}
    given = RuleScore.objects.filter(
        Q(rater=rater, round=round) | Q(rater=None, is_as_published=False), answer__in=Among(prompt_of)
    )
    scored = set(given.values_list("answer_id", "target_sha256"))
    for rulings, scores in rows_to_come(prompt_of, uses, ruled.keys(), frozenset(scored)):
        undecided |= {(row[ANSWER], row[TARGET]) for row in rulings if row[DECIDED] is None}
        scored |= {(row[SCORED_ANSWER], row[SCORED_TARGET]) for row in scores if is_reading(row)}
    left = {
        answer: [
            use
            for use in uses.get(prompt, ())
            if (answer, use.question.target_sha256) in undecided and (answer, use.target_sha256) not in scored
        ]
        for answer, prompt in prompt_of.items()
    }
    return {answer: of_answer for answer, of_answer in left.items() if of_answer}


def score_unscored(responses: Collection[int]) -> None:
    """Apply the rules that ask nobody to answers with these responses, as far as they have not been."""
    answers = Answer.objects.filter(response__in=Among(responses))
    prompt_of = dict(answers.values_list("pk", "prompt_id"))
    uses = uses_to_judge(None, set(prompt_of.values()))
    for questions, languages in questions_without_ruling(prompt_of, uses, rulings_of(prompt_of).keys()):
        score_questions(questions, languages, answers)


def rulings_of(answers: Collection[int]) -> dict[Place, float | None]:
    """What the fixed rules decided of these answers, None where they leave it to others, by answer and target."""
    rows = Ruling.objects.filter(answer__in=Among(answers)).values_list("answer_id", "target_sha256", "decided")
    return {(answer, target): decided for answer, target, decided in rows}


def rows_to_come(
    prompt_of: Mapping[int, int], uses: Mapping[int, Sequence[RuleUse]], ruled: Set[Place], scored: Set[Place]
) -> Iterator[tuple[list[tuple], list[tuple]]]:
    """The rows that the rules which ask nobody would write for answers without a ruling; nothing is written.

    prompt_of  prompt of each answer. ruled  answers and targets with a ruling, scored  with a score; nothing is read
               a second time.
    """
    answers = Answer.objects.filter(pk__in=Among(prompt_of))
    answers_to: dict[int, list[int]] = {}
    for answer, prompt in prompt_of.items():
        answers_to.setdefault(prompt, []).append(answer)
    for questions, languages in questions_without_ruling(prompt_of, uses, ruled):
        is_new = not any(
            (answer, question.target_sha256) in ruled
            for question in questions
            for answer in answers_to[question.prompt_id]
        )
        yield from unscored_rows(questions, languages, answers, Known({} if is_new else None, scored))


def questions_without_ruling(
    prompt_of: Mapping[int, int], uses: Mapping[int, Sequence[RuleUse]], ruled: Set[Place]
) -> Iterator[tuple[list[Question], list[str]]]:
    """Questions of these uses under which an answer has no ruling, by version, with the version's languages."""
    questions = {use.question_id: use.question for of_prompt in uses.values() for use in of_prompt}
    targets: dict[int, list[Question]] = {}
    for question in questions.values():
        targets.setdefault(question.prompt_id, []).append(question)
    unscored = {
        question.pk
        for answer, prompt in prompt_of.items()
        for question in targets.get(prompt, ())
        if (answer, question.target_sha256) not in ruled
    }
    if not unscored:
        return
    rows = Question.objects.filter(pk__in=Among(unscored)).order_by("question_set", "pk")
    # Few skills and sets stand behind many questions: each is made once.
    rows = rows.select_related("prompt").prefetch_related("skill", "question_set", "rule_uses").only(*SCORED_BY)
    for question_set, of_set in groupby(rows, key=lambda question: question.question_set):
        yield list(of_set), languages_of(question_set)


def store_scores(rows: Sequence[RuleScore]) -> int:
    """Write scores of judges and people; those that are there already stay as they are. Returns how many are new."""
    now = timezone.now()
    values = [
        (
            row.target_sha256,
            row.answer_id,
            row.rater_id,
            row.round,
            row.is_as_published,
            row.value,
            row.problem,
            as_json(row.detail),
            as_json(row.metadata),
            row.created_at or now,
        )
        for row in rows
    ]
    return insert_new_rows(RuleScore, SCORE_FIELDS, values)
