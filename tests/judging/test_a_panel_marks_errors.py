"""Several judges mark errors as one: an error of most is the panel's, where most put it, in one of their own words."""

from annotation.models import GoldError, Marking, Span
from judging.ensembles.assembling import assemble
from projects.models import Laboratory
from tests.annotation.marked import mark, review
from tests.judging.panelling import judge, judges, panel_of

# The first paragraph of the response, in words: الكشري أكلة مصرية شعبية بتتعمل من الرز والعدس والمكرونة.
FOUR, THREE, TWO = "أكلة مصرية شعبية بتتعمل", "أكلة مصرية شعبية", "مصرية شعبية"
FAR = "أيام الفراعنة"


def marking_of(panel) -> Marking:
    return Marking.objects.get(rater=panel.rater)


def test_what_two_of_three_mark_is_an_error_on_the_words_that_most_cover(project, koshari):
    amber, birch, cedar = judges(project)
    mark(koshari, amber, FOUR, criticality="low", explanation="amber says so")
    mark(koshari, birch, THREE, criticality="high", explanation="birch says so", error_type="linguistic")
    mark(koshari, cedar, FAR)
    panel = panel_of([amber, birch, cedar], "spans")

    done = assemble(panel)

    assert done.counts == {"answers": 1, "written": 1}
    marking = marking_of(panel)
    assert (marking.no_errors, marking.is_complete, marking.round) == (False, True, 1)
    [span] = marking.spans.all()
    # Two marked it, words 2 to 5 and 2 to 4; more than half of the two is both: words 2 to 4.
    assert (span.quote, koshari.text[span.start : span.end]) == (THREE, THREE)
    # One says low, one high: the more serious. Of the types the one that was called high.
    assert (span.criticality, span.error_type, span.explanation) == ("high", "linguistic", "birch says so")
    assert span.metadata == {"panel": {"marked_by": ["amber", "birch"], "share": 0.666667}}
    said = marking.metadata["panel"]
    assert [member["rater"] for member in said["members"]] == ["amber", "birch", "cedar"]
    assert (said["rule"], said["of"], said["own_laboratory"], said["threshold"]) == ("majority", 3, 0, 0.15)


def test_boundaries_on_which_most_agree_to_the_character_stay_as_they_are(project, koshari):
    amber, birch, cedar = judges(project)
    half_a_word = TWO[:-3]
    for rater, quote in ((amber, half_a_word), (birch, half_a_word), (cedar, THREE)):
        mark(koshari, rater, quote)
    panel = panel_of([amber, birch, cedar], "spans")
    assemble(panel)
    [span] = Span.objects.filter(rater=panel.rater)
    assert span.quote == half_a_word


def test_no_errors_is_an_answer_where_no_error_has_a_majority(project, koshari):
    amber, birch, cedar = judges(project)
    mark(koshari, amber, FAR)
    mark(koshari, birch)
    mark(koshari, cedar)
    panel = panel_of([amber, birch, cedar], "spans")
    assert assemble(panel).counts["answers"] == 1
    assert marking_of(panel).no_errors


def test_an_error_of_exactly_half_is_neither_an_error_nor_its_absence(project, koshari):
    amber, birch = judges(project, 2)
    mark(koshari, amber, FAR)
    mark(koshari, birch)
    panel = panel_of([amber, birch], "spans")
    done = assemble(panel)
    assert (done.counts, done.undecided) == ({"ties": 1}, [("ties", "koshari")])
    assert not Marking.objects.filter(rater=panel.rater).exists()


def test_beside_an_error_of_most_one_of_half_is_left_out_and_counted(project, koshari):
    amber, birch = judges(project, 2)
    mark(koshari, amber, THREE, FAR)
    mark(koshari, birch, THREE)
    panel = panel_of([amber, birch], "spans")
    assemble(panel)
    assert [span.quote for span in Span.objects.filter(rater=panel.rater)] == [THREE]
    assert marking_of(panel).metadata["panel"]["half"] == 1


def test_something_missing_from_the_same_place_is_one_error(project, koshari):
    amber, birch, cedar = judges(project)
    for rater in (amber, birch):
        [span] = mark(koshari, rater, FAR)
        Span.objects.filter(pk=span.pk).update(anchor="paragraph", start=None, end=None, quote="", paragraph=1)
    mark(koshari, cedar)
    panel = panel_of([amber, birch, cedar], "spans")
    assemble(panel)
    [span] = Span.objects.filter(rater=panel.rater)
    assert (span.anchor, span.paragraph, span.quote) == ("paragraph", 1, "")


def test_too_few_members_have_no_answer(project, koshari, boishakh):
    amber, birch, cedar = judges(project)
    mark(koshari, amber, THREE)
    mark(boishakh, amber)
    mark(boishakh, birch)
    Marking.objects.create(response=koshari, rater=cedar, is_complete=False)
    panel = panel_of([amber, birch, cedar], "spans")
    done = assemble(panel)
    assert (done.counts["too_few"], done.counts["answers"]) == (1, 1)
    assert marking_of(panel).response == boishakh


def test_an_incomplete_marking_is_no_vote(project, koshari):
    amber, birch, cedar = judges(project)
    for rater in (amber, birch, cedar):
        mark(koshari, rater, THREE)
    Marking.objects.filter(rater__in=[birch, cedar]).update(is_complete=False)
    panel = panel_of([amber, birch, cedar], "spans")
    assert assemble(panel).counts == {"too_few": 1}


def test_a_member_of_the_laboratory_that_wrote_the_response_has_no_vote(project, koshari):
    """Such an answer should not be there; were it there, it would not count. The panel says how many answered."""
    own = judge(project, "Nile", laboratory="delta-lab")
    assert own.laboratory == Laboratory.objects.get(slug="delta-lab") == koshari.target_model.laboratory
    amber, birch = judges(project, 2)
    mark(koshari, own, FAR)
    mark(koshari, amber, FAR)
    mark(koshari, birch)
    panel = panel_of([own, amber, birch], "spans")
    assert assemble(panel).counts == {"ties": 1}  # one of two; with its own judge's vote it would be two of three
    Marking.objects.get(rater=birch).delete()
    mark(koshari, birch, FAR)
    assemble(panel)
    said = marking_of(panel).metadata["panel"]
    assert [member["rater"] for member in said["members"]] == ["amber", "birch"]
    assert (said["of"], said["own_laboratory"]) == (3, 1)


def test_another_name_of_the_laboratory_opens_no_guard(project):
    """Google's judge has no vote on what was imported as of Google DeepMind, nor on a Gemini of any laboratory."""
    from tests.people import EGYPTIAN, add_response

    own = judge(project, "Gem", laboratory="google")
    members = [own, *judges(project, 2)]
    panel = None
    for key, model, laboratory in (("a", "Nile-7B", "google-deepmind"), ("b", "gemini-2.5-pro", "delta-lab")):
        response = add_response(project, key, EGYPTIAN, "ar-EG", model=model)
        maker, _new = Laboratory.objects.get_or_create(slug=laboratory, defaults={"name": laboratory})
        response.target_model.laboratory = maker
        response.target_model.save()
        for member in members:
            mark(response, member, THREE)
        panel = panel or panel_of(members, "spans")
        assemble(panel)
        said = marking_of_response(panel, response).metadata["panel"]
        assert ([each["rater"] for each in said["members"]], said["own_laboratory"]) == (["amber", "birch"], 1)


def test_assembling_again_writes_only_what_changed(project, koshari, boishakh):
    amber, birch, cedar = judges(project)
    for rater in (amber, birch, cedar):
        mark(koshari, rater, THREE)
        mark(boishakh, rater)
    panel = panel_of([amber, birch, cedar], "spans")
    assert assemble(panel).counts["written"] == 2
    before = set(Marking.objects.filter(rater=panel.rater).values_list("pk", flat=True))
    again = assemble(panel)
    assert (again.counts["answers"], again.counts["written"], again.counts["withdrawn"]) == (2, 0, 0)
    assert set(Marking.objects.filter(rater=panel.rater).values_list("pk", flat=True)) == before

    # Two change their minds in a later round: one answer of the panel changes, the other is not touched.
    for rater in (amber, birch):
        Marking.objects.create(response=koshari, rater=rater, round=2, no_errors=True)
    assert assemble(panel).counts["written"] == 1
    assert marking_of_response(panel, koshari).no_errors
    assert marking_of_response(panel, boishakh).pk in before

    # Members' answers are gone: so is the panel's.
    Marking.objects.filter(rater__in=[amber, birch], response=boishakh).delete()
    assert assemble(panel).counts["withdrawn"] == 1
    assert list(Marking.objects.filter(rater=panel.rater).values_list("response__key", flat=True)) == ["koshari"]


def marking_of_response(panel, response) -> Marking:
    return Marking.objects.get(rater=panel.rater, response=response)


def test_what_people_have_worked_on_stays(project, koshari, mona):
    amber, birch, cedar = judges(project)
    for rater in (amber, birch, cedar):
        mark(koshari, rater, THREE)
    panel = panel_of([amber, birch, cedar], "spans")
    assemble(panel)
    [span] = Span.objects.filter(rater=panel.rater)
    review(span, mona, "keep")
    Marking.objects.filter(rater__in=[amber, birch]).delete()
    done = assemble(panel)
    assert done.counts == {"too_few": 1, "kept": 1}
    assert Span.objects.filter(pk=span.pk).exists()


def test_a_panel_makes_no_gold_and_asks_nobody_for_a_review(project, koshari, mona, karim):
    """Its errors are its members', which people review once each; kept twice, an error would stand twice in gold."""
    from annotation.outcomes import cases
    from annotation.receivers import answers_changed

    amber, birch = judges(project, 2)
    spans = [span for rater in (mona, karim) for span in mark(koshari, rater)]
    spans += [*mark(koshari, amber, THREE), *mark(koshari, birch, THREE)]
    panel = panel_of([amber, birch], "spans")
    assemble(panel)
    for span in spans:
        review(span, mona, "keep")
        review(span, karim, "keep")
    answers_changed([koshari.pk])
    outcomes = {case.span.rater_id: case.outcome for case in cases([koshari.pk])}
    assert outcomes == {amber.pk: "kept", birch.pk: "kept", panel.rater_id: "panel"}
    assert GoldError.objects.filter(response=koshari).count() == 2
    assert not GoldError.objects.filter(spans__rater=panel.rater).exists()


def test_statements_do_not_grow_with_the_responses(project, django_assert_max_num_queries):
    from tests.people import EGYPTIAN, add_response

    members = judges(project)
    for number in range(40):
        response = add_response(project, f"r{number}", EGYPTIAN, "ar-EG", model=f"Nile-{number}")
        for member in members:
            mark(response, member, THREE, FAR)
    panel = panel_of(members, "spans")
    with django_assert_max_num_queries(42):
        assert assemble(panel).counts["written"] == 40
    with django_assert_max_num_queries(36):
        assert assemble(panel).counts["written"] == 0


def test_another_threshold_is_another_panel(project, koshari):
    amber, birch = judges(project, 2)
    mark(koshari, amber, FOUR)  # four words, of which one is shared: 1 / 4
    mark(koshari, birch, "بتتعمل")
    panel = panel_of([amber, birch], "spans")
    assemble(panel)
    assert Span.objects.filter(rater=panel.rater).count() == 1
    panel.options["threshold"] = 0.5
    panel.save(update_fields=["options"])
    assert assemble(panel).counts["ties"] == 1
    assert not Marking.objects.filter(rater=panel.rater).exists()
