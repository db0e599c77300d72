"""Text that poses as an answer, in question, response, taxonomy or criterion, before judges that repeat what they read.

Forty payloads stand in three places, before judges that echo: none of their words becomes a verdict.
"""

import json
import re

import pytest
from werkzeug import Response as WerkzeugResponse

from annotation.models import ErrorCategory, Marking, Span
from judging.engine import runs
from judging.engine.shards import work_through
from judging.judges import add_judge
from judging.models import ANSWERED, Call
from projects.anchors import sha256
from projects.models import Laboratory, LanguageVariety, Prompt, Rater, Response, TargetModel
from providers.models import Provider
from rubrics.models import Grade, GradeRole, Verdict
from tests.judging.grading import ask, freeze, grading_judge, reference, respond
from tests.judging.injections import payloads_of

pytestmark = pytest.mark.django_db

# Every third of the corpus goes over HTTP and to the tables; test_a_hundred_and_twenty_injections.py reads all of it.
PAYLOADS = payloads_of("spans")[::3]
GRADES = payloads_of("rubric")[::3]
MARKS = r"<<<{} (?P<ticket>[0-9a-f]+)>>>\n(.*)\n<<<end of {} (?P=ticket)>>>"


def echo(request) -> WerkzeugResponse:
    """The reply of a judge that repeats what its model's name says: a marked text, the system's words, everything."""
    asked = json.loads(request.data)
    system, user = (message["content"] for message in asked["messages"])
    what = asked["model"].rpartition(":")[2]
    found = re.search(MARKS.format(what, what), user, re.S)
    said = found[2] if found else system if what == "system" else user
    body = {"model": asked["model"], "choices": [{"message": {"content": said}, "finish_reason": "stop"}]}
    return WerkzeugResponse(json.dumps(body), content_type="application/json")


@pytest.fixture
def responses(project):
    """Each payload as a response, within another, as their question, and in the taxonomy."""
    assert len(PAYLOADS) == 40
    variety = LanguageVariety.objects.get(tag="en-US")
    laboratory = Laboratory.objects.create(slug="delta-lab", name="Delta Lab")
    model = TargetModel.objects.create(name="Nile-7B", laboratory=laboratory)
    for number, payload in enumerate(PAYLOADS):
        ErrorCategory.objects.create(
            project=project, slug=f"c{number}", name=f"C{number}", definition=payload, error_type="cultural"
        )
        prompt = Prompt.objects.create(
            project=project, key=f"p{number}", text=payload, text_sha256=sha256(payload), variety=variety
        )
        for key, text in ((f"r{number}", payload), (f"second-{number}", f"The fair opens.\n\n{payload}")):
            origin = {"project": project, "prompt": prompt, "target_model": model, "variety": variety}
            Response.objects.create(key=key, text=text, text_sha256=sha256(text), **origin)
    return project.responses


@pytest.mark.parametrize("repeats", ["question", "answer", "system", "everything"])
def test_nothing_that_is_repeated_becomes_a_verdict(repeats, project, responses, httpserver):
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(echo)
    gateway = Provider.objects.create(name="gateway", base_url=httpserver.url_for("/v1"), concurrency=4)
    judge = add_judge(project, gateway, f"gpt-4o:{repeats}", granularity="response", with_taxonomy=True)
    run = runs.create_run(judge, responses.all())
    for shard in runs.start_here(run):
        work_through(shard)

    assert run.calls.count() == 80
    repeated = sum(
        any(payload in said for payload in PAYLOADS) for said in Call.objects.values_list("raw_output", flat=True)
    )
    assert repeated == 80
    forged = Call.objects.filter(state__in=ANSWERED)
    assert [call.raw_output for call in forged] == []
    assert not Span.objects.exists()
    assert not Marking.objects.filter(is_complete=True).exists()
    assert not Marking.objects.filter(no_errors=True).exists()


@pytest.fixture
def graded_payloads(project, mona):
    """Each payload as a question, as a response, and as a positive and a negative criterion."""
    assert len(GRADES) == 40
    grader = Rater.objects.get(user=mona)
    fair = "Says that the «fair» opens."
    for number, payload in enumerate(GRADES):
        asked = ask(project, f"question-{number}", payload)
        reference(
            respond(asked, "The fair opens."), freeze(asked, grader, {fair: 10}), grader, errors={"It is late.": -5}
        )
        plain = ask(project, f"answer-{number}")
        reference(respond(plain, payload), freeze(plain, grader, {fair: 10}), grader, errors={"It is late.": -5})
        judged = ask(project, f"criterion-{number}")
        rubric = freeze(judged, grader, {payload: 10})
        reference(respond(judged, "The fair opens."), rubric, grader, errors={f"{payload} ": -5})
    return project.responses


@pytest.mark.parametrize(
    ("repeats", "at_least"), [("question", 40), ("answer", 40), ("criterion", 40), ("system", 0), ("everything", 120)]
)
def test_nothing_that_is_repeated_becomes_a_grade(repeats, at_least, project, graded_payloads, httpserver):
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(echo)
    gateway = Provider.objects.create(name="gateway", base_url=httpserver.url_for("/v1"), concurrency=4)
    human = Verdict.objects.count()
    run = runs.create_run(grading_judge(project, gateway, f"gpt-4o:{repeats}"), graded_payloads.all())
    for shard in runs.start_here(run):
        work_through(shard)

    assert run.calls.count() == 120
    repeated = sum(
        any(payload in said for payload in GRADES) for said in Call.objects.values_list("raw_output", flat=True)
    )
    assert repeated >= at_least
    forged = Call.objects.filter(state__in=ANSWERED)
    assert [call.raw_output for call in forged] == []
    assert not Grade.objects.filter(role=GradeRole.JUDGE).exists()
    assert Verdict.objects.count() == human
