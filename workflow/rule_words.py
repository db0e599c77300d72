"""What rules of answers (formats/answer_rules.py) may say of one kind of work, and which words they may name."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from formats.answer_rules import FIELDS

#: What a rule of any kind may say beside its demand and its conditions.
OF_EVERY_RULE = ("warns", "message")
MOST_SHOWN = 20


@dataclass(frozen=True)
class RuleWords:
    """needs       what an entry of such an answer can be asked to hold.
    demands     those of DEMANDS that make sense.
    conditions  by which fields a rule can say of which entries it speaks.
    """

    needs: tuple[str, ...] = ()
    demands: tuple[str, ...] = ("needs", "most", "least")
    conditions: tuple[str, ...] = ()

    def faults(self, rule: Mapping[str, Any], words: Mapping[str, Collection[str]]) -> Iterator[tuple[str, str, str]]:
        """(field, code, message) of everything in a well-formed rule that does not fit. `words` are the known ones by
        the field that names them; of a field that is not there any word will do."""
        allowed = {*self.demands, *self.conditions, *OF_EVERY_RULE}
        for field in FIELDS:
            given = rule.get(field)
            if given is None or given is False or given in ("", []):
                continue
            if field not in allowed:
                yield field, "not_with_kind", _("Rules of this kind of work do not say this.")
            elif field == "needs" and given not in self.needs:
                yield field, "not_a_choice", _one_of(self.needs)
            elif field in words:
                named = given if isinstance(given, list) else [given]
                if any(word not in words[field] for word in named):
                    yield field, "not_a_choice", _one_of(words[field])


def _one_of(known: Collection[str]) -> str:
    if not known:
        return _("The project has none of these yet.")
    values = [*known]
    shown = ", ".join(values[:MOST_SHOWN]) + (", …" if len(values) > MOST_SHOWN else "")
    return _("One of these is expected: %(values)s.") % {"values": shown}
