"""A benchmark whose held-back questions bear marks in every text, in the world that the matrix is walked in; and a
reader that follows every link there is."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pyarrow.parquet
from django.test import Client

from benchmark.anchors import add_anchors
from benchmark.freezing import freeze
from benchmark.models import Answer, Board, Erratum, Question, QuestionSet, RuleScore
from formats.reading import Source
from projects.models import Project, Prompt
from tests.benchmark import boards
from tests.benchmark.sets import open_line, question_line, set_of
from tests.security.world import World
from workflow.claims import claim_next
from workflow.models import Assignment, Stage
from workflow.planning import plan_items

#: Letters and digits alone, so that no encoding of a page or file writes them otherwise.
MARK = "Xheldback7Q"
PARTS = ("instruction", "input", "option", "reference", "answer", "reason", "erratum", "corrected", "note")
CANARY = "6f1f4a6e-6f0d-4b52-9f0e-0c6f0f3b9a77"


def mark(part: str) -> str:
    return f"{MARK}{part}"


@dataclass
class HeldBack:
    """What of the world is held back."""

    question_set: QuestionSet
    questions: list[Question]
    # The annotator's own turn at one of the texts, which the lead planned.
    turn: Assignment
    arguments: dict[str, list[object]] = field(default_factory=dict)


def hold_back(world: World) -> HeldBack:
    """A frozen set of public and held-back questions with answers, scores, reasons, errata and anchors, on an open
    board; and a draft of it with a held-back question that the annotator checks."""
    project = world.project
    frozen = freeze(set_of(project, *lines(), id="secret", name="Secret", canary=CANARY))
    held_back = list(frozen.questions.filter(is_held_back=True).select_related("prompt"))
    texts = {question.key: f"{mark('answer')} {question.key}" for question in held_back}
    row, judge = boards.configuration(project, "Secret Lake"), boards.judge(project, "Secret Leo")
    made = boards.answers(row, frozen, texts)
    boards.judged(judge, made, frozen, [5.0] * frozen.questions.count())
    RuleScore.objects.filter(answer__prompt__benchmark_questions__in=held_back).update(
        detail={"reason": mark("reason"), "note": mark("note")}
    )
    report_errata(world, held_back)
    anchors = f'{{"question": "secret-open", "text": "{mark("answer")} anchor"}}'
    add_anchors(project, Source(io.BytesIO(anchors.encode()), "anchors.jsonl"))
    Board.objects.filter(slug=world.argument("open-board", "board")).update(question_set=frozen)
    return HeldBack(frozen, held_back, turn_at_a_draft(world), substitutes(project, frozen, held_back))


def lines() -> list[dict]:
    secret = {"held_back": True, "variety": "en-US", "language": "en", "rules": boards.JUDGED}
    options = [{"label": "A", "text": f"{mark('option')} one"}, {"label": "B", "text": f"{mark('option')} two"}]
    return [
        open_line("public", variety="en-US", rules=boards.JUDGED),
        open_line(
            "secret-open",
            **secret,
            twin_of="public",
            instruction=f"{mark('instruction')} write a line.",
            input=f"{mark('input')} passage",
            output=f"{mark('reference')} of it",
        ),
        question_line(
            "secret-choice",
            **secret,
            instruction=f"{mark('instruction')} choose one.",
            input=f"{mark('input')} another passage",
            options=options,
            output="A",
        ),
    ]


def report_errata(world: World, held_back: list[Question]) -> None:
    """One by the lead; and one by the annotator, who led the project when it was reported."""
    for role, question in zip(("lead", "annotator"), held_back, strict=True):
        Erratum.objects.create(
            project=world.project,
            question=question,
            fault="other",
            words=mark("erratum"),
            reported_by=world.person_with(role),
            state="accepted",
            decision="repair",
            decided_at=question.question_set.frozen_at,
            decided_by=world.person_with("lead"),
            corrected_reference=mark("corrected"),
            reason=mark("corrected"),
        )


def turn_at_a_draft(world: World) -> Assignment:
    set_of(
        world.project,
        open_line("secret-draft", variety="en-US", instruction=f"{mark('instruction')} draft", held_back=True),
        id="secret-draft",
        canary=...,
    )
    stage = Stage.objects.create(project=world.project, kind="question_check", name="Secret checks", overlap=1)
    plan_items(stage)
    turn = claim_next(world.person_with("annotator").raters.get(), stage)
    assert turn is not None
    return turn


def substitutes(project: Project, frozen: QuestionSet, held_back: list[Question]) -> dict[str, list[object]]:
    """For every argument of an address what points at something that is held back, to be tried in every route."""
    prompts = Prompt.objects.filter(benchmark_questions__in=held_back)
    answers = Answer.objects.filter(prompt__in=prompts)
    responses = [answer.response for answer in answers.select_related("response") if answer.response]
    return {
        "question": [question.pk for question in held_back],
        "prompt": [prompt.pk for prompt in prompts],
        "response": [response.uuid for response in responses],
        "erratum": list(project.errata.filter(question__in=held_back).values_list("uuid", flat=True)),
        "configuration": ["secret-lake"],
        "question_set": [frozen.slug, "secret-draft"],
    }


# --- Reading ---


class Addresses(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        is_sent = tag == "form" and (dict(attrs).get("method") or "get").lower() != "get"
        for name, value in attrs:
            is_address = name in ("href", "hx-get", "action", "src") or (
                name.startswith("data-") and "/" in (value or "")
            )
            if value and is_address and not (is_sent and name == "action"):
                self.found.append(value)


def content_of(answer: object) -> bytes:
    """All that was sent, a file's compression taken off."""
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
    if content[:4] == b"PAR1":
        return str(pyarrow.parquet.read_table(io.BytesIO(content)).to_pylist()).encode()
    return content


def links_in(content: bytes, address: str) -> Iterator[str]:
    """Addresses of this host that a page, fragment or list of a program names."""
    text = content.decode("utf-8", "replace")
    parser = Addresses()
    parser.feed(text)
    # What programs read: "next" and the like.
    named = re.findall(r'"(?:https?://testserver)?(/[^"\s\\]+)"', text)
    for link in [*parser.found, *named]:
        parts = urlsplit(urljoin(f"http://testserver{address}", link))
        if parts.netloc == "testserver" and parts.scheme == "http" and not parts.path.startswith("/static/"):
            yield parts.path + (f"?{parts.query}" if parts.query else "")


def crawl(client: Client, begin: list[str], most: int = 600) -> Iterator[tuple[str, int, bytes]]:
    """Address, status and content of all that can be reached by following links, those named first."""
    waiting, seen = list(begin), set(begin)
    while waiting and most:
        address = waiting.pop(0)
        most -= 1
        answer = client.get(address)
        content = content_of(answer)
        yield address, answer.status_code, content
        found = [answer["Location"]] if answer.status_code in (301, 302) else []
        if "html" in answer.get("Content-Type", "") or "json" in answer.get("Content-Type", ""):
            found += list(links_in(content, address))
        for link in found:
            path = link.removeprefix("http://testserver")
            if path.startswith("/") and path not in seen and "logout" not in path:
                seen.add(path)
                waiting.append(path)
