"""A question set as it leaves: a line that describes it, then one question a line, each with the canary."""

from collections.abc import Iterator

from benchmark.models import Question, QuestionSet, Skill, Source
from benchmark.reading import questions_of
from formats.benchmark_question import BenchmarkQuestion, QuestionRule, QuestionSetLine, SetSkill, SetSource
from formats.format import encode


def exported(question_set: QuestionSet, with_held_back: bool = False) -> Iterator[bytes]:
    """UTF-8 JSON lines. A field that says nothing is left out. Imported again and exported, they are the same bytes.

    Without the held-back questions the file says how many are missing; skills and sources of theirs alone are left out
    as well, and it can be imported as a draft alone.
    """
    left_out = 0 if with_held_back else question_set.questions.filter(is_held_back=True).count()
    yield encode(set_line(question_set, left_out))
    canary = str(question_set.canary)
    for question in questions_of(question_set, with_held_back):
        yield encode(question_line(question, canary, with_held_back))


def set_line(question_set: QuestionSet, left_out: int) -> QuestionSetLine:
    skills = list(question_set.skills.all())
    sources = list(question_set.sources.all())
    if left_out:
        shown = question_set.questions.filter(is_held_back=False)
        of_skills, of_sources = set(shown.values_list("skill", flat=True)), set(shown.values_list("source", flat=True))
        skills = [skill for skill in skills if skill.pk in of_skills]
        sources = [source for source in sources if source.pk in of_sources]
    line: QuestionSetLine = {
        "kind": "set",
        "id": question_set.slug,
        "name": question_set.name,
        "version": question_set.version,
    }
    if question_set.licence:
        line["licence"] = question_set.licence
    line["canary"] = str(question_set.canary)
    line["skills"] = [skill_entry(skill) for skill in skills]
    line["sources"] = [source_entry(source) for source in sources]
    if left_out:
        line["left_out"] = left_out
    if question_set.frozen_at is not None:
        line["frozen_at"] = question_set.frozen_at
        line["sha256"] = question_set.sha256
    return line


def skill_entry(skill: Skill) -> SetSkill:
    return {"id": skill.slug, "name": skill.name, "counts_refusals": skill.counts_refusals}


def source_entry(source: Source) -> SetSource:
    entry: SetSource = {"id": source.slug, "name": source.name}
    if source.is_translated is not None:
        entry["translated"] = source.is_translated
    if source.licence:
        entry["licence"] = source.licence
    if source.link:
        entry["link"] = source.link
    return entry


def question_line(question: Question, canary: str, with_held_back: bool) -> BenchmarkQuestion:
    """A question's line, its fields in the order of their declaration."""
    line: BenchmarkQuestion = {"id": question.key, "instruction": question.instruction}  # type: ignore[typeddict-item]
    if question.input_text:
        line["input"] = question.input_text
    if question.options:
        line["options"] = [{"label": option["label"], "text": option["text"]} for option in question.options]
    if question.reference:
        line["output"] = question.reference
    if question.expected_language:
        line["language"] = question.expected_language
    line["variety"] = question.prompt.variety.tag
    line["category"] = question.skill.name
    if question.subcategory:
        line["subcategory"] = question.subcategory
    line["format"] = question.format
    if question.source:
        line["source"] = question.source.name
    if question.cluster:
        line["cluster"] = question.cluster
    if question.is_held_back:
        line["held_back"] = True
    if question.twin_of and (with_held_back or not question.twin_of.is_held_back):
        line["twin_of"] = question.twin_of.key
    line["rules"] = [rule_entry(use.rule, use.rule_version, use.parameters) for use in question.rule_uses.all()]
    if question.metadata:
        line["metadata"] = in_order(question.metadata)
    line["canary"] = canary
    return line


def rule_entry(rule: str, version: int, parameters: dict) -> QuestionRule:
    entry: QuestionRule = {"rule": rule, "version": version}
    if parameters:
        entry["parameters"] = in_order(parameters)
    return entry


def in_order(value: dict) -> dict:
    """With its keys sorted at any depth: a database may keep them in another order than they came in."""
    return {key: _sorted(value[key]) for key in sorted(value)}


def _sorted(value: object) -> object:
    if isinstance(value, dict):
        return in_order(value)
    return [_sorted(entry) for entry in value] if isinstance(value, list) else value
