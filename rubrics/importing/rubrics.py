"""The importer of rubrics: one frozen version of one prompt's rubric a line."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.importing.prompts import PromptBook
from formats.importing.raters import RaterBook
from formats.importing.registry import Importer
from formats.problems import ProblemLog
from formats.reading import Record
from formats.rubric import FORMAT
from projects.models import Project, Prompt, Rater
from projects.rehearsing import Weighed
from rubrics.importing.frozen import FrozenRubrics
from rubrics.models import Criterion, Rubric, WeightBand


class Rubrics(Importer):
    """Stores frozen rubrics, with their prompts where those are new."""

    kind = "rubrics"
    name = gettext_lazy("Rubrics: frozen criteria, one rubric a line")
    fills = (Prompt, Rubric, Criterion)
    settings = (WeightBand,)
    format = FORMAT

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.prompts = PromptBook(project, problems, self.counts)
        self.raters = RaterBook(project, problems)
        self.rubrics = FrozenRubrics(project, problems, self.counts)
        self.touched: set[int] = set()

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
