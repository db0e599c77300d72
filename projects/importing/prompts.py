"""Prompts by their ids in a file, found in the project or made at the first line that carries their text."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import sha256

from django.utils.translation import gettext as _

from projects import anchors
from projects.importing.fields import ProblemLog
from projects.importing.reading import Record
from projects.models import LanguageVariety, Project, Prompt


@dataclass(frozen=True, slots=True)
class PromptFacts:
    """What must be the same wherever a prompt's id stands."""

    prompt: str  # SHA-256 of the text
    prompt_variety: str
    task: str
    domain: str


class PromptBook:
    """The prompts that the lines of one file are about. Counts those it makes under "prompts"."""

    def __init__(self, project: Project, problems: ProblemLog, counts: Counter[str]) -> None:
        self.project = project
        self.problems = problems
        self.counts = counts
        self.varieties = {variety.tag: variety for variety in LanguageVariety.objects.all()}

    def varieties_known(self, record: Record) -> bool:
        known = True
        for field in ("variety", "prompt_variety"):
            tag = record.fields.get(field)
            if tag is not None and tag not in self.varieties:
                known = False
                self.problems.say(record.line, "unknown_variety", self.unknown_variety(tag), field)
        return known

    def unknown_variety(self, tag: str) -> str:
        by_lower = {known.lower(): known for known in self.varieties}
        near = [by_lower[match] for match in get_close_matches(tag.lower(), by_lower, n=3, cutoff=0.5)]
        if not near:
            return _("The language variety “%(tag)s” is not known.") % {"tag": tag}
        message = _("The language variety “%(tag)s” is not known. Near to it: %(near)s.")
        return message % {"tag": tag, "near": ", ".join(near)}

    def prompts_of(self, batch: Sequence[Record]) -> list[tuple[Record, Prompt]]:
        """Each record with its prompt; records whose prompt is not the one stored under its id are left out."""
        found = self.stored({prompt_key(record.fields) for record in batch})
        new: dict[str, Prompt] = {}
        pairs = []
        for record in batch:
            key = prompt_key(record.fields)
            facts = facts_of(record.fields)
            prompt = found.get(key)
            if prompt is None:
                prompt = found[key] = new[key] = self._prompt(key, record.fields, facts)
            differing = differences(facts, facts_of_stored(prompt))
            for field in differing:
                message = _("The prompt “%(id)s” stands with another value here than before.")
                self.problems.say(record.line, "prompt_differs", message % {"id": key}, field)
            if not differing:
                pairs.append((record, prompt))
        Prompt.objects.bulk_create(new.values())
        self.counts["prompts"] += len(new)
        return pairs

    def stored(self, keys: set[str]) -> dict[str, Prompt]:
        rows = Prompt.objects.filter(project=self.project, key__in=keys).select_related("variety")
        return {prompt.key: prompt for prompt in rows}

    def _prompt(self, key: str, fields: dict, facts: PromptFacts) -> Prompt:
        return Prompt(
            project=self.project,
            key=key,
            text=fields["prompt"],
            text_sha256=facts.prompt,
            variety=self.varieties[facts.prompt_variety],
            task=facts.task,
            domain=facts.domain,
        )


def facts_of(fields: dict) -> PromptFacts:
    return PromptFacts(
        prompt=anchors.sha256(fields["prompt"]),
        prompt_variety=fields.get("prompt_variety") or fields["variety"],
        task=fields.get("task") or "",
        domain=fields.get("domain") or "",
    )


def facts_of_stored(prompt: Prompt) -> PromptFacts:
    return PromptFacts(prompt.text_sha256, prompt.variety.tag, prompt.task, prompt.domain)


def differences(one: PromptFacts, other: PromptFacts) -> list[str]:
    """The fields of a record in which two sets of facts differ."""
    return [field for field in PromptFacts.__slots__ if getattr(one, field) != getattr(other, field)]


def prompt_key(fields: dict) -> str:
    """The prompt's id; where a record gives none, one made of its variety and text, so that equal prompts meet."""
    given = fields.get("prompt_id")
    if given is not None:
        return given
    tag = fields.get("prompt_variety") or fields["variety"]
    return "p-" + sha256(f"{tag}\n{fields['prompt']}".encode()).hexdigest()[:20]
