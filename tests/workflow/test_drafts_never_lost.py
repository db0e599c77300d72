"""Two tabs, stale tabs, resends, submissions in any order: nothing is overwritten silently, nothing is lost."""

import os
import uuid

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from annotation.models import Marking
from tests.workflow.working import body, marking_stage
from workflow import drafts, reassignment
from workflow.claims import claim_next
from workflow.models import Assignment, SetAsideDraft, Status
from workflow.refusals import Conflict, Refused
from workflow.submission import submit
from workflow.task_types import task_type

pytestmark = pytest.mark.django_db


def words(text: str) -> dict:
    """A draft that says `text`, complete enough to be submitted."""
    span = {"id": text, "anchor": "response", "start": None, "end": None, "quote": "", "paragraph": None}
    labels = {"type": "logical", "criticality": "low", "category": "", "explanation": text, "correction": ""}
    return body({**span, **labels})


class Tabs(RuleBasedStateMachine):
    """Browser tabs on one item, each with the version it last heard of. `rater` and `stage` are set by the test."""

    rater = stage = None
    tabs = Bundle("tabs")

    def __init__(self):
        super().__init__()
        Assignment.objects.filter(stage=self.stage).delete()
        self.stage.items.update(open_slots=self.stage.overlap)
        self.key = claim_next(self.rater, self.stage).pk
        self.known: dict[str, int] = {}  # the version each tab builds on
        self.seen: dict[str, dict] = {}  # and what it knows that version to say
        self.written: list[dict] = []
        self.count = 0

    def assignment(self):
        return Assignment.objects.select_related("item__response__variety", "stage__project", "rater").get(pk=self.key)

    def stored(self) -> dict:
        own = self.assignment()
        if own.status == Status.SUBMITTED:
            return task_type("spans").stored(own)
        return drafts.current(own)[1]

    @rule(target=tabs)
    def open_a_tab(self):
        tab = f"tab-{len(self.known)}"
        self.look(tab)
        return tab

    def look(self, tab):
        self.known[tab], self.seen[tab] = drafts.current(self.assignment())[0], self.stored()

    @rule(tab=tabs)
    def save(self, tab):
        self.count += 1
        draft = words(f"{tab} says {self.count}")
        self.try_save(tab, self.known[tab], draft)

    @rule(tab=tabs, answer_lost=st.booleans())
    def save_and_send_again(self, tab, answer_lost):
        """The answer of the first attempt is lost, so the tab sends the very same once more."""
        self.count += 1
        draft, version = words(f"{tab} says {self.count}"), self.known[tab]
        self.try_save(tab, version, draft)
        if answer_lost:
            self.try_save(tab, version, draft)

    def try_save(self, tab, version, draft):
        before = self.stored()
        outcome = self.outcome_of(lambda: drafts.save(self.assignment(), version, draft, client=tab))
        if isinstance(outcome, drafts.Saved):
            assert before in (self.seen[tab], draft), "only who knew what was stored replaced it"
            assert self.stored() == draft
            self.known[tab], self.seen[tab] = outcome.version, draft
            return
        assert self.stored() == before, "a stale tab changed nothing"
        if isinstance(outcome, Conflict):
            assert outcome.body == before, "the other side is shown as it is stored"
            self.written.append(draft)
        else:
            assert outcome.code == "submitted"

    @staticmethod
    def outcome_of(act):
        try:
            return act()
        except (Conflict, Refused) as refusal:
            return refusal

    @rule(tab=tabs)
    def reload(self, tab):
        self.look(tab)

    @rule(tab=tabs, times=st.integers(1, 3))
    def submit(self, tab, times):
        self.count += 1
        key, answer, version = uuid.uuid4(), words(f"{tab} submits {self.count}"), self.known[tab]
        times_stored = []
        for _attempt in range(times):
            before = self.stored()
            outcome = self.outcome_of(lambda: submit(self.assignment(), key, version, answer))
            if isinstance(outcome, Conflict):
                self.written.append(answer)
            if isinstance(outcome, Conflict | Refused):
                assert self.stored() == before
            else:
                assert before in (self.seen[tab], answer), "only who knew what was stored submitted over it"
                times_stored.append(outcome)
                self.seen[tab] = answer
        assert len(set(times_stored)) <= 1, "a resend is answered as the first was"
        if times_stored:
            assert self.stored() == answer

    @rule()
    def amend(self):
        own = self.assignment()
        if own.status == Status.SUBMITTED:
            before = self.stored()
            reassignment.amend(own)
            assert self.stored() == before

    @invariant()
    def one_answer_at_most(self):
        assert Marking.objects.filter(assignment=self.key).count() == (self.assignment().status == Status.SUBMITTED)

    @invariant()
    def what_was_refused_is_kept(self):
        kept = [*SetAsideDraft.objects.filter(assignment=self.key).values_list("body", flat=True), self.stored()]
        kept_of = {span["id"].split()[0] for draft in kept for span in draft["spans"]}
        assert {draft["spans"][0]["id"].split()[0] for draft in self.written} <= kept_of

    def teardown(self):
        Marking.objects.filter(assignment=self.key).delete()
        Assignment.objects.filter(pk=self.key).delete()


def test_nothing_is_overwritten_silently_and_nothing_lost(project, koshari, mona):
    stage = marking_stage(project)
    machine = type("TabsOfMona", (Tabs,), {"rater": mona.raters.get(), "stage": stage})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=3 if os.environ.get("MIZAN_LIGHT") == "1" else 25,
            stateful_step_count=25,
            deadline=None,
            phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking through a database takes minutes
            suppress_health_check=list(HealthCheck),
        ),
    )
