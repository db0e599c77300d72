"""Grouping: a judge proposes which of several touching errors are one issue; a person confirms, changes or refuses."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation import groups
from annotation.models import GroupProposal, Span
from judging.kinds import AnswersByResponse, Material, Pass, Unit, Units, WrongAnswer, number_of
from judging.kinds.errors import PLACES, AboutErrors, own_raters
from judging.kinds.explained import EXPLAINED
from judging.kinds.forms import MAX_CHARACTERS, check_keys, check_ticket, closed
from judging.models import ANSWERED, Judge
from judging.prompts import PromptText, chat, fill, templates_of
from projects.among import Among

VERSION = "v1"
ISSUE = {"errors": {"type": "array", "items": {"type": "integer"}}, "reason": {"type": "string"}}
SCHEMA = closed({"ticket": {"type": "string"}, "issues": {"type": "array", "items": closed(ISSUE)}})


class Groups(AboutErrors):
    kind = "groups"
    can_be_evaluated = False
    options = (EXPLAINED,)
    name = _("Groups of errors on one issue")
    idle = _("No kept errors that overlap wait for this judge: there are none yet, or they were grouped or proposed.")

    def prompt_text(self, judge: Judge) -> PromptText:
        templates = templates_of(judge, self.kind, VERSION)
        parts = {part: templates[part] for part in ("system", "question", "error")}
        parts |= templates.phrases(*PLACES) | templates.explained
        return PromptText(self.kind, templates.version, parts, SCHEMA)

    def units(self, over: Pass, texts: Mapping[int, str]) -> Units:
        """One per set of kept errors that touch each other."""
        candidates = groups.candidates(texts, leaving_out=own_raters(over.judge.project, over.guard))
        asked = {pk: [Unit(number_of(spans), spans) for spans in sets] for pk, sets in candidates.sets.items()}
        return Units(asked, candidates.left_out)

    def messages(self, prompt: PromptText, material: Material, unit: int, nonce: str) -> list[dict[str, str]]:
        parts = prompt.parts
        errors = [
            fill(
                parts["error"],
                {
                    "number": str(number),
                    "place": error.place,
                    "words": error.words,
                    "explanation": error.explanation,
                    "nonce": nonce,
                },
            )
            for number, error in enumerate(material.errors, start=1)
        ]
        shown = {
            "nonce": nonce,
            "prompt": material.prompt,
            "response": material.response,
            "count": str(len(errors)),
            "errors": "\n".join(errors),
        }
        return chat(fill(parts["system"], prompt.languages(material.language)), fill(parts["question"], shown))

    def read(
        self, value: Mapping[str, Any], prompt: PromptText, material: Material, unit: int, nonce: str
    ) -> dict[str, Any]:
        """Issues with the errors of each. Every error that was asked about stands in exactly one of them."""
        check_keys(value, prompt.schema["properties"])
        check_ticket(value, nonce)
        if not isinstance(value["issues"], list):
            raise WrongAnswer("wrong_type", "issues")
        for issue in value["issues"]:
            check_issue(issue)
        numbers = [number for issue in value["issues"] for number in issue["errors"]]
        if any(not 1 <= number <= len(material.errors) for number in numbers):
            raise WrongAnswer("unknown_error")
        if len(numbers) != len(set(numbers)):
            raise WrongAnswer("error_twice")
        if len(numbers) != len(material.errors):
            raise WrongAnswer("error_left_out")
        return {"issues": [issue_of(issue, material) for issue in value["issues"]]}

    def store(self, judge: Judge, round: int, answered: AnswersByResponse, metadata: dict) -> int:
        """A proposal for each issue that several errors point at; what was proposed before is not proposed again."""
        issues = [
            groups.Issue(response, sorted({error["span"] for error in issue["errors"]}), issue["reason"])
            for response, answers in answered.items()
            for answer in answers
            if answer.state in ANSWERED and answer.parsed
            for issue in answer.parsed["issues"]
            if len(issue["errors"]) > 1
        ]
        # Errors that were kept when the judge was asked may be kept no longer.
        named = Among(pk for issue in issues for pk in issue.spans)
        kept = set(Span.objects.filter(pk__in=named, gold_error__isnull=False).values_list("pk", flat=True))
        return groups.propose_many([issue for issue in issues if kept.issuperset(issue.spans)], judge.rater)

    def held(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> set[tuple[int, int]]:
        """Answers of which a proposal was decided."""
        proposed = proposed_of(judge, answered)
        return {(response, unit) for response, unit, proposal in proposed if proposal.state != GroupProposal.State.OPEN}

    def take_back(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> None:
        proposal_ids = {proposal.pk for _response, _unit, proposal in proposed_of(judge, answered)}
        GroupProposal.objects.filter(pk__in=Among(proposal_ids), state=GroupProposal.State.OPEN).delete()


def proposed_of(judge: Judge, answered: AnswersByResponse) -> list[tuple[int, int, GroupProposal]]:
    """(response, unit, proposal) for every proposal of the judge that one of these answers made."""
    proposals = GroupProposal.objects.filter(proposed_by=judge.rater_id, response__in=Among(answered))
    of_answers = []
    for proposal in proposals.prefetch_related("spans"):
        spans = {span.pk for span in proposal.spans.all()}
        for answer in answered[proposal.response_id]:
            issues = answer.parsed["issues"] if answer.parsed else []
            if any(spans == {error["span"] for error in issue["errors"]} for issue in issues):
                of_answers.append((proposal.response_id, answer.unit, proposal))
    return of_answers


def check_issue(issue: object) -> None:
    """Raises WrongAnswer unless the issue names errors by their numbers and says what they have in common."""
    check_keys(issue, ISSUE, "issues")
    assert isinstance(issue, dict)
    errors, reason = issue["errors"], issue["reason"]
    if not isinstance(errors, list) or not all(type(number) is int for number in errors):
        raise WrongAnswer("wrong_type", "errors")
    if not errors:
        raise WrongAnswer("issue_without_errors")
    if not isinstance(reason, str):
        raise WrongAnswer("wrong_type", "reason")
    if len(reason) > MAX_CHARACTERS:
        raise WrongAnswer("too_long", "reason")
    if len(errors) > 1 and not reason.strip():
        raise WrongAnswer("reason_missing")


def issue_of(issue: Mapping[str, Any], material: Material) -> dict[str, Any]:
    named = [material.errors[number - 1] for number in sorted(issue["errors"])]
    return {"errors": [{"span": error.id, "words": error.words} for error in named], "reason": issue["reason"].strip()}
