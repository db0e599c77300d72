"""The importer of prompts that nobody has answered yet: they are collected for, or rubrics are written to them."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy

from formats.importing.prompts import PromptBook
from formats.importing.registry import Importer
from formats.problems import ProblemLog
from formats.prompt import FORMAT, PromptLine
from formats.reading import Record
from formats.records import fields_of
from projects.models import Project, Prompt


class Prompts(Importer):
    """Stores prompts. One that is there already and says the same stays as it is; another text is refused."""

    kind = "prompts"
    name = gettext_lazy("Prompts without responses")
    fills = (Prompt,)
    format = FORMAT

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.prompts = PromptBook(project, problems, self.counts, fields_of(PromptLine), gives_notes=True)

    def store(self, batch: Sequence[Record]) -> None:
        self.prompts.origin = self.origin
        self.prompts.prompts_of([record for record in batch if self.prompts.is_known(record)])
