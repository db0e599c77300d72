"""Gold of what questionnaires ask, part by part, from the values that were loaded; the rules are those of
`annotation/questionnaires/gold.py`."""

from agreement.consensus import Gold
from annotation.questionnaires.gold import consensus_of
from reports.questionnaires.reader import Values


def gold_of(values: Values) -> Gold:
    """Gold of every item that people answered; of names without an order, of those where one leads."""
    return consensus_of(values.part, values.item, values.value, values.expert)
