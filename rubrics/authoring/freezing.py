"""The freeze: a complete draft becomes a prompt, a rubric and its criteria, hashed and stamped.

Called once per submission, inside its transaction (workflow/submission.py): a resend is answered as the first was,
and nothing of a freeze that fails is left. From then on the database refuses every change.
"""

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from projects import audit
from projects.access import may
from projects.anchors import sha256
from projects.models import LanguageVariety, Project, Prompt, Rater
from projects.problems import Invalid, Problem
from rubrics.authoring import difficulty, reviewing
from rubrics.authoring.bodies import revised_by
from rubrics.authoring.completeness import check_complete
from rubrics.authoring.linting import kept_findings
from rubrics.authoring.settings import settings_of
from rubrics.canonical import CanonicalCriterion, canonical_form, rubric_sha256
from rubrics.models import Criterion, Rubric
from workflow.models import Assignment

KEY_ATTEMPTS = 20


def check_ready(assignment: Assignment, body: object) -> dict:
    """The draft as it may be frozen. Raises Invalid with every problem, named by field and criterion."""
    author = assignment.rater.user
    if author is None or not may(author, assignment.stage.project, "rubrics.freeze"):
        message = _("You may not freeze rubrics in this project. Ask who leads it.")
        raise Invalid(Problem("not_allowed", message, "body"))
    draft = check_complete(assignment, body)
    if settings_of(assignment.stage.project).needs_review and reviewing.approval(assignment, draft) is None:
        latest = reviewing.state(assignment, draft)
        if latest is None:
            message = _("A second author reviews each rubric of this project first. Ask for a review.")
        elif latest["holds"] and not latest["decision"]:
            message = _("A second author has not reviewed the rubric yet.")
        else:
            message = _("These words were not approved by a second author. Ask for a review once more.")
        raise Invalid(Problem("required", message, "review"))
    return draft


def freeze(assignment: Assignment, draft: dict) -> Rubric:
    """Write the rubric of a draft that `check_ready` let pass. Raises Invalid where another came first."""
    revised = revised_by(assignment)
    prompt = revised.prompt if revised else _prompt_of(assignment, draft)
    try:
        with transaction.atomic():
            rubric = Rubric.objects.create(
                project=prompt.project,
                prompt=prompt,
                version=revised.version + 1 if revised else 1,
                supersedes=revised,
                scope=draft["scope"],
                gold_answer=draft["gold_answer"],
                author=assignment.rater,
                reviewed_by=_reviewer(assignment, draft),
                assignment=assignment,
                difficulty=_difficulty(assignment, draft, revised),
                accepted_findings=kept_findings(assignment, draft),
            )
    except IntegrityError:
        message = _("Another rubric or a newer version of it was frozen this very moment. Nothing was stored.")
        raise Invalid(Problem("has_rubric", message, "prompt")) from None
    criteria = _criteria(rubric, draft)
    Criterion.objects.bulk_create(criteria)
    _seal(rubric, criteria)
    audit.record(
        "rubric.frozen",
        actor=assignment.rater.user,
        project=prompt.project,
        subject=prompt.key,
        version=rubric.version,
        sha256=rubric.sha256,
    )
    return rubric


def _prompt_of(assignment: Assignment, draft: dict) -> Prompt:
    """The prompt that was taken up where its text is unchanged; else a new one."""
    taken_up = assignment.item.prompt
    if taken_up is not None and taken_up.text == draft["prompt"]:
        return taken_up
    project, variety = assignment.stage.project, assignment.item.variety
    for _attempt in range(KEY_ATTEMPTS):
        try:
            with transaction.atomic():
                return Prompt.objects.create(
                    project=project,
                    key=_free_key(project, variety),
                    text=draft["prompt"],
                    text_sha256=sha256(draft["prompt"]),
                    variety=variety,
                    domain=draft["scope"],
                )
        except IntegrityError:  # somebody froze a rubric this very moment and took the number
            continue
    raise RuntimeError(f"no free key for a prompt in {project.slug}")


def _free_key(project: Project, variety: LanguageVariety) -> str:
    """The variety and the next number, such as ar-EG-017."""
    number = Prompt.objects.filter(project=project, variety=variety).count() + 1
    taken = set(Prompt.objects.filter(project=project, key__startswith=f"{variety.tag}-").values_list("key", flat=True))
    while (key := f"{variety.tag}-{number:03d}") in taken:
        number += 1
    return key


def _reviewer(assignment: Assignment, draft: dict) -> Rater | None:
    approval = reviewing.approval(assignment, draft)
    return approval.reviewer if approval else None


def _difficulty(assignment: Assignment, draft: dict, revised: Rubric | None) -> dict:
    check = difficulty.check_of(assignment, draft["prompt"])
    if check is None or not check.outcome:
        return revised.difficulty if revised else {}
    return {
        "model": check.model,
        "outcome": check.outcome,
        "by_hand": check.by_hand,
        "asked_at": check.asked_at.isoformat(),
    }


def _criteria(rubric: Rubric, draft: dict) -> list[Criterion]:
    bands = {band.slug: band for band in rubric.project.weight_bands.all()}
    return [
        Criterion(
            rubric=rubric,
            key=criterion["key"],
            position=position,
            text=criterion["text"],
            weight=criterion["weight"],
            band=bands.get(criterion["band"]),
            objectivity=criterion["objectivity"],
            explicitness=criterion["explicitness"],
            tags=criterion["tags"],
        )
        for position, criterion in enumerate(draft["criteria"], start=1)
    ]


def _seal(rubric: Rubric, criteria: list[Criterion]) -> None:
    rubric.sha256 = sha256_of(rubric, criteria)
    rubric.frozen_at = timezone.now()
    rubric.save(update_fields=["sha256", "frozen_at"])


def sha256_of(rubric: Rubric, criteria: list[Criterion]) -> str:
    """The hash of a rubric's canonical form, from its rows: what the freeze stores, and what proves it later."""
    form = canonical_form(
        prompt_sha256=rubric.prompt.text_sha256,
        variety=rubric.prompt.variety.tag,
        scope=rubric.scope,
        gold_answer=rubric.gold_answer,
        criteria=[
            CanonicalCriterion(
                key=criterion.key,
                text=criterion.text,
                weight=criterion.weight,
                band=criterion.band.slug if criterion.band else "",
                objectivity=criterion.objectivity,
                explicitness=criterion.explicitness,
                tags=criterion.tags,
            )
            for criterion in criteria
        ],
    )
    return rubric_sha256(form)
