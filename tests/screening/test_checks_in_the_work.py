"""Items with a known answer are mixed into the work, unrecognisably; whoever falls below the mark is paused."""

import re
import uuid
from datetime import timedelta

import pytest
from django.core import mail
from django.db import DatabaseError, transaction
from django.utils import timezone

from annotation.models import CheckMarking, GoldAnswer, Marking, Rating, Span
from projects.models import AuditEvent, ContentNote, ContentNoteSet, Project, Rater
from screening.checks.drawing import is_due
from screening.checks.kinds.ratings import PairChecks
from screening.checks.source import due
from screening.models import CheckResult, CheckSettings, GoldCheck, Pause
from screening.quiz.statistics import share_right
from tests.annotation.marked import mark as mark_response
from tests.annotation.marked import rater_of
from tests.annotation.rated import pair_of, question_type, rate
from tests.people import add_response, join, person, signed_in
from tests.screening.quizzes import add_check, many_checks, settle
from tests.workflow.working import body, mark, marking_stage, post_json, put_draft, submit
from workflow.claims import claim_next
from workflow.models import Assignment, OwnLimits, Stage, Status, WorkItem
from workflow.planning import plan_items
from workflow.reassignment import amend
from workflow.refusals import Refused
from workflow.submission import submit as hand_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(project, koshari) -> Stage:
    return marking_stage(project)


def all_checks(stage: Stage, count: int, **settings) -> list[GoldCheck]:
    """Checks, and every second claim is one."""
    return many_checks(stage.project, stage, count, share=50, **settings)


def next_check(rater: Rater, stage: Stage) -> Assignment:
    """The rater's next check; items like any other before it are handed in on the way."""
    for _turn in range(60):
        turn = claim_next(rater, stage)
        assert turn is not None, "no check came"
        if turn.item.is_check:
            return turn
        hand_in(turn, uuid.uuid4(), 0, body(no_errors=True))
    raise AssertionError("sixty turns without a check")


def answer(turn: Assignment, is_right: bool) -> None:
    """Mark the wrong word of a check, or say that there is none."""
    text = turn.response.text
    word = next(each for each in text.split() if each.startswith("خطأ"))
    hand_in(turn, uuid.uuid4(), 0, body(mark(turn.response, word)) if is_right else body(no_errors=True))


def more_items(project, stage: Stage, count: int) -> None:
    for number in range(count):
        add_response(project, f"item-{number}", f"كلمة كلمتان ثلاث أربع{number} خمس", "ar-EG")
    plan_items(stage)


@pytest.fixture
def at_work(project, stage, mona) -> Rater:
    more_items(project, stage, 60)
    return rater_of(mona, project)


# --- Which, when, to whom -----------------------------------------------------------------------------


def test_the_same_turn_draws_the_same_check(stage, at_work):
    all_checks(stage, 5)
    assert [due(at_work, stage) for _again in range(3)] == [due(at_work, stage)] * 3


def test_nobody_gets_a_check_twice_nor_what_they_had_as_an_item(project, stage, koshari, mona):
    rater = rater_of(mona, project)
    CheckSettings.objects.create(stage=stage, share=50)
    add_check(stage, koshari, "الفراعنة.")
    for number in range(9):
        add_check(stage, add_response(project, f"c{number}", f"نص خطأ{number}", "ar-EG"), f"خطأ{number}")
    responses = []
    while (turn := claim_next(rater, stage)) is not None:
        responses.append(turn.item.response_id)
        hand_in(turn, uuid.uuid4(), 0, body(no_errors=True))
    assert len(responses) == len(set(responses))


def test_checks_are_in_ones_language_and_not_retired(project, stage, at_work):
    [english] = many_checks(project, stage, 1, tag="en-US", share=50)
    retired = add_check(stage, add_response(project, "old", "نص خطأ1", "ar-EG"), "خطأ1")
    GoldCheck.objects.filter(pk=retired.pk).update(is_active=False)
    given = {claim.item_id for claim in _take(at_work, stage, 30)}
    assert not given & {english.item_id, retired.item_id}


def test_experts_are_given_no_checks(project, stage, hana):
    all_checks(stage, 5)
    more_items(project, stage, 20)
    assert not any(turn.item.is_check for turn in _take(rater_of(hana, project), stage, 20))


def _take(rater: Rater, stage: Stage, count: int) -> list[Assignment]:
    turns = []
    for _turn in range(count):
        turn = claim_next(rater, stage)
        if turn is None:
            break
        turns.append(turn)
        hand_in(turn, uuid.uuid4(), 0, body(no_errors=True))
    return turns


# --- Unrecognisable -------------------------------------------------------------------------------------

VARIES = re.compile(r'[0-9a-f]{8}-[0-9a-f-]{27}|csrf[^>]*|nonce="[^"]*"|value="[A-Za-z0-9]{64}"|\d+')


def what_is_seen(text: str, turn: Assignment) -> str:
    """A page or an answer with the response's own text, keys and all numbers taken out."""
    text = text.replace(turn.response.text, "TEXT").replace(turn.response.key, "KEY")
    escaped = turn.response.text.encode("unicode_escape").decode()
    text = text.replace(escaped, "TEXT")
    for word in turn.response.text.split():
        text = text.replace(word, "WORD").replace(word.encode("unicode_escape").decode(), "WORD")
    return VARIES.sub("#", text)


def pages_of(client, turn: Assignment) -> list[str]:
    """All that a browser is told of a turn, from its first look to the answer taken back."""
    url = f"/tasks/{turn.uuid}/"
    seen = [client.get(url), put_draft(client, turn, 0, body(no_errors=True)), client.get(f"{url}saved")]
    seen.append(post_json(client, turn, "submit", submission="x", version=1, body={}))
    seen.append(submit(client, turn, 1, body(no_errors=True)))
    seen.append(client.get(url))
    seen.append(client.get("/p/feasts/my-work/"))
    seen += [client.post(f"{url}amend"), client.get(url)]
    texts = [answer.content.decode().replace(str(turn.uuid), "#") for answer in seen]
    return [what_is_seen(f"{answer.status_code} {text}", turn) for answer, text in zip(seen, texts, strict=True)]


def test_a_check_cannot_be_told_from_another_item(project, stage, mona, karim):
    """The same response once as an item for Mona and once as a check for Karim, each their first."""
    regular = claim_next(rater_of(mona, project), stage)
    check = add_check(stage, regular.response, "الفراعنة.")
    # Long ago, so that no time worked is cut to what has passed: that is a second more on a slow machine.
    hour_ago = timezone.now() - timedelta(hours=1)
    Assignment.objects.filter(pk=regular.pk).update(claimed_at=hour_ago)
    turn = Assignment.objects.create(
        item=check.item,
        stage=stage,
        rater=rater_of(karim, project),
        claimed_at=hour_ago,
        lease_expires_at=regular.lease_expires_at,
    )
    seen = zip(pages_of(signed_in(mona), regular), pages_of(signed_in(karim), turn), strict=True)
    for of_item, of_check in seen:
        assert of_check.replace("Karim Samir", "Mona Adel").replace("karim@", "mona@") == of_item


# --- What the answers count for -------------------------------------------------------------------------


def test_an_answer_to_a_check_is_marked_and_is_no_marking(stage, at_work):
    all_checks(stage, 5)
    turn = next_check(at_work, stage)
    before = Marking.objects.count(), Span.objects.count(), GoldAnswer.objects.count()
    answer(turn, is_right=True)
    result = CheckResult.objects.get()
    assert (result.is_right, result.score, result.rater) == (True, 1.0, at_work)
    assert (Marking.objects.count(), Span.objects.count(), GoldAnswer.objects.count()) == before
    assert CheckMarking.objects.get().assignment == turn


def test_the_first_answer_counts(stage, at_work):
    all_checks(stage, 5)
    turn = next_check(at_work, stage)
    answer(turn, is_right=False)
    amend(turn)
    word = next(each for each in turn.response.text.split() if each.startswith("خطأ"))
    hand_in(turn, uuid.uuid4(), turn.draft.version, body(mark(turn.response, word)))
    assert CheckResult.objects.get().is_right is False


def test_who_falls_below_the_mark_is_paused_and_the_lead_told(stage, at_work, nour, django_capture_on_commit_callbacks):
    """Eight checks are enough to pause; 5 of 8 are 62.5 %, below 70 %."""
    all_checks(stage, 20)
    with django_capture_on_commit_callbacks(execute=True):
        for is_right in [True] * 5 + [False] * 3:
            assert not Pause.objects.exists()
            answer(next_check(at_work, stage), is_right)
    pause = Pause.objects.get()
    assert (pause.right, pause.n, pause.rater) == (5, 8, at_work)
    with pytest.raises(Refused, match="paused") as refused:
        claim_next(at_work, stage)
    assert refused.value.url == f"/p/feasts/paused/{stage.pk}/"
    [told] = mail.outbox
    assert told.to == ["nour@example.org"]
    assert at_work.pseudonym in told.subject
    assert "Mona" not in told.subject + told.body


def test_seven_wrong_answers_are_too_few_to_pause(stage, at_work):
    all_checks(stage, 20)
    for _number in range(7):
        answer(next_check(at_work, stage), is_right=False)
    assert not Pause.objects.exists()


def test_only_the_latest_count(stage, at_work):
    """Of the latest four, three must be right: a bad beginning is made good by what came after."""
    all_checks(stage, 20, window=4, least=4, mark=75)
    for is_right in (False, True, True, True, True):
        answer(next_check(at_work, stage), is_right)
    assert not Pause.objects.exists()


def test_what_is_begun_can_be_finished_while_paused(stage, at_work, mona):
    all_checks(stage, 20)
    held = claim_next(at_work, stage)
    Pause.objects.create(stage=stage, rater=at_work, right=1, n=8, mark=70)
    assert claim_next(at_work, stage) == held
    assert submit(signed_in(mona), held, 0, body(no_errors=True)).status_code == 200
    held.refresh_from_db()
    assert held.status == Status.SUBMITTED
    page = signed_in(mona).get(f"/p/feasts/paused/{stage.pk}/").content.decode()
    assert "What you have begun you can finish" in page


def test_the_lead_lets_a_person_go_on_and_what_was_counts_no_more(stage, at_work, nour):
    all_checks(stage, 30, window=4, least=4)
    for _number in range(4):
        answer(next_check(at_work, stage), is_right=False)
    client, pause = signed_in(nour), Pause.objects.get()
    page = client.get("/p/feasts/watch/").content.decode()
    assert at_work.pseudonym in page
    assert "0 of 4 right" in page
    client.post(f"/p/feasts/watch/{pause.pk}/lift/", {"note": "We talked."})
    client.post(f"/p/feasts/watch/{pause.pk}/lift/", {"note": "Pressed twice."})
    pause.refresh_from_db()
    assert (pause.lifted_by, pause.note) == (nour, "We talked.")
    assert AuditEvent.objects.filter(action="screening.pause_lifted").count() == 1
    for is_right in (True, True, True, False):  # with the four before, 3 of 8
        answer(next_check(at_work, stage), is_right)
    assert not Pause.objects.filter(lifted_at=None).exists()


def test_checks_of_ratings_are_marked_by_tolerance_and_preference(project, mona, hana):
    question = question_type(project)
    pair = pair_of(project, "p1", question=question)
    stage = Stage.objects.create(project=project, kind="pairs", name="Rating")
    kind = PairChecks()
    assert not kind.candidates(stage).exists()
    rate(pair, hana, question, 4, 2)
    assert list(kind.candidates(stage)) == [pair]
    gold = kind.gold(stage, [pair.pk])[pair.pk]
    assert gold == {"ratings": [{"question": "formality", "first": 4.0, "second": 2.0, "preference": ""}]}
    item = stage.items.create(pair=pair, variety=pair.variety, is_check=True, position=0, slots=9, open_slots=9)
    for number, (first, second, is_right) in enumerate([(5, 3, True), (3, 3, True), (2, 2, False), (3, 4, False)]):
        someone = join(person(f"r{number}@example.org", f"R{number}"), project, "annotator", varieties=("ar-EG",))
        turn = Assignment.objects.create(item=item, stage=stage, rater=rater_of(someone, project), status="reserved")
        rate(pair, someone, question, first, second, assignment=turn, is_check=True)
        assert kind.score(gold, turn, CheckSettings(stage=stage)).is_right is is_right
    assert Rating.objects.filter(is_check=True).count() == 4


def test_karim_rates_a_check_as_he_rates_any_pair(project, karim, hana, nour):
    """The expert says 4 and 2; Karim's 2 and 4 are each off by 2, and the other way round: nothing is right."""
    question = question_type(project)
    pair = pair_of(project, "p1", question=question)
    stage = Stage.objects.create(project=project, kind="pairs", name="Rating")
    rate(pair, hana, question, 4, 2)
    signed_in(nour).post(f"/p/feasts/checks/{stage.pk}/add/", {"subject": [pair.pk]})
    CheckSettings.objects.update(share=50)
    rater = rater_of(karim, project)
    seeds = (seed for seed in range(50) if is_due(seed, stage.pk, rater.pk, 0, 0.5))
    Stage.objects.filter(pk=stage.pk).update(seed=next(seeds))
    turn = claim_next(rater, Stage.objects.get(pk=stage.pk))
    assert turn is not None
    assert turn.item.is_check
    entry = {"question": "formality", "first": 2, "second": 4, "preference": "", "comment": ""}
    assert submit(signed_in(karim), turn, 0, {"ratings": [entry]}).status_code == 200
    result = CheckResult.objects.get()
    assert (result.is_right, result.score) == (False, 0.0)
    assert result.parts == {"formality": {"right": False, "first": False, "second": False, "preference": False}}
    assert Rating.objects.get(rater=rater).is_check


def test_what_experts_have_settled_can_be_chosen(project, stage, koshari, nour, mona):
    client = signed_in(nour)
    assert koshari.key not in client.get(f"/p/feasts/checks/{stage.pk}/").content.decode()
    settle(koshari, "الفراعنة.")
    mark_response(koshari, mona)
    assert koshari.key in client.get(f"/p/feasts/checks/{stage.pk}/").content.decode()
    client.post(f"/p/feasts/checks/{stage.pk}/add/", {"subject": [koshari.pk, 10**6]})
    client.post(f"/p/feasts/checks/{stage.pk}/add/", {"subject": [koshari.pk]})
    check = GoldCheck.objects.get()
    start = koshari.text.index("الفراعنة.")
    assert check.gold == {"places": [[start, start + len("الفراعنة.")]]}
    assert (check.item.is_check, check.item.slots) == (True, 32767)


def test_the_lead_sets_rate_window_and_mark(stage, nour):
    client, url = signed_in(nour), f"/p/feasts/checks/{stage.pk}/settings/"
    values = {
        "share": 20,
        "window": 10,
        "least": 5,
        "mark": 60,
        "tolerance": 1,
        "span_f1": 50,
        "verdict_share": 80,
        "retraining": "Read.",
    }
    assert client.post(url, values | {"least": 11}).status_code == 422
    assert client.post(url, values | {"share": 51}).status_code == 422
    assert client.post(url, values).status_code == 302
    assert CheckSettings.objects.get().share == 20


def test_the_list_of_people_costs_no_more_for_more_people(project, stage, nour, django_assert_max_num_queries):
    check = all_checks(stage, 1)[0]
    for number in range(20):
        rater = Rater.objects.create(project=project, kind="human", name=f"R{number}")
        turn = Assignment.objects.create(item=check.item, stage=stage, rater=rater, status="reserved")
        CheckResult.objects.create(
            check_item=check, stage=stage, rater=rater, assignment=turn, is_right=number % 2 == 0, score=number % 2
        )
    client = signed_in(nour)
    with django_assert_max_num_queries(10):
        client.get("/p/feasts/watch/")


def test_the_database_refuses_results_of_other_turns_and_second_marks(project, stage, at_work, karim):
    check = all_checks(stage, 2)[0]
    turn = next_check(at_work, stage)
    other = rater_of(karim, project)
    fields = {"stage": stage, "is_right": True, "score": 1.0, "assignment": turn}
    for wrong in ({"rater": other, "check_item": turn.item.gold_check}, {"rater": at_work, "check_item": check}):
        if wrong["check_item"].item_id == turn.item_id and wrong["rater"] == at_work:
            wrong["check_item"] = GoldCheck.objects.exclude(item=turn.item_id).first()
        with pytest.raises(DatabaseError), transaction.atomic():
            CheckResult.objects.create(**fields, **wrong)
    result = CheckResult.objects.create(**fields, rater=at_work, check_item=turn.item.gold_check)
    with pytest.raises(DatabaseError), transaction.atomic():
        CheckResult.objects.filter(pk=result.pk).update(is_right=False)
    regular = stage.items.filter(is_check=False).first()
    with pytest.raises(DatabaseError), transaction.atomic():
        GoldCheck.objects.create(stage=stage, item=regular, gold={})
    assert share_right(0, 0).undefined == "no items"


def test_who_does_not_want_to_read_some_checks_is_given_the_others(project, stage, mona):
    """However many of them stand in the way, another comes at the first turn that a check is due."""
    rater = mona.raters.get()
    more_items(project, stage, 30)
    checks = all_checks(stage, 40)
    ContentNote.objects.create(project=project, slug="violence", name="Violence")
    ContentNoteSet.objects.create(project=project, number=1, slugs="violence")
    Project.objects.filter(pk=project.pk).update(note_sets=1)
    WorkItem.objects.filter(pk__in=[check.item_id for check in checks[1:]]).update(note_set=1)
    OwnLimits.objects.create(rater=rater, unwanted_notes=["violence"])
    stage = Stage.objects.select_related("project").get(pk=stage.pk)
    turn = 0
    while not is_due(stage.seed, stage.pk, rater.pk, turn, 0.5):
        passed = claim_next(rater, stage)
        assert not passed.item.is_check
        hand_in(passed, uuid.uuid4(), 0, body(no_errors=True))
        turn += 1
    given = claim_next(rater, stage)
    assert given.item_id == checks[0].item_id
    hand_in(given, uuid.uuid4(), 0, body(no_errors=True))
    # The others are never given, and keep no work from her.
    for _turn in range(12):
        next_one = claim_next(rater, stage)
        assert (next_one.item.is_check, next_one.item.note_set) == (False, 0)
        hand_in(next_one, uuid.uuid4(), 0, body(no_errors=True))
