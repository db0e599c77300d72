"""The importer of rubrics: one frozen version of one prompt's rubric a line."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.importing.fields import Field, ProblemLog, check_fields, mapping, name, text
from projects.importing.prompts import PromptBook
from projects.importing.raters import RaterBook
from projects.importing.reading import Record
from projects.importing.registry import Importer
from projects.models import Project, Prompt, Rater
from projects.rehearsing import Weighed
from rubrics.importing.frozen import FrozenRubrics
from rubrics.importing.lines import RUBRIC_FIELDS, check_rubric
from rubrics.models import Criterion, Rubric, WeightBand

# What a line says of its prompt where the project does not have it yet.
PROMPT_FIELDS = ("variety", "task", "domain")
FIELDS = {
    "prompt_id": Field(name(200)),
    "prompt": Field(text()),
    "variety": Field(name(35)),
    "task": Field(name(80)),
    "domain": Field(name(80)),
    "author": Field(name(120), required=True),
    "reviewed_by": Field(name(120)),
    **RUBRIC_FIELDS,
    "metadata": Field(mapping),
}


class Rubrics(Importer):
    """Stores frozen rubrics, with their prompts where those are new."""

    kind = "rubrics"
    name = gettext_lazy("Rubrics: frozen criteria, one rubric a line")
    fills = (Prompt, Rubric, Criterion)
    settings = (WeightBand,)
    schema = Path(__file__).parent.parent / "schemas" / "rubric.schema.json"
    example = (
        '{"prompt": "إزاي أعمل كشري؟", "variety": "ar-EG", "author": "Mona Adel", "scope": "cultural", "gold_answer": '
        '"…", "criteria": [{"key": "c1", "text": "…", "weight": 8, "band": "core-term", "objectivity": "objective", '
        '"explicitness": "explicit"}], "frozen_at": "2026-03-01T09:30:00Z"}'
    )

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.prompts = PromptBook(project, problems, self.counts)
        self.raters = RaterBook(project, problems)
        self.rubrics = FrozenRubrics(project, problems, self.counts)
        self.touched: set[int] = set()

    def check(self, record: Record) -> bool:
        before = self.problems.total
        fields = record.fields
        if not check_fields(FIELDS, fields, record.line, self.problems):
            return False
        if fields.get("prompt") is None:
            if fields.get("prompt_id") is None:
                message = _("Name a prompt of the project by prompt_id, or give the text of a new one.")
                self.problems.say(record.line, "missing", message, "prompt_id")
            for field in PROMPT_FIELDS:
                if fields.get(field) is not None:
                    message = _("Only a line with the text of its prompt says this of it.")
                    self.problems.say(record.line, "not_alone", message, field)
        elif fields.get("variety") is None:
            self.problems.say(record.line, "missing", _("The field is missing."), "variety")
        if fields.get("reviewed_by") == fields["author"]:
            message = _("Nobody reviews a rubric of their own.")
            self.problems.say(record.line, "own_rubric", message, "reviewed_by")
        check_rubric(fields, record.line, self.problems)
        return self.problems.total == before

    def store(self, batch: Sequence[Record]) -> None:
        pairs = self._with_prompts(batch)
        self.rubrics.load(prompt for _record, prompt in pairs)
        self.touched.update(prompt.pk for _record, prompt in pairs)
        for record, prompt in pairs:
            author = self._person(record, "author")
            reviewer = self._person(record, "reviewed_by") if record.fields.get("reviewed_by") else None
            if author is not None:
                self.rubrics.add(record.line, record.fields, prompt, author, reviewer)
        if not self.problems.total:
            self.rubrics.store()
        self.counts["new raters"] = self.raters.created

    def weighed(self) -> Iterable[Weighed]:
        """Beyond the project's settings: the other versions of the same rubrics."""
        yield from super().weighed()
        yield Weighed(Rubric, "prompt", self.touched)

    def _with_prompts(self, batch: Sequence[Record]) -> list[tuple[Record, Prompt]]:
        """Lines in their order, each with its prompt; a prompt's text may stand on an earlier line."""
        new = [record for record in batch if record.fields.get("prompt") is not None]
        made = self.prompts.prompts_of([record for record in new if self.prompts.varieties_known(record)])
        prompt_of = {record.line: prompt for record, prompt in made}
        named = [record for record in batch if record.fields.get("prompt") is None]
        stored = self.prompts.stored({record.fields["prompt_id"] for record in named})
        for record in named:
            prompt = stored.get(record.fields["prompt_id"])
            if prompt is None:
                message = _("The project has no prompt with this id.")
                self.problems.say(record.line, "unknown_prompt", message, "prompt_id")
            else:
                prompt_of[record.line] = prompt
        return [(record, prompt_of[record.line]) for record in batch if record.line in prompt_of]

    def _person(self, record: Record, field: str) -> Rater | None:
        return self.raters.rater(record.line, {"rater": record.fields[field]})
