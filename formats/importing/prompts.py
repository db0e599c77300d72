"""Prompts by their ids in a file, found in the project or made at the first line that carries their text."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import sha256

from django.utils.translation import gettext as _

from formats.importing.origins import Origin
from formats.kinds import in_list
from formats.problems import ProblemLog
from formats.reading import Record
from projects import anchors
from projects.content_notes import TooManySets, joined, note_anew, number_of, sets_of
from projects.conversations import as_text
from projects.languages.tags import NotATag
from projects.models import ContentNote, Project, Prompt, PromptTemplate, QuestionType
from projects.models.notes import MOST_SETS
from projects.varieties import VarietyBook


@dataclass(frozen=True, slots=True)
class PromptFacts:
    """What must be the same wherever a prompt's id stands."""

    prompt: str  # SHA-256 of the text
    prompt_variety: str
    task: str
    domain: str
    question: str = ""
    template: str = ""
    content_notes: str | None = None  # None where a line says nothing of them


class PromptBook:
    """The prompts that the lines of one file are about. Counts those it makes under "prompts".

    Of a prompt that is there already, a line must say the same in every one of `fields`, those that it can have.
    Where the file `gives_notes`, it may name other content notes, the same in all of its lines.
    """

    def __init__(
        self,
        project: Project,
        problems: ProblemLog,
        counts: Counter[str],
        fields: Collection[str] = (),
        *,
        gives_notes: bool = False,
    ) -> None:
        self.project = project
        self.problems = problems
        self.counts = counts
        self.origin: Origin | None = None
        self.unsaid = {"question", "template"} - set(fields)
        self.varieties = VarietyBook(project)
        self.notes = set(ContentNote.objects.filter(project=project).values_list("slug", flat=True))
        self.note_sets = sets_of(project)
        self.gives_notes = gives_notes
        self.noted: dict[str, str] = {}  # what this file gave, by key
        self.questions = {question.slug: question for question in QuestionType.objects.filter(project=project)}

    def is_known(self, record: Record) -> bool:
        """True where the project knows the varieties and the question type that the record names. Of a conversation its
        text stands there from then on, beside its messages."""
        if isinstance(record.fields.get("prompt"), list):
            record.fields["messages"] = record.fields["prompt"]
            record.fields["prompt"] = as_text(record.fields["messages"])
        slug = record.fields.get("question")
        if slug is not None and slug not in self.questions:
            self.problems.say(record.line, "unknown_question", unknown_question(slug, self.questions), "question")
            return False
        return self._notes_known(record) and self.varieties_known(record)

    def _notes_known(self, record: Record) -> bool:
        """True where the project has every content note that the record names."""
        named = in_list(record.fields.get("content_notes") or [])
        unknown = sorted(set(named or ()) - self.notes)
        if unknown:
            message = _("The project has no content note “%(slug)s”. Its notes are those of its project file.")
            self.problems.say(record.line, "unknown_note", message % {"slug": unknown[0]}, "content_notes")
        return not unknown

    def varieties_known(self, record: Record) -> bool:
        """True where every variety that the record names is one; from then on it stands there by its tag."""
        known = True
        for field in ("variety", "prompt_variety"):
            named = record.fields.get(field)
            if named is None:
                continue
            try:
                record.fields[field] = self.varieties[named].tag
            except NotATag as refused:
                known = False
                self.problems.say(record.line, "unknown_variety", str(refused), field)
        return known

    def prompts_of(self, batch: Sequence[Record]) -> list[tuple[Record, Prompt]]:
        """Each record with its prompt; records whose prompt is not the one stored under its id are left out."""
        known = self.stored({prompt_key(record.fields) for record in batch})
        templates = self._templates(batch)
        new: dict[str, Prompt] = {}
        given: dict[Prompt, str] = {}
        pairs = []
        for record in batch:
            template = templates.get(record.fields.get("template", ""))
            if not self._fits_template(record, template):
                continue
            key = prompt_key(record.fields)
            facts = facts_of(record.fields, template)
            prompt = known.get(key)
            if prompt is None:
                prompt = known[key] = new[key] = self._prompt(key, record, facts, template)
            has_notes = given.get(prompt) if prompt.pk else None
            if has_notes is None:
                has_notes = self.slugs_of(prompt)
            stored = facts_of_stored(prompt, has_notes if facts.content_notes is not None else None)
            differing = [field for field in differences(facts, stored) if field not in self.unsaid]
            if differing == ["content_notes"] and self.gives_notes and prompt.pk and key not in self.noted:
                given[prompt] = facts.content_notes or ""
                differing = []
            if facts.content_notes is not None:
                self.noted.setdefault(key, facts.content_notes)
            for field in differing:
                message = _("The prompt “%(id)s” stands with another value here than before.")
                self.problems.say(record.line, "prompt_differs", message % {"id": key}, field)
            if not differing:
                pairs.append((record, prompt))
        if new and self.origin is not None:
            for prompt in new.values():
                prompt.came_with_id = self.origin.pk
        Prompt.objects.bulk_create(new.values())
        self._note_anew(given, pairs)
        self.counts["prompts"] += len(new)
        return pairs

    def _note_anew(self, given: dict[Prompt, str], pairs: Sequence[tuple[Record, Prompt]]) -> None:
        try:
            note_anew(self.project, given, self.origin.actor if self.origin is not None else None)
        except TooManySets:
            self._say_too_many(next(record for record, prompt in pairs if prompt in given))
            return
        if given:
            self.note_sets = sets_of(self.project)
            self.counts["prompts noted"] += len(given)

    def slugs_of(self, prompt: Prompt) -> str:
        """The content notes of a prompt of the project or of the file."""
        return next(slugs for slugs, number in self.note_sets.items() if number == prompt.note_set)

    def _note_set(self, record: Record, slugs: str) -> int:
        try:
            self.note_sets[slugs] = number_of(self.project, slugs, self.note_sets)
        except TooManySets:
            self._say_too_many(record)
            return 0
        return self.note_sets[slugs]

    def _say_too_many(self, record: Record) -> None:
        message = _("The prompts of a project carry at most %(most)d different sets of content notes.")
        self.problems.say(record.line, "too_many_sets", message % {"most": MOST_SETS}, "content_notes")

    def stored(self, keys: set[str]) -> dict[str, Prompt]:
        rows = Prompt.objects.filter(project=self.project, key__in=keys)
        return {prompt.key: prompt for prompt in rows.select_related("variety", "question", "template")}

    def _templates(self, batch: Sequence[Record]) -> dict[str, PromptTemplate]:
        """The templates that the batch names: a project has thousands, a batch names few of them."""
        keys = {record.fields["template"] for record in batch if record.fields.get("template") is not None}
        if not keys:
            return {}
        rows = PromptTemplate.objects.filter(project=self.project, key__in=keys).select_related("question")
        return {template.key: template for template in rows}

    def _fits_template(self, record: Record, template: PromptTemplate | None) -> bool:
        """True where no template is named, or one of the project that is of the record's question type."""
        key, question = record.fields.get("template"), record.fields.get("question")
        if key is not None and template is None:
            message = _("The project has no template with this id.")
            self.problems.say(record.line, "unknown_template", message, "template")
            return False
        of_template = slug_of(template.question) if template else ""
        if of_template and question not in (None, of_template):
            message = _("The template “%(id)s” is one of the question type “%(question)s”.")
            values = {"id": key, "question": of_template}
            self.problems.say(record.line, "question_differs", message % values, "question")
            return False
        return True

    def _prompt(self, key: str, record: Record, facts: PromptFacts, template: PromptTemplate | None) -> Prompt:
        fields = record.fields
        return Prompt(
            project=self.project,
            key=key,
            text=fields["prompt"],
            text_sha256=facts.prompt,
            messages=several(fields.get("messages", [])),
            variety=self.varieties[facts.prompt_variety],
            task=facts.task,
            domain=facts.domain,
            question=self.questions.get(facts.question),
            template=template,
            metadata={"localisation": how} if (how := fields.get("localisation")) else {},
            note_set=self._note_set(record, facts.content_notes or ""),
        )


def slug_of(question: QuestionType | None) -> str:
    return question.slug if question else ""


def unknown_question(slug: str, known: Collection[str]) -> str:
    near = get_close_matches(slug, known, n=3, cutoff=0.5)
    if not near:
        return _("The project has no question type “%(slug)s”.") % {"slug": slug}
    message = _("The project has no question type “%(slug)s”. Near to it: %(near)s.")
    return message % {"slug": slug, "near": ", ".join(near)}


def facts_of(fields: dict, template: PromptTemplate | None = None) -> PromptFacts:
    """A template brings its question type along, whether the line names it as well or not."""
    return PromptFacts(
        prompt=anchors.sha256(fields["prompt"]),
        prompt_variety=fields.get("prompt_variety") or fields["variety"],
        task=fields.get("task") or "",
        domain=fields.get("domain") or "",
        question=(slug_of(template.question) if template else "") or fields.get("question") or "",
        template=template.key if template else "",
        content_notes=joined(in_list(notes) or ()) if (notes := fields.get("content_notes")) is not None else None,
    )


def facts_of_stored(prompt: Prompt, content_notes: str | None = None) -> PromptFacts:
    return PromptFacts(
        prompt.text_sha256,
        prompt.variety.tag,
        prompt.task,
        prompt.domain,
        prompt.question.slug if prompt.question else "",
        prompt.template.key if prompt.template else "",
        content_notes,
    )


def differences(one: PromptFacts, other: PromptFacts) -> list[str]:
    """The fields of a record in which two sets of facts differ."""
    return [field for field in PromptFacts.__slots__ if getattr(one, field) != getattr(other, field)]


def several(messages: list) -> list:
    """A lone message is the text alone."""
    return messages if len(messages) > 1 else []


def prompt_key(fields: dict) -> str:
    """The prompt's id; where a record gives none, one made of its variety and text, so that equal prompts meet."""
    given = fields.get("prompt_id")
    if given is not None:
        return given
    tag = fields.get("prompt_variety") or fields["variety"]
    return "p-" + sha256(f"{tag}\n{fields['prompt']}".encode()).hexdigest()[:20]
