"""Sixty proposals wait; Hana decides on a sample drawn by lot, Nour accepts the rest unseen, and takes it back."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from agreement.acceptance import wrong_unseen
from annotation import classification, groups
from annotation.acceptance.jobs import carry_out
from annotation.acceptance.kinds import KINDS
from annotation.acceptance.settling import draw
from annotation.acceptance.worth import worth
from annotation.gold import derive
from annotation.models import (
    Acceptance,
    AcceptanceMember,
    Classification,
    ErrorCategory,
    ErrorGroup,
    GoldError,
    GroupProposal,
    Span,
)
from jobs.models import Job
from jobs.working import work_on
from projects.models import AuditEvent
from projects.problems import Invalid
from reports.dashboard.tables import by_id
from reports.frames.coding import codings
from reports.spans.card import SPAN_GOLD, summarise
from reports.spans.dashboard import SPANS
from tests.annotation.marked import many_marked, rater_of
from tests.people import add_response, signed_in

pytestmark = pytest.mark.django_db
PAGE, API = "/p/feasts/acceptances/", "/api/v1/projects/feasts/acceptances/"
PROPOSALS = "/p/feasts/classification/proposals/"


@pytest.fixture
def categories(project) -> dict[str, ErrorCategory]:
    return {
        slug: ErrorCategory.objects.create(project=project, slug=slug, name=slug.title(), position=at)
        for at, slug in enumerate(("fact", "tone"))
    }


@pytest.fixture
def kept(project) -> list[Span]:
    """Sixty kept errors, in three responses of twenty words."""
    words = " ".join(f"رز{number:02d}🍚" for number in range(20))
    responses = [add_response(project, f"long-{n}", words, "ar-EG", f"Nile-{n}") for n in range(3)]
    many_marked(project, responses, [20, 20, 20])
    derive([response.pk for response in responses])
    return list(Span.objects.filter(response__in=responses).order_by("response_id", "start"))


@pytest.fixture
def proposed(kept, categories, simba):
    """Simba's category for each: a fact."""
    classification.propose(simba, {span.pk: (categories["fact"], "It can be looked up") for span in kept})
    return kept


def sampled(acceptance: Acceptance) -> list[Classification]:
    rows = Classification.objects.filter(acceptance_members__acceptance=acceptance, acceptance_members__is_drawn=True)
    return list(rows.order_by("pk"))


def decide(acceptance: Acceptance, hana, wrong: int) -> None:
    """Hana refuses so many of the sample and confirms the others, on the ordinary screen."""
    client = signed_in(hana)
    for number, proposal in enumerate(sampled(acceptance)):
        act = "refuse" if number < wrong else "confirm"
        assert client.post(f"/p/feasts/classification/{proposal.pk}/{act}/").status_code == 302


def do(job: Job | None) -> None:
    assert job is not None
    work_on(job.pk)
    job.refresh_from_db()
    assert job.state == "done", job.problem


def in_categories() -> dict[str | None, int]:
    named = list(GoldError.objects.values_list("category__slug", flat=True))
    return {name: named.count(name) for name in set(named)}


# --- The whole story ----------------------------------------------------------------------------------


def test_a_sample_is_drawn_decided_and_the_rest_accepted_and_taken_back(nour, hana, project, proposed, simba):
    page = signed_in(nour)
    assert "60 proposals wait" in page.get(PAGE).content.decode()
    sent = {"kind": "categories", "proposer": simba.pseudonym, "percent": "2", "size": "20", "seed": "7"}
    assert page.post(PAGE, sent).status_code == 302
    acceptance = Acceptance.objects.get()
    assert (acceptance.drawn, acceptance.rest, acceptance.state) == (20, 40, "drawn")

    shown = signed_in(hana).get(PROPOSALS).content.decode()
    assert "20 proposals wait" in shown
    assert "drawn by lot" in shown
    decide(acceptance, hana, wrong=1)

    shown = page.get(PAGE).content.decode()
    low, high = wrong_unseen(1, 20, 40).bounds
    assert "5.0 % [0.1, 24.9]" in shown, "1 of 20, after Clopper and Pearson"
    assert f"2 [{low:.0f}, {high:.0f}]" in shown, "1 / 20 * 40 = 2 wrong ones among those that nobody sees"
    assert in_categories() == {None: 41, "fact": 19}

    answer = page.post(f"{PAGE}{acceptance.number}/", {"act": "accept", "reason": "One in twenty is good enough."})
    job = Job.objects.get(kind="acceptance")
    assert str(job.uuid) in answer["Location"]
    do(job)
    acceptance.refresh_from_db()
    assert (acceptance.state, acceptance.decided, acceptance.wrong, acceptance.accepted) == ("accepted", 20, 1, 40)
    assert in_categories() == {None: 1, "fact": 59}
    assert set(
        Classification.objects.filter(acceptance_members__is_accepted=True).values_list("confirmed_by", flat=True)
    ) == {rater_of(nour, project).pk}

    page.post(f"{PAGE}{acceptance.number}/", {"act": "take_back", "reason": "The sample was too easy."})
    do(Job.objects.exclude(pk=job.pk).get(kind="acceptance"))
    acceptance.refresh_from_db()
    assert (acceptance.state, acceptance.accepted) == ("taken_back", 0)
    assert in_categories() == {None: 41, "fact": 19}, "what Hana decided on stands"
    assert "40 proposals wait" in signed_in(hana).get(PROPOSALS).content.decode()
    told = AuditEvent.objects.filter(action__startswith="acceptance.").order_by("pk")
    assert [event.action for event in told] == ["acceptance.drawn", "acceptance.accepted", "acceptance.taken_back"]
    assert told[1].detail == {"decided": 20, "wrong": 1, "unseen": 40}


def test_too_many_errors_and_the_rest_stays_to_be_decided_one_by_one(nour, hana, project, proposed, simba):
    acceptance = draw(project, "categories", simba, nour, size=20)
    decide(acceptance, hana, wrong=6)
    settled, job = carry_out(acceptance, "refuse", "Three in ten are wrong.", nour)
    assert job is None
    assert (settled.state, settled.decided, settled.wrong) == ("refused", 20, 6)
    assert in_categories() == {None: 46, "fact": 14}
    assert "40 proposals wait" in signed_in(hana).get(PROPOSALS).content.decode()
    assert "40 proposals wait" in signed_in(nour).get(PAGE).content.decode(), "a new sample may be drawn"


# --- Where it shows -----------------------------------------------------------------------------------


def accepted(nour, hana, project, simba) -> Acceptance:
    acceptance = draw(project, "categories", simba, nour, size=20)
    decide(acceptance, hana, wrong=0)
    settled, job = carry_out(acceptance, "accept", "None was wrong.", nour)
    do(job)
    return settled


def test_what_nobody_saw_is_marked_in_the_gold_in_frames_and_in_recipes(nour, hana, project, proposed, simba):
    acceptance = accepted(nour, hana, project, simba)
    unseen = [error.provenance.get("accepted_unseen") for error in GoldError.objects.all()]
    assert unseen.count({"category": acceptance.number}) == 40
    assert unseen.count(None) == 20
    flags = list(codings(project)["is_accepted_unseen"])
    assert (flags.count(True), flags.count(False)) == (40, 20)
    table = by_id(SPANS.tables(project), "error-categories")
    assert table.recipe.extras["accepted_unseen"] == {"categories": 40}
    assert "categories: 40 of those that judges proposed were accepted unseen" in SPAN_GOLD.whole_card(
        project, summarise(project), 0
    )


def test_who_accepted_unseen_may_still_code_by_their_own_lights(nour, hana, project, proposed, simba):
    accepted(nour, hana, project, simba)
    assert not classification.decided_by(rater_of(nour, project)).exists(), "Nour has seen none of the forty"
    assert classification.decided_by(rater_of(hana, project)).count() == 20


def test_what_a_person_confirms_afterwards_was_seen(nour, hana, project, proposed, simba):
    acceptance = accepted(nour, hana, project, simba)
    one = AcceptanceMember.objects.filter(is_accepted=True).select_related("classification").first()
    assert one is not None
    assert one.classification is not None
    classification.confirm(one.classification, rater_of(hana, project))
    assert "accepted_unseen" not in GoldError.objects.get(spans=one.classification.span_id).provenance
    _settled, job = carry_out(acceptance, "take_back", "Once more.", nour)
    do(job)
    one.classification.refresh_from_db()
    assert one.classification.confirmed_by == rater_of(hana, project), "hers is not taken back"
    assert in_categories() == {None: 39, "fact": 21}


# --- What is refused ----------------------------------------------------------------------------------


def test_nothing_is_accepted_while_part_of_the_sample_waits(nour, hana, project, proposed, simba):
    acceptance = draw(project, "categories", simba, nour, size=20)
    signed_in(hana).post(f"/p/feasts/classification/{sampled(acceptance)[0].pk}/confirm/")
    answer = signed_in(nour).post(
        f"{PAGE}{acceptance.number}/", {"act": "accept", "reason": "Soon enough"}, follow=True
    )
    assert "19 proposals of the sample wait" in answer.content.decode()
    acceptance.refresh_from_db()
    assert acceptance.state == "drawn"
    assert not Job.objects.filter(kind="acceptance").exists()


def test_each_decision_needs_a_reason_and_is_made_once(nour, hana, project, proposed, simba):
    acceptance = draw(project, "categories", simba, nour, size=20)
    decide(acceptance, hana, wrong=0)
    with pytest.raises(Invalid, match="Say why"):
        carry_out(acceptance, "accept", "  ", nour)
    with pytest.raises(Invalid, match="settled meanwhile"):
        carry_out(acceptance, "take_back", "Too early", nour)
    with pytest.raises(Invalid, match="settled meanwhile"):
        carry_out(acceptance, "drop", "No such act", nour)
    carry_out(acceptance, "accept", "Fine", nour)
    with pytest.raises(Invalid, match="settled meanwhile"):
        carry_out(acceptance, "accept", "A second tab", nour)
    assert Job.objects.filter(kind="acceptance").count() == 1


@pytest.mark.parametrize("size", [60, 61, 1000])
def test_a_sample_of_everything_leaves_nothing_to_accept(nour, project, proposed, simba, size):
    sent = {"kind": "categories", "proposer": simba.pseudonym, "percent": "2", "size": str(size), "seed": "1"}
    answer = signed_in(nour).post(PAGE, sent)
    assert answer.status_code == 422
    assert f"A sample of {size} leaves nothing to accept: 60 proposals wait." in answer.content.decode()
    assert not Acceptance.objects.exists()


@pytest.mark.parametrize("reason", ["a\x00b", "x" * 10_001, " "])
def test_a_reason_that_cannot_be_kept_is_refused(nour, hana, project, proposed, simba, reason):
    acceptance = draw(project, "categories", simba, nour, size=2)
    decide(acceptance, hana, wrong=0)
    answer = signed_in(nour).post(f"{PAGE}{acceptance.number}/", {"act": "accept", "reason": reason}, follow=True)
    assert answer.status_code == 200
    acceptance.refresh_from_db()
    assert acceptance.state == "drawn"


def test_what_somebody_decides_on_at_this_moment_is_theirs(nour, hana, project, proposed, simba):
    """The job has read what waits; before it writes, Hana refuses one."""
    acceptance = draw(project, "categories", simba, nour, size=20)
    decide(acceptance, hana, wrong=0)
    members = list(acceptance.members.filter(is_drawn=False))
    one = members[0].classification
    assert one is not None
    classification.refuse(one, rater_of(hana, project))
    accepted = KINDS["categories"].accept(members, rater_of(hana, project))
    assert len(accepted) == 39
    one.refresh_from_db()
    assert (one.refused_by, one.confirmed_by) == (rater_of(hana, project), None)


def test_a_second_sample_of_the_same_waits_for_the_first(nour, project, proposed, simba):
    draw(project, "categories", simba, nour, size=5)
    with pytest.raises(Invalid, match="under way"):
        draw(project, "categories", simba, nour, size=5)


def test_without_a_size_it_is_as_large_as_the_bound_takes(nour, project, proposed, simba):
    acceptance = draw(project, "categories", simba, nour, bound=0.1)
    assert acceptance.drawn == 36, "ln 0.025 / ln 0.9 = 35.01"


def test_the_same_seed_draws_the_same(nour, project, proposed, simba):
    first = draw(project, "categories", simba, nour, size=10, seed=5)
    drawn = sampled(first)
    carry_out(first, "refuse", "Only to try", nour)
    again = draw(project, "categories", simba, nour, size=10, seed=5)
    assert sampled(again) == drawn
    carry_out(again, "refuse", "Only to try", nour)
    assert sampled(draw(project, "categories", simba, nour, size=10, seed=6)) != drawn


# --- What changes meanwhile ---------------------------------------------------------------------------


def test_what_is_proposed_after_the_draw_is_not_of_the_rest(nour, hana, project, kept, categories, simba):
    classification.propose(simba, {span.pk: (categories["fact"], "So it is") for span in kept[:30]})
    acceptance = draw(project, "categories", simba, nour, size=10)
    classification.propose(simba, {span.pk: (categories["tone"], "Later") for span in kept[30:]})
    decide(acceptance, hana, wrong=0)
    _settled, job = carry_out(acceptance, "accept", "None was wrong", nour)
    do(job)
    assert in_categories() == {None: 30, "fact": 30}


def test_what_was_coded_by_hand_meanwhile_stays_and_the_bounds_say_so(nour, hana, project, proposed, categories, simba):
    acceptance = draw(project, "categories", simba, nour, size=20)
    rest = Classification.objects.filter(acceptance_members__is_drawn=False).order_by("pk")
    for one in rest[:5]:
        classification.classify(one.span, rater_of(hana, project), categories["tone"])
    decide(acceptance, hana, wrong=1)
    found = worth(acceptance)
    whole = wrong_unseen(1, 20, 40)
    assert (found.unseen, found.implied.bounds) == (35, (max(0, whole.low - 5), min(whole.high, 35)))
    _settled, job = carry_out(acceptance, "accept", "One of twenty", nour)
    do(job)
    assert in_categories() == {None: 1, "fact": 54, "tone": 5}


def test_an_error_of_the_sample_that_got_a_category_otherwise_counts_for_nothing(
    nour, hana, project, proposed, categories, simba
):
    acceptance = draw(project, "categories", simba, nour, size=20)
    first = sampled(acceptance)[0]
    classification.classify(first.span, rater_of(hana, project), categories["tone"])
    found = worth(acceptance)
    assert (found.decided, found.waiting, found.gone) == (0, 19, 1)


def test_a_category_that_was_split_meanwhile_is_not_accepted(nour, hana, project, proposed, categories, simba):
    from annotation.category_changes import Part, split

    acceptance = draw(project, "categories", simba, nour, size=20)
    decide(acceptance, hana, wrong=0)
    split(categories["fact"], [Part("Year"), Part("Place")], nour)
    with pytest.raises(Invalid, match="nothing to accept"):
        carry_out(acceptance, "accept", "None was wrong", nour)


def test_a_judge_that_proposes_anew_is_not_of_the_old_sample(nour, project, proposed, categories, simba):
    from annotation.category_changes import Part, split

    acceptance = draw(project, "categories", simba, nour, size=20)
    split(categories["fact"], [Part("Year"), Part("Place")], nour)
    year = ErrorCategory.objects.get(slug="year")
    classification.propose(simba, {span.pk: (year, "Now it is a year") for span in proposed})
    assert not acceptance.members.exists()
    assert classification.proposed(project).count() == 60


def test_accepting_that_was_broken_off_goes_on_and_does_nothing_twice(nour, hana, project, proposed, simba):
    from annotation.acceptance.jobs import some_responses

    acceptance = draw(project, "categories", simba, nour, size=20)
    decide(acceptance, hana, wrong=0)
    settled, job = carry_out(acceptance, "accept", "None was wrong", nour)
    first = proposed[0].response_id
    assert some_responses(settled, [first], rater_of(nour, project))
    do(job)
    settled.refresh_from_db()
    assert settled.accepted == 40
    assert in_categories() == {"fact": 60}


def test_who_takes_back_in_the_middle_stops_what_is_under_way(nour, hana, project, proposed, simba):
    from annotation.acceptance.jobs import some_responses

    acceptance = draw(project, "categories", simba, nour, size=20)
    decide(acceptance, hana, wrong=0)
    settled, accepting = carry_out(acceptance, "accept", "None was wrong", nour)
    some_responses(settled, [proposed[0].response_id], rater_of(nour, project))
    _taken, job = carry_out(settled, "take_back", "Not yet", nour)
    assert not some_responses(settled, [proposed[20].response_id], rater_of(nour, project))
    do(job)
    do(accepting)
    assert in_categories() == {None: 40, "fact": 20}


# --- Groups -------------------------------------------------------------------------------------------


@pytest.fixture
def pairs(kept, simba) -> list[GroupProposal]:
    """Thirty groups of two neighbours that a judge proposes."""
    made = [
        groups.propose(one.response, [one, other], simba, "One and the same")
        for one, other in zip(kept[::2], kept[1::2], strict=True)
    ]
    return [proposal for proposal in made if proposal is not None]


def test_groups_are_accepted_unseen_and_taken_back(nour, hana, project, pairs, simba):
    acceptance = draw(project, "groups", simba, nour, size=10)
    client = signed_in(hana)
    shown = client.get("/p/feasts/groups/").content.decode()
    assert "10 proposals wait" in shown
    drawn = GroupProposal.objects.filter(acceptance_members__is_drawn=True).order_by("pk")
    for number, proposal in enumerate(drawn):
        client.post(f"/p/feasts/groups/{proposal.pk}/", {"act": "dismiss" if number < 2 else "confirm"})
    assert (worth(acceptance).decided, worth(acceptance).wrong) == (10, 2)
    settled, job = carry_out(acceptance, "accept", "Two in ten will do", nour)
    do(job)
    assert ErrorGroup.objects.count() == 28, "eight confirmed, twenty unseen"
    assert GoldError.objects.count() == 60 - 28
    unseen = [error.provenance.get("accepted_unseen") for error in GoldError.objects.all()]
    assert unseen.count({"group": settled.number}) == 20
    touched = AcceptanceMember.objects.filter(is_accepted=True).first()
    assert touched is not None
    assert touched.made_group is not None
    groups.group([*touched.made_group.spans.all()], rater_of(hana, project))
    _settled, job = carry_out(settled, "take_back", "Looked again", nour)
    do(job)
    assert ErrorGroup.objects.count() == 9, "what Hana made anew is hers"
    assert GroupProposal.objects.filter(state="open").count() == 19


def test_a_proposal_that_would_tear_a_group_apart_waits_for_a_person(nour, hana, project, kept, simba):
    """Of two proposals that share an error the first is accepted, and none with an error that is in a group."""
    spans = kept[:6]
    for members in ((0, 1), (1, 2), (3, 4), (4, 5)):
        groups.propose(spans[0].response, [spans[at] for at in members], simba, "One issue")
    groups.group([spans[5], kept[6]], rater_of(hana, project))
    acceptance = draw(project, "groups", simba, nour, size=1, seed=1)
    [drawn] = GroupProposal.objects.filter(acceptance_members__is_drawn=True)
    groups.dismiss(drawn, rater_of(hana, project))
    _settled, job = carry_out(acceptance, "accept", "To see", nour)
    do(job)
    for group in ErrorGroup.objects.all():
        assert group.spans.count() == 2
    assert list(kept[6].group_proposals.all()) == []
    assert Span.objects.get(pk=spans[5].pk).group == Span.objects.get(pk=kept[6].pk).group
    assert GroupProposal.objects.filter(state="open", spans=spans[5]).count() in (0, 1)


def test_groups_that_nobody_saw_have_the_same_keys_wherever_the_same_is_accepted(nour, hana, project, pairs, simba):
    """As gold errors are told by their group's key, the same study loaded twice has the same final set. A key that
    another group of the response has already is none of theirs."""
    expert = rater_of(hana, project)
    made = []
    for _time in range(2):
        acceptance = draw(project, "groups", simba, nour, size=1, seed=1)
        members = list(acceptance.members.filter(is_drawn=False))
        KINDS["groups"].accept(members, expert)
        made.append(dict(Span.objects.exclude(group=None).values_list("pk", "group__key")))
        KINDS["groups"].take_back(members)
        acceptance.delete()
    assert made[0] == made[1]
    places = Span.objects.in_bulk(made[0])
    assert len({(places[pk].response_id, key) for pk, key in made[0].items()}) == 29

    taken, *_others = sorted(made[0])
    response = Span.objects.get(pk=taken).response_id
    ErrorGroup.objects.create(response_id=response, key=made[0][taken])
    members = list(draw(project, "groups", simba, nour, size=1, seed=1).members.filter(is_drawn=False))
    KINDS["groups"].accept(members, expert)
    again = dict(Span.objects.exclude(group=None).values_list("pk", "group__key"))
    different = {span for span in again if again[span] != made[0][span]}
    assert taken in different
    assert len(different) == 2, "the two spans of that group"


def test_hundreds_of_groups_take_as_many_statements_as_a_few(
    nour, hana, project, pairs, simba, django_assert_max_num_queries
):
    members = list(draw(project, "groups", simba, nour, size=1, seed=1).members.filter(is_drawn=False))
    with django_assert_max_num_queries(12):
        assert len(KINDS["groups"].accept(members, rater_of(hana, project))) == 29


def test_the_overlap_rule_proposes_as_nobody(nour, project, kept):
    for one, other in zip(kept[::2], kept[1::2], strict=True):
        groups.propose(one.response, [one, other])
    acceptance = draw(project, "groups", None, nour, size=10)
    assert acceptance.proposer is None
    with pytest.raises(Invalid, match="under way"):
        draw(project, "groups", None, nour, size=10)
    assert "Proposed by the overlap rule" in signed_in(nour).get(PAGE).content.decode()


# --- By program and by command ------------------------------------------------------------------------


def test_a_script_draws_looks_and_accepts(nour, hana, project, proposed, simba):
    client = signed_in(nour)
    told = client.get(API).json()
    assert told["waiting"] == [{"kind": "categories", "proposer": simba.pseudonym, "waiting": 60}]
    sent = {"kind": "categories", "proposer": simba.pseudonym, "size": 20, "seed": 3}
    made = client.post(API, sent, content_type="application/json")
    assert made.status_code == 201
    assert made.json()["error_rate"]["undefined"] == "no items"
    acceptance = Acceptance.objects.get()
    decide(acceptance, hana, wrong=0)
    [shown] = client.get(API).json()["samples"]
    assert (shown["decided"], shown["unseen"]) == (20, 40)
    assert shown["error_rate"]["high"] == pytest.approx(1 - 0.025 ** (1 / 20))
    answer = client.post(f"{API}1/", {"act": "accept", "reason": "None"}, content_type="application/json")
    assert answer.status_code == 200
    do(Job.objects.get(uuid=answer.json()["job"]))
    assert in_categories() == {"fact": 60}


@pytest.mark.parametrize(
    "sent",
    [
        {"kind": "categories", "proposer": "nobody-1"},
        {"kind": "moods", "proposer": ""},
        {"kind": "categories", "size": 0},
        {"kind": "categories", "bound": 1.5},
        {"kind": "categories", "bound": "nan"},
        {"kind": "categories", "seed": -1},
        {"kind": "groups"},
    ],
)
def test_a_script_is_told_what_is_wrong(nour, proposed, sent):
    answer = signed_in(nour).post(API, sent, content_type="application/json")
    assert answer.status_code in (400, 422)
    assert not Acceptance.objects.exists()


def test_a_sample_that_is_not_there_is_told(nour, project):
    sent = {"act": "accept", "reason": "None"}
    answer = signed_in(nour).post(f"{API}9/", sent, content_type="application/json")
    assert answer.status_code in (400, 422)
    assert signed_in(nour).post(f"{PAGE}9/", sent).status_code == 404


def command(*words: str) -> list[dict]:
    out = io.StringIO()
    call_command("accept_proposals", "feasts", *words, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_the_command_does_the_same(nour, hana, project, proposed, simba):
    by = ("--by", nour.email)
    assert command("list") == [{"kind": "categories", "proposer": simba.pseudonym, "waiting": 60}]
    [drawn] = command("draw", "categories", "--proposer", simba.pseudonym, "--size", "20", *by)
    assert drawn["rest"] == 40
    decide(Acceptance.objects.get(), hana, wrong=0)
    [told] = command("accept", "1", "--reason", "None was wrong", *by)
    do(Job.objects.get(uuid=told["job"]))
    assert in_categories() == {"fact": 60}
    with pytest.raises(CommandError, match="settled meanwhile"):
        command("accept", "1", "--reason", "Again", *by)
    with pytest.raises(CommandError, match="may do this"):
        command("take_back", "1", "--reason", "Not mine", "--by", hana.email)


def test_an_empty_project_says_what_to_do(nour, project):
    assert "No proposal waits" in signed_in(nour).get(PAGE).content.decode()


def test_an_expert_decides_on_the_sample_and_does_not_accept(hana, nour, project, proposed, simba):
    acceptance = draw(project, "categories", simba, nour, size=20)
    assert signed_in(hana).get(PAGE).status_code == 404
    decide(acceptance, hana, wrong=0)
    sent = {"act": "accept", "reason": "Mine"}
    assert signed_in(hana).post(f"{PAGE}{acceptance.number}/", sent).status_code == 404


def test_many_settled_samples_cost_no_further_statement(nour, project, proposed, simba, django_assert_max_num_queries):
    for seed in range(12):
        carry_out(draw(project, "categories", simba, nour, size=5, seed=seed), "refuse", "Only to try", nour)
    client = signed_in(nour)
    client.get(PAGE)
    with django_assert_max_num_queries(30):
        client.get(PAGE)
