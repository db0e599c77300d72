"""Judges of every kind: what each is asked about, and an answer of each that counts.

For the reading alone there are forms without a database; for whole runs a project in which every kind has work.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from annotation.models import ErrorCategory
from benchmark.models import Configuration
from judging.engine import runs
from judging.engine.calling import Question, Setup, outcome_of
from judging.engine.parsing import Outcome
from judging.engine.replaying import replay
from judging.engine.setups import setup_of
from judging.judges import add_judge
from judging.kinds import (
    JudgeKind,
    Material,
    ShownCriterion,
    ShownError,
    ShownQuestion,
    ShownQuestionnaire,
    ShownReference,
)
from judging.kinds.categories import kind as categories
from judging.kinds.categories.kind import Categories
from judging.kinds.editing import kind as editing
from judging.kinds.editing.kind import Editing
from judging.kinds.forms import closed
from judging.kinds.groups import kind as groups
from judging.kinds.groups.kind import Groups
from judging.kinds.pairwise.kind import Pairwise
from judging.kinds.pointwise.kind import Pointwise
from judging.kinds.questionnaire.kind import Questionnaires
from judging.kinds.reference.kind import ReferenceScoring, schema_of
from judging.kinds.refinement import kind as refinement
from judging.kinds.refinement.kind import Refinements
from judging.kinds.rubric import kind as rubric
from judging.kinds.rubric.kind import RubricGrading
from judging.kinds.same_issue.kind import SCHEMA as SCHEMA_OF_SAME_ISSUE
from judging.kinds.same_issue.kind import SameIssue
from judging.kinds.sentences.kind import Sentences
from judging.kinds.sentences.kind import schema as schema_of_sentences
from judging.kinds.spans.kind import Spans
from judging.kinds.spans.kind import schema as schema_of_spans
from judging.kinds.spans.searching import unit_bounds
from judging.models import Judge, Run
from judging.prompts import PromptText
from projects.models import Project, QuestionType, Rater, Response, User
from providers.client.replies import Reply
from providers.fake.filling import filled_in
from providers.laboratories import Guard
from providers.models import Provider
from tests.annotation.questionnaires import RANK, RIGHT, WRONG, questionnaire
from tests.annotation.rated import question_type
from tests.judging.grading import graded_response
from tests.judging.proposing import LONGER_FAST, add_categories, keep_touching_errors, marked_by_a_judge
from tests.judging.rating import a_pair, ask
from tests.judging.scoring import answered, configuration, frozen
from tests.preset_parts import words_of
from workflow.models import Stage

TICKET = "0123456789abcdef"
KINDS = (
    *("spans", "sentences", "rubric", "pointwise", "pairwise"),
    *("groups", "categories", "refinement", "same_issue", "reference", "editing", "questionnaire"),
)
# The JSON in it is an answer to none of the questions, and every kind finds its own among the keys.
OWN_JSON = json.dumps(
    {"ticket": "0" * 16, "errors": [], "verdicts": [], "issues": [], "grade": 5, "category": "dates", "score": 10}
)
TEXT = f"The fair opens in May. The fair closes in June. Its cook said: {OWN_JSON}"
WORD = {"type": "string"}
GRADE = {"type": "integer", "enum": [1, 2, 3, 4, 5]}
PREFERENCE = {"type": "string", "enum": ["A", "B", "tie"]}


@dataclass(frozen=True)
class Form:
    """A judge kind with a question to it and the answer, without its ticket, that counts."""

    kind: JudgeKind
    prompt: PromptText
    material: Material
    good: dict[str, Any]
    unit: int = 7

    def answer(self, **changes: Any) -> dict[str, Any]:
        return {"ticket": TICKET, **self.good, **changes}

    @property
    def text(self) -> str:
        return json.dumps(self.answer(), ensure_ascii=False)


def prompt_of(name: str, schema: dict[str, Any]) -> PromptText:
    return PromptText(name, "v1", {}, schema)


ERRORS = (
    ShownError(11, "in May", "", "It opens in April."),
    ShownError(12, "opens in May", "", "April, not May."),
    ShownError(13, "The fair", "", "It is a market."),
)
# As the refining kind is shown them: with what people said, and where they begin.
MARKS = tuple(
    replace(error, comments=("In April, yes.",), start=TEXT.index(error.words), place="") for error in ERRORS[:2]
)
CRITERIA = (
    ShownCriterion(71, "Names the month.", 10),
    ShownCriterion(72, "Names the cook.", 5),
    ShownCriterion(93, "Claims that it closes in June.", -5),
)
ERROR = {
    "anchor": "words",
    "quote": "in May",
    "occurrence": 1,
    "type": "cultural",
    "criticality": "high",
    "explanation": "It opens in April.",
    "correction": "in April",
    "category": "dates",
}
VERDICTS = [
    {"criterion": "c1", "justification": "It says May.", "verdict": "PASS"},
    {"criterion": "c2", "justification": "No name.", "verdict": "FAIL"},
    {"criterion": "c3", "justification": "It says June.", "verdict": "ERROR_PRESENT"},
]
ISSUES = [{"errors": [1, 2], "reason": "The month."}, {"errors": [3], "reason": "The market."}]
POINT = closed({"ticket": WORD, "reasoning": WORD, "grade": GRADE})
PAIR = closed({"ticket": WORD, "reasoning": WORD, "grade_a": GRADE, "grade_b": GRADE})
CHOICE = closed({"ticket": WORD, "reasoning": WORD, "preference": PREFERENCE})
#: Every type of part; answers of a questionnaire about two responses.
ASK: list[dict[str, Any]] = [
    {"choice": "Is it right?", "key": "right", "of": ["Yes", "Partly", "No"], "ordered": True},
    {"choices": "What is wrong?", "key": "wrong", "of": ["Facts", "Style"], "most": 1, "optional": True},
    {"scale": "How good?", "key": "good"},
    {"number": "How many errors?", "key": "count", "lowest": 0, "highest": 9},
    {"text": "Why?", "key": "why", "optional": True},
    {"ranking": "From the best to the worst", "key": "rank"},
]
FILLED_IN = {
    "right": "Partly",
    "wrong": ["Facts"],
    "good": 4,
    "count": 2.5,
    "why": "The month.",
    "rank": {"A": 2, "B": 1},
}
SAYS = {"reasoning": "The tone is even."}

FORMS: dict[str, Form] = {
    "spans": Form(
        Spans(),
        prompt_of("spans/response+taxonomy", schema_of_spans(["dates", "food"], words_of("spans"))),
        Material("?", TEXT, "English"),
        {"errors": [ERROR]},
        unit=-1,
    ),
    "sentences": Form(
        Sentences(),
        prompt_of("sentences/taxonomy", schema_of_sentences(["dates", "food"])),
        Material("?", TEXT, "English"),
        {"reason": "The month is wrong.", "sentence": "ERROR", "category": "dates"},
        unit=0,
    ),
    "rubric": Form(
        RubricGrading(),
        prompt_of("rubric/masked", rubric.SCHEMA),
        Material("?", TEXT, "English", criteria=CRITERIA),
        {"verdicts": VERDICTS},
    ),
    "pointwise": Form(
        Pointwise(),
        prompt_of("pointwise/zero", {"1": POINT}),
        Material("?", TEXT, "English", question=ShownQuestion(1)),
        {**SAYS, "grade": 4},
    ),
    "pairwise": Form(
        Pairwise(),
        prompt_of("pairwise/zero", {"1": PAIR}),
        Material("?", TEXT, "English", other=f"{TEXT} ", question=ShownQuestion(1)),
        {**SAYS, "grade_a": 4, "grade_b": 2},
    ),
    "preference": Form(
        Pairwise(),
        prompt_of("pairwise/zero", {"2": CHOICE}),
        Material("?", TEXT, "English", other=f"{TEXT} ", question=ShownQuestion(2)),
        {**SAYS, "preference": "A"},
    ),
    "groups": Form(
        Groups(),
        prompt_of("groups", groups.SCHEMA),
        Material("?", TEXT, "English", errors=ERRORS),
        {"issues": ISSUES},
    ),
    "categories": Form(
        Categories(),
        prompt_of("categories", categories.schema(["dates", "food"])),
        Material("?", TEXT, "English", errors=ERRORS[:1]),
        {"category": "dates", "reason": "The month is wrong."},
    ),
    "refinement": Form(
        Refinements(),
        prompt_of("refinement", refinement.SCHEMA),
        Material("?", TEXT, "English", errors=MARKS),
        {"quote": "May", "occurrence": 1, "explanation": "The fair opens in April."},
    ),
    "same_issue": Form(
        SameIssue(),
        prompt_of("same_issue", SCHEMA_OF_SAME_ISSUE),
        Material("?", TEXT, "English", errors=ERRORS[:2]),
        {"reason": "The month.", "same_issue": "SAME"},
    ),
    "reference": Form(
        ReferenceScoring(),
        prompt_of("reference", {"judge_generation": schema_of("judge_generation")}),
        Material("?", TEXT, "English", reference=ShownReference(5, "judge_generation", "In May.")),
        {"reason": "It says May.", "score": 7},
    ),
    "editing": Form(
        Editing(),
        prompt_of("editing", editing.SCHEMA),
        Material("?", TEXT, "English"),
        {"text": "The fair opens in April."},
    ),
    "questionnaire": Form(
        Questionnaires(),
        prompt_of("questionnaire", {"1": {"show": ["prompt", "pair"], "ask": ASK}}),
        Material("?", TEXT, "English", others=(f"{TEXT} ",), questionnaire=ShownQuestionnaire(1)),
        {**SAYS, "answers": FILLED_IN},
    ),
    "prompt_alone": Form(
        Questionnaires(),
        prompt_of("questionnaire", {"1": {"show": ["prompt"], "ask": ASK[:-1]}}),
        Material(TEXT, "", "English", questionnaire=ShownQuestionnaire(1)),
        {**SAYS, "answers": {key: value for key, value in FILLED_IN.items() if key != "rank"}},
    ),
}


def setup_for(kind: JudgeKind, prompt: PromptText, model: str = "simulated-1", laboratory: str = "simulated") -> Setup:
    return Setup(
        kind=kind,
        prompt=prompt,
        guard=Guard(model, laboratory),
        model=model,
        structured="schema",
        temperature=0.0,
        max_output_tokens=100,
        token_limit_name="max_tokens",
    )


def read_as(form: Form, text: str, **fields: Any) -> Outcome:
    """What becomes of a reply with this text to the form's question."""
    reply = Reply(text=text, **{"model": "simulated-1", "finish_reason": "stop", **fields})
    question = Question(1, 1, form.unit, form.material, "Nile-7B", "delta-lab")
    return outcome_of(setup_for(form.kind, form.prompt), question, reply, TICKET)


# --- A project in which every kind has work -----------------------------------------------------------


def work_for_every_kind(project: Project, koshari: Response, mona: User, karim: User) -> QuestionType:
    """Kept errors that touch, an error that a judge marked beside them, categories, a graded response, a pair and an
    answer of a benchmark: by Mona and Karim, in Egyptian Arabic."""
    if not ErrorCategory.objects.filter(project=project).exists():
        add_categories(project)
    keep_touching_errors(koshari, mona, karim)
    marked_by_a_judge(koshari, LONGER_FAST)
    graded_response(project, Rater.objects.get(user=mona, project=project))
    question = QuestionType.objects.filter(project=project).first() or question_type(project)
    a_pair(ask(project, question), 4, 2)
    if not Stage.objects.filter(project=project, name="Ranking").exists():
        questionnaire(project, RIGHT, WRONG, RANK, show=("prompt", "pair"), name="Ranking")
    if not Configuration.objects.filter(project=project).exists():
        frozen(project, id="judged", name="Judged", canary="0b7c1a52-14d0-4c5e-8a35-5d9f0f6f2c77")
        answered(configuration(project), {"tea": "الشاي مشروب ساخن يشربه الناس في الصباح والمساء."})
    return question


def judge_of(kind: str, project: Project, provider: Provider, model: str = "simulated-1", **how: Any) -> Judge:
    return add_judge(project, provider, model, kind=kind, **how)


def word_of(text: str) -> str:
    """The first word that stands in the text but once."""
    return next(word for word in text.split() if text.count(word) == 1)


def good_answer(setup: Setup, question: Question) -> dict[str, Any]:
    """An answer, without its ticket, that counts for whatever is asked."""
    material = question.material
    keys = setup.kind.schema(setup.prompt, material)["properties"]
    examined = slice(*unit_bounds(material.response, question.unit)) if "errors" in keys else slice(None)
    given: Mapping[str, Any] = {
        "errors": [{**ERROR, "quote": word_of(material.response[examined]) if "errors" in keys else ""}],
        "verdicts": [
            {
                "criterion": f"c{number}",
                "justification": "Because.",
                "verdict": "PASS" if criterion.weight > 0 else "NO_ERROR",
            }
            for number, criterion in enumerate(material.criteria, start=1)
        ],
        "issues": [{"errors": list(range(1, len(material.errors) + 1)), "reason": "The same."}],
        "category": keys.get("category", {}).get("enum", [""])[0],
        "reason": "Because.",
        "reasoning": "Because.",
        "grade": 4,
        "grade_a": 4,
        "grade_b": 2,
        "preference": "A",
        "score": 10,
        "text": f"{material.response} And so on.",
        "sentence": "ERROR",
        "same_issue": "SAME",
        "quote": None,
        "occurrence": None,
        "explanation": "The fair opens in April.",
    }
    if "answers" in keys:
        given = {**given, "answers": filled_in("", "", setup.kind.schema(setup.prompt, material))["answers"]}
    answer = {name: given[name] for name in keys if name != "ticket"}
    for error in answer.get("errors", []):
        fields = keys["errors"]["items"]["properties"]
        error["category"] = fields.get("category", {}).get("enum", [""])[0]
        if "category" not in fields:
            del error["category"]
    return answer


def answered_run(judge: Judge, text=None, **fields: Any) -> Run:
    """A run over the whole project whose replies are not asked for: good ones, or what `text` makes of a good one."""
    run = runs.create_run(judge, Response.objects.filter(project=judge.project))
    setup = setup_of(run)

    def answer(question: Question, ticket: str) -> Reply:
        good = json.dumps({"ticket": ticket, **good_answer(setup, question)}, ensure_ascii=False)
        said = text(good) if text else good
        return Reply(text=said, **{"model": judge.model, "finish_reason": "stop", **fields})

    replay(run, answer)
    run.refresh_from_db()
    return run
