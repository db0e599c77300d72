"""What leads write for the next version of the guidelines: saved as one types, published together.

A draft is that of one language, "" the main text. It is no version: nobody but leads sees it. Whoever saves names the
state they build on (`Sheet.state`); where another's came between, theirs is set aside and nothing is overwritten.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import CharField, ExpressionWrapper, F, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from projects.explanations import NO_LANGUAGE
from projects.guidelines import MAX_CHANGE, MAX_TEXT, MOST_LANGUAGES, Written, publish, texts_of
from projects.languages.tags import NotATag, identity
from projects.models import GuidelinesDraft, GuidelinesSetAside, GuidelinesVersion, Project, User
from projects.problems import Invalid, Problem
from projects.stored_text import text_fault
from projects.varieties import tag_named

#: The main text among languages in addresses and forms: no tag, for its first part would be registered.
MAIN = "main"


@dataclass(frozen=True, slots=True)
class Sheet:
    """One language as leads see it: its draft where there is one, else what is published.

    language   tag, "" the main text.
    state      names what stands here, for whoever saves; of a translation also its tag, so that it is another one than
               the main text's where the main text turns out to be in that language.
    published  "" where the guidelines are not in the language yet.
    overtaken  number of the newest version that gave the language another text since the draft was saved, else None:
               the draft was written without it, and publishing the draft would undo it.
    """

    language: str
    text: str
    change: str
    state: str
    published: str
    draft: GuidelinesDraft | None
    overtaken: int | None = None

    @property
    def is_changed(self) -> bool:
        return self.text != self.published

    @property
    def name(self) -> str:
        return self.language or MAIN


@dataclass(frozen=True, slots=True)
class Saved:
    """What stands after somebody saved. Where it `is_conflict`, that is another's, and theirs is set aside."""

    sheet: Sheet
    is_conflict: bool = False


def language_named(project: Project, named: str) -> str:
    """The tag of a language to write in, "" the main text: by a tag or a name as people type them.

    Raises NotATag, and Invalid where it is the language of another text under another tag.
    """
    if named == MAIN:
        return ""
    tag = tag_named(named.strip())
    if tag.split("-")[0] in NO_LANGUAGE:
        raise NotATag(named)
    if fault := twice(project, tag):
        raise Invalid(fault)
    return tag if tag != project.guidelines_language else ""


def twice(project: Project, tag: str) -> Problem | None:
    """What is wrong with writing in this tag where another of the project means the same."""
    there = {project.guidelines_language, *project.guidelines_translations, *_begun(project)} - {"", tag}
    if same := next((other for other in sorted(there) if identity(other) == identity(tag)), None):
        message = _("“%(tag)s” is the same language as “%(other)s”, which the guidelines are in.")
        return Problem("duplicate", message % {"tag": tag, "other": same}, "language")
    return None


def _begun(project: Project) -> Iterable[str]:
    return GuidelinesDraft.objects.filter(project=project).values_list("language", flat=True)


def sheet(project: Project, language: str) -> Sheet:
    published = texts_of(project).get(language or project.guidelines_language, "")
    draft = _drafts(project).filter(language=language).first()
    return _sheet(project, language, published, draft, draft.overtaken if draft else None)


def changed_sheets(project: Project) -> list[Sheet]:
    """Every draft that says something else than what is published, the main text first."""
    published = texts_of(project)
    sheets = [
        _sheet(
            project,
            draft.language,
            published.get(draft.language or project.guidelines_language, ""),
            draft,
            draft.overtaken,
        )
        for draft in _drafts(project).order_by("language")
    ]
    return [sheet for sheet in sheets if sheet.is_changed]


def _drafts(project: Project) -> QuerySet[GuidelinesDraft, Any]:
    """With who saved each and as `overtaken` the number that `Sheet` tells. Programs and project files publish without
    looking at drafts, which stay as they are."""
    since = GuidelinesVersion.objects.filter(project=OuterRef("project"), published_at__gt=OuterRef("saved_at"))
    drafted = ExpressionWrapper(OuterRef("language"), output_field=CharField())
    of_language = Q(drafted="", text_version=F("number")) | Q(translations__language=F("drafted"))
    newest = since.alias(drafted=drafted).filter(of_language).order_by("-number").values("number")[:1]
    drafts = GuidelinesDraft.objects.filter(project=project).select_related("saved_by")
    return drafts.annotate(overtaken=Subquery(newest))


def _sheet(
    project: Project, language: str, published: str, draft: GuidelinesDraft | None, overtaken: int | None = None
) -> Sheet:
    state = f"{project.guidelines_version}.{draft.number if draft else 0}"
    if language:
        state = f"{state}.{language}"
    if draft is None:
        return Sheet(language, published, "", state, published, None)
    return Sheet(language, draft.text, draft.change, state, published, draft, overtaken)


def problems_of(text: object, change: object) -> list[Problem]:
    """What keeps a draft from being stored; it may be empty."""
    found = [("text", text_fault(text, MAX_TEXT)), ("change", text_fault(change, MAX_CHANGE))]
    return [Problem(*fault, field) for field, fault in found if fault]


def save(
    project: Project, language: str, text: str, change: str, state: str, by: User, *, replace: bool = False
) -> Saved:
    """Store what somebody wrote, if what stands is what they built on; else it is set aside. Told again, it is stored
    once. With `replace` they have seen what stands: that is set aside instead.

    Raises Invalid where it cannot be stored.
    """
    if problems := problems_of(text, change):
        raise Invalid(problems)
    with transaction.atomic():
        project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        stands = sheet(project, language)
        if (text, change) == (stands.text, stands.change):
            return Saved(stands)
        if state != stands.state:
            _set_aside(project, language, text, change, by, since=_stands_since(project, stands))
            return Saved(stands, is_conflict=True)
        if stands.draft is None and len(set(_begun(project))) >= MOST_LANGUAGES:
            raise Invalid(
                Problem("too_many", _("At most %(most)d languages are written at once.") % {"most": MOST_LANGUAGES})
            )
        if replace:
            if stands.draft and stands.draft.saved_by_id != by.pk:
                _set_aside(project, language, stands.text, stands.change, stands.draft.saved_by)
            # What they wrote while they had not decided is what stands now; what they set aside before is kept.
            own = GuidelinesSetAside.objects.filter(project=project, language=language, written_by=by)
            own.filter(written_at__gte=_stands_since(project, stands)).delete()
        draft = stands.draft or GuidelinesDraft(project=project, language=language, number=0)
        draft.text, draft.change, draft.saved_by, draft.number = text, change, by, draft.number + 1
        draft.save()
        return Saved(_sheet(project, language, stands.published, draft))


def _stands_since(project: Project, stands: Sheet) -> datetime:
    if stands.draft:
        return stands.draft.saved_at
    version = project.guidelines_versions.filter(number=project.guidelines_version).first()
    return version.published_at if version else project.created_at


def _set_aside(
    project: Project, language: str, text: str, change: str, by: User | None, since: datetime | None = None
) -> None:
    """Keep what somebody wrote. What they set aside before is kept as well, without their name, which one text of a
    language carries; but for what they wrote `since` the other's has stood: this goes on with it."""
    asides = GuidelinesSetAside.objects.filter(project=project, language=language)
    if by is not None:
        earlier = asides.filter(written_by=by)
        same = Q(text=text, change=change)
        same = same | Q(written_at__gte=since) if since else same
        earlier.filter(same).delete()
        earlier.update(written_by=None)
    asides.create(project=project, language=language, written_by=by, text=text, change=change)


def take_up(aside: GuidelinesSetAside, by: User) -> None:
    """Make what was set aside the draft again; what stands there is set aside in its place, where another wrote it."""
    with transaction.atomic():
        project = Project.objects.select_for_update(no_key=True).get(pk=aside.project_id)
        stands = sheet(project, aside.language)
        aside.delete()
        if stands.draft and stands.is_changed:
            _set_aside(project, aside.language, stands.text, stands.change, stands.draft.saved_by)
        save(project, aside.language, aside.text, aside.change, stands.state, by)


def publish_drafts(
    project: Project, seen: Mapping[str, str], by: User, still_hold: Iterable[str] = ()
) -> GuidelinesVersion:
    """Make every draft part of the next version.

    `seen` are the states of the drafts by language as whoever publishes saw them. `still_hold` are the tags of
    translations that say the same as the new main text though their words stay.

    Raises Invalid where a draft is another by now, is empty or says not what changed; nothing is published then.
    """
    with transaction.atomic():
        locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        sheets = changed_sheets(locked)
        if problems := _unpublishable(locked, sheets, seen):
            raise Invalid(problems)
        written = {sheet.language: Written(sheet.text, sheet.change) for sheet in sheets}
        main = written.pop("", None)
        if main is not None:
            published = texts_of(locked)
            held = (set(still_hold) & set(locked.guidelines_translations)) - set(written)
            written |= {tag: Written(published[tag]) for tag in held}
        change = next((sheet.change for sheet in sheets if sheet.change), "")
        version = publish(project, main.text if main else None, change, by, translations=written)
        GuidelinesDraft.objects.filter(project=locked).delete()
    return version


def _unpublishable(project: Project, sheets: list[Sheet], seen: Mapping[str, str]) -> list[Problem]:
    if not sheets:
        return [Problem("nothing", _("Nothing differs from what is published."))]
    problems = []
    if {sheet.language: sheet.state for sheet in sheets} != dict(seen):
        problems.append(Problem("changed", _("Somebody has saved a draft meanwhile. Look at it, then publish.")))
    for each in sheets:
        if not each.text.strip():
            message = _("The draft is empty. Write it, or put back what is published.")
            problems.append(Problem("empty", message, each.name))
    if not project.guidelines and all(sheet.language for sheet in sheets):
        problems.append(Problem("required", _("Write the main text first; translations are of it.")))
    telling = [sheet for sheet in sheets if not sheet.language] or sheets
    if project.guidelines and not any(sheet.change.strip() for sheet in telling):
        problems.append(Problem("required", _("Say in a sentence what changed; those who work here are told.")))
    return problems


def withdraw(project: Project, language: str, by: User) -> GuidelinesVersion:
    """Take a translation back, with the next version: who read it reads another language and is told that it is one."""
    with transaction.atomic():
        project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        for draft in GuidelinesDraft.objects.filter(project=project, language=language).select_related("saved_by"):
            _set_aside(project, language, draft.text, draft.change, draft.saved_by)
            draft.delete()
        return publish(project, None, "", by, translations={language: Written("")})
