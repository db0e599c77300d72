"""The prompts that a project can ask by: those that come with the product, and its own, which it numbers.

A version is named as figures name it: `v1` and `v2-ar` are shipped, `own-3` is the project's third of its kind.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Max
from django.utils.translation import gettext as _

from judging.kinds import judge_kinds
from judging.models import Judge, JudgePrompt, Run
from judging.prompts import published
from judging.prompts.checking import PartProblem, problems_of, tidied
from judging.prompts.shipped import (
    ENGLISH,
    FIRST,
    LANGUAGES,
    LATER,
    SLOT,
    WITH_SLOT,
    has_slot,
    newest,
    shipped,
    version_name,
)
from projects.audit import record
from projects.explanations import OF_RESPONSE
from projects.models import Project, User
from projects.problems import Invalid, Problem

OWN = "own-"


@dataclass(frozen=True, slots=True)
class Version:
    """One prompt of a kind, with the judges that are set up with it and how many runs were asked by it."""

    kind: str
    name: str
    language: str
    parts: Mapping[str, str]
    own: JudgePrompt | None = None
    judges: list[Judge] = field(default_factory=list, compare=False)
    runs: int = 0

    @property
    def language_name(self) -> str:
        return language_name(self.language)


def language_name(language: str) -> str:
    """In its own words, as who reads it knows it; the code itself where the product has no name for it."""
    return dict(settings.LANGUAGES).get(language, language)


def english(kind: str) -> Mapping[str, str]:
    """The shipped English prompt, from which follows what every other of its kind may and must say."""
    return shipped(kind, newest(kind), ENGLISH)


def shipped_versions(kind: str) -> list[Version]:
    """Those that ship, as they are listed: the newest first."""
    versions = (WITH_SLOT, FIRST) if has_slot(kind) else (FIRST,)
    return [
        Version(kind, version_name(version, language), language, shipped(kind, version, language))
        for version in versions
        for language in LANGUAGES
    ]


def own_version(prompt: JudgePrompt) -> Version:
    """Parts that came later than the prompt are shown as they are asked: in the shipped words of its language."""
    language = prompt.language if prompt.language in LANGUAGES else ENGLISH
    of_language = {} if published.is_published(prompt.parts) else shipped(prompt.kind, FIRST, language)
    parts = {**of_language, **prompt.parts}
    return Version(prompt.kind, f"{OWN}{prompt.number}", prompt.language, parts, prompt)


def asking_by(project: Project, kind: str, name: str, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `judges.add_judge` for a prompt by its version's name, with the options that were chosen; of ""
    none, which is the shipped one. A shipped version settles whether there is a language of explanations.

    Raises Invalid where the kind has no such version in the project, or it asks for explanations in English alone.
    """
    if not name:
        return dict(chosen)
    version = find_version(project, kind, name)
    if version is None:
        message = _("There is no prompt “%(name)s” of this kind.") % {"name": name}
        raise Invalid(Problem("unknown_prompt", message, "asks_by"))
    asking = {**chosen, "prompt": version.own, "instruction_language": version.language}
    if version.own or not has_slot(kind):
        return asking
    if name in (version_name(FIRST, language) for language in LANGUAGES):
        if chosen.get(SLOT):
            message = _("“%(name)s” asks for explanations in English. Choose %(other)s for another language.")
            raise Invalid(Problem("no_slot", message % {"name": name, "other": WITH_SLOT}, SLOT))
        return {**asking, SLOT: ""}
    return {**asking, SLOT: chosen.get(SLOT) or project.explanation_language or OF_RESPONSE}


def find_version(project: Project, kind: str, name: str) -> Version | None:
    """None where the kind, or such a version of it in the project, is not there."""
    if kind not in judge_kinds():
        return None
    if ships := next((version for version in shipped_versions(kind) if version.name == name), None):
        return ships
    number = name.removeprefix(OWN)
    if not name.startswith(OWN) or not number.isdecimal() or len(number) > 9:
        return None
    prompts = JudgePrompt.objects.select_related("created_by", "based_on")
    prompt = prompts.filter(project=project, kind=kind, number=int(number)).first()
    return own_version(prompt) if prompt else None


def versions(project: Project) -> dict[str, list[Version]]:
    """Every prompt by kind, the shipped ones first, with who uses it. Three statements."""
    judges: dict[tuple[str, str], list[Judge]] = defaultdict(list)
    for judge in Judge.objects.filter(project=project).select_related("rater", "prompt").order_by("rater__name"):
        judges[judge.kind, judge.asks_by].append(judge)
    asked = Run.objects.filter(project=project, judge__isnull=False).order_by()
    rows = asked.values_list("judge__kind", "prompt_version__version").annotate(n=Count("pk"))
    runs = {(kind, version): n for kind, version, n in rows}
    own: dict[str, list[Version]] = defaultdict(list)
    for prompt in JudgePrompt.objects.filter(project=project).select_related("created_by"):
        own[prompt.kind].append(own_version(prompt))
    by_kind = {}
    for kind in judge_kinds():
        listed = [*shipped_versions(kind), *reversed(own[kind])]
        by_kind[kind] = [
            with_uses(version, judges[kind, version.name], runs.get((kind, version.name), 0)) for version in listed
        ]
    return by_kind


def with_uses(version: Version, judges: list[Judge], runs: int) -> Version:
    return Version(version.kind, version.name, version.language, version.parts, version.own, judges, runs)


def with_names(kind: str, parts: Mapping[str, str]) -> dict[str, str]:
    """The parts as they are kept, each part of the kind with its text; what is no part of it is left as it is."""
    if published.is_published(parts):
        return published.tidied(parts)
    asked = _asked(kind, parts)
    tidy = {part: tidied(parts.get(part, ""), text) for part, text in asked.items()}
    return {**{part: text for part, text in parts.items() if part not in asked}, **tidy}


def faults_of(kind: str, parts: Mapping[str, str]) -> list[PartProblem]:
    """All that is wrong with the parts as `with_names` has them; nothing where a judge can be asked with them."""
    if published.is_published(parts):
        return published.problems_of_published(kind, parts)
    return problems_of(parts, _asked(kind, parts))


def _asked(kind: str, parts: Mapping[str, str]) -> Mapping[str, str]:
    """The parts of the shipped English prompt, but those that came later and are not said."""
    later = LATER.get(kind, frozenset())
    return {part: text for part, text in english(kind).items() if part in parts or part not in later}


def add_prompt(
    project: Project,
    kind: str,
    parts: Mapping[str, str],
    *,
    language: str = ENGLISH,
    note: str = "",
    based_on: Version | None = None,
    by: User | None = None,
) -> JudgePrompt:
    """The project's next prompt of a kind. Raises Invalid where it cannot be asked; then nothing is kept.

    Numbers are given under a lock on the project, so two who save at once get one each.
    """
    if kind not in judge_kinds():
        raise Invalid(Problem("unknown_kind", _("There is no such kind of judging."), "kind"))
    parts = with_names(kind, parts)
    if wrong := faults_of(kind, parts):
        raise Invalid([Problem(problem.code, problem.message, problem.part, problem.line or None) for problem in wrong])
    if language not in LANGUAGES:
        raise Invalid(Problem("unknown_language", _("Judges are not instructed in this language."), "language"))
    with transaction.atomic():
        Project.objects.select_for_update().get(pk=project.pk)
        newest = JudgePrompt.objects.filter(project=project, kind=kind).aggregate(newest=Max("number"))["newest"] or 0
        prompt = JudgePrompt.objects.create(
            project=project,
            kind=kind,
            language=language,
            number=newest + 1,
            parts=parts,
            note=note,
            based_on=based_on.own if based_on else None,
            based_on_shipped=based_on.name if based_on and not based_on.own else "",
            created_by=by,
        )
        record("prompt.added", actor=by, project=project, subject=f"{kind} {OWN}{prompt.number}", language=language)
    return prompt
