"""What the lint finds in a draft, and which of it the author has kept with a reason.

The server asks the lint anew at the freeze: what a browser says was found counts for nothing.
"""

from rubrics import lint
from rubrics.lint import Finding, LintCriterion, LintInput
from workflow.models import Assignment

Identity = tuple[str, str, str]


def findings(assignment: Assignment, draft: dict) -> list[Finding]:
    """Everything the lint has to say about the draft, in the language it is written in."""
    bands = {
        slug: (slug, lowest, highest)
        for slug, lowest, highest in assignment.stage.project.weight_bands.values_list("slug", "lowest", "highest")
    }
    criteria = [
        LintCriterion(criterion["key"], criterion["text"], criterion["weight"], bands.get(criterion["band"]))
        for criterion in draft["criteria"]
    ]
    return lint.find(LintInput(assignment.item.variety.tag, draft["prompt"], draft["gold_answer"], criteria))


def kept_reasons(draft: dict) -> dict[Identity, str]:
    """The reasons an author gave for keeping a finding, by what was found where."""
    return {
        (accepted["code"], accepted["criterion"], accepted["words"]): accepted["reason"]
        for accepted in draft["accepted"]
        if accepted["reason"].strip()
    }


def open_findings(assignment: Assignment, draft: dict) -> list[Finding]:
    """What is neither mended nor kept with a reason."""
    kept = kept_reasons(draft)
    return [finding for finding in findings(assignment, draft) if finding.identity not in kept]


def kept_findings(assignment: Assignment, draft: dict) -> list[dict]:
    """What the lint still finds and the author has kept, with the reason: what is frozen with the rubric."""
    kept = kept_reasons(draft)
    identities = dict.fromkeys(finding.identity for finding in findings(assignment, draft))
    return [
        {"code": code, "criterion": criterion, "words": words, "reason": kept[code, criterion, words]}
        for code, criterion, words in identities
        if (code, criterion, words) in kept
    ]


def as_json(finding: Finding) -> dict:
    """A finding in the reader's language. `start` and `end` are code points of the criterion's text."""
    principle = lint.PRINCIPLES[finding.principle]
    return {
        "code": finding.code,
        "principle": str(principle.name),
        "explanation": str(principle.explanation),
        "criterion": finding.criterion,
        "words": finding.words,
        "message": str(finding.message),
        "start": finding.start,
        "end": finding.end,
        "other": finding.other,
    }
