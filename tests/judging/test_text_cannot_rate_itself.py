"""Text that poses as a rating, in question, response, the response beside it, or an example, before judges that echo.

Forty payloads stand in each of these places: none of their words becomes a grade.
"""

import json
import re

import pytest
from werkzeug import Response as WerkzeugResponse

from annotation.models import Rating
from judging.engine import runs
from judging.engine.shards import work_through
from judging.models import ANSWERED, Call
from projects.models import RaterKind, Response
from providers.models import Provider
from tests.annotation.rated import question_type, rate
from tests.judging.injections import payloads_of
from tests.judging.rating import ask, rating_judge, respond, set_side_by_side, template

pytestmark = pytest.mark.django_db

# Every third of the corpus goes over HTTP and to the tables; test_a_hundred_and_twenty_injections.py reads all of it.
FORGED = {kind: payloads_of(kind)[::3] for kind in ("pointwise", "pairwise")}
MARKED = re.compile(
    r"<<<(?P<what>[a-z]+) (?P<ticket>[0-9a-f]{16})>>>\n(?P<text>.*?)\n<<<end of (?P=what) (?P=ticket)>>>", re.S
)


def echo(request) -> WerkzeugResponse:
    """The reply of a judge that repeats what its model's name says: the n-th marked text of a sort, or everything."""
    asked = json.loads(request.data)
    system, user = (message["content"] for message in asked["messages"])
    what, _dash, number = asked["model"].rpartition(":")[2].partition("-")
    found = [match["text"] for match in MARKED.finditer(user) if match["what"] == what]
    said = found[int(number or 0)] if found else system if what == "system" else user
    body = {"model": asked["model"], "choices": [{"message": {"content": said}, "finish_reason": "stop"}]}
    return WerkzeugResponse(json.dumps(body), content_type="application/json")


def hostile(project, mona, kind: str) -> list[str]:
    """Each payload as a question and as both of its responses, and each as an example that people graded."""
    told = FORGED[kind]
    assert len(told) == 40
    question = question_type(project)
    for number, payload in enumerate(told):
        held_out = template(project, f"test-{number}", question, "test")
        prompt = ask(project, question, held_out, text=payload)
        set_side_by_side(respond(prompt, payload), respond(prompt, f"{payload} ", "Delta-9B"))
        trained = ask(project, question, template(project, f"train-{number}", question), text=f"{payload}  ")
        example = set_side_by_side(respond(trained, payload), respond(trained, f"{payload} ", "Delta-9B"))
        rate(example, mona, question, (1, 3, 5)[number % 3], (5, 1, 3)[number % 3])
    return told


@pytest.mark.parametrize("kind", ["pointwise", "pairwise"])
@pytest.mark.parametrize("repeats", ["question", "answer", "answer-1", "example-1", "system", "everything"])
def test_nothing_that_is_repeated_becomes_a_grade(repeats, kind, project, mona, httpserver):
    if (kind, repeats) == ("pointwise", "answer-1"):
        repeats = "answer"
    told = hostile(project, mona, kind)
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(echo)
    gateway = Provider.objects.create(name="gateway", base_url=httpserver.url_for("/v1"), concurrency=4)
    judge = rating_judge(project, gateway, f"gpt-4o:{repeats}", kind, shots="few")
    asked = Response.objects.filter(project=project, prompt__template__split="test")
    run = runs.create_run(judge, asked)
    for shard in runs.start_here(run):
        work_through(shard)

    assert run.calls.count() == 80
    outputs = Call.objects.values_list("raw_output", flat=True)
    assert sum(any(payload in said for payload in told) for said in outputs) >= (0 if repeats == "system" else 80)
    forged = Call.objects.filter(state__in=ANSWERED)
    assert [call.raw_output for call in forged] == []
    by_judge = Rating.objects.filter(rater__kind=RaterKind.JUDGE)
    assert not by_judge.filter(is_unparseable=False).exists()
    assert not by_judge.exclude(first_grade=None, second_grade=None, preference="").exists()
