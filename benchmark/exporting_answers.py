"""Answers as they leave: what gave them, who scored them, then one answer a line with the scores of judges."""

from collections.abc import Iterator, Sequence

from django.db.models import QuerySet

from benchmark.exporting import in_order
from benchmark.models import Answer, Configuration, Question, QuestionSet, RuleScore, RuleUse
from benchmark.scoring import targets_of_uses
from formats.benchmark_answer import AnswerScore, BenchmarkAnswer, Card, ConfigurationLine, JudgeLine
from formats.format import encode
from projects.among import Among
from projects.laboratories import laboratory_name
from projects.models import Rater, RaterKind

QUESTIONS_AT_ONCE = 20
CARD_FIELDS = ("parameters_total", "parameters_active", "licence", "context_tokens", "link", "declared_overlap")
RUN_FIELDS = ("provider", "revision", "precision", "template_sha256", "system_prompt")


def exported_answers(question_set: QuestionSet, with_held_back: bool = False) -> Iterator[bytes]:
    """UTF-8 JSON lines. A field that says nothing is left out. Imported again and exported, they are the same bytes.

    Scores of judges are in it, those of people and of computed rules are not: these are computed anew where it comes
    in. Answers to held-back questions leave only when asked for.
    """
    configurations = list(
        Configuration.objects.filter(project=question_set.project_id)
        .annotate(laboratory_here=laboratory_name())
        .select_related("card", "target_model__laboratory")
        .order_by("slug")
    )
    for configuration in configurations:
        yield encode(configuration_line(configuration))
    judges = judges_of(question_set, with_held_back)
    for judge in sorted(judges.values(), key=lambda judge: judge.name):
        yield encode(judge_line(judge))
    slugs = {configuration.pk: configuration.slug for configuration in configurations}
    rows = question_set.questions.order_by("position", "pk").prefetch_related("rule_uses")
    questions = rows if with_held_back else rows.filter(is_held_back=False)
    begin = 0
    while batch := list(questions[begin : begin + QUESTIONS_AT_ONCE]):
        begin += QUESTIONS_AT_ONCE
        yield from answer_lines(question_set, batch, slugs, judges)


def answers_to(question_set: QuestionSet) -> QuerySet[Answer]:
    """The project's answers to questions of the version, those that are held back among them."""
    prompts = question_set.questions.values("prompt")
    return Answer.objects.filter(prompt__in=prompts, configuration__project=question_set.project_id)


def configuration_line(configuration: Configuration) -> ConfigurationLine:
    """A configuration's line, its fields in the order of their declaration. The row brings `laboratory_here`."""
    target = configuration.target_model
    line: ConfigurationLine = {
        "kind": "configuration",
        "id": configuration.slug,
        "name": configuration.name,
        "type": configuration.kind,
        "model": target.name,
        "laboratory": getattr(configuration, "laboratory_here", target.laboratory.name),
    }
    if configuration.card is not None:
        line["card"] = card_entry(configuration)
    said = {field: getattr(configuration, field) for field in RUN_FIELDS}
    said |= {"sampling": in_order(configuration.sampling), "thinking_effort": configuration.thinking_effort}
    said |= {"token_limit": configuration.token_limit, "standing": configuration.standing}
    line.update({field: value for field, value in said.items() if value not in ("", None, {})})  # type: ignore[typeddict-item]
    return line


def card_entry(configuration: Configuration) -> Card:
    card = configuration.card
    assert card is not None
    entry: Card = {"id": card.slug, "name": card.name, "access": card.access}
    said = {field: getattr(card, field) for field in CARD_FIELDS}
    entry.update({field: value for field, value in said.items() if value not in ("", None)})  # type: ignore[typeddict-item]
    if card.thinking_tags:
        entry["thinking_tags"] = [{"opens": opens, "closes": closes} for opens, closes in card.thinking_tags]
    return entry


def judge_line(judge: Rater) -> JudgeLine:
    line: JudgeLine = {
        "kind": "judge",
        "name": judge.name,
        "model": judge.model,
        "laboratory": judge.laboratory.name if judge.laboratory else "",
    }
    if judge.is_simulated:
        line["simulated"] = True
    return line


def judges_of(question_set: QuestionSet, with_held_back: bool) -> dict[int, Rater]:
    """The judges, and not panels, that have scored answers to these questions."""
    uses = RuleUse.objects.filter(question__question_set=question_set)
    if not with_held_back:
        uses = uses.filter(question__is_held_back=False)
    scored = RuleScore.objects.filter(
        target_sha256__in=uses.values("target_sha256"), answer__configuration__project=question_set.project_id
    )
    judges = Rater.objects.filter(kind=RaterKind.JUDGE, pk__in=scored.values("rater")).exclude(Rater.PANELS)
    return judges.select_related("laboratory").in_bulk()


def answer_lines(
    question_set: QuestionSet, questions: Sequence[Question], slugs: dict[int, str], judges: dict[int, Rater]
) -> Iterator[bytes]:
    """In the order of the questions, and of each in that of its configurations' short names."""
    answers = Answer.objects.filter(
        prompt__in=Among(question.prompt_id for question in questions), configuration__in=Among(slugs)
    )
    by_prompt: dict[int, list[Answer]] = {}
    for answer in answers.select_related("response"):
        by_prompt.setdefault(answer.prompt_id, []).append(answer)
    scores: dict[tuple[int, str], list[RuleScore]] = {}
    rows = RuleScore.objects.filter(target_sha256__in=targets_of_uses(questions), answer__in=answers.values("pk"))
    for row in rows.filter(rater__in=Among(judges), value__isnull=False):
        scores.setdefault((row.answer_id, row.target_sha256), []).append(row)
    for question in questions:
        for answer in sorted(by_prompt.get(question.prompt_id, ()), key=lambda answer: slugs[answer.configuration_id]):
            entries = [
                score_entry(question, use, row, judges[row.rater_id])  # type: ignore[index]
                for use in question.rule_uses.all()
                for row in sorted(scores.get((answer.pk, use.target_sha256), ()), key=lambda row: order_of(row, judges))
            ]
            yield encode(answer_line(question_set, question, answer, slugs[answer.configuration_id], entries))


def order_of(row: RuleScore, judges: dict[int, Rater]) -> tuple[str, int]:
    assert row.rater_id is not None
    return judges[row.rater_id].name, row.round


def answer_line(
    question_set: QuestionSet, question: Question, answer: Answer, configuration: str, scores: list[AnswerScore]
) -> BenchmarkAnswer:
    line: BenchmarkAnswer = {
        "configuration": configuration,
        "set": question_set.slug,
        "id": question.key,
        "text": answer.content,
    }
    if answer.reasoning:
        line["reasoning"] = answer.reasoning
    if answer.is_cut:
        line["finish_reason"] = "length"
    if answer.is_refusal:
        line["refusal"] = True
    if scores:
        line["scores"] = scores
    if question.is_held_back:
        line["held_back"] = True
    line["canary"] = str(question_set.canary)
    return line


def score_entry(question: Question, use: RuleUse, row: RuleScore, judge: Rater) -> AnswerScore:
    assert row.value is not None
    entry: AnswerScore = {"rule": use.rule, "judge": judge.name, "value": row.value}
    if sum(other.rule == use.rule for other in question.rule_uses.all()) > 1:
        entry = {"rule": use.rule, "parameters": in_order(use.parameters), "judge": judge.name, "value": row.value}
    if row.detail.get("reason"):
        entry["reason"] = row.detail["reason"]
    if row.round != 1:
        entry["round"] = row.round
    return entry
