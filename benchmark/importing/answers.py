"""The importer of answers that were made elsewhere, and of the scores that judges gave them there."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.answers.rules import rule_named
from benchmark.answering import receive_many
from benchmark.exposure import record_seen_elsewhere
from benchmark.importing import elsewhere
from benchmark.importing.columns import Columns
from benchmark.importing.configurations import ConfigurationBook, JudgeBook
from benchmark.importing.elsewhere.finding import QuestionTexts
from benchmark.importing.elsewhere.whole_files import as_lines
from benchmark.importing.questions_asked import AskedQuestion, QuestionBook
from benchmark.judged import store_scores
from benchmark.models import Answer, Configuration, ModelCard, QuestionSet, RuleScore, RuleUse
from benchmark.scoring_jobs import begin_scoring_of_new
from formats.benchmark_answer import FORMAT
from formats.importing.origins import OWN_LABORATORY
from formats.importing.registry import Importer
from formats.problems import ProblemLog
from formats.reading import Record, Source
from projects.among import Among
from projects.models import Project, Rater, Response
from projects.rehearsing import Weighed

CUT, FILTERED = "length", "content_filter"
Place = tuple[int, int]  # configuration, prompt


@dataclass(slots=True)
class Coming:
    """A checked line: whose answer it is, to what, and what it says."""

    record: Record
    configuration: Configuration
    asked: AskedQuestion

    @property
    def place(self) -> Place:
        return self.configuration.pk, self.asked.question.prompt_id

    @property
    def text(self) -> str:
        return self.record.fields.get("text") or ""

    @property
    def how(self) -> dict:
        fields = self.record.fields
        return {
            "reasoning": fields.get("reasoning") or "",
            "is_cut": fields.get("finish_reason") == CUT,
            "is_refusal": bool(fields.get("refusal")) or fields.get("finish_reason") == FILTERED,
        }

    @property
    def says_nothing(self) -> bool:
        """Whether the line brings scores alone."""
        fields = self.record.fields
        return bool(fields.get("scores")) and fields.get("text") is None and not any(self.how.values())


class BenchmarkAnswers(Importer):
    """Stores configurations with their cards, answers with their responses, and scores of judges.

    An answer that is there already may stand in a file again, with further scores; it must be the same. `configuration`
    and `set_slug` (of lines that name none) may be said beside the file; a command may set `columns` as well.
    """

    kind = "benchmark-answers"
    name = gettext_lazy("Answers to a benchmark that models gave elsewhere, with the scores of judges")
    fills = (Response, Answer, RuleScore)
    settings = (Configuration, ModelCard, QuestionSet)
    format = FORMAT
    beside: ClassVar[Mapping[str, Any]] = {
        "set": gettext_lazy("Question set"),
        "configuration": gettext_lazy("Configuration"),
    }

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.configuration = self.set_slug = ""
        self.columns = Columns()
        self.judges = JudgeBook(project, problems)
        self.configurations = ConfigurationBook(project, problems, self.counts, self.judges.raters.own)
        self.questions = QuestionBook(project, problems)
        self.described: list[str] = []
        self.texts: dict[int, QuestionTexts] = {}
        self.said_before: set[str] = set()
        self.line_of: dict[Place, int] = {}
        self.has_scores = False

    def heed(self, said: Mapping[str, str]) -> None:
        self.set_slug, self.configuration = said.get("set", ""), said.get("configuration", "")

    @classmethod
    def as_lines(cls, source: Source, file_format: str) -> str:
        if file_format in ("jsonl", "json", "parquet") and as_lines(source):
            return "jsonl"
        return file_format

    def our_name(self, column: str) -> str | None:
        return self.columns.ours.get(column, column)

    def check(self, record: Record) -> bool:
        self.columns.rename_fields(record)
        if record.fields.get("kind") == "configuration":
            self.described.append(str(record.fields.get("id")))
        row = elsewhere.read(record.fields)
        if isinstance(row, elsewhere.PassedOver) or (row is not None and row.same in self.said_before):
            self.counts["rows passed over"] += 1
            return False
        return (row is None or self._is_ours_now(record, row)) and super().check(record)

    def _is_ours_now(self, record: Record, row: elsewhere.Row) -> bool:
        """Give a row of another program our fields. False with the problem said where it fits nothing here."""
        if row.same:
            self.said_before.add(row.same)
        answer = {"text": row.text, "reasoning": row.reasoning, "finish_reason": row.finish_reason}
        record.fields.clear()
        record.fields.update((name, value) for name, value in answer.items() if value or name == "text")
        configuration = self.configuration or self.configurations.of_model(row.model)
        record.fields["configuration"] = configuration or (self.described[0] if len(self.described) == 1 else "")
        question_set = self.questions.set_of(record, self.set_slug)
        if question_set is None:
            return False
        if question_set.pk not in self.texts:
            self.texts[question_set.pk] = QuestionTexts(question_set)
        texts = self.texts[question_set.pk]
        key = record.fields["id"] = texts.key_of(row)
        problems = []
        if key is None:
            message = _("The row fits no question of the set “%(set)s”: neither its text is that of one, nor its key.")
            problems.append(("unknown_question", message % {"set": question_set}, "id"))
        elif texts.are_in_another_order(row, key):
            message = _("The row gives the options in another order than the question, so its letters name others.")
            problems.append(("other_order", message, "id"))
        if row.text is None:
            message = _(
                "The row holds likelihoods of given answers, and nothing that the model wrote. Have it write its "
                "answers, and import these."
            )
            problems.append(("not_written", message, "text"))
        if not record.fields["configuration"]:
            message = _(
                "The row does not say whose answer it is. Name the configuration in the command (--configuration), or "
                "put a line that describes it before the first."
            )
            problems.append(("missing", message, "configuration"))
        for problem in problems:
            self.problems.say(record.line, *problem)
        return not problems

    def store(self, batch: Sequence[Record]) -> None:
        lines = []
        for record in batch:
            kind = record.fields.get("kind") or "answer"
            if kind == "configuration":
                self.configurations.describe(record)
            elif kind == "judge":
                self.judges.describe(record)
            else:
                lines.append(record)
        coming = [each for each in self._resolved(lines) if self._is_first(each)]
        there = self._answers(coming)
        coming = [each for each in coming if self._is_same(each, there.get(each.place))]
        scores = [(each, *score) for each in coming for score in self._scores(each)]
        self.counts["new raters"] = self.judges.raters.created
        self.counts[OWN_LABORATORY] = self.judges.raters.own_answers
        if self.problems.total:
            return
        new = [each for each in coming if each.place not in there]
        there |= self._received(new)
        self.counts["answers"] += len(new)
        self._store_scores(scores, there)
        self.has_scores = self.has_scores or bool(scores)

    def finish(self) -> None:
        """Once what came in is committed: whoever answered or judged it has seen the questions, and the rules that ask
        nobody score it."""
        transaction.on_commit(partial(record_seen_elsewhere, self.project), robust=True)
        transaction.on_commit(partial(begin_scoring_of_new, self.project, has_scores=self.has_scores), robust=True)

    def weighed(self) -> Iterable[Weighed]:
        """Beyond the settings: what a judge has said of these answers already."""
        yield from super().weighed()
        yield Weighed(RuleScore, "answer__configuration__project", [self.project.pk])

    # --- Lines ---

    def _resolved(self, records: Sequence[Record]) -> list[Coming]:
        coming = []
        for record, asked in self.questions.asked(records, self.set_slug):
            configuration = self.configurations.named(record, self.configuration)
            if configuration is not None:
                coming.append(Coming(record, configuration, asked))
        return coming

    def _is_first(self, each: Coming) -> bool:
        line = self.line_of.setdefault(each.place, each.record.line)
        if line == each.record.line:
            return True
        message = _("This configuration's answer to the question stands on line %(line)d already.")
        self.problems.say(each.record.line, "duplicate_id", message % {"line": line}, "id")
        return False

    def _answers(self, coming: Sequence[Coming]) -> dict[Place, Answer]:
        """Those that are there already."""
        rows = Answer.objects.filter(
            configuration__in=Among(each.configuration.pk for each in coming),
            prompt__in=Among(each.asked.question.prompt_id for each in coming),
        )
        return {(row.configuration_id, row.prompt_id): row for row in rows.select_related("response")}

    def _is_same(self, each: Coming, there: Answer | None) -> bool:
        if there is None or each.says_nothing:
            return True
        differing = [] if there.content == each.text else ["text"]
        differing += [field for field, value in each.how.items() if getattr(there, field) != value]
        names = {"is_cut": "finish_reason", "is_refusal": "refusal"}
        for field in differing:
            message = _("The project has another answer of this configuration to the question.")
            self.problems.say(each.record.line, "already_there_differs", message, names.get(field, field))
        return not differing

    def _received(self, new: Sequence[Coming]) -> dict[Place, Answer]:
        answers = receive_many([(each.configuration, each.asked.question.prompt, each.text, each.how) for each in new])
        self.counts["responses"] += sum(row.response_id is not None for row in answers)
        return {(row.configuration_id, row.prompt_id): row for row in answers}

    # --- Scores ---

    def _scores(self, each: Coming) -> list[tuple[dict, RuleUse, Rater]]:
        found, seen = [], set()
        line = each.record.line
        for index, entry in enumerate(each.record.fields.get("scores") or []):
            place = f"scores[{index}]"
            use = self._use(each, entry, place)
            judge = self.judges.named(line, entry["judge"], place)
            if use is None or judge is None:
                continue
            given = (use.pk, judge.pk, entry.get("round") or 1)
            if given in seen:
                message = _("The judge's score by this rule in this round stands in the line already.")
                self.problems.say(line, "duplicate_id", message, place)
            seen.add(given)
            self.judges.raters.counts_as_own(judge, [each.configuration.target_model])
            found.append((entry, use, judge))
        return found

    def _use(self, each: Coming, entry: dict, place: str) -> RuleUse | None:
        """The use of a judged rule that a score is of, or None with the problem said."""
        uses = [use for use in each.asked.uses if use.rule == entry["rule"]]
        if entry.get("parameters") is not None:
            uses = [use for use in uses if use.parameters == entry["parameters"]]
        if len(uses) == 1 and rule_named(uses[0].rule).is_judged:
            return uses[0]
        if not uses:
            code, message = "unknown_rule", _("The question has no rule “%(rule)s” with these parameters.")
        elif len(uses) > 1:
            code, message = "which_rule", _("The question uses the rule “%(rule)s” more than once: state parameters.")
        else:
            code, message = "computed_rule", _("The rule “%(rule)s” is computed here; only judges' scores come in.")
        self.problems.say(each.record.line, code, message % {"rule": entry["rule"]}, f"{place}.rule")
        return None

    def _store_scores(self, scores: Sequence[tuple[Coming, dict, RuleUse, Rater]], there: dict[Place, Answer]) -> None:
        """New ones are written; one that is there already must be the same."""
        answers = {there[each.place].pk for each, *_rest in scores}
        known = {
            (row.target_sha256, row.answer_id, row.rater_id, row.round): row.value
            for row in RuleScore.objects.filter(answer__in=Among(answers), rater__isnull=False)
        }
        rows = []
        for each, entry, use, judge in scores:
            answer, number, value = there[each.place].pk, entry.get("round") or 1, float(entry["value"])
            before = known.get((use.target_sha256, answer, judge.pk, number))
            if before not in (None, value):
                message = _("The project has another score of this judge by this rule.")
                self.problems.say(each.record.line, "score_differs", message, "scores")
            detail = {"reason": entry["reason"]} if entry.get("reason") else {}
            score = {"value": value, "detail": detail, "round": number}
            rows.append(RuleScore(answer_id=answer, target_sha256=use.target_sha256, rater=judge, **score))
        if not self.problems.total:
            self.counts["scores"] += store_scores(rows)
