"""The guidelines of a project by version: publishing one in every language it is written in, and telling people what
has changed since they began.

One number is that of all languages together, so what an answer names by it stays true. A translation holds until the
next one in its language; it lags where the main text became another after it was written.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from projects.audit import record
from projects.explanations import NO_LANGUAGE
from projects.languages.tags import MAX_TAG, NotATag, identity, read_tag
from projects.models import (
    GuidelinesDraft,
    GuidelinesRead,
    GuidelinesSetAside,
    GuidelinesTranslation,
    GuidelinesVersion,
    Project,
    Rater,
    User,
)
from projects.problems import Invalid, Problem
from projects.stored_text import text_fault

MAX_TEXT = 100_000
MAX_CHANGE = 2000
#: More languages than any project has people for.
MOST_LANGUAGES = 100
#: In files and for programs, the tag of a main text whose language nobody has said.
UNSAID = "und"


@dataclass(frozen=True, slots=True)
class Written:
    """The guidelines in one language, and what changed, said in that language. An empty text takes them back."""

    text: str
    change: str = ""


def publish(
    project: Project,
    text: str | None,
    change: str,
    by: User | None,
    *,
    language: str | None = None,
    translations: Mapping[str, Written] | None = None,
) -> GuidelinesVersion:
    """Make this the guidelines, as their next version. What stood before stays readable under its number.

    `text` is the main text and `language` the tag it is in; None leaves either as it is. So does a language that
    `translations` does not name, by their tags, which `read_tag` gave.
    """
    translations = translations or {}
    with transaction.atomic():
        stored = Project.objects.select_for_update().get(pk=project.pk)
        earlier = {"text": stored.guidelines, "language": stored.guidelines_language}
        GuidelinesVersion.objects.get_or_create(project=stored, number=stored.guidelines_version, defaults=earlier)
        number = stored.guidelines_version + 1
        is_other = text is not None and text != stored.guidelines
        project.guidelines = stored.guidelines if text is None else text
        project.guidelines_language = stored.guidelines_language if language is None else language
        project.guidelines_version = number
        project.guidelines_text_version = number if is_other else stored.guidelines_text_version
        version = GuidelinesVersion.objects.create(
            project=stored,
            number=number,
            text=project.guidelines,
            language=project.guidelines_language,
            text_version=project.guidelines_text_version,
            change=change,
            published_by=by,
        )
        GuidelinesTranslation.objects.bulk_create(
            GuidelinesTranslation(version=version, language=tag, text=written.text, change=written.change)
            for tag, written in sorted(translations.items())
        )
        held = dict.fromkeys((tag for tag, written in translations.items() if written.text), number)
        kept = {tag: old for tag, old in stored.guidelines_translations.items() if tag not in translations}
        project.guidelines_translations = dict(sorted({**kept, **held}.items()))
        project.save(update_fields=OF_PROJECT)
        if project.guidelines_language != stored.guidelines_language:
            _take_drafts_along(stored, project.guidelines_language)
        beside = {"languages": sorted(translations)} if translations else {}
        record("guidelines.published", actor=by, project=project, subject=f"v{number}", change=change, **beside)
    return version


def _take_drafts_along(before: Project, main: str) -> None:
    """Where the main text becomes one of another language, what leads were writing stays in the language they wrote."""
    drafts = GuidelinesDraft.objects.filter(project=before)
    if before.guidelines_language and main in before.guidelines_translations:
        drafts.filter(language="").update(language=before.guidelines_language)
    for draft in drafts.filter(language=main).exclude(language=""):
        if drafts.filter(language="").exists():
            said = {"text": draft.text, "change": draft.change}
            GuidelinesSetAside.objects.create(project=before, language="", written_by=None, **said)
            draft.delete()
        else:
            drafts.filter(pk=draft.pk).update(language="")
    GuidelinesSetAside.objects.filter(project=before, language=main).update(language="", written_by=None)


OF_PROJECT = [
    *("guidelines", "guidelines_version", "guidelines_language", "guidelines_text_version"),
    "guidelines_translations",
]


def publish_texts(
    project: Project, texts: Mapping[str, str], main: str, change: str, by: User | None, changes: Mapping[str, str]
) -> GuidelinesVersion:
    """Make these all the texts that there are, by their tags; one that stays the same keeps the version it is of.
    `changes` say in the languages of translations what changed."""
    there = texts_of(project)
    translations = {tag: text for tag, text in texts.items() if tag != main}
    written = {
        tag: Written(text, changes.get(tag, ""))
        for tag, text in translations.items()
        if tag not in project.guidelines_translations or text != there[tag]
    }
    gone = dict.fromkeys(project.guidelines_translations.keys() - translations.keys(), Written(""))
    return publish(project, texts[main], change, by, language=main, translations={**written, **gone})


def tags_of(names: Iterable[str], main: str) -> dict[str, str]:
    """The tag of each name under which a file or a program gives a text, "" for `UNSAID`, which only the main text may
    be. Raises Invalid, the problem's field the name, where one is no language or two are the same."""
    tags: dict[str, str] = {}
    for name in names:
        if text_fault(name, MAX_TAG):  # neither an answer nor a page could name it as it stands
            shown = name[:MAX_TAG].encode("ascii", "backslashreplace").decode()
            raise Invalid(Problem("unknown", str(NotATag(shown)), shown))
        try:
            tag = "" if name == UNSAID == main else read_tag(name)
        except NotATag as refused:
            raise Invalid(Problem("unknown", str(refused), name)) from None
        if tag and tag.split("-")[0] in NO_LANGUAGE:
            raise Invalid(Problem("unknown", str(NotATag(name)), name))
        if any(tag and other and identity(tag) == identity(other) for other in tags.values()):
            raise Invalid(Problem("duplicate", _("The same language stands here twice."), name))
        tags[name] = tag
    return tags


def say_language(project: Project, tag: str, by: User | None) -> None:
    """Say which language the main text is in: its words are the same, so it is no other version."""
    with transaction.atomic():
        project.guidelines_language = tag
        project.save(update_fields=["guidelines_language"])
        project.guidelines_versions.filter(number=project.guidelines_version).update(language=tag)
        record("project.changed", actor=by, project=project, subject=project.slug, guidelines_language=tag)


def texts_of(project: Project) -> dict[str, str]:
    """Every text that holds now by its tag, the main text first and under "" where nobody has said its language."""
    texts = {project.guidelines_language: project.guidelines}
    if there := project.guidelines_translations:
        rows = GuidelinesTranslation.objects.filter(
            version__project=project, language__in=list(there), version__number__in=set(there.values())
        )
        written = rows.values_list("language", "version__number", "text").order_by("language")
        texts |= {tag: text for tag, number, text in written if there[tag] == number}
    return texts


def texts_at(version: GuidelinesVersion) -> dict[str, GuidelinesTranslation]:
    """The translations that held with a version, by tag, each with the `number` of the version it was written with."""
    rows = GuidelinesTranslation.objects.filter(
        version__project=version.project_id, version__number__lte=version.number
    )
    latest = {row.language: row for row in rows.select_related("version").order_by("version__number")}
    return {tag: row for tag, row in sorted(latest.items()) if row.text}


def unread(rater: Rater) -> QuerySet[GuidelinesVersion]:
    """The versions that came after the rater did and that they have not put away, the newest first.

    Whoever comes new reads the guidelines as they are: nothing has changed for them.
    """
    since = GuidelinesVersion.objects.filter(project=rater.project_id, published_at__gt=rater.created_at)
    return since.exclude(readings__rater=rater).exclude(change="")


@dataclass(frozen=True, slots=True)
class News:
    """What changed with a version, in the language that a person reads where it was said in that one."""

    number: int
    change: str
    language: str


def news_for(rater: Rater, project: Project, language: str) -> list[News]:
    """What the rater has not put away, the newest first; `language` is the tag of the text that they read."""
    versions = list(unread(rater).defer("text"))
    said: dict[int, str] = {}
    if versions and language in project.guidelines_translations:
        rows = GuidelinesTranslation.objects.filter(version__in=unread(rater).order_by().values("pk"))
        said = dict(rows.filter(language=language).exclude(change="").values_list("version", "change"))
    return [
        News(version.number, said[version.pk], language)
        if version.pk in said
        # Of a version in which translations alone changed, their word may stand for all.
        else News(version.number, version.change, version.language if version.text_version == version.number else "")
        for version in versions
    ]


def put_away(rater: Rater, number: int) -> None:
    """The rater has read what changed up to this version; a second time changes nothing."""
    versions = unread(rater).filter(number__lte=number)
    GuidelinesRead.objects.bulk_create(
        [GuidelinesRead(version=version, rater=rater) for version in versions], ignore_conflicts=True
    )
