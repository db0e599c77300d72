"""Nour has models probed: one that knows the set is found, one that does not is left alone; nothing is asked twice."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from benchmark.models import Exposure, ExposureKind, Flag, Paraphrase, Probe, ProbeResult, Standing
from benchmark.probing.asking import asks
from jobs.models import Job, JobState
from jobs.verbs import cancel, retry
from jobs.working import work_on
from judging.probing import asking
from judging.probing.beginning import Wanted, begin_probing
from projects.models import AuditEvent
from projects.problems import Invalid
from providers.models import ServedModel
from tests.benchmark.boards import answers, frozen_set, judge, judged
from tests.benchmark.sets import open_line, set_of
from tests.judging.probed import asked_model, bodies, figure, probed, public_lines, published, replies, texts

pytestmark = pytest.mark.django_db


@pytest.fixture
def towns(project):
    return published(project, 100)


@pytest.fixture
def nile(project, provider):
    return asked_model(project, provider, "simulated-1", name="Nile")


def remembers(fake_provider, question_set, **shares):
    known = texts(question_set)
    fake_provider.tell(memory={name: {"texts": known, "share": share} for name, share in shares.items()})


def test_what_a_model_knows_shows_and_more_shows_more(towns, project, provider, fake_provider):
    shares = {"simulated-0": 0.0, "simulated-10": 0.1, "simulated-30": 0.3, "simulated-100": 1.0}
    remembers(fake_provider, towns, **shares)
    rows = [asked_model(project, provider, name) for name in shares]
    job = probed(towns, rows, kinds=("completion", "quiz"))
    assert (job.state, job.result["failed"]) == (JobState.DONE, 0)
    for kind in ("completion", "quiz"):
        figures = [figure(row, kind) for row in rows]
        values = [one["value"] for one in figures]
        assert values == sorted(values), kind
        assert len(set(values)) == 4, kind
        assert figures[3]["value"] > 0.4
        assert figures[2]["detail"]["p"] < 0.01
        assert figures[2]["detail"]["found"]
        assert not figures[0]["detail"]["found"]
    for row in rows:
        row.refresh_from_db()
    assert [row.standing for row in rows] == ["ranked", "ranked", "pending", "pending"]
    assert {flag.configuration.slug: flag.detail["verdict"] for flag in Flag.objects.all()} == {
        **({"simulated-10": "warning"} if figure(rows[1], "completion")["detail"]["found"] else {}),
        "simulated-30": "clear",
        "simulated-100": "clear",
    }
    events = AuditEvent.objects.filter(action="configuration.pending").values_list("subject", flat=True)
    assert set(events) == {"own v1: simulated-30", "own v1: simulated-100"}
    # 100 questions of the quiz: by the binomial distribution 95 % of such models are found.
    assert figure(rows[2], "quiz")["detail"]["power"] == pytest.approx(0.946, abs=0.001)


def test_who_knows_the_canary_is_a_clear_case_at_once(towns, nile, fake_provider):
    fake_provider.tell(memory={"simulated-1": {"texts": [str(towns.canary)]}})
    probed(towns, [nile], kinds=("canary",))
    found = figure(nile, "canary")
    assert (found["value"], found["n"], found["detail"]["found"]) == (20.0, 3, True)
    nile.refresh_from_db()
    assert nile.standing == Standing.PENDING
    shown = [one.text for one in asks(towns, "canary", 0, 100)]
    assert all(str(towns.canary)[:13] in text and str(towns.canary)[:16] not in text for text in shown)


def test_a_declared_overlap_costs_no_more_than_silence(towns, project, provider, fake_provider):
    silent = asked_model(project, provider, "simulated-30", name="Silent")
    honest = asked_model(project, provider, "simulated-31", name="Honest")
    type(honest.card).objects.filter(pk=honest.card_id).update(declared_overlap="We trained on the public questions.")
    remembers(fake_provider, towns, **{"simulated-30": 0.3, "simulated-31": 0.3})
    probed(towns, [silent, honest], kinds=("completion", "quiz"))
    given = {}
    for row in (silent, honest):
        row.refresh_from_db()
        flag = Flag.objects.get(configuration=row)
        given[row.slug] = (row.standing, flag.kind, flag.is_note, flag.detail["verdict"])
    assert given["honest"] == given["silent"] == ("pending", "contaminated", False, "clear")
    # And where nothing is found, declaring alone has no consequence.
    Probe.objects.all().delete()
    Flag.objects.all().delete()
    type(silent).objects.update(standing="ranked")
    remembers(fake_provider, towns, **{"simulated-30": 0, "simulated-31": 0})
    probed(towns, [silent, honest], kinds=("completion", "quiz"))
    assert not Flag.objects.exists()
    assert set(type(silent).objects.values_list("standing", flat=True)) == {"ranked"}


def test_whoever_is_probed_has_seen_the_questions(towns, nile, fake_provider):
    probed(towns, [nile], kinds=("quiz",))
    seen = Exposure.objects.filter(kind=ExposureKind.PROBING)
    asked = ProbeResult.objects.filter(probe__configuration=nile).count()
    assert asked > 0
    assert seen.count() == asked
    assert {row.laboratory for row in seen.select_related("laboratory")} == {nile.target_model.laboratory}


def test_a_second_start_asks_nothing_again(towns, nile, fake_provider):
    remembers(fake_provider, towns, **{"simulated-1": 0.3})
    fake_provider.tell(record=True)
    probed(towns, [nile], questions=20)
    first = len(fake_provider.asked())
    assert first == 20 + 2 * 20 + 3
    before = figure(nile, "quiz")
    probed(towns, [nile], questions=20)
    assert len(fake_provider.asked()) == first
    assert figure(nile, "quiz") == before
    assert Probe.objects.count() == 4
    probed(towns, [nile], questions=20, seed=1)
    assert len(fake_provider.asked()) == 2 * first


def test_stopped_in_the_middle_it_goes_on_where_it_was(towns, nile, fake_provider, monkeypatch):
    remembers(fake_provider, towns, **{"simulated-1": 0.3})
    fake_provider.tell(record=True)
    monkeypatch.setattr(asking, "AT_ONCE", 10)
    job = begin_probing(towns, [nile], Wanted(kinds=("quiz",), questions=40), wake=False)
    write, stored = asking.write_result, []

    def stop_after_fifteen(probe, one, text):
        write(probe, one, text)
        stored.append(one.key)
        if len(stored) == 15:
            cancel(Job.objects.get(pk=job.pk))

    monkeypatch.setattr("judging.probing.job.write_result", stop_after_fifteen)
    work_on(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    kept = ProbeResult.objects.count()
    assert 15 <= kept <= 20
    assert Probe.objects.get().ended_at is None
    assert not Flag.objects.exists()
    monkeypatch.setattr("judging.probing.job.write_result", write)
    assert retry(job)
    work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, ProbeResult.objects.count()) == (JobState.DONE, 40)
    assert len(fake_provider.asked()) <= 40 + 20 - 15
    assert figure(nile, "quiz")["n"] == 40


def test_calls_that_bring_nothing_are_asked_again_the_next_time(towns, nile, fake_provider):
    fake_provider.tell(shares={"badrequest": 0.3}, memory={"simulated-1": {"texts": texts(towns), "share": 1.0}})
    job = probed(towns, [nile], kinds=("quiz",), questions=30)
    failed = job.result["failed"]
    assert 0 < failed < 30
    assert (figure(nile, "quiz")["n"], ProbeResult.objects.count()) == (30 - failed, 30 - failed)
    fake_provider.tell(shares={})
    assert probed(towns, [nile], kinds=("quiz",), questions=30).result["failed"] == 0
    assert figure(nile, "quiz")["n"] == 30


@pytest.mark.parametrize(
    ("reply", "places"),
    [
        ("A", {0}),
        ("٣", {2}),
        ("أعتقد أن الجواب هو ب.", {1}),
        ("I'm sorry, but I can't help with that request.", {-1}),
        pytest.param("كلمة " * 9600, {-1}, id="48,000 letters"),
        ("", {-1}),
        ("A, B, C and D", {-1}),
        ("7", {-1}),
    ],
)
def test_whatever_is_replied_is_read_or_a_miss(towns, nile, fake_provider, reply, places):
    fake_provider.tell(replies={"simulated-1": reply})
    job = probed(towns, [nile], kinds=("quiz", "completion"))
    assert (job.state, job.result["failed"]) == (JobState.DONE, 0)
    assert {one["chosen"] for one in replies("quiz")} == places
    assert all(len(one["reply"]) <= 300 for one in replies("quiz"))
    assert not figure(nile, "quiz")["detail"]["found"]
    # To both wordings the same was said, whatever it was.
    assert not figure(nile, "completion")["detail"]["found"]
    assert not Flag.objects.exists()


def test_a_small_set_says_that_it_can_tell_nothing(project, nile, fake_provider):
    three = published(project, 3)
    remembers(fake_provider, three, **{"simulated-1": 1.0})
    job = probed(three, [nile])
    assert job.result["verdicts"] == {"nile": "not found"}
    quiz = figure(nile, "quiz")
    # Two originals at one place and one at another: p0 is 5 / 9, and even 1 / 64 would not be as rare as the level.
    assert (quiz["detail"]["hits"], quiz["detail"]["p"]) == (3, pytest.approx((5 / 9) ** 3))
    assert (quiz["detail"]["power"], quiz["detail"]["found"]) == (0.0, False)
    assert figure(nile, "completion")["undefined"] == "too few units"
    assert figure(nile, "twins")["undefined"] == "no items"


def test_held_back_questions_are_never_the_original(project, nile, provider, fake_provider):
    lines = public_lines(30)
    for at, line in enumerate(lines):
        line["metadata"] = {}
        if at % 2:
            line |= {"held_back": True, "twin_of": f"q{at - 1:03d}"}
    own = frozen_set(project, *lines)
    fake_provider.tell(record=True, memory={"simulated-1": {"texts": texts(own), "share": 0.0}})
    probed(own, [nile], kinds=("quiz", "completion"))
    quizzed = {result.question_key for result in ProbeResult.objects.filter(probe__kind="quiz")}
    assert len(quizzed) == 15
    assert not quizzed & set(own.questions.filter(is_held_back=True).values_list("key", flat=True))
    # Of a twin that serves as the paraphrase, the first half is sent and no more.
    sent = "\n".join(bodies(fake_provider.asked()))
    for text in own.questions.filter(is_held_back=True).values_list("prompt__text", flat=True):
        assert text[: len(text) // 3] in sent
        assert text[-len(text) // 3 :].replace("\n", "\\n") not in sent


def test_the_gap_of_twins_is_read_from_scores_and_asks_nobody(project, nile, fake_provider):
    rules = [{"rule": "judge_generation"}]
    lines = [open_line(f"p{at}", rules=rules) for at in range(40)]
    lines += [open_line(f"t{at}", rules=rules, held_back=True, twin_of=f"p{at}") for at in range(40)]
    own = frozen_set(project, *lines)
    judged(
        judge(project), answers(nile, own), own, [9.0 - at % 3 for at in range(40)] + [5.0 + at % 3 for at in range(40)]
    )
    fake_provider.tell(record=True)
    probed(own, [nile], kinds=("twins",))
    found = figure(nile, "twins")
    # (9, 8, 7, ...) against (5, 6, 7, ...): 4, 2, 0 in turn, 14 fours and 13 twos of 40.
    assert (found["value"], found["n"]) == ((14 * 4 + 13 * 2) / 40, 40)
    assert found["detail"]["found"]
    assert fake_provider.asked() == []
    assert Flag.objects.get().detail["verdict"] == "warning"
    nile.refresh_from_db()
    assert nile.standing == Standing.RANKED


def test_a_model_known_to_be_clean_is_what_others_are_measured_by(towns, nile, project, provider, fake_provider):
    """Both find six of ten originals, as does one that cannot have seen them: nobody is accused."""
    old = asked_model(project, provider, "simulated-2", name="Old")
    remembers(fake_provider, towns, **{"simulated-1": 0.5, "simulated-2": 0.5})
    probed(towns, [nile], kinds=("quiz",))
    assert figure(nile, "quiz")["detail"]["found"]
    probed(towns, [nile, old], kinds=("quiz",), clean=("old",))
    found = figure(nile, "quiz")
    assert found["detail"]["chance"] == pytest.approx(figure(old, "quiz")["detail"]["hits"] / 100)
    assert not found["detail"]["found"]
    assert not Flag.objects.filter(configuration=nile).exists(), "an undecided flag that is no longer true goes"


def test_a_target_model_says_questions_in_other_words_where_nobody_did(project, provider, nile, fake_provider):
    lines = [line | {"metadata": {}} for line in public_lines(12)]
    own = frozen_set(project, *lines)
    fake_provider.tell(
        replies={"simulated-9": "في أي بلدة يقوم هذا البناء الذي شيده السكان حسب الحكاية القديمة يا ترى؟"}
    )
    asked_model(project, provider, "simulated-9", name="Writer")
    probed(own, [nile], kinds=("completion",))
    assert figure(nile, "completion")["undefined"] == "no items"
    probed(own, [nile], kinds=("completion",), paraphraser="simulated-9 at simulated")
    assert Paraphrase.objects.count() == 12
    assert set(Paraphrase.objects.values_list("written_by", flat=True)) == {"simulated-9 at simulated"}
    assert figure(nile, "completion")["n"] == 12


def test_a_budget_holds_and_more_of_it_goes_on(towns, nile, provider, fake_provider):
    ServedModel.objects.update_or_create(
        provider=provider, name="simulated-1", defaults={"input_price": 1, "output_price": 1}
    )
    remembers(fake_provider, towns, **{"simulated-1": 0.3})
    wanted = {"kinds": ("quiz",), "questions": 80}
    job = probed(towns, [nile], **wanted, token_limit=6_000)
    assert (job.state, "budget" in job.problem) == (JobState.FAILED, True)
    asked = ProbeResult.objects.count()
    probe = Probe.objects.get()
    assert 0 < asked < 80
    assert 0 < probe.tokens <= 6_000
    assert probe.cost > 0
    assert probed(towns, [nile], **wanted, token_limit=10**9).state == JobState.DONE
    assert ProbeResult.objects.count() == 80


@pytest.mark.parametrize(("price", "unpriced"), [(1, 0), (None, 8)])
def test_every_call_of_a_probe_is_counted_also_where_no_price_is_known(
    price, unpriced, towns, nile, provider, fake_provider
):
    prices = {"input_price": price, "output_price": price}
    ServedModel.objects.update_or_create(provider=provider, name="simulated-1", defaults=prices)
    remembers(fake_provider, towns, **{"simulated-1": 0.3})
    probed(towns, [nile], kinds=("quiz",), questions=8)
    probe = Probe.objects.get()
    assert (probe.calls, probe.unpriced_calls, probe.bound_calls) == (8, unpriced, 0)
    # A dollar for a million tokens, read or written: a thousand billionths for each.
    assert probe.cost == (1000 * probe.tokens if price else 0)
    assert probe.tokens > 0


def test_what_cannot_be_begun_is_said(towns, nile, project, provider):
    row = asked_model(project, provider, "simulated-5", name="Tigris")
    for rows, wanted, code in (
        ([], Wanted(), "no_models"),
        ([nile], Wanted(kinds=("guess",)), "unknown_choice"),
        ([nile], Wanted(questions=0), "out_of_range"),
        ([nile], Wanted(seed=-1), "out_of_range"),
        ([nile], Wanted(paraphraser="nobody"), "unknown_choice"),
        ([row], Wanted(money_limit=10**9), "no_price"),
    ):
        ServedModel.objects.all().delete()
        with pytest.raises(Invalid) as refused:
            begin_probing(towns, rows, wanted)
        assert code in [problem.code for problem in refused.value.problems]
    with pytest.raises(Invalid):
        begin_probing(set_of(project, id="draft", canary=...), [nile], Wanted())
    assert not Job.objects.filter(kind="benchmark_probing").exists()


def test_by_the_command(towns, nile, fake_provider):
    remembers(fake_provider, towns, **{"simulated-1": 1.0})
    out = io.StringIO()
    call_command("probe_models", "feasts", "--kind", "quiz", "--questions", "30", "--here", stdout=out)
    assert "nile: warning" in out.getvalue()
    assert "n = 30, power 0.32, found" in out.getvalue()
    out = io.StringIO()
    call_command("probe_models", "feasts", "--set", "own", "--kind", "quiz", "--here", "--json", stdout=out)
    assert json.loads(out.getvalue())["nile"]["quiz"]["n"] == 100
    with pytest.raises(CommandError, match="No model of the board: sea"):
        call_command("probe_models", "feasts", "--configuration", "sea", "--here")
    with pytest.raises(CommandError, match="There is no such probe"):
        call_command("probe_models", "feasts", "--kind", "guess", "--here")
