"""Karim marks otherwise than Mona, Nour sends it back, and he marks as she did: gold has what both now say, their
agreement stays what it was.

    koshari  Mona   "على السحور" Custom, high; "الفراعنة" Fact, high
             Karim  "على السحور" Fact, low; "الرز" Fact, high; and after it was sent back all as Mona
    tea      both: no errors
"""

import pytest

from annotation.gold import derive
from annotation.models import ErrorScheme, GoldError, Review, Span
from annotation.reviews.blinding import by_blind_key
from annotation.reviews.task import AnnotatorReviews
from projects.models import Rater
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.freshness.revisions import revisions
from reports.frames import markings, reviews, scores, spans
from reports.spans.dashboard import SPANS
from reports.spans.reader import load
from reports.spans.scope import SpanScope
from tests.people import add_response, signed_in
from tests.preset_parts import set_points
from tests.reports.reading import figure, table
from tests.reports.test_alphas_verified import verified
from tests.reports.test_frames_and_dashboards import alpha
from tests.reports.test_revisions import moved
from tests.statements import statements
from tests.workflow.working import body, mark, marking_stage, submit
from workflow.claims import claim_next
from workflow.models import Assignment, FirstAnswer, Stage
from workflow.reassignment import amend

pytestmark = pytest.mark.django_db
NIGHTLY, PHARAOHS, RICE = "على السحور", "الفراعنة", "الرز"


def hand_in(person, turn, answer) -> None:
    draft = getattr(Assignment.objects.get(pk=turn.pk), "draft", None)
    response = submit(signed_in(person), turn, draft.version if draft else 0, answer)
    assert response.status_code == 200, response.content


def as_mona(koshari) -> dict:
    return body(mark(koshari, NIGHTLY, category="custom"), mark(koshari, PHARAOHS, category="fact"))


@pytest.fixture
def turns(project, koshari, mona, karim, thick, thin) -> dict[tuple[str, str], Assignment]:
    """By person and response."""
    set_points(project, {"high": 5, "medium": 2, "low": 1})
    add_response(project, "tea", "الشاي بعد الأكل", "ar-EG")
    stage = marking_stage(project, overlap=2)
    given = {}
    of_karim = body(mark(koshari, NIGHTLY, category="fact", criticality="low"), mark(koshari, RICE, category="fact"))
    for person, answer in ((mona, as_mona(koshari)), (karim, of_karim)):
        while (turn := claim_next(Rater.objects.get(user=person), stage)) is not None:
            hand_in(person, turn, answer if turn.response == koshari else body(no_errors=True))
            given[person.name.split()[0], turn.response.key] = turn
    return given


@pytest.fixture
def sent_back(turns, koshari, karim, nour) -> Assignment:
    turn = turns["Karim", "koshari"]
    assert signed_in(nour).post(f"/p/feasts/assignments/{turn.uuid}/reopen/").status_code == 302
    hand_in(karim, turn, as_mona(koshari))
    return turn


def agreement(project) -> dict[str, float | None]:
    found = table(project, "human-human")
    [row] = [row for row in found.rows if row.labels == ("ar-EG",)] or found.rows[:1]
    return dict(zip(found.measures, (each.value for each in row.figures), strict=True))


def test_agreement_stays_what_it_was(project, turns, koshari, karim, nour):
    before = agreement(project)
    # Of four marks on koshari two meet; on tea nobody marked anything.
    assert before["F1, pooled"] == 0.5
    # What meets was called Custom by one and Fact by the other.
    assert before["kappa, category"] == 0.0
    turn = turns["Karim", "koshari"]
    signed_in(nour).post(f"/p/feasts/assignments/{turn.uuid}/reopen/")
    hand_in(karim, turn, as_mona(koshari))
    assert agreement(project) == before


def test_what_was_never_handed_in_again_counts_in_nothing(project, turns, nour):
    turn = turns["Karim", "koshari"]
    signed_in(nour).post(f"/p/feasts/assignments/{turn.uuid}/reopen/")
    assert agreement(project)["F1, pooled"] is None, "nobody marked anything beside Mona"


def test_gold_has_what_both_say_now(project, sent_back, koshari, mona, karim):
    for span in Span.objects.all():
        other = karim if span.rater.user == mona else mona
        Review.objects.create(span=span, rater=Rater.objects.get(user=other), verdict="keep")
    derive([koshari.pk])
    kept = GoldError.objects.values_list("category__slug", "start")
    at = koshari.text.index
    assert set(kept) == {("custom", at(NIGHTLY)), ("fact", at(PHARAOHS))}
    found = table(project, "errors-per-response")
    # Two, two, none and none.
    assert figure(found, "People", measure="all").value == 1.0


def test_points_of_errors(project, sent_back):
    """Mona's are 10 and Karim's were 1 + 5, on tea both 0. Observed: 2 * 4^2 / 4 = 8. Expected, of all twelve ordered
    pairs of 10, 6, 0, 0: 2 * (16 + 2 * 100 + 2 * 36) / 12 = 48. Alpha is 1 - 8/48."""
    found = table(project, "penalty-alpha")
    assert found.rows[0].figures[0].value == pytest.approx(5 / 6)
    assert found.recipe.settings["answers"] == FIRST_ANSWERS
    # What errors cost is told of the answers that stand: 10, 10, 0, 0.
    assert table(project, "penalties").rows[0].figures[0].value == 5.0


def test_a_person_against_the_others_is_what_they_first_handed_in(project, sent_back):
    found = table(project, "penalties-by-rater")
    # Karim gave 6 where Mona gave 10, and both nothing on tea.
    for row in found.rows:
        assert row.figures[1].value == 2.0
    assert sorted(row.figures[2].value for row in found.rows) == [-2.0, 2.0]
    assert {row.figures[0].value for row in found.rows} == {5.0}


def test_points_of_categories(project, sent_back, thin):
    """Karim's low error of the category Fact costs 8, so his first answer came to 13, where Mona's is 10."""
    ErrorScheme.objects.create(project=project, weights=[{"category": thin.slug, "criticality": "low", "points": 8}])
    found = table(project, "penalties-by-rater")
    assert {row.figures[1].value for row in found.rows} == {1.5}, "3 points on koshari, none on tea"
    told = scores(project)
    assert sorted(told[(told.measure == "penalty") & told.is_first].score) == [0, 0, 10, 13]


def test_another_program_finds_the_same(project, sent_back):
    found = verified(project)
    assert {each["table"] for each in found} >= {"human-human", "penalty-alpha"}
    assert all(each["agrees"] for each in found)


def test_on_errors_of_one_weight(project, sent_back):
    [variety] = project.responses.values_list("variety", flat=True).distinct()
    loaded = load(project, [variety], SpanScope(criticality="low"))
    assert len(loaded.marks) == 0
    assert len(loaded.at_first.marks) == 1, "Karim's, before it was sent back"


def test_without_amended_answers_it_costs_one_statement(project, turns):
    with statements() as sent:
        SPANS.tables(project)
    assert len(sent.of({"workflow_firstanswer"})) == 1
    [variety] = project.responses.values_list("variety", flat=True).distinct()
    assert load(project, [variety], SpanScope()).at_first is None


# --- Frames ---------------------------------------------------------------------------------------------


def test_whoever_takes_the_frames_finds_the_same_agreement(project, sent_back):
    found = scores(project)
    mine = found[(found.measure == "penalty") & found.is_first & (found.rater_kind == "human")]
    assert sorted(mine.score) == [0, 0, 6, 10]
    expected = table(project, "penalty-alpha").rows[0].figures[0].value
    assert alpha(mine, "response_key", "score", "interval") == pytest.approx(expected, abs=1e-9)
    standing = found[(found.measure == "penalty") & found.is_counted]
    assert sorted(standing.score) == [0, 0, 10, 10]


def test_one_frame_costs_the_same_however_many_were_amended(project, turns, koshari, mona, karim):
    def costs() -> dict[str, int]:
        found = {}
        for frame in (markings, spans, scores):
            with statements() as sent:
                frame(project)
            found[frame.name] = len(sent.sql)
        return found

    def amended(name: str, person) -> None:
        amend(Assignment.objects.select_related("stage", "item__response").get(pk=turns[name, "koshari"].pk))
        hand_in(person, turns[name, "koshari"], as_mona(koshari))

    amended("Karim", karim)
    one = costs()
    amended("Mona", mona)
    assert costs() == one


def test_first_marks_are_rows_that_do_not_count(project, sent_back, karim):
    found = spans(project)
    pseudonym = Rater.objects.get(user=karim).pseudonym
    first = found[(found.rater == pseudonym) & found.is_first]
    assert sorted(zip(first.quote, first.category, first.criticality, strict=True)) == sorted(
        [(NIGHTLY, "fact", "low"), (RICE, "fact", "high")]
    )
    assert not first.is_counted.any()
    assert first.outcome.isna().all()
    later = found[(found.rater == pseudonym) & found.is_counted]
    assert sorted(later.quote) == sorted([NIGHTLY, PHARAOHS])
    assert not later.is_first.any()
    of_mona = found[found.rater != pseudonym]
    assert of_mona.is_first.all()
    assert of_mona.is_counted.all()
    assert spans.count(project) == len(found)


def test_an_answer_without_errors_is_a_row_too(project, turns, karim, koshari):
    turn = Assignment.objects.select_related("stage", "item").get(pk=turns["Karim", "tea"].pk)
    amend(turn)
    hand_in(karim, turn, body(mark(turn.response, "الشاي")))
    found = markings(project)
    of_tea = found[(found.response_key == "tea") & (found.rater == turn.rater.pseudonym)]
    cells = of_tea[["no_errors", "spans", "is_counted", "is_first"]]
    assert cells.to_numpy().tolist() == [[False, 1, True, False], [True, 0, False, True]]
    assert markings.count(project) == len(found) == 5
    assert found.response_key.is_monotonic_increasing


# --- Verdicts -------------------------------------------------------------------------------------------


@pytest.fixture
def reviewed(project, turns, karim) -> Assignment:
    """Karim keeps both of Mona's marks, and then thinks that the pharaohs are no error."""
    stage = Stage.objects.create(project=project, kind="reviews", name="Reviews")
    AnnotatorReviews().plan(stage)
    assert claim_next(Rater.objects.get(user=karim), stage) is not None
    for pharaohs in ("keep", "reject"):
        turn = Assignment.objects.select_related("stage", "item__response").get(stage=stage, rater__user=karim)
        if turn.status == "submitted":
            amend(turn)
        verdicts = {NIGHTLY: "keep", PHARAOHS: pharaohs}
        given = [{"span": key, "verdict": verdicts[span.quote]} for key, span in by_blind_key(turn).items()]
        hand_in(karim, turn, {"reviews": given})
    return turn


def test_outcomes_go_by_the_last_verdict_and_the_first_is_counted(project, reviewed):
    found = table(project, "verdicts")
    assert figure(found, "People", measure="keep").value == 2
    assert figure(found, "People", measure="reject").value == 0
    assert figure(found, "People", measure="rejected").value == 1
    assert found.recipe.settings["verdicts"].startswith(FIRST_ANSWERS)


def test_first_verdicts_are_rows_that_do_not_count(project, reviewed):
    found = reviews(project)
    said = {(row.is_counted, row.is_first): [] for row in found.itertuples()}
    for row in found.itertuples():
        said[row.is_counted, row.is_first].append(row.verdict)
    assert {place: sorted(verdicts) for place, verdicts in said.items()} == {
        (True, False): ["keep", "reject"],
        (False, True): ["keep", "keep"],
    }
    assert set(found.span_key) == set(Span.objects.filter(rater__name__startswith="Mona").values_list("key", flat=True))
    assert set(found.span_rater) == {Rater.objects.get(name__startswith="Mona").pseudonym}
    assert reviews.count(project) == len(found)


# --- Freshness ------------------------------------------------------------------------------------------


def test_what_is_kept_or_goes_makes_the_figures_anew(project, sent_back):
    kept = FirstAnswer.objects.get()
    before = revisions(project).places
    FirstAnswer.objects.all().delete()
    assert moved(project, before) == {("ar-EG", "first answers to spans")}
    before = revisions(project).places
    kept.pk = None
    kept.save(force_insert=True)
    assert moved(project, before) == {("ar-EG", "first answers to spans")}


def test_handing_in_again_makes_the_figures_anew(project, sent_back, koshari, karim):
    amend(Assignment.objects.select_related("stage", "item__response").get(pk=sent_back.pk))
    before = revisions(project).places
    hand_in(karim, sent_back, as_mona(koshari))
    assert ("ar-EG", "markings") in moved(project, before)
