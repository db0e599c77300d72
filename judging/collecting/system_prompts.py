"""What target models are told before a prompt, by its language variety: one text for all, and others where a variety
has its own.

`{language}` and `{variety}` stand for the English names of the prompt's language and variety; nothing else in braces
that could be meant as such is accepted. A run keeps the texts that it began with: whatever is changed afterwards, what
it asks and what its responses say of themselves is the same.
"""

import re
from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from benchmark.answering import configuration_for
from benchmark.models import Configuration
from benchmark.prompting import language_in_words
from benchmark.sending import is_asked
from judging.models import SystemPrompt, TargetEndpoint
from projects.audit import record
from projects.languages.names import name as name_of
from projects.languages.tags import NotATag, read_tag
from projects.models import LanguageVariety, Project, Prompt, User
from projects.problems import Invalid, Problem
from projects.varieties import variety_of

#: In the options of a run: its texts, by tag of the variety; "" is that of all others.
SYSTEM_PROMPTS = "system_prompts"
OTHERS = ""
MAX_CHARACTERS = 8000
PLACEHOLDER = re.compile(r"\{([^\W\d]\w{0,59})\}")
NAMES = ("language", "variety")

Texts = Mapping[str, str]


def fill(text: str, variety: LanguageVariety) -> str:
    """The text as it is sent with a prompt of this variety."""
    names = {"language": language_of(variety), "variety": variety.name}
    return PLACEHOLDER.sub(lambda match: names.get(match[1], match[0]), text)


def language_of(variety: LanguageVariety) -> str:
    """In English, without its place: of Egyptian Arabic, Arabic."""
    language = language_in_words(variety.tag)
    return name_of(variety.language) if language == variety.tag else language


def system_of(texts: Texts, variety: LanguageVariety) -> str:
    """What goes before a prompt of this variety; empty where nothing does."""
    return fill(texts.get(variety.tag) or texts.get(OTHERS, ""), variety)


def problem_of(text: str, field: str = "system") -> Problem | None:
    """What stands in the way of sending the text: a placeholder that nobody fills in, or its length."""
    unknown = next((name for name in PLACEHOLDER.findall(text) if name not in NAMES), None)
    if unknown is not None:
        message = _("Nothing can be filled in for “{%(name)s}”: there are {language} and {variety}.")
        return Problem("placeholder_unknown", message % {"name": unknown}, field)
    if len(text) > MAX_CHARACTERS:
        message = _("A system prompt has at most %(limit)d characters.")
        return Problem("too_long", message % {"limit": MAX_CHARACTERS}, field)
    return None


def of_project(project: Project) -> dict[str, str]:
    """The project's own, by tag of the variety."""
    rows = SystemPrompt.objects.filter(project=project).values_list("variety__tag", "text")
    return {tag or OTHERS: text for tag, text in rows}


def texts_for(endpoint: TargetEndpoint, configuration: Configuration | None) -> dict[str, str]:
    """What a target model would be told from now on: what is set for it, else what the project says. A benchmark's
    configuration says all that is sent, word for word: then there is none."""
    if configuration is not None and is_asked(configuration):
        return {}
    if own := endpoint.parameters.get("system"):
        return {OTHERS: own}
    return of_project(endpoint.project)


def texts_of(endpoint: TargetEndpoint) -> dict[str, str]:
    return texts_for(endpoint, configuration_for(endpoint.project, endpoint.target_model))


def varieties_of(project: Project) -> list[LanguageVariety]:
    """Those of its prompts, those it is about, and those it has a text for."""
    asked = Prompt.objects.filter(project=project).values("variety")
    rows = LanguageVariety.objects.filter(pk__in=asked) | LanguageVariety.objects.filter(projects__project=project)
    spoken = SystemPrompt.objects.filter(project=project, variety__isnull=False).values("variety")
    return list((rows | LanguageVariety.objects.filter(pk__in=spoken)).distinct().order_by("name"))


def set_texts(project: Project, texts: Texts, by: User | None = None) -> bool:
    """Make these the project's own, by tag; what is empty or left out is taken away. Runs that have begun keep theirs.

    Returns whether anything changed. Raises Invalid for a placeholder that nobody fills in, a text that is too long, or
    a variety that is not known; then nothing was changed.
    """
    wanted = {tag: text for tag, text in texts.items() if text.strip()}
    problems = [problem for tag, text in wanted.items() if (problem := problem_of(text, tag))]
    for tag in filter(None, wanted):
        try:
            read_tag(tag)
        except NotATag as refused:
            problems.append(Problem("unknown_variety", str(refused), tag))
    if problems:
        raise Invalid(problems)
    wanted = {tag and read_tag(tag): text for tag, text in wanted.items()}
    with transaction.atomic():
        varieties = {tag: variety_of(tag) for tag in wanted if tag}
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)  # one change at a time
        if wanted == of_project(project):
            return False
        SystemPrompt.objects.filter(project=project).delete()
        SystemPrompt.objects.bulk_create(
            SystemPrompt(project=project, variety=varieties.get(tag), text=text) for tag, text in wanted.items()
        )
        record("system_prompts.changed", actor=by, project=project, texts=wanted)
    return True
