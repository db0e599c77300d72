"""Gold of what questionnaires ask, part by part, from the values that were loaded; the rules are those of
`annotation/questionnaires/gold.py`."""

from agreement.consensus import Gold
from annotation.consensus import consensus_of_grades
from annotation.questionnaires.gold import rule_of, scale_of
from reports.questionnaires.reader import Values


def gold_of(values: Values) -> Gold:
    """Gold of every item that people answered; of names without an order, of those where one leads."""
    part = values.part
    return consensus_of_grades(values.item, values.value, values.expert, rule_of(part), scale_of(part))
