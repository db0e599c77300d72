"""Two tabs, stale tabs, resends, submissions in any order: nothing is overwritten silently, nothing is lost."""

import uuid

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule, run_state_machine_as_test

from annotation.models import Marking
from tests.workflow.working import body, marking_stage
from workflow import drafts, reassignment
from workflow.claims import claim_next
from workflow.models import Assignment, SetAsideDraft, Status
from workflow.refusals import Conflict, Refused
from workflow.submission import submit

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
        self.known: dict[str, int] = {}
        self.sent: list[tuple] = []
        self.written: list[dict] = []
        self.overwritten_knowingly: list[dict] = []
        self.count = 0

    def assignment(self):
        return Assignment.objects.select_related("item__response__variety", "stage__project", "rater").get(pk=self.key)

    def stored(self) -> dict:
        own = self.assignment()
        if own.status == Status.SUBMITTED:
            from workflow.task_types import task_type

            return task_type("spans").stored(own)
        return drafts.current(own)[1]

    @rule(target=tabs)
    def open_a_tab(self):
        tab = f"tab-{len(self.known)}"
        self.known[tab] = drafts.current(self.assignment())[0]
        return tab

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
        before, at_version = self.stored(), drafts.current(self.assignment())[0]
        try:
            saved = drafts.save(self.assignment(), version, draft, client=tab)
        except Conflict as conflict:
            assert version != at_version
            assert conflict.body == before, "the other side is shown as it is stored"
            assert self.stored() == before, "a stale tab changed nothing"
            self.written.append(draft)
        except Refused as refused:
            assert refused.code == "submitted"
            assert self.stored() == before
        else:
            assert version == at_version or before == draft, "only who knew the stored version replaced it"
            self.known[tab] = saved.version
            assert self.stored() == draft

    @rule(tab=tabs)
    def reload(self, tab):
        self.known[tab] = drafts.current(self.assignment())[0]

    @rule(tab=tabs, times=st.integers(1, 3))
    def submit(self, tab, times):
        self.count += 1
        key, answer, version = uuid.uuid4(), words(f"{tab} submits {self.count}"), self.known[tab]
        at_version, status = drafts.current(self.assignment())[0], self.assignment().status
        times_stored = []
        for _attempt in range(times):
            before = self.stored()
            try:
                times_stored.append(submit(self.assignment(), key, version, answer))
            except Conflict:
                assert (version, status) != (at_version, Status.CLAIMED)
                assert self.stored() == before
                self.written.append(answer)
            except Refused:
                assert self.stored() == before
        if times_stored:
            assert status == Status.CLAIMED
            assert len(set(times_stored)) == 1, "a resend is answered as the first was"
            assert self.stored() == answer

    @rule()
    def amend(self):
        own = self.assignment()
        if own.status == Status.SUBMITTED:
            before = self.stored()
            reassignment.amend(own)
            assert self.stored() == before

    @rule(tab=consumes(tabs))
    def close(self, tab):
        self.known.pop(tab, None)
        self.known[f"closed-{len(self.known)}"] = 0

    @invariant()
    def one_answer_at_most(self):
        assert Marking.objects.filter(assignment=self.key).count() == (self.assignment().status == Status.SUBMITTED)

    @invariant()
    def what_was_refused_is_kept(self):
        kept = [*SetAsideDraft.objects.filter(assignment=self.key).values_list("body", flat=True), self.stored()]
        latest: dict[tuple, dict] = {}
        for draft in self.written:
            latest[draft["spans"][0]["id"]] = draft
        texts = {span["id"] for draft in kept for span in draft["spans"]}
        tabs_kept = {text.split()[0] for text in texts}
        assert {text.split()[0] for text in latest} <= tabs_kept

    def teardown(self):
        Marking.objects.filter(assignment=self.key).delete()
        Assignment.objects.filter(pk=self.key).delete()


def test_nothing_is_overwritten_silently_and_nothing_lost(project, koshari, mona):
    stage = marking_stage(project)
    machine = type("TabsOfMona", (Tabs,), {"rater": mona.raters.get(), "stage": stage})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=40,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
