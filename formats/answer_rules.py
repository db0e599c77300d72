"""What an answer must hold beside what its kind of work asks for anyway, as data: a list of rules of a stage.

A rule speaks of the marks of one answer. It stops whoever hands the answer in, or only warns.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NotRequired, TypedDict

from django.utils.translation import gettext as _

from formats.kinds import FLAG, one_of, short_text, whole
from formats.limits import MAX_SPANS
from formats.problems import ProblemLog
from formats.project_file.part import texts
from formats.records import Rule, ruled

MAX_RULES = 50
#: What each mark can be asked to hold; a link is an address within its explanation.
NEEDS = ("explanation", "correction", "category", "link")
OF_MARKS = ("criticality", "type", "category")
Words = Annotated[list[str] | None, texts(50, 60)]


class RuleRecord(TypedDict):
    """One of `needs` and `most`; of the marks that are of all that is named beside it."""

    needs: NotRequired[Annotated[str | None, one_of(NEEDS), "What each of these marks holds"]]
    most: NotRequired[Annotated[int | None, whole(0, MAX_SPANS), "How many such marks an answer has at most"]]
    criticality: NotRequired[Words]
    type: NotRequired[Words]
    category: NotRequired[Words]
    warns: NotRequired[Annotated[bool | None, FLAG, "It does not stop anybody"]]
    message: NotRequired[Annotated[str | None, short_text(300), "What people are told, in the project's own words"]]


FIELDS = tuple(RuleRecord.__annotations__)


def _one_demand(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
    if (record.get("needs") is None) == (record.get("most") is None):
        message = _("A rule says one of “needs” and “most”.")
        problems.say(line, "not_a_rule", message, f"{prefix}needs")


ruled(RuleRecord, Rule(_one_demand))


def plain_rules(rules: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rules with the fields that they say, in the order of the file: a database may keep keys in another one."""
    return [{name: rule[name] for name in FIELDS if not _is_unsaid(rule.get(name))} for rule in rules]


def _is_unsaid(value: Any) -> bool:
    return value is None or value is False or value in ("", [])
