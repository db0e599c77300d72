"""Mona reports faults of a frozen version; Nour decides; the next version has them, and both stand side by side."""

import json

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from benchmark.comparing import compare
from benchmark.errata import accept, apply_errata, reject, report
from benchmark.freezing import freeze
from benchmark.models import Erratum, Question, QuestionSet, RuleScore, Ruling
from benchmark.question_scores import question_scores
from jobs.models import Job
from judging.collecting.endpoints import add_endpoint
from judging.judges import add_judge
from judging.models import Run
from projects.models import AuditEvent, Rater
from projects.problems import Invalid
from providers.endpoints import simulated_provider
from tests.benchmark.checks import answer_of, configuration
from tests.benchmark.sets import open_line, question_line, set_of
from tests.judging.conftest import every_provider_is_up, fake_provider, fake_provider_process
from tests.people import signed_in

__all__ = ["every_provider_is_up", "fake_provider", "fake_provider_process"]

pytestmark = pytest.mark.django_db
ADDRESS = "/p/feasts/question-sets/own/1/"
API = "/api/v1/projects/feasts/errata/"
NEW = "الشاي مشروب ساخن يحبه الناس."
KEYS = ("tea", "coffee", "milk")


@pytest.fixture
def own(project, nour) -> QuestionSet:
    """A frozen version with three questions, each scored by one rule; the last is held back."""
    rules = [{"rule": "rouge_l"}]
    lines = [open_line(key, rules=rules, held_back=key == "milk") for key in KEYS]
    return freeze(set_of(project, *lines))


def question(own: QuestionSet, key: str = "tea") -> Question:
    return own.questions.get(key=key)


def codes(act) -> list[str]:
    with pytest.raises(Invalid) as raised:
        act()
    return [problem.code for problem in raised.value.problems]


def accepted(own, nour, key: str = "tea", **corrected: str) -> Erratum:
    erratum = report(question(own, key), nour, fault="reference", words="خطأ")
    wording = corrected or {"reference": NEW}
    return accept(erratum, nour, decision="repair", wording=wording)


# --- Reporting ----------------------------------------------------------------------------------------------


def test_mona_reports_a_fault_on_the_page_of_a_question(own, mona):
    client, address = signed_in(mona), f"{ADDRESS}questions/{question(own).pk}/"
    assert f"{address}report/" in client.get(address).content.decode()
    assert client.post(f"{address}report/", {"fault": "reference", "words": " "}).status_code == 422
    answer = client.post(f"{address}report/", {"fault": "reference", "words": " الشاي ساخن "})
    assert answer.headers["Location"] == address
    erratum = Erratum.objects.get()
    assert (erratum.words, erratum.reported_by, erratum.state) == ("الشاي ساخن", mona, "open")
    assert "الشاي ساخن" in client.get(address).content.decode()
    assert AuditEvent.objects.get(action="erratum.reported").subject == "own v1: tea"


def test_a_double_click_is_one_report(own, mona, nour):
    client, address = signed_in(mona), f"{ADDRESS}questions/{question(own).pk}/report/"
    for _click in range(2):
        assert client.post(address, {"fault": "reference", "words": "الشاي ساخن"}).status_code == 302
    erratum = Erratum.objects.get()
    assert AuditEvent.objects.filter(action="erratum.reported").count() == 1
    reject(erratum, nour, "المرجع صحيح")
    client.post(address, {"fault": "reference", "words": "الشاي ساخن"})
    assert Erratum.objects.count() == 2, "what was rejected can be said again"


def test_what_is_held_back_cannot_be_reported_by_those_who_may_not_read_it(own, mona, nour):
    hidden = f"{ADDRESS}questions/{question(own, 'milk').pk}/report/"
    assert signed_in(mona).get(hidden).status_code == 404
    assert signed_in(nour).get(hidden).status_code == 200
    sent = {"question_set": "own", "version": 1, "question": "milk", "fault": "other", "words": "x"}
    assert signed_in(mona).post(API, json.dumps(sent), content_type="application/json").status_code == 404


def test_a_draft_has_no_errata(project, nour):
    draft = set_of(project)
    assert codes(lambda: report(draft.questions.first(), nour, fault="other", words="x")) == ["not_frozen"]


def test_a_program_reports_and_reads_its_own(own, mona, nour):
    client = signed_in(mona)
    sent = {"question_set": "own", "version": 1, "question": "tea", "fault": "ambiguous", "words": "مبهم"}
    answer = client.post(API, json.dumps(sent), content_type="application/json")
    assert (answer.status_code, answer.json()["question"], answer.json()["state"]) == (201, "tea", "open")
    report(question(own), nour, fault="other", words="للمشرف")
    assert [row["words"] for row in client.get(API).json()["results"]] == ["مبهم"]
    assert len(signed_in(nour).get(API).json()["results"]) == 2
    bad = client.post(API, json.dumps(sent | {"fault": "no such"}), content_type="application/json")
    assert bad.status_code == 400


def test_a_program_decides_once_and_only_a_lead_s(own, mona, nour):
    wrong, fine = (report(question(own), mona, fault="reference", words=words) for words in ("a", "b"))

    def decide(user, row, **said):
        return signed_in(user).post(f"{API}{row.uuid}/decide/", json.dumps(said), content_type="application/json")

    assert decide(mona, wrong, decision="drop").status_code in (403, 404)
    assert decide(nour, wrong, decision="keep").status_code == 400
    nothing_new = decide(nour, wrong, decision="repair", reason="So it is.")
    assert nothing_new.status_code == 422, "a repair words something otherwise"
    decided = decide(nour, wrong, decision="repair", reference="شاي بالنعناع.", reason="So it is.")
    assert (decided.status_code, decided.json()["state"]) == (200, "accepted"), decided.content
    assert decided.json()["corrected_reference"] == "شاي بالنعناع."
    assert decide(nour, wrong, decision="reject", reason="No.").status_code == 422, "somebody has decided already"
    assert decide(nour, fine, decision="reject").status_code == 422, "whoever reported it reads why"
    assert decide(nour, fine, decision="reject", reason="It is right.").json()["state"] == "rejected"


# --- Deciding -----------------------------------------------------------------------------------------------


def test_nour_rejects_with_a_reason_once(own, nour):
    erratum = report(question(own), nour, fault="other", words="x")
    assert codes(lambda: reject(erratum, nour, " ")) == ["required"]
    reject(erratum, nour, "المرجع صحيح")
    erratum.refresh_from_db()
    assert (erratum.state, erratum.reason, erratum.decided_by) == ("rejected", "المرجع صحيح", nour)
    assert codes(lambda: reject(erratum, nour, "again")) == ["decided_already"]
    assert codes(lambda: accept(erratum, nour, decision="drop")) == ["decided_already"]


def test_a_correction_must_change_something_that_can_be_scored(own, nour):
    erratum = report(question(own), nour, fault="reference", words="x")
    same = {"reference": question(own).reference}
    assert codes(lambda: accept(erratum, nour, decision="repair", wording=same)) == ["unchanged"]
    assert codes(lambda: accept(erratum, nour, decision="repair", wording={"reference": "..."})) == [
        "rule_cannot_apply"
    ]
    assert codes(lambda: accept(erratum, nour, decision="keep")) == ["unknown_choice"]
    assert Erratum.objects.get().state == "open"


def test_nour_decides_on_its_page(own, nour, mona):
    erratum = report(question(own), mona, fault="reference", words="الشاي ساخن")
    lead, address = signed_in(nour), f"/p/feasts/errata/{erratum.uuid}/"
    assert address in lead.get("/p/feasts/errata/").content.decode()
    page = lead.get(address).content.decode()
    assert page.count(question(own).reference) == 2, "as it stands, beside the field for the new words"
    wording = {"instruction": question(own).instruction, "input_text": "", "reference": NEW, "reason": ""}
    assert lead.post(address, {"decision": "reject", **wording}).status_code == 422
    assert lead.post(address, {"decision": "repair", **wording}).headers["Location"] == "/p/feasts/errata/"
    erratum.refresh_from_db()
    assert (erratum.state, erratum.corrected_reference, erratum.corrected_instruction) == ("accepted", NEW, "")
    assert NEW in lead.get(address).content.decode()
    assert "1 accepted erratum waits" in lead.get("/p/feasts/errata/?state=accepted").content.decode()
    assert signed_in(mona).get(address).status_code == 404


# --- The next version ---------------------------------------------------------------------------------------


def test_the_next_version_has_what_was_accepted(own, nour):
    accepted(own, nour)
    dropped = report(question(own, "coffee"), nour, fault="ambiguous", words="x")
    accept(dropped, nour, decision="drop")
    reject(report(question(own, "milk"), nour, fault="other", words="x"), nour, "no")
    applied = apply_errata(own, nour)
    assert (applied.question_set.version, applied.changed, applied.question_set.is_frozen) == (2, 2, False)
    assert set(applied.question_set.questions.values_list("key", "reference")) == {
        ("tea", NEW),
        ("milk", question(own, "milk").reference),
    }
    assert question(own).reference != NEW, "the frozen version is as it was"
    assert set(Erratum.objects.filter(state="accepted").values_list("mended_in__version", flat=True)) == {2}
    assert AuditEvent.objects.get(action="errata.applied").detail["keys"] == ["coffee", "tea"]
    assert codes(lambda: apply_errata(own, nour)) == ["no_errata"]


def test_it_is_frozen_at_once_where_that_is_asked_for(own, nour):
    accepted(own, nour)
    answer = signed_in(nour).post(f"{ADDRESS}errata/apply/", {"freeze": "yes"})
    assert answer.headers["Location"] == f"{ADDRESS}compared/2/"
    second = QuestionSet.objects.get(version=2)
    assert second.is_frozen
    assert second.questions.get(key="tea").target_sha256 != question(own).target_sha256
    assert second.questions.get(key="coffee").target_sha256 == question(own, "coffee").target_sha256


def test_what_cannot_be_frozen_leaves_nothing(own, nour):
    accepted(own, nour)
    for key in KEYS:
        accept(report(question(own, key), nour, fault="other", words="x"), nour, decision="drop")
    assert codes(lambda: apply_errata(own, nour, is_frozen_at_once=True)) == ["no_questions"]
    assert QuestionSet.objects.count() == 1
    assert not Erratum.objects.exclude(mended_in=None).exists()


def test_errata_reported_meanwhile_go_into_the_draft_that_is_there(own, nour):
    draft = own.new_version()
    accepted(own, nour)
    same = accepted(own, nour)
    assert codes(lambda: apply_errata(own, nour)) == ["superseded"]
    applied = apply_errata(draft, nour)
    assert (applied.question_set, applied.changed, applied.already) == (draft, 1, 1)
    same.refresh_from_db()
    assert same.mended_in == draft
    assert "1 accepted" not in signed_in(nour).get("/p/feasts/errata/").content.decode()


# --- Both versions side by side -----------------------------------------------------------------------------


def score(question: Question, who, value: float, judge: Rater | None = None, round: int = 1) -> None:
    """The answer of `who` has been scored under this question."""
    answer = question.prompt.answers.filter(configuration=who).first() or answer_of(who, question, "الشاي مشروب.")
    Ruling.objects.get_or_create(answer=answer, target_sha256=question.target_sha256, defaults={"state": "answered"})
    use = question.rule_uses.get()
    RuleScore.objects.create(answer=answer, target_sha256=use.target_sha256, value=value, rater=judge, round=round)


@pytest.fixture
def nile(project):
    return configuration(project, "Nile-7B")


def test_stored_scores_become_scores_of_questions(own, nile, project):
    delta = configuration(project, "Delta-9B")
    score(question(own, "tea"), nile, 4.0)
    score(question(own, "coffee"), nile, 8.0)
    ruled = answer_of(delta, question(own, "tea"), "Tea.")
    Ruling.objects.create(
        answer=ruled, target_sha256=question(own).target_sha256, state="answered", decided=0.0, fixed_by="language"
    )
    answer_of(delta, question(own, "coffee"), "قهوة.")
    found = question_scores(own, [nile, delta])
    assert list(found.keys) == list(KEYS)
    np.testing.assert_array_equal(found.values, [[4.0, 8.0, np.nan], [0.0, np.nan, np.nan]])
    assert found.unscored[nile.pk, "milk"] == "no answer"
    assert found.unscored[delta.pk, "coffee"] == "the fixed rules have not been applied"


def test_judges_count_by_their_mean_and_all_that_are_asked_for_must_have_scored(project, nile, simba, nour):
    own = freeze(set_of(project, question_line()))
    capital = own.questions.get()
    other = Rater.objects.create(project=project, kind="judge", name="Nala", model="n", laboratory=simba.laboratory)
    mona = Rater.objects.create(project=project, kind="human", name="Mona by hand")
    for judge, round, value in ((simba, 1, 2.0), (simba, 2, 4.0), (mona, 1, 10.0)):
        score(capital, nile, value, judge, round)
    assert question_scores(own, [nile]).values.tolist() == [[4.0]], "a judge counts in its newest round"
    found = question_scores(own, [nile], judges=[simba, other])
    assert np.isnan(found.values[0, 0])
    assert "not scored by every judge" in found.unscored[nile.pk, "capital"]
    score(capital, nile, 7.0, other)
    assert question_scores(own, [nile], judges=[simba, other]).values.tolist() == [[5.5]]
    assert question_scores(own, [nile], judges=[other]).values.tolist() == [[7.0]]


def test_a_number_of_statements_that_does_not_grow_with_configurations(own, project, django_assert_max_num_queries):
    rows = [configuration(project, f"Model {number}") for number in range(6)]
    for row in rows:
        score(question(own), row, 5.0)
    with django_assert_max_num_queries(7):
        question_scores(own, rows)


def test_both_versions_stand_side_by_side(own, nile, nour, mona):
    """Tea 4 becomes 9, coffee stays 8, milk is dropped and scored 0 before: 12 / 3 = 4 and 17 / 2 = 8.5 in full, and
    over the two in common 6 and 8.5, of which the difference is 2.5."""
    for key, value in (("tea", 4.0), ("coffee", 8.0), ("milk", 0.0)):
        score(question(own, key), nile, value)
    accepted(own, nour)
    accept(report(question(own, "milk"), nour, fault="other", words="x"), nour, decision="drop")
    second = apply_errata(own, nour, is_frozen_at_once=True).question_set
    score(second.questions.get(key="tea"), nile, 9.0)
    found = compare(own, second)
    [row] = found.rows
    assert (found.common, found.changed, found.dropped, found.added) == (2, ["tea"], ["milk"], [])
    assert [(figure.value, figure.n) for figure in (row.before, row.after)] == [(4.0, 3), (8.5, 2)]
    assert [(figure.value, figure.n) for figure in (row.before_common, row.after_common)] == [(6.0, 2), (8.5, 2)]
    assert (row.difference.value, row.difference.low) == (2.5, None), "two questions say nothing about others"
    page = signed_in(nour).get(f"{ADDRESS}compared/2/")
    assert page.status_code == 200
    assert "2 questions stand in both" in page.content.decode()
    assert signed_in(mona).get(f"{ADDRESS}compared/2/").status_code == 404
    assert "compared/2/" in signed_in(nour).get(ADDRESS).content.decode()


def test_many_answers_are_compared_by_a_worker_and_once(own, nile, nour, monkeypatch):
    from jobs.models import Job
    from jobs.working import work_on
    from reports.leaderboard import versions

    monkeypatch.setattr(versions, "FEW_ANSWERS", 0)
    score(question(own, "tea"), nile, 4.0)
    accepted(own, nour)
    apply_errata(own, nour, is_frozen_at_once=True)
    client, address = signed_in(nour), f"{ADDRESS}compared/2/"
    for _look in range(2):
        assert "a worker compares the versions" in client.get(address).content.decode()
    job = Job.objects.get(kind=versions.VERSIONS)
    work_on(job.pk)
    assert "3 questions stand in both" in client.get(address).content.decode()
    monkeypatch.setattr(versions, "compare", None)
    assert "3 questions stand in both" in client.get(address).content.decode(), "what is kept is not computed again"
    score(question(own, "coffee"), nile, 8.0)
    assert "a worker compares the versions" in client.get(address).content.decode()


def test_programs_compare_two_versions(own, nile, nour, mona, monkeypatch):
    from jobs.models import Job
    from jobs.working import work_on
    from reports.leaderboard import versions

    address = "/api/v1/projects/feasts/question-sets/own/1/compared/2/"
    client = signed_in(nour)
    assert client.get(address).status_code == 404
    score(question(own, "tea"), nile, 4.0)
    accepted(own, nour)
    apply_errata(own, nour)
    assert client.get(address).status_code == 404, "the second is a draft"
    second = freeze(QuestionSet.objects.get(version=2))
    score(question(second, "tea"), nile, 9.0)
    found = client.get(address).json()
    [row] = found["configurations"]
    assert (found["before"], found["after"], found["common"], found["changed"]) == (1, 2, 3, ["tea"])
    assert (row["id"], row["before"]["value"], row["after"]["value"]) == ("nile-7b", 4.0, 9.0)
    assert client.post(address).json() == found
    assert signed_in(mona).get(address).status_code == signed_in(mona).post(address).status_code == 404
    monkeypatch.setattr(versions, "FEW_ANSWERS", 0)
    score(question(own, "coffee"), nile, 8.0)
    assert codes_of(client.get(address)) == ["not_compared"]
    assert not Job.objects.filter(kind=versions.VERSIONS).exists(), "reading begins nothing"
    first, again = client.post(address), client.post(address)
    assert (first.status_code, first.json()["uuid"]) == (202, again.json()["uuid"])
    work_on(Job.objects.get(kind=versions.VERSIONS).pk)
    [row] = client.get(address).json()["configurations"]
    assert row["before"]["value"] == 6.0


def codes_of(answer) -> list[str]:
    assert answer.status_code == 422, answer.content
    return [problem["code"] for problem in answer.json()["problems"]]


def test_the_command_says_the_same(own, nile, nour, capsys):
    score(question(own), nile, 4.0)
    accepted(own, nour)
    apply_errata(own, nour)
    with pytest.raises(CommandError, match="frozen versions alone"):
        call_command("compare_versions", "feasts", "own", "1", "2")
    freeze(QuestionSet.objects.get(version=2))
    call_command("compare_versions", "feasts", "own", "1", "2")
    assert "Questions in both versions: 3, of which changed: 1." in capsys.readouterr().out
    call_command("compare_versions", "feasts", "own", "1", "2", "--json")
    [row] = json.loads(capsys.readouterr().out)["configurations"]
    assert (row["id"], row["before"]["value"], row["after"]["value"]) == ("nile-7b", 4.0, None)
    assert row["difference"]["undefined"] == "no items"


def test_stored_answers_are_scored_under_the_new_version_without_a_call(own, nile, nour, fake_provider):
    """A judge and the model itself could both be asked, at once, by whoever begins a run."""
    provider = simulated_provider()
    add_judge(own.project, provider, "simulated-1", kind="reference")
    add_endpoint(own.project, provider, "simulated-2")
    answer_of(nile, question(own), NEW)
    accepted(own, nour)
    signed_in(nour).post(f"{ADDRESS}errata/apply/", {"freeze": "yes"})
    found = question_scores(QuestionSet.objects.get(version=2), [nile])
    assert found.values[0, 0] == 10.0, "word for word the new reference"
    assert not Run.objects.exists()
    assert not Job.objects.filter(kind__in=["judge_shard", "collect_shard"]).exists()
    assert fake_provider.counts()["served"] == 0
