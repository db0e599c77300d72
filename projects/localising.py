"""Making a prompt of a template: a native speaker's translation, with the local values in their places."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from projects import anchors, placeholders
from projects.differences import differences
from projects.models import (
    DraftOutcome,
    LanguageVariety,
    Localisation,
    LocalisationDraft,
    Prompt,
    PromptTemplate,
    Rater,
    Segmentation,
)
from projects.problems import Invalid, Problem

MAX_TEXT = 10_000
MAX_VALUE = 500
MAX_VALUES = 100
# A prompt's key is its template's, a colon and the variety's tag.
MAX_KEY = 160


def prompt_key(template_key: str, tag: str) -> str:
    return f"{template_key}:{tag}"


def problems_of(original: str, text: str, values: Mapping[str, str]) -> list[Problem]:
    """What a translation of the original lacks to become a prompt; `span` is the placeholder's name. No database."""
    if not text.strip():
        return [Problem("required", _("Write the translation."), "text")]
    problems = []
    for name in placeholders.missing(original, text):
        message = _("The placeholder [%(name)s] of the original is missing from the translation.")
        problems.append(Problem("placeholder_missing", message % {"name": name}, "text", span=name))
    for name in placeholders.unknown(original, text):
        message = _("The original has no placeholder [%(name)s]. Write what is meant instead.")
        problems.append(Problem("placeholder_unknown", message % {"name": name}, "text", span=name))
    for name in placeholders.names(original):
        value = values.get(name, "")
        if not value.strip():
            message = _("Say what stands for [%(name)s] here.")
            problems.append(Problem("required", message % {"name": name}, "values", span=name))
        elif placeholders.find(value):
            message = _("The value of [%(name)s] holds a placeholder itself. Write the words that people will read.")
            problems.append(Problem("placeholder_in_value", message % {"name": name}, "values", span=name))
    return problems


def finished(template: PromptTemplate, variety: LanguageVariety, text: str, values: Mapping[str, str]) -> Prompt:
    """The prompt that a faultless localisation makes, not yet stored."""
    asked = placeholders.fill(text, values)
    return Prompt(
        project_id=template.project_id,
        key=prompt_key(template.key, variety.tag),
        text=asked,
        text_sha256=anchors.sha256(asked),
        variety=variety,
        question_id=template.question_id,
        template=template,
    )


def draft_of(template: PromptTemplate, variety: LanguageVariety) -> LocalisationDraft | None:
    """What a model has drafted of it, whatever became of that."""
    rows = LocalisationDraft.objects.filter(template=template, variety=variety)
    return rows.select_related("target_model").first()


def outcome_of(draft: LocalisationDraft, text: str, values: Mapping[str, str], is_rejected: bool) -> DraftOutcome:
    """Accepted where every word is the draft's, whatever was said of it on the way."""
    if (text, dict(values)) == (draft.text, draft.values):
        return DraftOutcome.VALIDATED
    return DraftOutcome.REJECTED if is_rejected else DraftOutcome.EDITED


def provenance(draft: LocalisationDraft, rater: Rater | None) -> dict[str, Any]:
    """How a prompt came about that a model drafted, for its metadata."""
    return {
        "source": draft.template.text,
        "outcome": draft.outcome,
        "by": rater.pseudonym if rater else None,
        "draft": {
            "text": draft.text,
            "values": draft.values,
            "model": draft.target_model.name,
            "simulated": draft.is_simulated,
            "prompt": draft.prompt,
            "drafted_at": draft.created_at.isoformat(),
        },
        "edits": draft.edits,
    }


def localise(
    template: PromptTemplate,
    variety: LanguageVariety,
    text: str,
    values: Mapping[str, str],
    rater: Rater | None,
    *,
    is_rejected: bool = False,
    validates: bool = False,
) -> Localisation:
    """Store the localisation and its prompt together, with what became of a model's draft; is_rejected  the speaker has
    put that aside; validates  they have looked at what came without a speaker's name: its very words get theirs, other
    words take its place until it was asked. Raises Invalid with every problem, and nothing is stored."""
    with transaction.atomic():
        # Held as it is read: the lead cannot change the original meanwhile.
        template = PromptTemplate.objects.select_for_update(no_key=True).get(pk=template.pk)
        used = {name: values[name] for name in placeholders.names(template.text) if name in values}
        if problems := problems_of(template.text, text, used):
            raise Invalid(problems)
        there = Localisation.objects.select_for_update(no_key=True).filter(template=template, variety=variety).first()
        if there is not None:
            if not validates or there.rater_id is not None:
                raise Invalid(already_there(template, variety))
            if (there.text, there.values) == (text, used):
                there.rater = rater
                there.save(update_fields=["rater"])
                return there
            take_back(there)
        prompt = finished(template, variety, text, used)
        draft = draft_of(template, variety)
        if draft is not None:
            draft.template, draft.outcome = template, outcome_of(draft, text, used, is_rejected)
            rule = Segmentation(variety.segmentation).rule
            draft.edits = [list(edit) for edit in differences(draft.text, text, rule)]
            prompt.metadata = {"localisation": provenance(draft, rater)}
        try:
            with transaction.atomic():
                prompt.save()
        except IntegrityError:
            message = _("The project has another prompt with the id “%(key)s”. Ask your lead to rename the template.")
            raise Invalid(Problem("prompt_there", message % {"key": prompt.key}, "text")) from None
        made = Localisation.objects.create(
            template=template, variety=variety, text=text, values=used, rater=rater, prompt=prompt
        )
        if draft is not None:
            draft.localisation = made
            draft.save(update_fields=["outcome", "edits", "localisation"])
        return made


def already_there(template: PromptTemplate, variety: LanguageVariety) -> Problem:
    message = _("“%(template)s” has been localised for %(variety)s already. Nothing was changed.")
    return Problem("already_localised", message % {"template": template.key, "variety": variety.local_name}, "template")


def was_asked(localisation: Localisation) -> bool:
    """Whether anything has been built on its prompt: a response, or anything else that points at it."""
    others = [link for link in Prompt._meta.related_objects if link.related_model is not Localisation]
    return any(
        link.related_model._base_manager.filter(**{link.field.name: localisation.prompt_id}).exists() for link in others
    )


def take_back(localisation: Localisation) -> None:
    """Delete a localisation and the prompt it made. Raises Invalid where the prompt was asked already."""
    with transaction.atomic():
        prompt = Prompt.objects.select_for_update().get(pk=localisation.prompt_id)
        if was_asked(localisation):
            raise Invalid(Problem("asked", _("The prompt has been asked already, so its text stays as it is.")))
        drafts = LocalisationDraft.objects.filter(localisation=localisation)
        drafts.update(localisation=None, outcome="", edits=[])
        localisation.delete()
        prompt.delete()
