"""What stands between a draft and its freeze: what it lacks, what the lint found, and the difficulty check."""

from django.utils.translation import gettext as _

from projects.problems import Invalid, Problem
from rubrics.authoring import difficulty, linting
from rubrics.authoring.bodies import revised_by
from rubrics.authoring.checking import lacking, read_draft
from rubrics.models import DifficultyOutcome, Rubric
from workflow.models import Assignment


def check_complete(assignment: Assignment, body: object) -> dict:
    """The draft, complete but for a second author's review. Raises Invalid with every problem found."""
    draft = read_draft(body)
    bands = set(assignment.stage.project.weight_bands.values_list("slug", flat=True))
    problems = lacking(draft, bands)
    problems += _about_prompt(assignment, draft)
    problems += [
        Problem("open_finding", str(finding.message), "findings", span=finding.criterion or None)
        for finding in linting.open_findings(assignment, draft)
    ]
    if problems:
        raise Invalid(problems)
    return draft


def _about_prompt(assignment: Assignment, draft: dict) -> list[Problem]:
    revised = revised_by(assignment)
    if revised is not None:
        if draft["prompt"] != revised.prompt.text:
            message = _(
                "The prompt of a frozen rubric stays as it is: responses were given to these words. "
                "Put the old text back, or begin a new rubric for the new prompt."
            )
            return [Problem("prompt_fixed", message, "prompt")]
        if Rubric.objects.filter(supersedes=revised).exists():
            message = _("There is a newer version of this rubric meanwhile. Revise that one instead.")
            return [Problem("superseded", message, "prompt")]
        if revised.difficulty:
            return []
    elif _was_written_meanwhile(assignment, draft):
        message = _("Another author has frozen a rubric for this prompt meanwhile. Discard this one.")
        return [Problem("has_rubric", message, "prompt")]
    return _about_difficulty(assignment, draft)


def _was_written_meanwhile(assignment: Assignment, draft: dict) -> bool:
    """That the prompt was taken up as it was imported, and has a rubric by now."""
    prompt = assignment.item.prompt
    return prompt is not None and draft["prompt"] == prompt.text and Rubric.objects.filter(prompt=prompt).exists()


def _about_difficulty(assignment: Assignment, draft: dict) -> list[Problem]:
    check = difficulty.check_of(assignment, draft["prompt"])
    if check is not None and check.outcome == DifficultyOutcome.PERFECT:
        message = _(
            "A model answered this prompt perfectly, so it tells nobody apart. Revise the prompt and check it "
            "again, or discard it."
        )
        return [Problem("too_easy", message, "difficulty")]
    if not difficulty.is_needed(assignment) or not draft["prompt"].strip():
        return []
    if check is None:
        if assignment.difficulty_checks.exists():
            message = _("The prompt was changed since it was checked. Check its difficulty again.")
            return [Problem("prompt_changed", message, "difficulty")]
        return [Problem("required", _("Check the difficulty of the prompt before you freeze it."), "difficulty")]
    if not check.outcome:
        return [Problem("unmarked", _("Say how the model did in the difficulty check."), "difficulty")]
    return []
