"""What JuICE does after validation: a model groups, refines and categorises errors, and people look at a sample of it.

What it proposes comes as runs whose replies are read like any provider's, without a request. Samples are drawn, decided
on and settled as a lead has it done (`annotation.acceptance`).
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from annotation import classification, refining
from annotation.acceptance.jobs import do_settled
from annotation.acceptance.kinds import KINDS
from annotation.acceptance.settling import ACCEPT, draw, settle
from annotation.gold import derive
from annotation.models import AcceptanceMember, CodingSample, ErrorCategory, ProposalKind, Span
from annotation.refining import Refined
from demo.studies import juice_judges, texts
from demo.studies.errors import NOT_THICK, THICK
from demo.studies.juice import EXPERTS, GENERATED
from judging.engine.calling import Question
from judging.engine.replaying import replay
from judging.engine.runs import create_run
from judging.judges import add_judge
from projects.anchors import MAX_COUNTED, occurrences
from projects.models import Project, Rater, RaterKind, Response
from providers.client.replies import Reply
from providers.endpoints import simulated_gateway

UNCHANGED = {"quote": None, "occurrence": None, "explanation": None}
REASON = "Simulated: the errors that the sample implies can be borne."


@dataclass(frozen=True)
class FoundError:
    """An error that was kept, with all spans that found it as the lines have them; the first stands for it."""

    item: str
    spans: Sequence[dict]
    category: str

    @property
    def key(self) -> str:
        return str(self.spans[0]["id"])


def errors_of(lines: Sequence[dict]) -> Iterator[FoundError]:
    """Of the lines of a project. Its first expert codes every error, by its first span."""
    spans: dict[str, dict] = {}
    groups: dict[str, list[str]] = {}
    for line in lines:
        if line.get("kind") == "spans":
            spans |= {span["id"]: span for span in line["spans"]}
        elif line.get("kind") == "groups":
            groups |= {group[0]: group for group in line["groups"]}
        elif line.get("kind") == "classifications" and line["rater"] == EXPERTS[0]:
            for row in line["classifications"]:
                found = groups.get(row["span"], [row["span"]])
                yield FoundError(line["item"], [spans[key] for key in found], row["category"])


class AfterValidation:
    """`items` are the lines of items by id, `responses` the stored ones by the same."""

    def __init__(
        self,
        project: Project,
        lines: Sequence[dict],
        items: Mapping[str, dict],
        responses: Mapping[str, Response],
        seed: int,
    ) -> None:
        self.project, self.items, self.responses, self.seed = project, items, responses, seed
        self.errors = list(errors_of(lines))
        self.proposed = juice_judges.proposed(lines, seed)
        self.coded_twice = [
            row["span"]
            for line in lines
            if line.get("kind") == "classifications" and line["rater"] == EXPERTS[1]
            for row in line["classifications"]
        ]

    def carry_out(self) -> None:
        """In the order of the study; nothing where no error was kept."""
        if self.errors:
            self.group()
            self.refine()
            self.categorise()

    @cached_property
    def expert(self) -> Rater:
        return Rater.objects.get(project=self.project, kind=RaterKind.HUMAN, name=EXPERTS[0])

    @cached_property
    def span_ids(self) -> dict[str, int]:
        return dict(Span.objects.filter(response__project=self.project).values_list("key", "pk"))

    @cached_property
    def error_of(self) -> dict[int, FoundError]:
        """By the id of each span that found it."""
        return {self.span_ids[span["id"]]: error for error in self.errors for span in error.spans}

    def group(self) -> None:
        """Those spans that are one error; the sample has no wrong one."""

        def issues(question: Question) -> dict[str, Any]:
            of_errors: dict[str, list[int]] = {}
            for number, shown in enumerate(question.material.errors, start=1):
                of_errors.setdefault(self.error_of[shown.id].key, []).append(number)
            return {"issues": [{"errors": numbers, "reason": "Generated."} for numbers in of_errors.values()]}

        judge = self.ask("groups", "groups", issues)
        self.accept(ProposalKind.GROUPS, judge, juice_judges.GROUPS_LOOKED_AT)

    def refine(self) -> None:
        """Where several spans found an error, the words that they share; the rest is to stay as it is. Of the sample
        two explanations say more than the marks do, so the expert keeps the words alone."""
        judge = self.ask("refinement", "refinement", self.refined)

        def without_explanation(member: AcceptanceMember) -> None:
            assert member.refinement is not None
            proposal = member.refinement
            kept = Refined(proposal.start, proposal.end, proposal.quote)
            refining.change(proposal, self.expert, kept)

        looked_at, wrong = juice_judges.REFINEMENTS_LOOKED_AT, juice_judges.WRONG_REFINEMENTS
        self.accept(ProposalKind.REFINEMENTS, judge, looked_at, wrong, without_explanation)

    def refined(self, question: Question) -> dict[str, Any]:
        text, error = question.material.response, self.error_of[question.material.errors[0].id]
        places = {(span["start"], span["end"]) for span in error.spans if span["anchor"] == "words"}
        start, end = max(place[0] for place in places or {(0, 0)}), min(place[1] for place in places or {(0, 0)})
        if len(places) < 2 or start >= end:
            return UNCHANGED
        quote = text[start:end]
        number = list(occurrences(text, quote)).index(start) + 1
        if number > MAX_COUNTED:  # such a place cannot be named: a full stop, say
            return UNCHANGED
        language = self.items[error.item]["variety"].split("-")[0]
        return {
            "quote": quote,
            "occurrence": number,
            "explanation": texts.explain(language, error.category, quote),
        }

    def categorise(self) -> None:
        """Two experts have coded some errors, the project's sample for that: the judge is asked about these too, and
        they do not wait. Of the sample of the others the expert gives a few another category of the same depth."""
        again = CodingSample.objects.create(project=self.project, seed=self.seed)
        again.spans.set([self.span_ids[key] for key in self.coded_twice])

        def coded(question: Question) -> dict[str, Any]:
            return {"category": self.proposed[self.error_of[question.unit].key], "reason": "Generated."}

        judge = self.ask("categories", "categories", coded)
        categories = {category.slug: category for category in ErrorCategory.objects.filter(project=self.project)}

        def another(member: AcceptanceMember) -> None:
            assert member.classification is not None
            depth = THICK if member.classification.category.slug in THICK else NOT_THICK
            slug = next(other for other in depth if other != member.classification.category.slug)
            classification.change(member.classification, self.expert, categories[slug])

        self.accept(ProposalKind.CATEGORIES, judge, None, juice_judges.WRONG_CATEGORIES, another)

    def ask(self, kind: str, what: str, said: Callable[[Question], Mapping[str, Any]]) -> Rater:
        """A judge of this kind, asked about everything that waits for it."""
        name = f"{juice_judges.PROPOSING} for {what} (simulated)"
        judge = add_judge(self.project, simulated_gateway(), juice_judges.PROPOSING, name=name, kind=kind)

        def answer(question: Question, ticket: str) -> Reply:
            text = json.dumps({"ticket": ticket, **said(question)}, ensure_ascii=False)
            return Reply(text, juice_judges.PROPOSING, finish_reason="stop")

        run = create_run(judge, Response.objects.filter(project=self.project), options=GENERATED)
        replay(run, answer)
        return judge.rater

    def accept(
        self,
        kind: ProposalKind,
        judge: Rater,
        size: int | None,
        wrong: int = 0,
        mend: Callable[[AcceptanceMember], None] = lambda member: None,
    ) -> None:
        """Draw a sample, have the expert mend so many of it and confirm the others, and accept the rest unseen."""
        drawn = draw(self.project, kind, judge, None, seed=self.seed, size=size)
        sample = drawn.members.filter(is_drawn=True).select_related("refinement__span", "classification__span")
        members = list(sample.select_related("classification__category").order_by("pk"))
        changing = [member for member in members if member.refinement is None or member.refinement.explanation]
        mended = Random(f"{self.seed}:{kind}").sample(changing, wrong)
        for member in mended:
            mend(member)
        KINDS[kind].accept([member for member in members if member not in mended], self.expert)
        derive({member.response_id for member in members})
        do_settled(settle(drawn, ACCEPT, REASON, None), self.expert)
