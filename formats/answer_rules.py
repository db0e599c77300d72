"""What an answer must hold beside what its kind of work asks for anyway, as data: a list of rules of a stage.

A rule speaks of the entries of one answer: marks, ratings, verdicts on criteria. It stops whoever hands the answer in,
or only warns. Which demands and conditions fit a kind of work its task type says (`workflow.task_types.RuleWords`).
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NotRequired, TypedDict

from django.utils.translation import gettext as _

from formats.kinds import FLAG, NUMBER, one_of, short_text, whole
from formats.layout import MAX_OPTION
from formats.limits import MAX_SPANS
from formats.problems import ProblemLog
from formats.project_file.part import Slug, texts
from formats.records import Rule, ruled

MAX_RULES = 50
#: What each mark can be asked to hold; a link is an address within its explanation.
NEEDS = ("explanation", "correction", "category", "link")
#: What each rating can be asked to hold, and a grading where one of its verdicts is such.
COMMENT = "comment"
OF_MARKS = ("criticality", "type", "category")
#: What a rule demands; it says one of these.
DEMANDS = ("needs", "most", "least", "ask")
Words = Annotated[list[str] | None, texts(50, 60)]
Bound = Annotated[float | None, NUMBER]


class RuleRecord(TypedDict):
    """One of `needs`, `most`, `least` and `ask`; of the entries that are of all that is named beside it."""

    needs: NotRequired[Annotated[str | None, one_of((*NEEDS, COMMENT)), "What each of these entries holds"]]
    most: NotRequired[Annotated[int | None, whole(0, MAX_SPANS), "How many such entries an answer has at most"]]
    least: NotRequired[Annotated[int | None, whole(1, MAX_SPANS), "How many such entries an answer has at least"]]
    ask: NotRequired[Annotated[Words, "Questions that are asked only after such an answer to another one"]]
    after: NotRequired[Annotated[Slug | None, "Of `ask`: that other question"]]
    unless: NotRequired[Annotated[Slug | None, "Of marks: it holds until this question beside them is answered so"]]
    question: NotRequired[Annotated[Words, "Of ratings and questionnaires: of these questions alone"]]
    at_least: NotRequired[Annotated[Bound, "Of these: with a grade or number of this or above"]]
    at_most: NotRequired[Annotated[Bound, "Of these: with a grade or number of this or below"]]
    answer: NotRequired[
        Annotated[list[str] | None, texts(50, MAX_OPTION), "Of questionnaires and `unless`: with one of these answers"]
    ]
    preference: NotRequired[Annotated[Words, "Of pairs: with one of these preferences"]]
    verdict: NotRequired[Annotated[Words, "Of gradings: criteria with one of these verdicts"]]
    tag: NotRequired[Annotated[Words, "Of gradings: criteria with one of these tags"]]
    criticality: NotRequired[Words]
    type: NotRequired[Words]
    category: NotRequired[Words]
    warns: NotRequired[Annotated[bool | None, FLAG, "It does not stop anybody"]]
    message: NotRequired[Annotated[str | None, short_text(300), "What people are told, in the project's own words"]]


FIELDS = tuple(RuleRecord.__annotations__)


def _one_demand(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
    if sum(not _is_unsaid(record.get(name)) for name in DEMANDS) != 1:
        message = _("A rule says one of these: %(demands)s.") % {"demands": ", ".join(DEMANDS)}
        problems.say(line, "not_a_rule", message, f"{prefix}needs")
    if bool(record.get("ask")) != bool(record.get("after")):
        message = _("“ask” and “after” stand together: what is asked, and after which question.")
        problems.say(line, "not_a_rule", message, f"{prefix}after")


ruled(RuleRecord, Rule(_one_demand))


def plain_rules(rules: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rules with the fields that they say, in the order of the file: a database may keep keys in another one."""
    return [{name: rule[name] for name in FIELDS if not _is_unsaid(rule.get(name))} for rule in rules]


def waiting_in_a_circle(rules: Sequence[Mapping[str, Any]]) -> list[int]:
    """Places of the rules whose questions are asked after one that itself is asked, at last, after them."""
    after: dict[str, set[str]] = {}
    for rule in rules:
        for key in rule.get("ask") or ():
            after.setdefault(key, set()).add(rule.get("after") or "")
    return [
        at
        for at, rule in enumerate(rules)
        if rule.get("after") and _awaits(after, rule["after"], set(rule.get("ask") or ()))
    ]


def _awaits(after: Mapping[str, set[str]], key: str, wanted: set[str]) -> bool:
    """Whether the question is one of these, or is asked after one of them, however many stand between."""
    seen: set[str] = set()
    waiting = [key]
    while waiting:
        key = waiting.pop()
        if key in wanted:
            return True
        if key not in seen:
            seen.add(key)
            waiting += after.get(key, ())
    return False


def _is_unsaid(value: Any) -> bool:
    return value is None or value is False or value in ("", [])
