"""Nour looks at flags, notes and probes of her board, and decides; nobody below a lead sees any of it."""

import pytest
from django.utils import timezone

from benchmark.models import Board, Configuration, Flag, Probe, Standing
from benchmark.probing.concluding import conclude
from benchmark.probing.deciding import CLEAR, CONFIRM, RANK, decide
from benchmark.probing.figures import canary_figure, quiz_figure
from jobs.models import Job
from projects.models import AuditEvent, Membership
from projects.problems import Invalid
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.standings import PENDING, standings
from tests.leaderboard.conftest import SECRET
from tests.people import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("standing_board")]

FLAGS, PROBES = "/p/feasts/leaderboard/flags/", "/p/feasts/leaderboard/probes/"


def chosen(hits: int, n: int) -> dict:
    return {
        f"q{at}": {"choice": {"place": at % 4, "chosen": at % 4 if at < hits else (at + 1) % 4, "way": "numbers"}}
        for at in range(n)
    }


def probed(row: Configuration, question_set, kind: str, figure) -> Probe:
    return Probe.objects.create(
        configuration=row, question_set=question_set, kind=kind, figure=figure.as_json(), ended_at=timezone.now()
    )


@pytest.fixture
def nile(board):
    return Configuration.objects.get(slug="nile")


@pytest.fixture
def case(nile, board):
    """A clear case: the model wrote the canary to its end."""
    canary = str(board.canary).replace("-", "")
    probed(nile, board, "canary", canary_figure(board, {"0": {"read": canary[12:]}}))
    assert conclude(nile, board) == "clear"
    return Flag.objects.get(kind="contaminated")


def line(project, slug: str):
    board = standings(project, BoardScope())
    assert board is not None
    return next(one for one in board.lines if one.entry.slug == slug)


def test_a_clear_case_has_no_rank_until_it_is_decided(case, nile, board, feasts, lead):
    assert nile.standing == Standing.PENDING
    assert (line(feasts, "nile").rank, line(feasts, "nile").no_rank) == (None, PENDING)
    assert line(feasts, "nile").entry.flags == ("contaminated",)
    assert line(feasts, "tigris").rank == (1, 1)
    assert AuditEvent.objects.filter(action="configuration.pending", actor=None).count() == 1
    client = signed_in(lead)
    assert "Knows the questions" in client.get("/p/feasts/leaderboard/").content.decode()
    assert FLAGS in client.get("/p/feasts/leaderboard/models/nile/").content.decode()
    page = client.get(FLAGS).content.decode()
    assert "a clear case" in page
    assert "Canary: p &lt; 1e-9, n = 1" in page
    client.post(f"{FLAGS}{case.pk}/decide/", {"decision": CLEAR, "reason": "The canary stood in the system prompt."})
    nile.refresh_from_db()
    assert nile.standing == Standing.RANKED
    assert line(feasts, "nile").rank == (1, 1)
    assert line(feasts, "nile").entry.flags == ()
    event = AuditEvent.objects.get(action="flag.cleared")
    assert (event.actor, event.detail["reason"]) == (lead, "The canary stood in the system prompt.")
    assert AuditEvent.objects.get(action="configuration.ranked").actor == lead
    # The same probes found again change nothing of a decision.
    assert conclude(nile, board) == "clear"
    nile.refresh_from_db()
    case.refresh_from_db()
    assert (nile.standing, case.is_cleared) == (Standing.RANKED, True)


def test_a_confirmed_case_stays_out_and_one_may_be_ranked_with_its_flag(case, nile, feasts, lead):
    decide(case, lead, CONFIRM, "Its makers say so themselves.")
    nile.refresh_from_db()
    assert nile.standing == Standing.PENDING
    decide(case, lead, RANK, "Ranked beside its flag, as the board's rules have it.")
    nile.refresh_from_db()
    assert nile.standing == Standing.RANKED
    assert line(feasts, "nile").entry.flags == ("contaminated",)
    assert line(feasts, "nile").rank == (1, 1)


def test_one_probe_is_a_warning_and_costs_no_rank(nile, board, feasts):
    probed(nile, board, "quiz", quiz_figure(chosen(38, 40)))
    assert conclude(nile, board) == "warning"
    assert line(feasts, "nile").rank == (1, 1)
    assert line(feasts, "nile").entry.flags == ("contaminated",)


def test_probes_that_accuse_no_more_give_the_rank_back(case, nile, board):
    probed(nile, board, "canary", canary_figure(board, {"0": {"read": "nothing of the kind"}}))
    assert conclude(nile, board) == "not found"
    nile.refresh_from_db()
    assert nile.standing == Standing.RANKED
    assert not Flag.objects.filter(kind="contaminated").exists()


def test_somebody_else_s_decision_about_a_model_is_not_touched(nile, board, lead):
    """A submission that waits for moderation is no case of the probes."""
    Configuration.objects.filter(pk=nile.pk).update(standing=Standing.PENDING)
    probed(nile, board, "quiz", quiz_figure(chosen(38, 40)))
    conclude(nile, board)
    decide(Flag.objects.get(kind="contaminated"), lead, CLEAR, "A coincidence.")
    nile.refresh_from_db()
    assert nile.standing == Standing.PENDING
    conclude(nile, board)
    nile.refresh_from_db()
    assert nile.standing == Standing.PENDING


def test_a_decision_needs_a_reason(case, lead):
    for decision, reason in ((CLEAR, " "), ("perhaps", "Because."), (CLEAR, None), (CLEAR, "x" * 100_000)):
        with pytest.raises(Invalid):
            decide(case, lead, decision, reason)
    page = signed_in(lead).post(f"{FLAGS}{case.pk}/decide/", {"decision": CLEAR}, follow=True).content.decode()
    assert "Say why" in page
    case.refresh_from_db()
    assert not case.is_decided


def test_flags_show_what_they_rest_on(board, lead):
    flag = Flag.objects.get(kind="one_text")
    flag.detail = {"count": 12, "n": 40, "questions": ["q0", "q1"], "is_found": True}
    flag.save()
    note = Flag.objects.create(
        configuration=flag.configuration, question_set=board, kind="duplicate", is_note=True,
        detail={"pairs": [{"with": "nile", "count": 30, "n": 40, "questions": ["q2"], "is_same_model": True,
                           "is_later": False}]},
    )  # fmt: skip
    page = signed_in(lead).get(FLAGS).content.decode()
    assert "12 of 40 answers." in page
    assert "Jordan on q0" in page
    assert "30 of 40 long answers are nearly those of nile. It is the same model run in another way" in page
    assert page.index("12 of 40") < page.index("30 of 40"), "flags before notes"
    assert f"flag-{note.pk}" in page


def test_flags_are_looked_for_by_a_button(board, lead):
    page = signed_in(lead).post(f"{FLAGS}find/", follow=True).content.decode()
    assert "The answers were looked through." in page
    assert not Flag.objects.filter(kind="one_text").exists(), "what was made up by hand is not found"


def test_figures_of_probes_and_their_replies(board, nile, lead):
    probe = probed(nile, board, "quiz", quiz_figure(chosen(38, 40)))
    probe.results.create(
        question_key="q0", result={"choice": {"place": 1, "chosen": 1, "way": "numbers", "reply": "B"}}
    )
    client = signed_in(lead)
    page = client.get(PROBES).content.decode()
    assert "accuses" in page
    # 40 questions: power by the binomial distribution.
    assert f"power {round(100 * probe.figure['detail']['power'])}" in page
    assert "Quiz with 100 questions: 95" in page
    assert "clears nobody" in page
    page = client.get(f"{PROBES}{probe.pk}/").content.decode()
    assert "original" in page
    assert client.get(f"{PROBES}{probe.pk + 99}/").status_code == 404
    assert client.get(f"{PROBES}?set=99999999").status_code == 404
    assert client.get(f"{PROBES}?set=x").status_code == 200


def test_models_without_an_endpoint_are_read_by_their_twins_alone(board, nile, lead):
    client = signed_in(lead)
    asked = {"configurations": [nile.pk], "questions": 20, "seed": 0}
    page = client.post(PROBES, {**asked, "kinds": ["quiz"]})
    assert page.status_code == 422
    assert "nothing can be put to them" in page.content.decode()
    answer = client.post(PROBES, {**asked, "kinds": ["twins"]})
    job = Job.objects.get(kind="benchmark_probing")
    assert answer["Location"] == f"/p/feasts/jobs/{job.uuid}/"
    assert "Under way" in client.get(PROBES).content.decode()
    assert client.post(PROBES, {"questions": "many"}).status_code == 422


def test_nobody_below_a_lead_sees_them(board, nile, mona, feasts):
    Membership.objects.get_or_create(user=mona, project=feasts, role="annotator")
    probe = probed(nile, board, "completion", quiz_figure({}))
    probe.results.create(question_key="q3", result={"exact": {"overlap": 1, "reply": SECRET}})
    client = signed_in(mona)
    for address in (FLAGS, PROBES, f"{PROBES}{probe.pk}/", "/api/v1/projects/feasts/flags/"):
        answer = client.get(address)
        assert answer.status_code == 404
        assert SECRET not in answer.content.decode()


def test_what_the_open_board_says_of_a_case(case, board, feasts, lead, client):
    Board.objects.create(project=feasts, slug="open", title="Open", question_set=board, is_open=True)
    page = client.get("/boards/open/").content.decode()
    assert "Knows the questions" in page
    assert SECRET not in page
    said = client.get("/boards/open/board.json").json()
    assert next(row for row in said["configurations"] if row["id"] == "nile")["flags"] == ["contaminated"]


def test_for_programs(case, board, lead):
    client = signed_in(lead)
    rows = client.get("/api/v1/projects/feasts/flags/").json()["results"]
    found = next(row for row in rows if row["kind"] == "contaminated")
    assert (found["configuration"], found["standing"], found["detail"]["verdict"]) == ("nile", "pending", "clear")
    rows = client.get("/api/v1/projects/feasts/probes/").json()["results"]
    assert [(row["kind"], row["configuration"]) for row in rows] == [("canary", "nile")]
    asked = {"question_set": "own", "version": 1, "kinds": ["twins"], "configurations": ["nile"]}
    answer = client.post("/api/v1/projects/feasts/probes/", asked, content_type="application/json")
    assert (answer.status_code, answer.json()["kind"]) == (202, "benchmark_probing")
    too_many = {**asked, "kinds": ["quiz"], "questions": 9999}
    answer = client.post("/api/v1/projects/feasts/probes/", too_many, content_type="application/json")
    assert answer.status_code == 422


def test_pages_do_not_slow_down_with_models(board, lead, django_assert_max_num_queries):
    client = signed_in(lead)
    client.get(PROBES)
    with django_assert_max_num_queries(30):
        client.get(PROBES)
    with django_assert_max_num_queries(30):
        client.get(FLAGS)


def test_a_program_decides_and_only_a_lead_s(case, nile, board, feasts, lead, mona):
    flags = "/api/v1/projects/feasts/flags/"

    def sent(user, **said):
        return signed_in(user).post(f"{flags}{case.pk}/decide/", said, content_type="application/json")

    [listed] = [row for row in signed_in(lead).get(flags).json()["results"] if row["kind"] == "contaminated"]
    assert (listed["id"], listed["standing"]) == (case.pk, Standing.PENDING)
    assert sent(mona, decision=CLEAR, reason="x").status_code == 404
    assert sent(lead, decision="perhaps", reason="x").status_code == 400
    assert sent(lead, decision=CLEAR, reason=" ").status_code == 400, "the reason stands beside the model"
    cleared = sent(lead, decision=CLEAR, reason="The canary stood in the system prompt.").json()
    assert (cleared["is_cleared"], cleared["standing"]) == (True, Standing.RANKED)
    assert line(feasts, "nile").rank == (1, 1)
    assert sent(lead, decision=CONFIRM, reason="It knows them.").json()["standing"] == Standing.PENDING
    elsewhere = f"/api/v1/projects/other/flags/{case.pk}/decide/"
    assert signed_in(lead).post(elsewhere, {}, content_type="application/json").status_code == 404
