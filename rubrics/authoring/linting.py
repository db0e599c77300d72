"""What the lint finds in a draft, and which of it the author has kept with a reason."""

from workflow.models import Assignment


def findings(assignment: Assignment, draft: dict) -> list:
    return []


def open_findings(assignment: Assignment, draft: dict) -> list:
    """What is neither mended nor kept with a reason."""
    kept = {
        (accepted["code"], accepted["criterion"], accepted["words"])
        for accepted in draft["accepted"]
        if accepted["reason"].strip()
    }
    return [
        finding
        for finding in findings(assignment, draft)
        if (finding.code, finding.criterion, finding.words) not in kept
    ]


def kept_findings(assignment: Assignment, draft: dict) -> list[dict]:
    """What the lint still finds and the author has kept, with the reason: what is frozen with the rubric."""
    reasons = {
        (accepted["code"], accepted["criterion"], accepted["words"]): accepted["reason"]
        for accepted in draft["accepted"]
        if accepted["reason"].strip()
    }
    kept = {}
    for finding in findings(assignment, draft):
        place = (finding.code, finding.criterion, finding.words)
        if place in reasons:
            kept[place] = {
                "code": finding.code,
                "criterion": finding.criterion,
                "words": finding.words,
                "reason": reasons[place],
            }
    return list(kept.values())
