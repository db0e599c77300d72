"""The questions that lines of answers are about: those of the newest frozen version of each set."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from benchmark.judged import newest_frozen
from benchmark.models import Question, QuestionSet, RuleUse
from formats.problems import ProblemLog
from formats.reading import Record
from projects.chunks import CHUNK
from projects.models import Project


@dataclass(slots=True)
class AskedQuestion:
    """A question with its prompt and the uses of its rules."""

    question: Question
    uses: list[RuleUse]


class QuestionBook:
    """Finds questions by set and key, a batch at a time."""

    def __init__(self, project: Project, problems: ProblemLog) -> None:
        self.problems = problems
        self.sets = {row.slug: row for row in newest_frozen().filter(project=project)}
        versions = QuestionSet.objects.filter(project=project)
        self.canaries: dict[str, set[str]] = {}
        for slug, canary in versions.values_list("slug", "canary"):
            self.canaries.setdefault(slug, set()).add(str(canary))

    def asked(self, records: Sequence[Record], default_set: str) -> list[tuple[Record, AskedQuestion]]:
        """The records with their questions; of the others it is said what is wrong."""
        named = [(record, self.set_of(record, default_set)) for record in records]
        wanted: dict[int, set[str]] = {}
        for record, question_set in named:
            if question_set is not None:
                wanted.setdefault(question_set.pk, set()).add(record.fields["id"])
        found = {pk: self._questions(pk, keys) for pk, keys in wanted.items()}
        asked = []
        for record, question_set in named:
            if question_set is None:
                continue
            if question := found[question_set.pk].get(record.fields["id"]):
                asked.append((record, question))
            else:
                message = _("The set “%(set)s” has no question “%(id)s”.")
                values = {"set": question_set, "id": record.fields["id"]}
                self.problems.say(record.line, "unknown_question", message % values, "id")
        return asked

    def _questions(self, question_set: int, keys: Iterable[str]) -> dict[str, AskedQuestion]:
        found: dict[str, AskedQuestion] = {}
        wanted = sorted(keys)
        for begin in range(0, len(wanted), CHUNK):
            rows = Question.objects.filter(question_set=question_set, key__in=wanted[begin : begin + CHUNK])
            for question in rows.select_related("prompt").prefetch_related("rule_uses"):
                found[question.key] = AskedQuestion(question, list(question.rule_uses.all()))
        return found

    def set_of(self, record: Record, default: str) -> QuestionSet | None:
        slug = record.fields.get("set") or default
        if not slug and len(self.sets) == 1:
            [slug] = self.sets
        question_set = self.sets.get(slug)
        if question_set is None:
            names = ", ".join(sorted(self.sets)) or _("none yet")
            if slug:
                message = _("The project has no frozen question set “%(set)s”. It has: %(known)s.")
            else:
                message = _("Which question set is it? The frozen ones of the project: %(known)s.")
            self.problems.say(record.line, "unknown_set", message % {"set": slug, "known": names}, "set")
            return None
        canary = record.fields.get("canary")
        if canary and canary not in self.canaries[slug]:
            message = _("The canary is not that of the set, which is %(canary)s.")
            self.problems.say(record.line, "other_canary", message % {"canary": question_set.canary}, "canary")
        return question_set
