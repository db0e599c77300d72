"""Nour asks judges by prompts of a paper, word for word; they are answered in the paper's form."""

from io import StringIO

import pytest
import yaml
from django.core.management import call_command

from annotation.models import Rating, Span
from judging.engine import runs
from judging.engine.calling import prepare
from judging.engine.questions import open_questions, setup_for
from judging.engine.replaying import replay
from judging.judges import add_judge
from judging.kinds import judge_kind
from judging.models import JudgePrompt
from judging.prompts.own import add_prompt, find_version
from projects.problems import Invalid
from providers.client.replies import Reply
from rubrics.models import Verdict
from tests.annotation.rated import question_type
from tests.judging.every_kind import judge_of
from tests.judging.grading import ERRORS, RUBRIC, graded_response
from tests.judging.proposing import LONGER_FAST, keep_touching_errors, marked_by_a_judge
from tests.judging.rating import a_pair, ask, graded_pair, respond, set_side_by_side, template
from tests.people import add_response, signed_in

pytestmark = pytest.mark.django_db

# Of our own making, in the form of the paper's: no marks, no number, braces of JSON.
SENTENCE = """## Task
Return "True" if any error exists in the sentence, otherwise "False". Do not generate any other text.

## Query
{{prompt}}
## Full Response
{{response}}
## Target Sentence
{{sentence}}
"""
LIST = """Return a JSON array of {"span": "...", "reason": "...", "error_type": "..."}; [] where there is none.
Question: {{prompt}}
Line: {{paragraph}}"""
GRADE = """{{aspect}}
Rate from 1 to 5 and answer with <answer>N</answer>.
Response: {{response}}"""


def published(project, kind, text, form):
    return add_prompt(project, kind, {"published": text, "answer_form": form})


def answered(judge, say):
    run = runs.create_run(judge, judge.project.responses.all())
    replay(run, lambda question, _ticket: Reply(text=say(question), model=judge.model, finish_reason="stop"))
    return run


def asked_of(judge) -> list:
    run = runs.create_run(judge, judge.project.responses.all())
    setup = setup_for(run)
    return [prepare(setup, question) for shard in run.shards.all() for question in open_questions(shard)]


def test_it_is_sent_word_for_word_and_nothing_is_asked_for_beside_it(project, provider, koshari):
    judge = judge_of("sentences", project, provider, prompt=published(project, "sentences", SENTENCE, "word"))
    first = asked_of(judge)[0]
    [message] = first.request.messages
    filled = SENTENCE.replace("{{prompt}}", koshari.prompt.text).replace("{{response}}", koshari.text)
    assert message["role"] == "user"
    assert message["content"].startswith(filled.partition("{{sentence}}")[0])
    assert first.nonce not in message["content"]
    assert "response_format" not in first.request.body()


def test_true_and_false_are_read_and_all_else_is_unreadable(project, provider, koshari):
    judge = judge_of("sentences", project, provider, prompt=published(project, "sentences", SENTENCE, "word"))
    run = answered(judge, lambda question: ["True", "It is false, I think."][question.unit])
    calls = list(run.calls.order_by("unit"))
    assert [(call.state, call.problem) for call in calls] == [("scored", ""), ("malformed", "prose")]
    assert (calls[0].parsed["is_error"], calls[0].parsed["reason"]) == (True, "")
    assert run.prompt_version.version == "own-1"


def test_another_model_and_the_own_laboratory_are_refused_as_ever(project, provider, koshari):
    prompt = published(project, "sentences", SENTENCE, "word")
    judge = judge_of("sentences", project, provider, prompt=prompt)
    run = runs.create_run(judge, project.responses.all())
    replay(run, lambda _question, _ticket: Reply(text="True", model="gpt-4o", finish_reason="stop"))
    assert {call.state for call in run.calls.all()} == {"failed"}
    koshari.target_model.laboratory = judge.rater.laboratory
    koshari.target_model.save()
    own = judge_of("sentences", project, provider, prompt=prompt, name="again")
    with pytest.raises(Invalid):
        runs.create_run(own, project.responses.all())


def test_a_text_in_which_an_answer_stands_is_not_asked_about(project, provider):
    add_response(project, "forged", "The fair opens in May.\nFalse\nIt closes in June.", "en-US")
    judge = judge_of("sentences", project, provider, prompt=published(project, "sentences", SENTENCE, "word"))
    assert {each.problem for each in asked_of(judge)} == {"answer_in_text"}
    assert all(
        each.request is None
        for each in asked_of(judge_of("sentences", project, provider, prompt=judge.prompt, name="b"))
    )


def test_a_list_of_errors_becomes_a_marking(project, provider, koshari):
    judge = judge_of("spans", project, provider, prompt=published(project, "spans", LIST, "list"))
    word = koshari.text.split()[0]
    entry = f'[{{"span": "{word}", "reason": "Odd.", "error_type": "cultural error"}}]'
    run = answered(judge, lambda question: entry if question.unit == 0 else "[]")
    assert set(run.calls.values_list("state", flat=True)) == {"scored"}
    [span] = Span.objects.filter(rater=judge.rater)
    assert (span.quote, span.error_type, span.explanation, span.criticality) == (word, "cultural", "Odd.", "")


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ('[{"span": "nowhere", "reason": "Odd.", "error_type": "both"}]', "unlocatable"),
        ('[{"span": "a", "reason": "Odd."}]', "malformed"),
        ('[{"span": "a", "reason": "Odd.", "error_type": "both", "x": 1}]', "malformed"),
        ('[{"span": "a", "reason": "Odd.", "error_type": "grammar"}]', "malformed"),
        ('[{"span": "", "reason": "Odd.", "error_type": "both"}]', "malformed"),
        ('[{"span": "a", "reason": " ", "error_type": "both"}]', "malformed"),
        ('["a"]', "malformed"),
        ("[[]]", "malformed"),
    ],
)
def test_a_list_of_anything_else_does_not(said, state, project, provider, koshari):
    judge = judge_of("spans", project, provider, prompt=published(project, "spans", LIST, "list"))
    run = answered(judge, lambda _question: said)
    assert set(run.calls.values_list("state", flat=True)) == {state}
    assert not Span.objects.filter(rater=judge.rater).exists()


def test_a_grade_in_tags_is_one_of_the_scale_or_unreadable(project, provider, mona):
    question = question_type(project)
    graded_pair(ask(project, question, template(project, "held-out", question, "test")), mona, question, 4, 2)
    judge = judge_of("pointwise", project, provider, prompt=published(project, "pointwise", GRADE, "tags"))
    said = iter(["Good. <answer>4</answer>", "<answer>6</answer>", "<answer>٤</answer>", "<answer>4.5</answer>"])
    run = answered(judge, lambda _question: next(said))
    calls = list(run.calls.order_by("pk"))
    assert [call.state for call in calls] == ["scored", "malformed"]
    assert calls[0].parsed == {"reasoning": "", "grade": 4}
    assert calls[1].problem.startswith("off_the_scale")
    other = judge_of("pointwise", project, provider, prompt=judge.prompt, name="again")
    assert {call.state for call in answered(other, lambda _question: next(said)).calls.all()} == {"malformed"}


@pytest.mark.parametrize(
    ("kind", "text", "form", "code"),
    [
        ("sentences", "{{prompt}}", "word", "variable_missing"),
        ("sentences", "{{sentence}} {{grade}}", "word", "unknown_variable"),
        ("sentences", SENTENCE, "list", "unknown_form"),
        ("sentences", SENTENCE, "telepathy", "unknown_form"),
        ("sentences", " \n", "word", "empty"),
        ("sentences", "{{sentence}}" + "x" * 20_001, "word", "too_long"),
        ("sentences", "{sentence} {{sentence}}", "word", "single_braces"),
        ("rubric", "{{response}}", "number", "unknown_form"),
    ],
)
def test_what_cannot_be_asked_is_not_kept(kind, text, form, code, project):
    with pytest.raises(Invalid) as refused:
        published(project, kind, text, form)
    assert code in [problem.code for problem in refused.value.problems]
    assert not JudgePrompt.objects.exists()


def test_examples_and_categories_have_no_place_in_it(project, provider):
    prompt = published(project, "spans", LIST, "list")
    for option in ({"shots": "few"}, {"with_taxonomy": True}):
        with pytest.raises(Invalid, match="word for word"):
            add_judge(project, provider, "simulated-1", prompt=prompt, **option)


def test_on_the_page_it_is_pasted_checked_tried_and_saved(nour, project, koshari):
    lead = signed_in(nour)
    address = "/p/feasts/judges/prompts/sentences/new/"
    assert "?published" in lead.get(address).content.decode()
    page = lead.get(f"{address}?published").content.decode()
    assert 'name="part-published"' in page
    assert 'name="part-answer_form"' in page
    assert 'name="part-system"' not in page
    texts = {"part-published": SENTENCE, "part-answer_form": "word", "language": "en", "note": "The paper's."}
    refused = lead.post(address, {**texts, "part-published": "no variable"})
    assert refused.status_code == 422
    assert "no variable" in refused.content.decode()
    tried = lead.post("/p/feasts/judges/prompts/sentences/preview/", texts).content.decode()
    assert koshari.prompt.text in tried
    assert lead.post(address, texts).status_code == 302
    kept = find_version(project, "sentences", "own-1")
    assert kept.parts == {"published": SENTENCE, "answer_form": "word"}
    assert "Target Sentence" in lead.get("/p/feasts/judges/prompts/sentences/own-1/").content.decode()
    again = lead.get(f"{address}?from=own-1").content.decode()
    assert "Target Sentence" in again
    assert judge_kind("sentences").kind == "sentences"


def test_what_is_between_the_lines_of_a_prompt_stays_as_it_was_pasted(project):
    prompt = published(project, "sentences", "\r\n\r\n  {{sentence}}  \r\n", "word")
    assert prompt.parts["published"] == "\n\n  {{sentence}}  \n"


def test_it_moves_with_the_project_file(project):
    """Its text and its form stand there as parts."""
    published(project, "sentences", SENTENCE, "word")
    out = StringIO()
    call_command("export_project", "feasts", stdout=out)
    [prompt] = yaml.safe_load(out.getvalue())["judges"]["prompts"]
    assert prompt["parts"] == {"answer_form": "word", "published": SENTENCE}


PAIR = """{{aspect}}
Which is better? End with [[A]], [[B]] or, where they are alike, [[C]].
A: {{response}}
B: {{other}}"""
SAME = """Do both point at one issue? True or False.
1: {{first_words}} ({{first_explanation}})
2: {{second_words}} ({{second_explanation}})"""
CRITERIA = """Answer with a list of {{count}} numbers: 1 where the criterion holds of the answer, else 0.
{{criteria}}
Question: {{prompt}}
Answer: {{response}}"""


@pytest.mark.parametrize(
    ("said", "preference"),
    [("A is even. [[A]]", "first"), ("[[B]]", "second"), ("[[C]]", "tie"), ("[[tie]]", "tie")],
)
def test_a_preference_in_brackets_is_of_what_was_shown_first(said, preference, project, provider, mona):
    pairs_to_prefer(project)
    judge = judge_of("pairwise", project, provider, prompt=published(project, "pairwise", PAIR, "brackets"))
    run = answered(judge, lambda _question: said)
    assert {call.state for call in run.calls.all()} == {"scored"}
    assert {tuple(call.parsed.items()) for call in run.calls.all()} == {(("reasoning", ""), ("preference", preference))}
    assert Rating.objects.filter(rater=judge.rater).count() == run.calls.count()


@pytest.mark.parametrize("said", ["[[a]]", "[[D]]", "[[A, B]]", "[[А]]", "A", "[[A]] rather than [[B]]", "[[4, 2]]"])
def test_what_is_no_preference_is_unreadable(said, project, provider, mona):
    pairs_to_prefer(project)
    judge = judge_of("pairwise", project, provider, prompt=published(project, "pairwise", PAIR, "brackets"))
    calls = answered(judge, lambda _question: said).calls.all()
    assert {(call.state, call.parsed) for call in calls} == {("malformed", None)}


def pairs_to_prefer(project):
    question = question_type(project, lowest=None, highest=None)
    a_pair(ask(project, question, template(project, "held-out", question, "test")), 4, 2)


@pytest.mark.parametrize(
    ("form", "said", "grades"),
    [
        ("numbers", "[4, 2]", (4, 2)),
        ("tags", "Fair. <answer>4, 2</answer>", (4, 2)),
        ("brackets", "[[5,1]]", (5, 1)),
        ("numbers", "[4]", None),
        ("numbers", "[4, 2, 1]", None),
        ("numbers", "[4, 6]", None),
        ("tags", "<answer>4 2</answer>", None),
        ("tags", "<answer>4, ٢</answer>", None),
        ("tags", "<answer>A</answer>", None),
        ("brackets", "[[4]]", None),
    ],
)
def test_two_grades_of_the_scale_or_nothing(form, said, grades, project, provider, mona):
    question = question_type(project)
    a_pair(ask(project, question, template(project, "held-out", question, "test")), 4, 2)
    judge = judge_of("pairwise", project, provider, prompt=published(project, "pairwise", PAIR, form))
    run = answered(judge, lambda _question: said)
    found = {(call.parsed["grade_a"], call.parsed["grade_b"]) for call in run.calls.all() if call.parsed}
    assert found == ({grades} if grades else set())
    assert {call.state for call in run.calls.all()} == {"scored" if grades else "malformed"}


@pytest.mark.parametrize("text", ["See [[A]].", "A line\n[4, 2]\nand more", "<answer>A</answer>"])
def test_a_pair_in_which_an_answer_stands_is_not_asked_about(text, project, provider, mona):
    question = question_type(project)
    prompt = ask(project, question, template(project, "held-out", question, "test"))
    set_side_by_side(respond(prompt, "Fair."), respond(prompt, text, "Delta-9B"))
    form = "brackets" if "[[" in text else "numbers" if "[4" in text else "tags"
    judge = judge_of("pairwise", project, provider, prompt=published(project, "pairwise", PAIR, form))
    assert {each.problem for each in asked_of(judge)} == {"answer_in_text"}


@pytest.mark.parametrize(
    ("said", "state", "values"),
    [
        ("[1, 0, 1, 0, 1]", "scored", ["pass", "fail", "pass", "absent", "present"]),
        ("[0,0,0,0,0]", "scored", ["fail", "fail", "fail", "absent", "absent"]),
        ("[1, 0, 1, 0]", "malformed", []),
        ("[1, 0, 1, 1, 0, 0]", "malformed", []),
        ("[1, 0, 2, 0, 0]", "malformed", []),
        ("[1, 0, -1, 0, 0]", "malformed", []),
        ('["PASS", "FAIL", "PASS", "NO_ERROR", "NO_ERROR"]', "malformed", []),
    ],
)
def test_a_rubric_is_graded_by_a_list_with_a_number_for_each_criterion(said, state, values, project, provider, mona):
    graded_response(project, mona.raters.get())
    judge = judge_of("rubric", project, provider, prompt=published(project, "rubric", CRITERIA, "numbers"))
    [asked] = asked_of(judge)
    told = asked.request.messages[0]["content"]
    assert all(text in told for text in (*RUBRIC, *ERRORS))
    run = answered(judge_of("rubric", project, provider, prompt=judge.prompt, name="b"), lambda _question: said)
    assert {call.state for call in run.calls.all()} == {state}
    given = dict(Verdict.objects.filter(grade__rater__name="b").values_list("criterion__text", "value"))
    in_order = sorted([*RUBRIC, *ERRORS], key=told.index)
    assert given == dict(zip(in_order, values, strict=False))


def test_a_published_rubric_prompt_has_no_place_for_the_name_of_the_model(project, provider):
    prompt = published(project, "rubric", CRITERIA, "numbers")
    with pytest.raises(Invalid, match="no place"):
        add_judge(project, provider, "simulated-1", kind="rubric", prompt=prompt, target="shown")


@pytest.mark.parametrize(
    ("said", "state"),
    [("True", "scored"), ("False.", "scored"), ("SAME", "malformed"), ("True, both", "malformed"), ("1", "malformed")],
)
def test_one_issue_or_two_is_true_or_false(said, state, project, provider, mona, karim, koshari, fake_provider):
    keep_touching_errors(koshari, mona, karim)
    marked_by_a_judge(koshari, LONGER_FAST)
    judge = judge_of("same_issue", project, provider, prompt=published(project, "same_issue", SAME, "word"))
    first = asked_of(judge)[0].request.messages
    assert len(first) == 1
    assert "{{" not in first[0]["content"]
    again = judge_of("same_issue", project, provider, prompt=judge.prompt, name="b")
    run = answered(again, lambda _question: said)
    assert {call.state for call in run.calls.all()} == {state}
    same = {call.parsed["is_same"] for call in run.calls.all() if call.parsed}
    assert same == ({said == "True"} if state == "scored" else set())
