"""Model cards and configurations: made, changed, withdrawn. All problems are said at once; each act is written down.

`values` are named as the fields of ModelCard and Configuration, the laboratory and the target model by name; what is
left out of a change stays. What defines a run does not change once there are answers: it would be said of answers that
were given otherwise. Each verb raises projects.problems.Invalid, and stores nothing then.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

import orjson
from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from benchmark.card_rules import CARD, CONFIGURATION, MAX_SLUG, RUN, Problems, card_faults, read, run_faults
from benchmark.models import Configuration, ModelCard, Standing
from benchmark.sending import collectors_of, parameters_of
from benchmark.wording import changed_meanwhile
from formats.importing.laboratories import find_laboratory
from formats.limits import MAX_COMMENT
from projects import audit
from projects.anchors import sha256
from projects.models import Laboratory, Project, TargetModel, User
from projects.problems import Invalid, Problem
from projects.stored_text import read_text

Row = ModelCard | Configuration
OneRow = TypeVar("OneRow", ModelCard, Configuration)


@transaction.atomic
def create_card(project: Project, values: Mapping[str, Any], by: User | None) -> ModelCard:
    """A card; `slug` is made of the name where it is left out. Raises Invalid."""
    said, problems = read({"name": "", "laboratory": "", "access": None, **values}, CARD)
    problems += card_faults(said)
    cards = ModelCard.objects.filter(project=project)
    problems += taken(cards, said, _("Another card has this name."), _("Another card has this short name."))
    said["slug"] = said.get("slug") or free_slug(cards, said["name"], "model")
    row = laboratory_of(said, problems)
    raise_if(problems)
    card = stored(ModelCard(project=project, **{**said, "laboratory": row}))
    audit.record("card.created", actor=by, project=project, subject=card.slug, after=as_said(card))
    return card


@transaction.atomic
def create_configuration(
    project: Project, card: ModelCard, values: Mapping[str, Any], by: User | None
) -> Configuration:
    """A model of this card as it is run. `target_model` is named as the configuration where it is left out, and made
    where it is new; `standing` is "ranked" where it is left out. Raises Invalid."""
    values = {"name": "", **values}
    standing = values.pop("standing", None) or Standing.RANKED
    said, problems = read(values, CONFIGURATION)
    problems += run_faults(said)
    if standing not in Standing.values:
        problems.append(unknown_choice("standing"))
    if card.project_id != project.pk:
        problems.append(Problem("other_project", _("The card is another project's."), "card"))
    rows = Configuration.objects.filter(project=project)
    problems += taken(
        rows, said, _("Another configuration has this name."), _("Another configuration has this short name.")
    )
    said["slug"] = said.get("slug") or free_slug(rows, said["name"], "configuration")
    raise_if(problems)
    target = target_for(said.get("target_model") or said["name"], card.laboratory)
    row = Configuration(project=project, card=card, standing=standing, **{**said, "target_model": target})
    raise_if(target_taken(row) + asked_otherwise(row))
    configuration = stored(row)
    audit.record("configuration.created", actor=by, project=project, subject=row.slug, after=as_said(configuration))
    return configuration


@transaction.atomic
def change_card(card: ModelCard, values: Mapping[str, Any], by: User | None, seen: str = "") -> ModelCard:
    """Say otherwise what is known of a model; `seen` is the `fingerprint` of what was changed on a page.

    Raises Invalid, also where somebody has changed it since, or where other tags of thinking would be read in answers
    that are there.
    """
    row = locked(card, seen)
    said, problems = changes(row, values, CARD)
    problems += card_faults(columns(row) | said)
    others = ModelCard.objects.filter(project=row.project_id).exclude(pk=row.pk)
    problems += taken(others, said, _("Another card has this name."), "")
    if "thinking_tags" in said and has_answers_of_card(row):
        message = _(
            "There are answers, which were read without these tags. Make another card with them and another "
            "configuration; when you collect for it, take responses to the same over, and nothing is asked again."
        )
        problems.append(Problem("has_answers", message, "thinking_tags"))
    if "laboratory" in said and not problems:
        said["laboratory"] = laboratory_of(said, problems)
    raise_if(problems)
    return changed(row, said, "card.changed", by)


@transaction.atomic
def change_configuration(
    configuration: Configuration, values: Mapping[str, Any], by: User | None, seen: str = ""
) -> Configuration:
    """Its name at any time; what defines its run only before anything was answered or asked. Raises Invalid, also where
    somebody has changed it since."""
    row = locked(configuration, seen)
    said, problems = changes(row, values, CONFIGURATION)
    problems += run_faults(columns(row) | said)
    others = Configuration.objects.filter(project=row.project_id).exclude(pk=row.pk)
    problems += taken(others, said, _("Another configuration has this name."), "")
    if is_run(row):
        message = _(
            "There are answers that were given as this configuration says. Nothing that defines its run can change: "
            "make another configuration."
        )
        problems += [Problem("has_answers", message, field) for field in said if field in RUN]
    raise_if(problems)
    if "target_model" in said:
        laboratory = row.card.laboratory if row.card else row.target_model.laboratory
        row.target_model = said["target_model"] = target_for(said["target_model"] or row.name, laboratory)
        problems += target_taken(row)
    for field in said:
        setattr(row, field, said[field])
    raise_if(problems + (asked_otherwise(row) if set(said) & set(RUN) else []))
    return changed(row, said, "configuration.changed", by)


@transaction.atomic
def set_standing(configuration: Configuration, standing: str, reason: object, by: User | None) -> Configuration:
    """Decide whether a configuration is ranked, waits for a decision, or stays out; with the reason. Raises Invalid."""
    row = locked(configuration)
    problems: Problems = []
    said = read_text(reason, MAX_COMMENT, "reason", problems).strip()
    if not said and not problems:
        message = _("Say why: whoever looks at the board later reads the reason.")
        problems.append(Problem("required", message, "reason"))
    if standing not in Standing.values:
        problems.append(unknown_choice("standing"))
    elif standing == row.standing:
        problems.append(Problem("unchanged", _("That is how it stands already."), "standing"))
    raise_if(problems)
    before, row.standing = row.standing, standing
    row.save(update_fields=["standing"])
    audit.record(DECIDED, actor=by, project=row.project, subject=row.slug, before=before, after=standing, reason=said)
    return row


def withdraw(configuration: Configuration, reason: object, by: User | None) -> Configuration:
    """Take a configuration off the board; it stays listed, with its answers. Raises Invalid without a reason."""
    return set_standing(configuration, Standing.WITHDRAWN, reason, by)


#: The audit event of a decision about a configuration's standing; its subject is the short name.
DECIDED = "configuration.decided"


# --- What is there ---


def is_run(configuration: Configuration) -> bool:
    """Whether something was answered as this configuration says, or is being asked."""
    if configuration.answers.exists():
        return True
    collector = collectors_of(configuration.project, configuration.target_model).get(configuration.target_model_id)
    return collector is not None and collector.has_asked


def has_answers_of_card(card: ModelCard) -> bool:
    return any(is_run(each) for each in card.configurations.select_related("target_model", "project"))


def fingerprint(row: Row) -> str:
    """What a page shows of a row, as a hash: a change that was made on another page is seen by it."""
    return sha256(orjson.dumps(as_said(row), option=orjson.OPT_SORT_KEYS).decode())


def columns(row: Row) -> dict[str, Any]:
    """Its columns under the names of `values`, the laboratory and the target model by name."""
    said = {name: getattr(row, name) for name in (CARD if isinstance(row, ModelCard) else CONFIGURATION)}
    return {name: value.name if isinstance(value, Laboratory | TargetModel) else value for name, value in said.items()}


def as_said(row: Row) -> dict[str, Any]:
    """As the audit log has it: what says nothing is left out."""
    return {name: value for name, value in columns(row).items() if value not in (None, "", {}, [])}


# --- Parts of the verbs ---


def locked(row: OneRow, seen: str = "") -> OneRow:
    """The row as it is stored now, held until the transaction ends."""
    rows: Any = type(row)._default_manager.select_for_update(of=("self",))
    parts = ("laboratory",) if isinstance(row, ModelCard) else ("target_model__laboratory", "card__laboratory")
    found = rows.select_related("project", *parts).get(pk=row.pk)
    if seen and seen != fingerprint(found):
        raise Invalid(changed_meanwhile())
    return found


def changes(row: Row, values: Mapping[str, Any], readers: Mapping[str, Any]) -> tuple[dict[str, Any], Problems]:
    """What is another than it was, and what is wrong with it. Short names stay: files and addresses hold them."""
    said, problems = read(values, readers)
    before = columns(row)
    if said.get("slug") not in (None, "", before["slug"]):
        message = _("The short name stays: files and addresses hold it.")
        problems.append(Problem("fixed", message, "slug"))
    faulty = {problem.field for problem in problems}
    return {
        name: value for name, value in said.items() if name != "slug" and name not in faulty and value != before[name]
    }, problems


def changed(row: OneRow, said: Mapping[str, Any], action: str, by: User | None) -> OneRow:
    if not said:
        return row
    before = as_said(type(row)._default_manager.get(pk=row.pk))
    for name, value in said.items():
        setattr(row, name, value)
    stored(row)
    after = as_said(row)
    parts = {
        "before": {name: before.get(name) for name in said},
        "after": {name: after.get(name) for name in said},
    }
    audit.record(action, actor=by, project=row.project, subject=row.slug, **parts)
    return row


def stored(row: OneRow) -> OneRow:
    """Raises Invalid where somebody has taken the name at this moment."""
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        message = _("Somebody else has taken this name or this model at the same moment. Try again.")
        raise Invalid(Problem("name_taken", message, "name")) from None
    return row


def taken(others: Any, said: Mapping[str, Any], name_message: str, slug_message: str) -> Problems:
    problems = []
    if said.get("name") and others.filter(name=said["name"]).exists():
        problems.append(Problem("name_taken", name_message, "name"))
    if slug_message and said.get("slug") and others.filter(slug=said["slug"]).exists():
        problems.append(Problem("slug_taken", slug_message, "slug"))
    return problems


def free_slug(others: Any, name: str, otherwise: str) -> str:
    """A short name made of the name, or of a word where its letters give none; with a number where it is taken."""
    base = slugify(name)[: MAX_SLUG - 8] or otherwise
    known = set(others.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for slug in (base, *(f"{base}-{n}" for n in range(2, len(known) + 3))) if slug not in known)


def laboratory_of(said: Mapping[str, Any], problems: Problems) -> Laboratory | None:
    """The laboratory of this name, made where it is new and nothing else is wrong."""
    if problems or not said["laboratory"]:
        return None
    row, _is_new = find_laboratory(said["laboratory"])
    if row is None:
        message = _("A laboratory's name needs a letter from a to z or a digit.")
        problems.append(Problem("laboratory_name", message, "laboratory"))
    return row


def target_for(name: str, laboratory: Laboratory) -> TargetModel:
    """The target model of this name. One that is known keeps its laboratory, whatever the card says: a contradiction is
    shown (`card_listing.other_laboratory`), not mended in silence, since other projects know the model too."""
    rows = TargetModel.objects.select_related("laboratory")
    return rows.get_or_create(name=name, defaults={"laboratory": laboratory})[0]


def target_taken(row: Configuration) -> Problems:
    others = Configuration.objects.filter(project=row.project_id, target_model=row.target_model_id).exclude(pk=row.pk)
    if not others.exists():
        return []
    message = _("The model “%(model)s” is another configuration's: give this one a model of its own name.")
    return [Problem("model_taken", message % {"model": row.target_model.name}, "target_model")]


def asked_otherwise(row: Configuration) -> Problems:
    """Answers that were collected before are this configuration's only if they were asked for as it says."""
    collector = collectors_of(row.project, row.target_model).get(row.target_model_id)
    if collector is None or not (collector.has_asked and collector.through):  # pasted: nobody knows what was set
        return []
    if dict(collector.parameters) == parameters_of(row):
        return []
    message = _(
        "“%(model)s” was asked already, with %(asked)s; the configuration of its answers says the same. For other "
        "settings give the configuration a model of its own name."
    )
    asked = orjson.dumps(dict(collector.parameters)).decode() if collector.parameters else _("nothing but the prompt")
    return [Problem("asked_otherwise", message % {"model": row.target_model.name, "asked": asked}, "target_model")]


def unknown_choice(field: str) -> Problem:
    return Problem("unknown_choice", _("There is no such choice."), field)


def raise_if(problems: Problems) -> None:
    if problems:
        raise Invalid(problems)
