"""The language varieties of an installation and of its projects: any language tag is one, a row of its own from when it
is first used. Those that ship are suggestions."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from django.db import models
from django.db.models import Exists, OuterRef
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from projects.languages import names
from projects.languages.facts import facts
from projects.languages.tags import NotATag, read_tag, written_twice
from projects.models import (
    Invitation,
    LanguageVariety,
    Localisation,
    LocalisationDraft,
    Project,
    ProjectVariety,
    Prompt,
    Rater,
    Response,
    ResponsePair,
)

#: The tables by which a project uses a variety, with the way from a row to its project.
USES: tuple[tuple[type[models.Model], str, str], ...] = (
    (ProjectVariety, "project", "variety"),
    (Response, "project", "variety"),
    (Prompt, "project", "variety"),
    (ResponsePair, "project", "variety"),
    (Localisation, "template__project", "variety"),
    (LocalisationDraft, "template__project", "variety"),
    (Rater, "project", "varieties"),
    (Invitation, "project", "varieties"),
)


def add_shipped_varieties(using: str = "default") -> None:
    """Insert those whose tag is not there yet."""
    there = LanguageVariety.objects.using(using)
    missing = names.shipped().keys() - set(there.values_list("tag", flat=True))
    there.bulk_create([described(tag) for tag in names.shipped() if tag in missing], ignore_conflicts=True)


def described(tag: str) -> LanguageVariety:
    """The variety of a tag that `read_tag` gave, not stored."""
    known = facts(tag)
    return LanguageVariety(
        tag=tag,
        name=names.name(tag)[:200],
        native_name=names.native_name(tag)[:200],
        language=known.language,
        script=known.script,
        region=known.region,
        direction=known.direction,
        segmentation=known.segmentation,
    )


def variety_of(tag: str) -> LanguageVariety:
    """The variety of a tag that `read_tag` gave; its row is made where nobody has used it yet."""
    row = LanguageVariety.objects.filter(tag=tag).first()
    if row is not None:
        return row
    LanguageVariety.objects.bulk_create([described(tag)], ignore_conflicts=True)
    return LanguageVariety.objects.get(tag=tag)


def tag_named(text: str) -> str:
    """The tag that somebody typed, or that of the language they named in English, in itself or in their own language.
    Raises NotATag, also where a name is that of several."""
    try:
        return read_tag(text)
    except NotATag as refused:
        called = text.strip().casefold()
        found = names.tags_by_name().get(called) or names.tags_by_name(_reader()).get(called, [])
        if len(found) != 1:
            raise NotATag(text, found or refused.near) from None
        return found[0]


class VarietyBook:
    """The varieties that a file names: by a short name of its project, else by tag. A tag is read as people write it
    (AR_eg); what no tag is, is not in the book."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.found: dict[str, LanguageVariety] = {}

    @cached_property
    def own(self) -> dict[str, LanguageVariety]:
        """By short name."""
        rows = ProjectVariety.objects.filter(project=self.project).exclude(short_name="").select_related("variety")
        return {row.short_name: row.variety for row in rows}

    @cached_property
    def stored(self) -> dict[str, LanguageVariety]:
        return {variety.tag: variety for variety in LanguageVariety.objects.all()}

    def __getitem__(self, named: str) -> LanguageVariety:
        """Raises NotATag, whose message is for people."""
        variety = self.found.get(named) or self.own.get(named) or self.stored.get(named)
        if variety is None:
            tag = read_tag(named)
            variety = self.stored.get(tag) or variety_of(tag)
        self.found[named] = variety
        return variety


def faults_of_short_names(entries: Iterable[tuple[str, str]]) -> list[tuple[int, str, str]]:
    """Of a project's varieties, each by tag and short name: place, code and message of every name that would leave open
    which variety is meant."""
    entries = list(entries)
    found: list[tuple[int, str, str]] = []
    for index, (tag, short_name) in enumerate(entries):
        if not short_name:
            continue
        if any(other == short_name for _tag, other in entries[:index]):
            found.append((index, "duplicate", _("Another language has this short name.")))
            continue
        try:
            means = read_tag(short_name)
        except NotATag:
            continue
        if means != tag:
            message = _("This is the tag of another language (%(name)s).") % {"name": names.name(means, _reader())}
            found.append((index, "another_tag", message))
    return found


def call_varieties(project: Project, short_names: Mapping[str, str]) -> None:
    """Make the project one about the varieties of these tags, after those it is about, each under its short name."""
    position = ProjectVariety.objects.filter(project=project).count()
    ProjectVariety.objects.bulk_create(
        ProjectVariety(project=project, variety=variety_of(tag), short_name=short_name, position=position + place)
        for place, (tag, short_name) in enumerate(short_names.items(), start=1)
    )
    project.__dict__.pop("short_names", None)


def _reader() -> str:
    return get_language() or "en"


def used_in(project: Project, tags: Iterable[str] | None = None) -> list[LanguageVariety]:
    """The varieties of the project's texts, people and settings, by tag; of these tags alone where any are given."""
    rows = LanguageVariety.objects.all() if tags is None else LanguageVariety.objects.filter(tag__in=list(tags))
    used = models.Q()
    for model, to_project, field in USES:
        used |= models.Q(Exists(model._default_manager.filter(**{to_project: project, field: OuterRef("pk")})))
    return list(rows.filter(used).order_by("tag"))


def suggested(project: Project) -> models.QuerySet[LanguageVariety]:
    """The shipped varieties and those that the project uses."""
    used = [variety.pk for variety in used_in(project)]
    return LanguageVariety.objects.filter(models.Q(tag__in=names.shipped()) | models.Q(pk__in=used))


def notes_of(project: Project) -> list[str]:
    """A word on each language that the project has under several tags: they are kept apart, which few mean to."""
    twice = written_twice(LanguageVariety.objects.values_list("tag", flat=True))
    if not twice:
        return []
    used = {variety.tag for variety in used_in(project, [tag for group in twice for tag in group])}
    message = _("%(tags)s mean the same language. They are kept apart: use one of them alone, if that is not meant.")
    shared = [[tag for tag in group if tag in used] for group in twice]
    return [message % {"tags": ", ".join(group)} for group in shared if len(group) > 1]
