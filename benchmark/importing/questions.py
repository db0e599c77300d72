"""The importer of question sets: one question a line, behind a line that describes the set where there is one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.freezing import freeze
from benchmark.importing.columns import Columns
from benchmark.importing.sets import SetBook
from benchmark.models import Question, QuestionSet, RuleUse
from benchmark.prompting import prompt_text, too_long
from benchmark.rule_map import RuleMap, read_rule_map, shipped
from benchmark.scoring_rules import ReadRule, faults_of, read_rule
from formats.benchmark_question import FORMAT
from formats.importing.prompts import PromptBook
from formats.importing.registry import Beginning, Importer
from formats.kinds import moment_of
from formats.problems import ProblemLog
from formats.reading import Record
from projects import anchors
from projects.chunks import CHUNK
from projects.insertion import as_json, insert_rows
from projects.languages.tags import NotATag
from projects.models import LanguageVariety, Project, Prompt
from projects.problems import Invalid
from projects.rehearsing import Weighed

RULE_USE_COLUMNS = ("question", "rule", "rule_version", "parameters", "parameters_sha256", "position", "target_sha256")


@dataclass(slots=True)
class Coming:
    """A checked question, not stored yet."""

    question: Question
    variety: LanguageVariety
    rules: Sequence[ReadRule]
    line: int
    text: str  # what a model is sent


class BenchmarkQuestions(Importer):
    """Stores questions with their prompts, skills, sources and rules, in a draft or as a whole frozen set.

    `set_slug` (which set), `variety_tag` (of questions that name none) and `rule_map` may be said beside the file; a
    command may set `columns` as well.
    """

    kind = "benchmark-questions"
    name = gettext_lazy("Questions of a benchmark: with reference answers and the rules that score them")
    fills = (Prompt, Question, RuleUse)
    format = FORMAT
    beside: ClassVar[Mapping[str, Any]] = {
        "set": gettext_lazy("Question set"),
        "variety": gettext_lazy("Variety"),
        "rules": gettext_lazy("Rules"),
    }
    beginning = Beginning(
        gettext_lazy("There are no questions yet"),
        gettext_lazy(
            "Begin with a file of questions and their reference answers, one question a line. Native speakers check "
            "them then, you freeze the set, and models are asked. Check the file first; checking stores nothing."
        ),
        lambda project: Question.objects.filter(question_set__project=project).exists(),
    )

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.set_slug = ""
        self.variety_tag = ""
        self.rule_map: RuleMap = shipped()
        self.columns = Columns()
        self.sets = SetBook(project, problems, self.counts)
        self.prompts = PromptBook(project, problems, self.counts)
        self.described: Record | None = None
        self.line_of: dict[str, int] = {}  # of each key; 0: it was in the set before
        self.twins: dict[str, tuple[int, str]] = {}  # by key: line and key of its twin
        self.position = 0

    def heed(self, said: Mapping[str, str]) -> None:
        self.set_slug, self.variety_tag = said.get("set", ""), said.get("variety", "")
        if "rules" in said:
            try:
                self.rule_map = read_rule_map(said["rules"])
            except Invalid as refused:
                raise Invalid(
                    [replace(problem, field=f"rules{problem.field}") for problem in refused.problems]
                ) from None

    def our_name(self, column: str) -> str | None:
        return self.columns.ours.get(column, column)

    def check(self, record: Record) -> bool:
        self.columns.rename(record)
        return super().check(record)

    def store(self, batch: Sequence[Record]) -> None:
        questions: list[Record] = []
        for record in batch:
            if record.fields.get("kind") == "set":
                self._describe(record, is_first=not questions)
            else:
                questions.append(record)
        if self.sets.question_set is None and questions:
            self._begin(self.sets.begin_undescribed(questions[0].line, self.set_slug))
        coming = [checked for record in questions if (checked := self._checked(record)) is not None]
        if self.problems.total:
            return
        self.sets.store()
        self._set_prompts(coming)
        if not self.problems.total:
            self._store(coming)

    def finish(self) -> None:
        self._store_twins()
        fields = self.described.fields if self.described else {}
        if self.problems.total or not (fields.get("sha256") or fields.get("frozen_at")) or fields.get("left_out"):
            return
        self._freeze(fields)

    def weighed(self) -> Iterable[Weighed]:
        """Beyond the project's settings: the versions of its sets."""
        yield from super().weighed()
        yield Weighed(QuestionSet, "project", [self.project.pk])

    # --- The set ---

    def _describe(self, record: Record, is_first: bool) -> None:
        if self.sets.question_set is not None or not is_first:
            message = _("The line that describes the set is the first one, and the only one.")
            self.problems.say(record.line, "set_not_first", message, "kind")
        else:
            self.described = record
            self._begin(self.sets.begin_described(record, self.set_slug or record.fields["id"]))

    def _begin(self, question_set: QuestionSet) -> None:
        if question_set._state.adding:
            return
        rows = question_set.questions.order_by("position")
        self.line_of = dict.fromkeys(rows.values_list("key", flat=True), 0)
        last = rows.last()
        self.position = last.position if last else 0

    def _freeze(self, fields: dict) -> None:
        assert self.described is not None
        assert self.sets.question_set is not None
        line = self.described.line
        for field in ("frozen_at", "sha256"):
            if fields.get(field) is None:
                self.problems.say(line, "missing", _("The field is missing."), field)
                return
        try:
            frozen = freeze(self.sets.question_set, frozen_at=moment_of(fields["frozen_at"]))
        except Invalid as refused:
            for problem in refused.problems:
                message = f"{problem.field}: {problem.message}" if problem.field else problem.message
                self.problems.say(line, problem.code, message, "frozen_at")
            return
        if frozen.sha256 != fields["sha256"]:
            message = _("The set's canonical form has the hash %(found)s: it is not the set that was frozen.")
            self.problems.say(line, "hash_differs", message % {"found": frozen.sha256}, "sha256")

    # --- Questions ---

    def _checked(self, record: Record) -> Coming | None:
        """The question of a line; None with the problems said where it cannot be."""
        before = self.problems.total
        fields, line = record.fields, record.line
        self.sets.check_canary(record)
        key = fields.get("id") or key_of(fields)
        if key in self.line_of:
            self.problems.say(line, *self._already_there(key), "id")
        self.line_of.setdefault(key, line)
        variety = self._variety(record)
        source = self.sets.source(record)
        question = Question(
            key=key,
            instruction=fields["instruction"],
            input_text=fields.get("input") or "",
            options=fields.get("options") or [],
            reference=fields.get("output") or "",
            expected_language=fields.get("language") or "",
            format=fields["format"],
            skill=self.sets.skill(fields["category"]),
            subcategory=fields.get("subcategory") or "",
            source=source,
            cluster=fields.get("cluster") or "",
            is_held_back=bool(fields.get("held_back")),
            metadata=fields.get("metadata") or {},
        )
        rules = self._rules(record, question)
        if fields.get("twin_of"):
            self.twins[key] = line, fields["twin_of"]
        if message := too_long(text := prompt_text(question.instruction, question.input_text, question.options)):
            self.problems.say(line, "too_long", message, "instruction")
        if variety is None or self.problems.total > before:
            return None
        self.position += 1
        question.position = self.position
        return Coming(question, variety, rules, line, text)

    def _already_there(self, key: str) -> tuple[str, str]:
        if line := self.line_of[key]:
            return "duplicate_id", _("This id stands on line %(line)d already.") % {"line": line}
        return "already_there", _("A question with this id is already in the set.")

    def _variety(self, record: Record) -> LanguageVariety | None:
        """The question's own language variety."""
        fields = record.fields
        for field, tag in (
            ("variety", fields.get("variety") or self.variety_tag),
            ("language", fields.get("language")),
        ):
            if not tag:
                continue
            try:
                return self.prompts.varieties[tag]
            except NotATag as refused:
                self.problems.say(record.line, "unknown_variety", str(refused), field)
                return None
        message = _(
            "Which language is the question in? Name it, or the language of the answer; mapping the columns fills it "
            "in for all lines."
        )
        self.problems.say(record.line, "missing", message, "variety")
        return None

    def _rules(self, record: Record, question: Question) -> list[ReadRule]:
        """Those the line states, else those of the rule map; each that cannot score the question is a problem."""
        stated = record.fields.get("rules")
        uses: list[ReadRule] = []
        if stated is None:
            uses += self.rule_map.rules_of(record.fields["category"], question.format)
        for index, entry in enumerate(stated or []):
            read = read_rule(entry["rule"], entry.get("version"), entry.get("parameters") or {})
            if isinstance(read, ReadRule):
                uses.append(read)
            else:
                self.problems.say(record.line, read[0], read[1], f"rules[{index}]{read[2]}")
        if stated is not None and len(uses) < len(stated):
            return uses
        for index, (code, message, place) in faults_of(question, uses):
            if place.startswith("."):
                place = "rules" if stated is None else f"rules[{index}]{place}"
            self.problems.say(record.line, code, message, place)
        return uses

    # --- Writing ---

    def _set_prompts(self, coming: Sequence[Coming]) -> None:
        """Give each question its prompt: the one there is where the text is the same, else a new one."""
        question_set = self.sets.question_set
        assert question_set is not None
        texts = [each.text for each in coming]
        keys = [f"{question_set.slug}/{each.question.key}" for each in coming]
        stored = self.prompts.stored({name for key in keys for name in (key, f"{key}/v{question_set.version}")})
        new: list[Prompt] = []
        for each, text, base in zip(coming, texts, keys, strict=True):
            digest = anchors.sha256(text)
            for key in (base, f"{base}/v{question_set.version}"):
                prompt = stored.get(key)
                if prompt is None:
                    prompt = Prompt(project=self.project, key=key, text=text, text_sha256=digest, variety=each.variety)
                    new.append(prompt)
                if (prompt.text_sha256, prompt.variety_id) == (digest, each.variety.pk):
                    each.question.prompt = prompt
                    break
            else:
                message = _("The project has a prompt “%(id)s” with another text.")
                self.problems.say(each.line, "prompt_differs", message % {"id": key}, "instruction")
        if not self.problems.total:
            Prompt.objects.bulk_create(new)
            self.counts["prompts"] += len(new)

    def _store(self, coming: Sequence[Coming]) -> None:
        assert self.sets.question_set is not None
        for each in coming:
            each.question.question_set = self.sets.question_set
            # Saved meanwhile: the ids are copied from the rows once more.
            each.question.prompt, each.question.skill = each.question.prompt, each.question.skill
            each.question.source = each.question.source
        Question.objects.bulk_create(each.question for each in coming)
        insert_rows(
            RuleUse,
            RULE_USE_COLUMNS,
            [
                (each.question.pk, use.rule, use.version, as_json(use.parameters), use.parameters_sha256, position, "")
                for each in coming
                for position, use in enumerate(each.rules, start=1)
            ],
        )
        self.counts["questions"] += len(coming)

    def _store_twins(self) -> None:
        """Twins may stand on any line, so they are joined last."""
        assert self.sets.question_set is not None
        for key, (line, twin) in self.twins.items():
            if twin == key:
                self.problems.say(line, "own_twin", _("A question is not its own twin."), "twin_of")
            elif twin not in self.line_of:
                message = _("The set has no question with the id “%(id)s”.") % {"id": twin}
                self.problems.say(line, "unknown_question", message, "twin_of")
        if self.problems.total:
            return
        pairs = list(self.twins.items())
        for begin in range(0, len(pairs), CHUNK):
            chunk = {key: twin for key, (_line, twin) in pairs[begin : begin + CHUNK]}
            rows = self.sets.question_set.questions.filter(key__in={*chunk, *chunk.values()})
            ids = dict(rows.values_list("key", "pk"))
            twins = [Question(pk=ids[key], twin_of_id=ids[twin]) for key, twin in chunk.items()]
            Question.objects.bulk_update(twins, ["twin_of"])


def key_of(fields: dict) -> str:
    """The id of a question that states none: made of its texts, so that the same question has the same one."""
    texts = (fields["instruction"], fields.get("input") or "", fields.get("output") or "")
    return "q-" + sha256("\n".join(texts).encode()).hexdigest()[:20]
