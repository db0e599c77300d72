"""Ratings of people that came in a file, held to the rules of their stage when all lines are in: an answer may stand on
several, in any order.
"""

from collections import Counter, defaultdict
from typing import Any

from annotation.importing.parts import Touched
from annotation.models import Rating
from annotation.pairs.rules import broken
from formats.problems import ProblemLog
from projects.chunks import in_chunks
from projects.models import Project
from workflow.answer_rules import rules_of_imports

COLUMNS = ("response_id", "pair_id", "rater_id", "round", "question__slug", "first_grade", "second_grade")


def hold_to_rules(project: Project, touched: Touched, problems: ProblemLog, counts: Counter[str]) -> None:
    """Say the first line of every answer that does not keep a rule; what only warns is counted."""
    for kind, place in (("ratings", 1), ("pairs", 0)):
        rules = rules_of_imports(project, kind)
        if not rules:
            continue
        subject = "response" if kind == "ratings" else "pair"
        lines = {key: line for key, line in touched.rated.items() if key[place] is not None}
        for chunk in in_chunks(sorted({about for key in lines if (about := key[place]) is not None})):
            for key, ratings in _answers(subject, chunk).items():
                if key not in lines:
                    continue
                for each in broken(rules, ratings):
                    if each.warns:
                        counts["warnings"] += 1
                    else:
                        field = "grade" if each.field == "first" and kind == "ratings" else each.field
                        problems.say(lines[key], each.code, str(each.problem.message), field)


def _answers(subject: str, ids: list[int]) -> dict[tuple[int | None, int | None, int, int], list[dict[str, Any]]]:
    found = defaultdict(list)
    rows = Rating.objects.filter(**{f"{subject}__in": ids}).order_by("pk")
    for response, pair, rater, round, slug, first, second, preference, comment in rows.values_list(
        *COLUMNS, "preference", "comment"
    ):
        said = {"question": slug, "first": first, "second": second, "preference": preference, "comment": comment}
        found[pair, response, rater, round].append(said)
    return found
