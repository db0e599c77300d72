"""Every kind of judge is instructed in every language that prompts ship in, and answers in the same form."""

import json
import re

import pytest

from judging.kinds import judge_kind, judge_kinds
from judging.models import Judge
from judging.prompts.checking import QUOTED, problems_of, tidied
from judging.prompts.shipped import LANGUAGES, shipped
from tests.annotation.rated import question_type
from tests.judging import grading, proposing, rating

OTHERS = [language for language in LANGUAGES if language != "en"]
SCRIPTS = {"ar": r"[\u0600-\u06ff]", "bn": r"[\u0980-\u09ff]", "ko": r"[\uac00-\ud7a3]", "id": r"\b(?:Anda|yang)\b"}
# English words of a prompt that no other language may leave standing, but keys and tokens of the answer.
ENGLISH = re.compile(r"\b(the|answer|question|criterion|readers|aspect|best|worst|grade|graded|examine|remark)\b", re.I)
# Texts are hashed with everything else that decides what is asked: runs are pinned to these.
PINNED = {
    ("spans", "paragraph"): "1a647c0c2069d95aaa21440c98f4a849acb9cdd3785b1b49ad86cc72d036371c",
    ("spans", "response"): "286006bbb9d4a83ad54ae76be3c7910c9f949d08769d2e4cee1c6331ecf17922",
    ("rubric", "masked"): "e093c6cb35302737820471a3592f662b29ee775c1089c374a7a4bf1d515239c7",
    ("rubric", "shown"): "ae9ee458bd0655eb2ab1003cb6ac7158ce50dd1b524e2da5f651ce212aa09b2b",
    ("groups", ""): "b74e91bc75cd11b3e23a6ded082466e716c8fd4e08fb0a2d98aa63fcbb9747c3",
}


@pytest.mark.parametrize(("kind", "way"), PINNED)
def test_the_shipped_english_prompt_is_word_for_word_what_runs_are_pinned_to(project, kind, way):
    options = {"granularity": way} if kind == "spans" else {"target": way} if way else {}
    prompt = judge_kind(kind).prompt_text(Judge(project=project, kind=kind, options=options))
    assert (prompt.version, prompt.sha256) == ("v1", PINNED[kind, way])


@pytest.mark.parametrize("language", OTHERS)
def test_every_kind_ships_in_the_language_and_keeps_variables_marks_and_the_form(language):
    for kind in judge_kinds():
        english, other = shipped(kind, "v1"), shipped(kind, "v1", language)
        assert other.keys() == english.keys()
        assert problems_of(other, english) == []
        for part, text in other.items():
            assert tidied(text, english[part]) == text, (kind, part)
            assert sorted(QUOTED.findall(text)) == sorted(QUOTED.findall(english[part])), (kind, part)
            assert text != english[part], (kind, part)


@pytest.mark.parametrize("language", OTHERS)
def test_no_english_is_left_between_the_words_of_another_language(language):
    """Outside marks, variables, JSON and keys there is nothing but the language itself."""
    for kind in judge_kinds():
        for part, text in shipped(kind, "v1", language).items():
            said = re.sub(r"<<<.*?>>>|\{\{\w+\}\}|^\{.*\}$|^- [a-z_, ]+:|\"\w+\"", "", text, flags=re.M)
            assert not ENGLISH.findall(said), (kind, part)
            assert not said.strip() or re.search(SCRIPTS[language], said) or language == "id", (kind, part)


def asked_of(fake_provider) -> str:
    """What the judge was instructed in: the system message of the last request."""
    return fake_provider.asked()[-1]["body"]["messages"][0]["content"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("granularity", ["paragraph", "response"])
def test_errors_are_marked_in_every_language(language, granularity, project, provider, fake_provider, koshari):
    proposing.add_categories(project)
    fake_provider.tell(record=True)
    how = {"granularity": granularity, "with_taxonomy": True, "instruction_language": language}
    run = proposing.run_through(grading.add_judge(project, provider, "simulated-1", **how))
    assert set(run.calls.values_list("state", flat=True)) == {"scored"}
    spans = [span for parsed in run.calls.values_list("parsed", flat=True) for span in parsed["spans"]]
    assert spans
    assert all(span["category"] for span in spans)
    assert language == "en" or re.search(SCRIPTS[language], asked_of(fake_provider))
    assert run.prompt_version.version == ("v1" if language == "en" else f"v1-{language}")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["groups", "categories", "refinement"])
def test_proposals_are_made_in_every_language(language, kind, project, provider, koshari, mona, karim):
    proposing.add_categories(project)
    proposing.keep_touching_errors(koshari, mona, karim)
    judge = grading.add_judge(project, provider, "simulated-1", kind=kind, instruction_language=language)
    run = proposing.run_through(judge)
    assert set(run.calls.values_list("state", flat=True)) == {"scored"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_verdicts_are_given_in_every_language(language, project, provider, mona):
    """The simulated judge looks for quoted words, so what it finds is what is true, however it is asked."""
    grading.graded_response(project, mona.raters.get())
    judge = grading.grading_judge(project, provider, instruction_language=language, target="shown")
    grading.run_through(judge)
    grade = judge.rater.grades.get()
    raw = sum(v.criterion.weight for v in grade.verdicts.select_related("criterion") if v.value in ("pass", "present"))
    assert raw == grading.TRUE_RAW


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["pointwise", "pairwise"])
def test_the_same_grades_are_given_in_every_language(language, kind, project, provider, fake_provider, mona):
    """Responses say what they are worth; a scale to 7 is read from the prompt whatever language names its ends."""
    question = question_type(project, highest=7)
    for grades in ((2, 1), (4, 4), (7, 5)):
        of = rating.template(project, f"t-{grades[0]}", question)
        rating.graded_pair(rating.ask(project, question, of), mona, question, *grades)
    prompt = rating.ask(project, question, rating.template(project, "held-out", question, "test"))
    pair = rating.a_pair(prompt, 7, 2)
    fake_provider.tell(record=True)
    how = {"kind": kind, "shots": "few", "instruction_language": language}
    judge = rating.rating_judge(project, provider, **how)
    run = rating.run_through(judge, project.responses.filter(pk__in=[pair.first_id, pair.second_id]))
    assert rating.states(run) == {"scored": 2}
    said = {call.response_id: call.parsed for call in run.calls.all()}
    first = said[pair.first_id]
    assert (first["grade"] if kind == "pointwise" else (first["grade_a"], first["grade_b"])) == (
        7 if kind == "pointwise" else (7, 2)
    )
    if language != "en":
        for request in fake_provider.asked():
            told = json.dumps(request["body"]["messages"], ensure_ascii=False)
            assert "Native readers" not in told
            assert "The scale" not in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_preference_is_given_in_every_language(language, project, provider, mona):
    question = question_type(project, lowest=None, highest=None)
    prompt = rating.ask(project, question, rating.template(project, "held-out", question, "test"))
    rating.a_pair(prompt, 4, 2)
    judge = rating.rating_judge(project, provider, instruction_language=language)
    run = rating.run_through(judge)
    assert {call.parsed["preference"] for call in run.calls.all()} == {"first", "second"}
