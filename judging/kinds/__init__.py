"""The registry of judge kinds: one small file per kind of judging.

A kind says into which units a response falls, what is asked about each, what an answer must look like, and how
the answers of a response's units become rows. What a judge is shown is built from a `Material` alone (and the
project's taxonomy). It holds no answer of anybody, except where errors themselves are what is asked about: then
it holds their words and explanations (of an error of the gold those that people settled on), and nothing of who marked
them; what people said of them is shown to the kind that refines errors, and to no other. Of a rubric it holds what its
criteria say and weigh, and nothing of who wrote them or how anybody graded by them; of a question of a benchmark its
reference answer, and nothing of how anybody scored an answer to it. The one thing that people said and any other kind
may see are the gold grades of few-shot examples: other responses, to prompts of the training split, never of the
template that it is asked about.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from django.utils.translation import gettext_lazy

from judging.models import Judge, Purpose
from judging.prompts import PromptText
from providers.laboratories import Guard

if TYPE_CHECKING:
    from judging.kinds.options import Option


@dataclass(frozen=True, slots=True)
class ShownError:
    """All that a judge may be shown of an error that it is asked about; its id is never shown.

    `place` says in words where it lies: an occurrence of its words, or what something is missing from. `comments` are
    what people said when they kept it, for the one kind that refines errors; `start` where its words begin, in code
    points, is never shown.
    """

    id: int
    words: str
    place: str
    explanation: str
    comments: tuple[str, ...] = ()
    start: int | None = None


@dataclass(frozen=True, slots=True)
class ShownCriterion:
    """All that a judge may be shown of a criterion that it grades by. Its id is never shown: the criteria of a
    question are numbered in their order. `weight` is above 0 for a positive criterion, below for a negative one.
    """

    id: int
    text: str
    weight: int
    author: ClassVar[None] = None  # people write criteria


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """The question type that a rating is about. Its words and its scale stand in the prompt, under its short name."""

    id: int
    slug: str = ""
    name: str = ""
    dimension: str = ""
    author: ClassVar[None] = None


@dataclass(frozen=True, slots=True)
class ShownQuestionnaire:
    """The questionnaire that is answered. What it shows and asks stands in the prompt, with its name.

    parts  the keys of what it asks by now, by which it is told from another that bore its name before.
    """

    id: int
    name: str = ""
    parts: frozenset[str] = frozenset()
    author: ClassVar[None] = None


@dataclass(frozen=True, slots=True)
class ShownReference:
    """All that a judge may be shown of a question of a benchmark beside its prompt: the rule that it scores by, the
    reference answer, and the language that is expected, in words, empty where any is.

    `passage` and `options` are empty where the prompt holds them already.
    """

    id: int
    rule: str
    reference: str
    language: str = ""
    passage: str = ""
    options: str = ""
    author: ClassVar[None] = None  # people write reference answers


@dataclass(frozen=True, slots=True)
class ShownExample:
    """An example: a question, one response to it or two, and people's gold: a grade of each, or a preference
    ("first", "second" or "tie") where there is no scale; of marked errors the list of them, of a questionnaire the
    answers, as JSON.
    """

    prompt: str
    language: str
    responses: tuple[str, ...]
    grades: tuple[int, ...] = ()
    preference: str = ""
    errors: str = ""
    author: ClassVar[None] = None  # an example is not judged


@dataclass(frozen=True, slots=True)
class Material:
    """All that a judge may be shown of a response, and of what else it is asked about.

    `target` is the name of the model that wrote the response, empty where the judge is not to know it; `other` the
    response shown second, where two are compared; `others` all that are shown after the first, where a questionnaire
    is about several.
    """

    prompt: str
    response: str
    language: str
    errors: tuple[ShownError, ...] = ()
    criteria: tuple[ShownCriterion, ...] = ()
    target: str = ""
    other: str = ""
    question: ShownQuestion | None = None
    examples: tuple[ShownExample, ...] = ()
    reference: ShownReference | None = None
    questionnaire: ShownQuestionnaire | None = None
    others: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text in it that somebody wrote: none may hold the number of the marks around it."""
        of_errors = (text for error in self.errors for text in (error.words, error.explanation, *error.comments))
        of_criteria = (criterion.text for criterion in self.criteria)
        of_examples = (
            text for example in self.examples for text in (example.prompt, *example.responses, example.errors)
        )
        shown = self.reference
        of_reference = (shown.reference, shown.passage, shown.options) if shown else ()
        beside = (*of_errors, *of_criteria, self.target, *of_examples, *of_reference, *self.others)
        return (self.prompt, self.response, self.other, *beside)


class Subject(Protocol):
    """One of the things that a question is about, as it was found: an error, a criterion, another response."""

    # The model that made it and its laboratory, for the guard alone; None where people made it.
    author: tuple[str, str] | None


# What a call is about: ids where all are rows of one table, else names such as "pair:7" that say of which.
About = int | str


class Unit(NamedTuple):
    """What one call asks about: its number within the response, and the errors, criteria or other rows.

    Numbers are the calls' key, so the same question has the same number whenever it is planned.
    """

    number: int
    about: tuple[About, ...] = ()


def number_of(about: Iterable[About]) -> int:
    """The number of a question about exactly these: 63 bits of their hash. Another set is another question."""
    digest = sha256(",".join(map(str, sorted(about))).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


class Units(NamedTuple):
    """Units by response id. `withheld`: errors or pairs left out because the judge's own laboratory has a part in
    them; `not_ready`: responses that cannot be asked about yet, `reasons` how often for want of what;
    `answered`: units left out because the judge has answered them.
    """

    of_response: dict[int, list[Unit]]
    withheld: int = 0
    not_ready: int = 0
    reasons: Mapping[str, int] = {}
    answered: int = 0


@dataclass(frozen=True, slots=True)
class Pass:
    """A judge going over the responses of its project in one round, some hundreds at a time.

    `cache` keeps what its kind has looked up once for all of them.
    """

    judge: Judge
    guard: Guard
    round: int = 1
    cache: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UnitAnswer:
    """The terminal state of one unit of a response, with what was read from it and what it was about."""

    unit: int
    state: str
    parsed: dict[str, Any] | None
    about: tuple[About, ...] = ()


class WrongAnswer(Exception):
    """A judge's JSON is not the answer that was asked for. `code` names why; nothing of it is used."""

    def __init__(self, code: str, detail: str = "") -> None:
        self.code, self.detail = code, detail
        super().__init__(f"{code}: {detail}" if detail else code)


class Way(NamedTuple):
    """One way of asking, by what stands in `Judge.options`."""

    label: Any  # lazy translation
    options: Mapping[str, Any]


#: Of a kind that has no options.
ONE_WAY = (Way(gettext_lazy("As every judge of this kind"), {}),)


# By response id the answers to its units.
AnswersByResponse = Mapping[int, Sequence[UnitAnswer]]


class JudgeKind(ABC):
    """A kind of judging. What a kind does not say of itself is as this base has it."""

    kind: ClassVar[str]
    name: ClassVar[Any]  # lazy translation
    # The area that declares it, and whether it is what a judge of that area is mostly asked for.
    area = ""
    is_usual = False
    # What a run of the kind is for where nobody says it (judging.models.Purpose): its area declares it.
    purpose = Purpose.GOLD
    # False of a kind whose answers are nothing but questions to people, or what a board is made of, so that none of it
    # can be kept from them; and of one that people have nothing to do with.
    can_be_evaluated = True
    # How judges of the kind can be set up.
    options: tuple["Option", ...] = ()
    # Some ways of asking that a prompt is tried in as no judge in particular; the first is the usual one.
    ways: tuple[Way, ...] = ONE_WAY
    # The rule in words by which examples are drawn, as it stands on the page of a prompt; empty where none are shown.
    examples_rule: Any = ""
    # Why there may be nothing to ask: a lazy translation, or empty where only responses can be wanting.
    idle: Any = ""
    # What `Units.withheld` and `Units.not_ready` count, as a lazy translation; empty where neither occurs.
    withheld: Any = ""
    not_ready: Any = ""
    # True where an answer is made of all units of its response, so that nothing is stored before the last has ended.
    is_stored_whole = False
    # The problem of a call about something that is no longer there; empty where nothing can go.
    gone = ""
    # How the unit of a number from 0 is called in lists of calls, with %(number)s from 1; empty where none has a name.
    unit_label: Any = ""

    @property
    def setup_begins(self) -> str:
        """What the name begins with that a judge gets by how it is set up."""
        return self.kind

    @abstractmethod
    def prompt_text(self, judge: Judge) -> PromptText:
        """The prompt as the files, the judge's settings and the project's taxonomy make it now."""

    def answered(self, judge: Judge, round: int) -> set[int]:
        """Ids of responses that have the judge's answer of this round and are not asked about again. None of a kind
        whose `units` leaves out what was asked before."""
        return set()

    @abstractmethod
    def units(self, over: Pass, texts: Mapping[int, str]) -> Units:
        """What is to be asked about these responses, whose texts stand by id.

        Raises projects.problems.Invalid where the project lacks what the questions need.
        """

    def beside(self, over: Pass) -> Mapping[int, Sequence[Unit]]:
        """What is asked in every run that asks anything at all, whatever responses it was to cover: units by response
        id. Nothing of a kind that says nothing of it."""
        return {}

    def is_in(self, prompt: PromptText, subjects: Sequence[Any]) -> bool:
        """Whether the prompt asks about these. Where it does not, a call about them is as one about what is gone."""
        return True

    def asks_anew(self, about: Sequence[About]) -> bool:
        """Whether a call about these is asked even where the same question has been answered in its round."""
        return False

    @abstractmethod
    def subjects(self, ids: Collection[Any]) -> Mapping[Any, Any]:
        """What calls are about (`Call.about`), as far as it is still there: a Subject by id or name, in one statement
        for each table.
        """

    @abstractmethod
    def material(self, bare: Material, subjects: Sequence[Any], target: str, prompt: PromptText) -> Material:
        """The material of a call: the bare texts with the subjects that were found for it, as they are shown.

        `target` is the name of the model that wrote the response, for those who may show it.
        """

    def schema(self, prompt: PromptText, material: Material) -> dict[str, Any]:
        """The JSON Schema of the answer to one call: that of the prompt's row, unless answers differ in form."""
        return prompt.schema

    @abstractmethod
    def messages(self, prompt: PromptText, material: Material, unit: int, nonce: str) -> list[dict[str, str]]:
        """The chat messages of one call."""

    @abstractmethod
    def read(
        self, value: Mapping[str, Any], prompt: PromptText, material: Material, unit: int, nonce: str
    ) -> dict[str, Any]:
        """The answer as it is kept in `Call.parsed`, with `unlocatable` listing quotes that were not found, if any.

        Raises WrongAnswer where keys, types or values are not those of the schema, or the ticket is another.
        """

    def read_plain(self, answer: Any, prompt: PromptText, material: Material, unit: int) -> dict[str, Any]:
        """The answer to a published prompt as `read` has it; `answer` is what its form holds (`prompts/published.py`).

        Raises WrongAnswer where it says nothing that the kind knows. Of a kind that has no such forms always.
        """
        raise WrongAnswer("unknown_form")

    @abstractmethod
    def store(self, judge: Judge, round: int, answered: AnswersByResponse, metadata: dict) -> int:
        """Write the answers of whole responses (by response id); return how many were new."""

    def withdraw(self, judge: Judge, round: int, responses: Collection[int]) -> set[int]:
        """Take back incomplete answers so that they can be given anew; return the responses where that is refused. None
        of a kind for which a call without an answer stores nothing."""
        return set()

    @abstractmethod
    def held(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> set[tuple[int, int]]:
        """Those of these answers, as (response, unit), that stay as they were stored: people have worked on what they
        became, or they could not be stored again. `prompt` is `storing.origin`'s, which the rows carry.
        """

    @abstractmethod
    def take_back(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> None:
        """Delete what these answers became, so that they can be stored as they are read now. None of them is held."""


_registry: dict[str, JudgeKind] = {}


def register(kind: JudgeKind) -> None:
    if kind.kind in _registry:
        raise ValueError(f"judge kind {kind.kind!r} is registered twice")
    _registry[kind.kind] = kind


def judge_kind(name: str) -> JudgeKind:
    return _registry[name]


def judge_kinds() -> dict[str, JudgeKind]:
    return dict(_registry)
