"""What the marks of a judge show of its habits: how many it makes, and which kind of error it does not see.

Rows are answers on responses with settled errors, see `judging.Detected`.
"""

from agreement.figures import Figure
from agreement.habits import Floats, Integers, mean_error, recall_gap
from reports.spans.groups import DEPTHS

#: Errors in a response.
ERRORS = 0.5
#: Of recalls, ten in a hundred.
GAP = 0.1
THIN, THICK = DEPTHS.index("thin"), DEPTHS.index("thick")


def of_marks(matches: Integers, classes: Integers, prompt: Integers, people: dict[str, Figure]) -> dict[str, Figure]:
    """By habit.

    matches  match counts, shape (N, 4). classes  gold errors found and all by category and then by depth, shape
    (N, C + D, 2). people  the same figures of people, {} where these are they: the gold is made of what all of them
    found, so that each by himself marks less.
    """
    beyond: Floats = (matches[:, 1] - matches[:, 3]).astype(float)
    amount = mean_error(beyond, prompt, ERRORS)
    depths = classes[:, classes.shape[1] - len(DEPTHS) :][:, [THIN, THICK]]
    known = {name: figure.value for name, figure in people.items()}
    if known.get("amount") is not None:
        amount = amount.with_detail(people=known["amount"])
    return {"amount": amount, "depth": recall_gap(depths[..., 0], depths[..., 1], prompt, GAP, known.get("depth"))}
