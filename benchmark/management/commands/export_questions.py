from collections.abc import Iterator

from benchmark.access import set_named
from benchmark.export_command import ExportCommand
from benchmark.exporting import exported
from benchmark.models import QuestionSet
from projects.models import Project


class Command(ExportCommand):
    help = "Write a question set as JSON lines: to a file, or to standard output."
    event = "question_set.exported"

    def version(self, project: Project, slug: str, version: int | None) -> QuestionSet:
        return set_named(project, slug, version)

    def lines(self, question_set: QuestionSet, with_held_back: bool) -> Iterator[bytes]:
        return exported(question_set, with_held_back)
