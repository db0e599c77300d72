from collections.abc import Iterator

from benchmark.access import frozen_set_named
from benchmark.export_command import ExportCommand
from benchmark.exporting_answers import exported_answers
from benchmark.models import QuestionSet
from projects.models import Project


class Command(ExportCommand):
    help = "Write the answers to a question set and their judges' scores as JSON lines."
    event = "answers.exported"
    newest = "default: the newest frozen one"
    held_back = "answers to held-back questions as well"

    def version(self, project: Project, slug: str, version: int | None) -> QuestionSet:
        return frozen_set_named(project, slug, version)

    def lines(self, question_set: QuestionSet, with_held_back: bool) -> Iterator[bytes]:
        return exported_answers(question_set, with_held_back)
