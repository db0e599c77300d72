"""Nour holds questions back, sees who has been sent them, and has those retire that too many have seen."""

import pytest
from django.urls import reverse

from benchmark import exposure
from benchmark.errata import accept, apply_errata, report
from benchmark.freezing import freeze
from benchmark.models import Board, ExposureKind, Question, QuestionRevision, QuestionSet
from benchmark.retiring import next_version, retired, seen_by
from projects.models import AuditEvent, Laboratory, Project
from tests.benchmark.answered import frozen_set
from tests.benchmark.sets import open_line
from tests.people import signed_in
from tests.statements import statements

pytestmark = pytest.mark.django_db
ANSWERING, JUDGING = ExposureKind.ANSWERING, ExposureKind.JUDGING


@pytest.fixture
def own(project) -> QuestionSet:
    """Three that are held back, one of them alone in its skill and the twin of the one that is public."""
    return frozen_set(
        project,
        open_line("public"),
        open_line("twin", held_back=True, twin_of="public", category="Secrets"),
        open_line("rare", held_back=True),
        open_line("known", held_back=True),
    )


@pytest.fixture
def board(project) -> Board:
    return Board.objects.create(project=project, slug="board", title="Board", max_exposures=2)


def laboratory(name: str) -> Laboratory:
    return Laboratory.objects.get_or_create(slug=name, defaults={"name": name.title()})[0]


def see(own: QuestionSet, lab: str | None, *keys: str, endpoint: str = "", kind: ExposureKind = ANSWERING) -> None:
    prompts = own.questions.filter(key__in=keys).values_list("prompt", flat=True)
    exposure.record(prompts, laboratory(lab) if lab else None, endpoint or f"{lab}-1@here", kind)


@pytest.fixture
def seen(own) -> QuestionSet:
    """By one laboratory through three endpoints; by two, one of them as a judge; by two that nobody knows."""
    see(own, "oryx", "public", "twin", "rare", "known")
    see(own, "oryx", "rare", endpoint="oryx-2@here")
    see(own, "oryx", "rare", endpoint="oryx-1@there", kind=JUDGING)
    see(own, "leo", "public", "known", kind=JUDGING)
    see(own, None, "twin", endpoint="nobody@here")
    return own


def keys(question_set: QuestionSet) -> set[str]:
    return set(question_set.questions.values_list("key", flat=True))


def test_laboratories_count_and_not_their_endpoints(seen, board):
    """`rare` went to three endpoints of one laboratory; `twin` to one and to an endpoint that nobody knows."""
    assert [(row.key, row.laboratories) for row in retired(seen)] == [("twin", 2), ("known", 2)]


def test_without_a_limit_or_a_board_none_retires(seen, project):
    assert list(retired(seen)) == []
    Board.objects.create(project=project, slug="board", title="Board")
    assert list(retired(seen)) == []


def test_the_next_version_leaves_them_out_and_the_frozen_one_stays(seen, board, nour):
    version, left_out = next_version(seen, nour)
    assert list(left_out) == ["twin", "known"]
    assert (keys(version), keys(seen)) == ({"public", "rare"}, {"public", "twin", "rare", "known"})
    # A public question never retires, and one whose twin has gone stands alone: the version can be frozen.
    assert version.questions.get(key="public").twin_of is None
    assert not version.skills.filter(name="Secrets").exists()
    assert seen.skills.filter(name="Secrets").exists()
    assert keys(freeze(version)) == {"public", "rare"}


def test_a_public_question_that_names_the_retired_one_as_its_twin_stands_alone(project, board, nour):
    own = frozen_set(project, open_line("public", twin_of="secret"), open_line("secret", held_back=True))
    for lab in ("oryx", "leo"):
        see(own, lab, "secret")
    version, left_out = next_version(own, nour)
    assert list(left_out) == ["secret"]
    assert version.questions.get().twin_of is None
    assert own.questions.get(key="public").twin_of is not None, "the frozen version says it as before"
    assert keys(freeze(version)) == {"public"}


def test_it_stands_among_the_changes_and_in_the_audit_log(seen, board, nour):
    version, _left_out = next_version(seen, nour)
    changes = QuestionRevision.objects.filter(question_set=version)
    assert set(changes.values_list("key", "decision", "decided_by")) == {
        ("twin", "drop", nour.pk),
        ("known", "drop", nour.pk),
    }
    assert changes.get(key="known").before["reference"] == "الشاي مشروب دافئ يحبه الناس."
    event = AuditEvent.objects.get(action="questions.retired")
    assert (event.subject, event.actor) == ("own v2", nour)
    assert event.detail == {"laboratories": {"twin": 2, "known": 2}, "limit": 2}


def test_the_version_that_errata_begin_leaves_them_out_as_well(seen, board, nour):
    for key, wording in (("public", {"reference": "الشاي حار."}), ("known", {"reference": "الشاي بارد."})):
        accept(
            report(seen.questions.get(key=key), nour, fault="other", words="No"),
            nour,
            decision="repair",
            wording=wording,
        )
    applied = apply_errata(seen, nour)
    assert (keys(applied.question_set), applied.changed, applied.already) == ({"public", "rare"}, 1, 1)


def test_leaving_many_out_costs_hardly_more_statements_than_leaving_out_two(project, board, nour):
    def cost(name: str, n: int) -> int:
        lines = [open_line("public"), *(open_line(f"q{at}", held_back=True) for at in range(n))]
        own = frozen_set(project, *lines, id=name, canary=...)
        every = [f"q{at}" for at in range(n)]
        see(own, "oryx", *every)
        see(own, "leo", *every)
        with statements() as sent:
            assert len(next_version(own, nour).retired) == n
        return len(sent.sql)

    # Rows are inserted and deleted in batches of many.
    assert cost("many", 60) <= cost("few", 2) + 2


# --- Pages and programs ---


def page_of(own: QuestionSet, question: str = "") -> str:
    place = [own.project.slug, own.slug, own.version]
    if question:
        return reverse("benchmark-question", args=[*place, own.questions.get(key=question).pk])
    return reverse("question-set", args=place)


def test_a_lead_sees_who_has_seen_a_question_and_nobody_else_does(seen, board, nour, mona):
    shown = signed_in(nour).get(page_of(seen, "known")).content.decode()
    assert "oryx-1@here" in shown
    assert "leo-1@here" in shown
    assert ">retired<" in shown
    assert "the next version leaves it out" in shown
    assert ">retired<" not in signed_in(nour).get(page_of(seen, "rare")).content.decode()
    for address in (page_of(seen, "public"), page_of(seen)):
        assert "oryx-1@here" not in signed_in(mona).get(address).content.decode()


def test_the_set_tells_by_laboratory_who_has_seen_what_is_held_back(seen, board, nour):
    rows = [(row["laboratory__name"], row["endpoint"], row["kind"], row["questions"]) for row in seen_by(seen)]
    # Databases differ in where they put what is not known.
    assert set(rows) == {
        ("Leo", "leo-1@here", "judging", 1),
        ("Oryx", "oryx-1@here", "answering", 3),
        ("Oryx", "oryx-1@there", "judging", 1),
        ("Oryx", "oryx-2@here", "answering", 1),
        (None, "nobody@here", "answering", 1),
    }
    assert len(rows) == 5
    shown = signed_in(nour).get(page_of(seen)).content.decode()
    assert "Who has seen the held-back questions" in shown
    assert shown.count(">retired<") == 2
    assert "seen by 2 laboratories" in shown


def test_whoever_begins_a_version_is_told_what_has_retired(seen, board, nour):
    address = reverse("question-set-version", args=[seen.project.slug, seen.slug, 1])
    shown = signed_in(nour).post(address, follow=True).content.decode()
    assert "2 held-back questions have retired and are left out: twin, known." in shown


def test_the_lead_sets_after_how_many_they_retire(own, project, nour):
    address = reverse("board-settings", args=[project.slug])
    values = {"title": "Board", "slug": "board", "max_exposures": 3}
    assert signed_in(nour).post(address, values | {"max_exposures": 0}).status_code in (200, 422)
    assert not Board.objects.exists()
    signed_in(nour).post(address, values)
    assert Board.objects.get().max_exposures == 3


def test_programs_read_who_has_seen_each_question(seen, board, nour, mona):
    address = reverse("api-question-exposures", args=[seen.project.slug, seen.slug, 1])
    found = {row["id"]: row for row in signed_in(nour).get(address).json()["results"]}
    assert {key: (row["laboratories"], row["retired"]) for key, row in found.items()} == {
        "public": (2, False),
        "twin": (2, True),
        "rare": (1, False),
        "known": (2, True),
    }
    first = found["known"]["exposures"][0]
    assert (first["laboratory"], first["endpoint"], first["kind"], first["times"]) == (
        "oryx",
        "oryx-1@here",
        "answering",
        1,
    )
    assert signed_in(mona).get(address).status_code == 404


def test_the_pages_cost_as_much_with_many_exposures(project: Project, nour):
    own = frozen_set(project, *(open_line(f"q{at}", held_back=True) for at in range(30)))
    client = signed_in(nour)
    address = reverse("api-question-exposures", args=[project.slug, own.slug, 1])

    def cost() -> list[int]:
        found = []
        for each in (page_of(own), page_of(own, "q0"), address):
            client.get(each)
            with statements() as sent:
                client.get(each)
            found.append(len(sent.sql))
        return found

    every = set(Question.objects.filter(question_set=own).values_list("key", flat=True))
    see(own, "oryx", *every)
    few = cost()
    for lab in ("leo", "lynx", "puma", "ibex"):
        see(own, lab, *every)
    assert cost() == few
