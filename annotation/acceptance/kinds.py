"""Kinds of proposals that can be accepted unseen: where they wait, what people said, how they are accepted."""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, ClassVar

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation import classification, groups, refining
from annotation.models import (
    AcceptanceMember,
    Classification,
    ErrorGroup,
    GroupProposal,
    ProposalKind,
    Refinement,
    Span,
)
from projects.among import Among
from projects.models import Project, Rater


class Proposals(ABC):
    """One kind. `column` is its field in `AcceptanceMember`, `page` the route where people decide one by one."""

    kind: ClassVar[ProposalKind]
    column: ClassVar[str]
    page: ClassVar[str]
    # From a proposal to who made it, to its response and to what orders it, whatever its id.
    by: ClassVar[str]
    response: ClassVar[str]
    order: ClassVar[tuple[str, ...]]
    # Whether what is accepted of it is a group of its own, which its member names.
    makes_groups: ClassVar[bool] = False
    # Of members: what people made of the proposal.
    right: ClassVar[Q]
    wrong: ClassVar[Q]

    @abstractmethod
    def waiting(self, project: Project) -> QuerySet[Any]:
        """Proposals that nobody has decided on and that may be, each a row of the kind's table."""

    def of(self, project: Project, proposer: Rater | None) -> QuerySet[Any]:
        return self.waiting(project).filter(**{self.by: proposer})

    def still(self, members: QuerySet[AcceptanceMember], project: Project) -> QuerySet[AcceptanceMember]:
        """Those of the members whose proposal waits."""
        return members.filter(**{f"{self.column}__in": self.waiting(project).order_by()})

    @abstractmethod
    def accept(self, members: Sequence[AcceptanceMember], by: Rater) -> list[AcceptanceMember]:
        """Accept what these propose, all of a few responses, and return those that could be. They are told apart by
        `is_accepted`, which the caller saves, as it derives the gold."""

    @abstractmethod
    def take_back(self, members: Sequence[AcceptanceMember]) -> None:
        """Let what these propose wait again."""


class OfErrors(Proposals):
    """What is proposed for an error under one of its spans, and confirmed or refused there: a row of `model`."""

    model: ClassVar[type[Classification] | type[Refinement]]
    by, response, order = "rater", "span__response", ("span__response__key", "span__key")

    def accept(self, members: Sequence[AcceptanceMember], by: Rater) -> list[AcceptanceMember]:
        """One for each error: several of its spans may have a proposal since they were grouped. None that somebody
        decides on at this moment: their rows are locked first, and looked at then."""
        rows = self._rows(members).filter(confirmed_by=None, refused_by=None)
        error_of = dict(rows.select_for_update(of=("self",), no_key=True).values_list("pk", "span__gold_error"))
        first: dict[int, AcceptanceMember] = {}
        for member in sorted(members, key=self._id):
            if self._id(member) in error_of:
                first.setdefault(error_of[self._id(member)], member)
        accepted = list(first.values())
        self._rows(accepted).update(confirmed_by=by)
        return accepted

    def take_back(self, members: Sequence[AcceptanceMember]) -> None:
        self._rows(members).update(confirmed_by=None)

    def _rows(self, members: Sequence[AcceptanceMember]) -> QuerySet[Any]:
        return self.model.objects.filter(pk__in=Among(map(self._id, members)))

    def _id(self, member: AcceptanceMember) -> int:
        return int(getattr(member, f"{self.column}_id"))


class Categories(OfErrors):
    kind, column, page = ProposalKind.CATEGORIES, "classification", "category-proposals"
    model = Classification
    right = Q(classification__confirmed_by__isnull=False)
    wrong = Q(classification__refused_by__isnull=False)

    def waiting(self, project: Project) -> QuerySet[Classification]:
        return classification.proposals_of(project)


class Refinements(OfErrors):
    kind, column, page = ProposalKind.REFINEMENTS, "refinement", "refinements"
    model = Refinement
    right = Q(refinement__confirmed_by__isnull=False)
    wrong = Q(refinement__refused_by__isnull=False)

    def waiting(self, project: Project) -> QuerySet[Refinement]:
        return refining.proposals_of(project)


class Groups(Proposals):
    kind, column, page = ProposalKind.GROUPS, "group_proposal", "group-proposals"
    by, response, order = "proposed_by", "response", ("response__key", "pk")
    makes_groups = True
    right = Q(group_proposal__state=GroupProposal.State.CONFIRMED)
    wrong = Q(group_proposal__state__in=(GroupProposal.State.CHANGED, GroupProposal.State.DISMISSED))

    def waiting(self, project: Project) -> QuerySet[GroupProposal]:
        return GroupProposal.objects.filter(response__project=project, state=GroupProposal.State.OPEN)

    def accept(self, members: Sequence[AcceptanceMember], by: Rater) -> list[AcceptanceMember]:
        """None with an error that is kept no longer or is in a group by now: a person says which of them it is of."""
        waiting = GroupProposal.objects.filter(state=GroupProposal.State.OPEN).select_for_update(no_key=True)
        among = Among(member.group_proposal_id or 0 for member in members)
        proposals = set(waiting.filter(pk__in=among).values_list("pk", flat=True))
        spans: dict[int, list[int]] = defaultdict(list)
        taken: set[int] = set()
        of_proposals = GroupProposal.spans.through.objects.filter(groupproposal__in=Among(proposals))
        unfit = Q(span__gold_error=None) | Q(span__group__isnull=False)
        for proposal, span in of_proposals.values_list("groupproposal_id", "span_id"):
            spans[proposal].append(span)
        for span in of_proposals.filter(unfit).values_list("span_id", flat=True):
            taken.add(span)
        accepted: list[AcceptanceMember] = []
        sets: list[tuple[int, set[int]]] = []
        for member in sorted(members, key=lambda member: member.group_proposal_id or 0):
            of_one = set(spans[member.group_proposal_id or 0])
            if len(of_one) < 2 or of_one & taken:
                continue
            taken |= of_one
            sets.append((member.response_id, of_one))
            accepted.append(member)
        for member, made in zip(accepted, groups.put_many_together(sets, by), strict=True):
            member.made_group = made
        decided = GroupProposal.objects.filter(pk__in=Among(member.group_proposal_id or 0 for member in accepted))
        decided.update(state=GroupProposal.State.CONFIRMED, decided_by=by)
        return accepted

    def take_back(self, members: Sequence[AcceptanceMember]) -> None:
        made = [member.made_group_id for member in members if member.made_group_id is not None]
        for member in members:
            member.made_group = None
        Span.objects.filter(group__in=Among(made)).update(group=None)
        ErrorGroup.objects.filter(pk__in=Among(made)).delete()
        rows = GroupProposal.objects.filter(pk__in=Among(member.group_proposal_id or 0 for member in members))
        rows.update(state=GroupProposal.State.OPEN, decided_by=None)


KINDS: dict[str, Proposals] = {kind.kind: kind for kind in (Categories(), Groups(), Refinements())}


def asked_first(rows: QuerySet[Any], path: str) -> tuple[QuerySet[Any], bool]:
    """What people decide on one by one, and whether it is a sample: while one is under way nothing but the sample, so
    that the rest stays as it was drawn from. `path` leads from a member to a row."""
    still = Q(classification=None) | Q(classification__confirmed_by=None, classification__refused_by=None)
    sampled = AcceptanceMember.objects.in_open_samples().filter(still, **{path: OuterRef("pk")})
    drawn = rows.filter(Exists(sampled))
    return (drawn, True) if drawn.exists() else (rows, False)
