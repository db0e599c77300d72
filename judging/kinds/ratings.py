"""What judges have in common that rate by question types: whom they may ask about what, and how verdicts are stored."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Rating
from annotation.pairs.storing import RatingData, store_ratings
from judging.kinds import (
    AnswersByResponse,
    JudgeKind,
    Material,
    Pass,
    ShownQuestion,
    Unit,
    UnitAnswer,
    Way,
    WrongAnswer,
)
from judging.kinds.examples import Pool, pool_of, rule_parts, shown_examples
from judging.kinds.forms import MAX_CHARACTERS
from judging.kinds.options import EXAMPLES_SEED, RUBRIC, SHOTS
from judging.kinds.questions import key_in, question_types, shown_questions
from judging.models import ANSWERED, CallState, Judge, Shots
from judging.prompts import PromptText
from projects.among import Among
from projects.laboratories import laboratory_slug
from projects.models import QuestionType, Response, ResponsePair
from projects.problems import Invalid, Problem

EXAMPLES_RULE = gettext_lazy(
    "One from each part of the scale, graded by people, of the same question type, from templates of the "
    "training split and never from the item's own; first of the item's variety, else its language, else any. "
    "A hash of the item, with the judge's seed where it has one, says which."
)
WAYS = (
    Way(gettext_lazy("No examples, with the rubric"), {"shots": "zero", "rubric": True}),
    Way(gettext_lazy("No examples, without the rubric"), {"shots": "zero", "rubric": False}),
    Way(gettext_lazy("Three examples, with the rubric"), {"shots": "few", "rubric": True}),
    Way(gettext_lazy("Three examples, without the rubric"), {"shots": "few", "rubric": False}),
)
QUESTION, PAIR, OTHER = "question", "pair", "other"
# A judge answered in these states: with a verdict, or with something that no verdict could be read from.
TOLD = (*ANSWERED, CallState.MALFORMED)


def named(sort: str, pk: int) -> str:
    """How a call names what it is about, where that is rows of several tables."""
    return f"{sort}:{pk}"


def id_of(sort: str, about: Iterable[Any]) -> int | None:
    """The id that was named so, or None."""
    prefix = f"{sort}:"
    return next((int(str(name).removeprefix(prefix)) for name in about if str(name).startswith(prefix)), None)


def ids_of(sort: str, names: Iterable[Any]) -> set[int]:
    prefix = f"{sort}:"
    return {int(str(name).removeprefix(prefix)) for name in names if str(name).startswith(prefix)}


def is_few_shot(judge: Judge) -> bool:
    return SHOTS.of(judge) == Shots.FEW


def has_rubric(judge: Judge) -> bool:
    return bool(RUBRIC.of(judge))


def rule_kept(judge: Judge) -> dict[str, str]:
    """What a prompt's row keeps of the rule of examples; nothing without a seed, as rows from before have none."""
    has_seed = is_few_shot(judge) and EXAMPLES_SEED.of(judge) is not None
    return rule_parts(judge, EXAMPLES_RULE) if has_seed else {}


def setting_of(judge: Judge) -> str:
    """How the judge is set up, in the name of its prompt."""
    seed = EXAMPLES_SEED.of(judge) if is_few_shot(judge) else None
    few = "zero" if not is_few_shot(judge) else "few" if seed is None else f"few seed {seed}"
    return f"{few}{'+rubric' if has_rubric(judge) else ''}"


class Asked(NamedTuple):
    """Question types by id, and by prompt's question type those that its responses are rated on."""

    by_id: dict[int, QuestionType]

    def on(self, question: int | None) -> list[QuestionType]:
        return [self.by_id[question]] if question is not None else list(self.by_id.values())


def asked_in(over: Pass) -> Asked:
    """The project's question types. Raises Invalid where it has none."""
    if "questions" not in over.cache:
        by_id = {question.pk: question for question in question_types(over.judge.project_id)}
        if not by_id:
            raise Invalid(
                Problem("no_questions", _("The project has no question type that a response could be rated on."))
            )
        over.cache["questions"] = Asked(by_id)
    return over.cache["questions"]


def pool_for(over: Pass, of_pairs: bool) -> Pool | None:
    """Where examples are drawn from; None for a judge that is shown none."""
    if not is_few_shot(over.judge):
        return None
    if "pool" not in over.cache:
        over.cache["pool"] = pool_of(over.judge.project, asked_in(over).by_id.values(), of_pairs)
    return over.cache["pool"]


def no_example(question: QuestionType, part: str) -> str:
    """The reason why a response is not ready, in words."""
    messages = {
        "low": _("no graded example from the low end of “%(question)s” in the training split"),
        "middle": _("no graded example from the middle of “%(question)s” in the training split"),
        "high": _("no graded example from the high end of “%(question)s” in the training split"),
    }
    without_scale = _("no decided pair as an example of “%(question)s” in the training split")
    return messages.get(part, without_scale) % {"question": question.label}


class Drawn:
    """The units of one pass as they come together: what is asked, what was answered, what lacks examples."""

    def __init__(self) -> None:
        self.of_response: dict[int, list[Unit]] = defaultdict(list)
        self.answered = 0
        self.withheld = 0
        self.lacking: set[int] = set()
        self.reasons: Counter[str] = Counter()

    def lacks(self, response: int, reason: str) -> None:
        self.lacking.add(response)
        self.reasons[reason] += 1


def check_reasoning(value: object) -> str:
    """The reasoning without the space around it. Raises WrongAnswer where it is none."""
    if not isinstance(value, str):
        raise WrongAnswer("wrong_type", "reasoning")
    if len(value) > MAX_CHARACTERS:
        raise WrongAnswer("too_long", "reasoning")
    if not value.strip():
        raise WrongAnswer("reason_missing")
    return value.strip()


def check_grade(name: str, value: object, form: Mapping[str, Any]) -> int:
    """A whole number of the scale. Raises WrongAnswer for all else that may mean one: "4", 4.5, true, Arabic digits."""
    if type(value) is not int:
        raise WrongAnswer("wrong_type", name)
    if value not in form["enum"]:
        raise WrongAnswer("off_the_scale", f"{name}: {str(value)[:20]}")
    return value


class OtherResponse(NamedTuple):
    """The response shown second. Its model and laboratory are for the guard alone."""

    id: int
    text: str
    model: str
    laboratory: str

    @property
    def author(self) -> tuple[str, str]:
        return (self.model, self.laboratory)


class ShownPair(NamedTuple):
    """That the pair is still there: nothing of it is shown but its responses."""

    id: int
    author: None = None


def subjects(names: Collection[Any]) -> dict[str, Any]:
    """What ratings are about, by the names in `Call.about`. One statement for each sort that occurs."""
    shown_by_name: dict[str, Any] = dict(shown_examples(names))
    questions: Mapping[int, ShownQuestion] = shown_questions(ids_of(QUESTION, names))
    shown_by_name |= {named(QUESTION, pk): question for pk, question in questions.items()}
    if pairs := ids_of(PAIR, names):
        there = ResponsePair.objects.filter(pk__in=Among(pairs)).values_list("pk", flat=True)
        shown_by_name |= {named(PAIR, pk): ShownPair(pk) for pk in there}
    if others := ids_of(OTHER, names):
        columns = ("pk", "text", "target_model__name", laboratory_slug())
        rows = Response.objects.filter(pk__in=Among(others)).values_list(*columns)
        shown_by_name |= {named(OTHER, row[0]): OtherResponse._make(row) for row in rows}
    return shown_by_name


def store(
    judge: Judge, round: int, answered: Sequence[tuple[int, UnitAnswer]], metadata: dict, both_orders: bool
) -> int:
    """A rating for every answer that has none yet: (response that the call stands under, answer). How many were new.

    Of a pair, what was said of the response shown first is said of the pair's first or second, whichever it was.
    An answer that no verdict could be read from is stored as one; without an answer nothing is.
    """
    answers = [(response, answer) for response, answer in answered if answer.state in TOLD]
    pairs = pairs_of(answers)
    questions = QuestionType.objects.in_bulk({pk for _r, answer in answers if (pk := id_of(QUESTION, answer.about))})
    have = already(judge, round, pairs, {response for response, _answer in answers})
    new: list[RatingData] = []
    for response, answer in answers:
        pair = pairs.get(id_of(PAIR, answer.about) or 0)
        question = questions.get(id_of(QUESTION, answer.about) or 0)
        if question is None or (pair is None and id_of(PAIR, answer.about)):
            continue  # what it was about is gone
        key = key_of(response, answer, pair)
        if key in have:
            continue
        have.add(key)
        is_swapped = key[3]
        subject = pair or Response(pk=response)
        data = RatingData(question, subject, judge.rater, round=round, is_swapped=is_swapped, metadata=metadata)
        data.is_of_both_orders = both_orders and pair is not None
        say(data, answer)
        new.append(data)
    store_ratings(new)
    return len(new)


def say(data: RatingData, answer: UnitAnswer) -> None:
    """Put what was read into the rating, turned back where the second stood first."""
    parsed = answer.parsed
    if answer.state not in ANSWERED or parsed is None:
        data.is_unparseable = True
        return
    data.comment = parsed["reasoning"]
    if "grade" in parsed:
        data.first = parsed["grade"]
    elif "preference" in parsed:
        turned = {"first": "second", "second": "first"} if data.is_swapped else {}
        data.preference = turned.get(parsed["preference"], parsed["preference"])
    else:
        grades = (parsed["grade_a"], parsed["grade_b"])
        data.first, data.second = reversed(grades) if data.is_swapped else grades


# (pair or None, response or None, question type, whether the second was shown first)
Key = tuple[int | None, int | None, int, bool]


def pairs_of(answers: Iterable[tuple[int, UnitAnswer]]) -> dict[int, ResponsePair]:
    """The pairs that answers are about, by id. One statement."""
    return ResponsePair.objects.in_bulk({pk for _response, answer in answers if (pk := id_of(PAIR, answer.about))})


def key_of(response: int, answer: UnitAnswer, pair: ResponsePair | None) -> Key:
    """Which rating the answer becomes, of a call that stands under this response."""
    question = id_of(QUESTION, answer.about) or 0
    if pair is None:
        return None, response, question, False
    return pair.pk, None, question, pair.first_id != response


def already(judge: Judge, round: int, pairs: Iterable[int], responses: Iterable[int]) -> set[Key]:
    """What the judge has rated in this round. One statement."""
    about = Q(pair__in=Among(pairs)) | Q(response__in=Among(responses))
    ratings = Rating.objects.filter(about, rater=judge.rater_id, round=round)
    return set(ratings.values_list("pair_id", "response_id", "question_id", "is_swapped"))


def flat(answered: AnswersByResponse) -> list[tuple[int, UnitAnswer]]:
    """Every answer with the response that its call stands under."""
    return [(response, answer) for response, answers in answered.items() for answer in answers]


class RatingKind(JudgeKind):
    """What the kinds that rate have in common. No work of people rests on a judge's ratings: each can be read anew."""

    ways = WAYS
    examples_rule = EXAMPLES_RULE
    gone = "rated_gone"

    def is_of_both_orders(self, judge: Judge) -> bool:
        """Whether the judge rates each pair in both orders."""
        return False

    def subjects(self, ids: Collection[Any]) -> Mapping[Any, Any]:
        return subjects(ids)

    def schema(self, prompt: PromptText, material: Material) -> dict[str, Any]:
        assert material.question is not None
        return prompt.schema[str(key_in(prompt, material.question))]

    def is_in(self, prompt: PromptText, subjects: Sequence[Any]) -> bool:
        return all(key_in(prompt, one) is not None for one in subjects if isinstance(one, ShownQuestion))

    def store(self, judge: Judge, round: int, answered: AnswersByResponse, metadata: dict) -> int:
        return store(judge, round, flat(answered), metadata, both_orders=self.is_of_both_orders(judge))

    def withdraw(self, judge: Judge, round: int, responses: Collection[int]) -> set[int]:
        """Delete the unreadable verdicts of calls under these responses, so that they can be asked for again."""
        under = (
            Q(response__in=Among(responses))
            | Q(pair__first__in=Among(responses), is_swapped=False)
            | Q(pair__second__in=Among(responses), is_swapped=True)
        )
        Rating.objects.filter(under, rater=judge.rater_id, round=round, is_unparseable=True).delete()
        return set()

    def held(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> set[tuple[int, int]]:
        return set()

    def take_back(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> None:
        answers_given = flat(answered)
        pairs = pairs_of(answers_given)
        keys = {
            key_of(response, answer, pairs.get(id_of(PAIR, answer.about) or 0)) for response, answer in answers_given
        }
        about = Q(pair__in=Among(pairs)) | Q(response__in=Among(answered))
        of_judge = Rating.objects.filter(about, rater=judge.rater_id, round=round, metadata__prompt=prompt)
        rows = of_judge.values_list("pk", "pair_id", "response_id", "question_id", "is_swapped")
        Rating.objects.filter(pk__in=Among(pk for pk, *key in rows if tuple(key) in keys)).delete()
