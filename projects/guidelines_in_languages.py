"""In which language somebody reads the guidelines, and what is said where they are not in the one they would read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import get_language

from projects.explanations import NO_LANGUAGE
from projects.guidelines import texts_at
from projects.languages.facts import facts, general
from projects.languages.tags import preferred
from projects.models import (
    GuidelinesChoice,
    GuidelinesTranslation,
    GuidelinesVersion,
    LanguageVariety,
    Project,
    User,
)

#: By langcodes' measure: speakers of the one read the other with little trouble.
NEAR = 25


@dataclass(frozen=True, slots=True)
class Reading:
    """The guidelines as one person reads them.

    language  tag of the text, empty where nobody has said.
    version   with which the text was written, `of` the one that the guidelines are at.
    wanted    tag of the language they would read where there is no such text, else empty.
    lags      the main text became another after this translation was written.
    """

    text: str
    language: str
    version: int
    of: int
    is_main: bool = True
    wanted: str = ""
    lags: bool = False

    @property
    def direction(self) -> str:
        return facts(self.language).direction if self.language else "auto"


def closest(wanted: str, there: Iterable[str]) -> str:
    """Of these tags the one that a reader of `wanted` reads best: ar for arz, zh-Hant for zh-Hant-TW; "" where none
    will do."""
    from langcodes import closest_match

    there = sorted(tag for tag in there if tag)
    if wanted in there:
        return wanted
    if is_private(wanted):
        return ""
    there = [tag for tag in there if not is_private(tag)]
    found, distance = closest_match(wanted, there, max_distance=NEAR) if there else ("und", 1000)
    if distance <= NEAR:
        return found
    return next((tag for tag in there if is_same(tag, wanted)), "")


def is_same(one: str, other: str) -> bool:
    """Whether nobody would call it another language: ar and arz, en-GB and en-US; not id and ms, nor scripts of one."""
    if is_private(one) or is_private(other):
        return one == other
    languages = {preferred(tag).split("-")[0] for tag in (one, other)}
    arabic = {general(language) for language in languages} == {"ar"}
    return (len(languages) == 1 or arabic) and facts(one).script == facts(other).script


def is_private(tag: str) -> bool:
    """Of a project's own making (x-village): it means what they agreed on, and nothing can be said of what is near."""
    return tag.startswith("x-")


def reading_for(project: Project, user: User, item_language: str = "") -> Reading:
    """What a person reads: in the language they chose, else that of the item, of the interface, of their own work, the
    first of these that there is a text in; else the main text."""
    language, wanted = _language_for(project, user, item_language)
    return _read(project, language, wanted)


def language_for(project: Project, user: User) -> str:
    """The tag of the text they read where no item is before them; empty where nobody has said."""
    return _language_for(project, user, "")[0] or project.guidelines_language


def reading_in(project: Project, language: str) -> Reading | None:
    """The text in exactly this language, "" the main one; None where there is none."""
    if language and language not in (project.guidelines_language, *project.guidelines_translations):
        return None
    return _read(project, language, "")


def reading_of(version: GuidelinesVersion, language: str) -> tuple[Reading, list[str]]:
    """What an earlier version had in the language, or its main text; and the languages that it was in."""
    translations = texts_at(version)
    found = translations.get(language)
    there = [version.language, *translations]
    if found is None:
        number = version.text_version
        return Reading(version.text, version.language, number, version.number), there
    number = found.version.number
    return Reading(found.text, language, number, version.number, False, "", number < version.text_version), there


def remember(project: Project, user: User, language: str | None) -> None:
    """Keep a person's choice, "" the main text; None forgets it."""
    chosen = GuidelinesChoice.objects.filter(project=project, user=user)
    if language is None:
        chosen.delete()
    else:
        GuidelinesChoice.objects.update_or_create(project=project, user=user, defaults={"language": language})


def choice_of(project: Project, user: User) -> str | None:
    """The tag they chose, "" the main text; None where they chose none. Asks nothing where there is no choice."""
    if not project.guidelines_translations:
        return None
    return GuidelinesChoice.objects.filter(project=project, user=user).values_list("language", flat=True).first()


def _language_for(project: Project, user: User, item_language: str) -> tuple[str, str]:
    """The tag of the text they read, "" the main one; and the tag of the language they would read, if it is another."""
    main, translations = project.guidelines_language, project.guidelines_translations
    if not main and not translations:
        return "", ""
    choice = choice_of(project, user)
    if choice == "":
        return "", ""
    wanted = ""
    for tag in _candidates(project, user, choice, item_language):
        wanted = wanted or tag
        if found := closest(tag, [main, *translations]):
            return found, "" if is_same(found, wanted) else wanted
        if not translations:
            break  # it is the main text in any case
    return "", wanted


def _candidates(project: Project, user: User, choice: str | None, item_language: str) -> Iterator[str]:
    if item_language.split("-")[0] in NO_LANGUAGE:
        item_language = ""  # nobody is waiting for guidelines in "no linguistic content"
    yield from (tag for tag in (choice, item_language, get_language()) if tag)
    own = LanguageVariety.objects.filter(raters__project=project, raters__user=user)
    tags = own.order_by("tag").values_list("tag", flat=True).distinct()
    yield from (tag for tag in tags if tag.split("-")[0] not in NO_LANGUAGE)


def _read(project: Project, language: str, wanted: str) -> Reading:
    of, changed = project.guidelines_version, project.guidelines_text_version
    number = project.guidelines_translations.get(language)
    if number is None:
        return Reading(project.guidelines, project.guidelines_language, changed, of, True, wanted)
    rows = GuidelinesTranslation.objects.filter(version__project=project, version__number=number, language=language)
    return Reading(rows.get().text, language, number, of, False, wanted, number < changed)
