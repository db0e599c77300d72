"""Few-shot for marked errors: three other responses whose errors people settled, of the training split alone."""

import json
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.gold import derive
from annotation.models import ErrorCategory, Marking, Span
from judging.engine import runs
from judging.engine.planning import plan
from judging.engine.shards import work_through
from judging.judges import add_judge
from judging.kinds import judge_kind
from judging.kinds.spans.examples import occurrence
from judging.models import Call
from projects.models import Prompt, PromptTemplate, Response
from tests.annotation.marked import mark, review
from tests.annotation.rated import question_type
from tests.judging.proposing import run_through
from tests.people import add_response

SHOWN = re.compile(r"<<<errors (?P<nonce>\w+)>>>\n(?P<errors>.*?)\n<<<end of errors (?P=nonce)>>>", re.S)


def of_split(response: Response, split: str, key: str = "") -> Response:
    """Its prompt belongs to a template of this split."""
    key = key or f"template-{response.key}"
    project = response.project
    question = project.question_types.first() or question_type(project)
    made = {"text": f"{key}?", "split": split, "question": question}
    template, _new = PromptTemplate.objects.get_or_create(project=project, key=key, defaults=made)
    response.prompt.template = template
    response.prompt.save(update_fields=["template"])
    return response


def settled(project, key: str, mona, karim, *words: str, split: str = "train", tag: str = "ar-EG", of: str = ""):
    """A response whose errors at these words two people agree on; without words, one without errors."""
    response = of_split(add_response(project, key, f"يوم العيد {key} في مصر يوم العيد", tag), split, of)
    for span in mark(response, mona, *words, explanation=f"Wrong in {key}.") if words else ():
        review(span, karim, "keep")
    if not words:
        Marking.objects.create(response=response, rater=mona.raters.get(), no_errors=True)
    derive([response.pk])
    return response


@pytest.fixture
def shown(project, mona, karim) -> list[Response]:
    wrong = [settled(project, f"wrong-{number}", mona, karim, "في مصر") for number in range(4)]
    return [*wrong, settled(project, "right", mona, karim)]


@pytest.fixture
def item(koshari) -> Response:
    return of_split(koshari, "test")


def few(project, provider, **how):
    return add_judge(project, provider, "simulated-1", shots="few", granularity="response", **how)


def of(*items):
    return Response.objects.filter(pk__in=[item.pk for item in items])


def drawn(judge, item) -> list[int]:
    return [int(str(name).split(":")[1]) for about in plan(judge, of(item)).about.values() for name in about]


def test_two_with_errors_and_one_without_stand_before_the_question(project, provider, fake_provider, shown, item, mona):
    fake_provider.tell(record=True)
    run = runs.create_run(few(project, provider), of(item))
    for shard in runs.start_here(run):
        work_through(shard)
    assert set(run.calls.values_list("state", flat=True)) == {"scored"}
    [asked] = fake_provider.asked()
    user = asked["body"]["messages"][1]["content"]
    told = [json.loads(found["errors"]) for found in SHOWN.finditer(user)]
    assert [len(errors) for errors in told] == [1, 1, 0]
    error = told[0][0]
    assert (error["anchor"], error["quote"], error["occurrence"]) == ("words", "في مصر", 1)
    assert error["explanation"].startswith("Wrong in wrong-")
    assert user.rindex("<<<errors") < user.index(item.text)
    assert mona.name not in user
    assert mona.raters.get().pseudonym not in user
    assert run.prompt_version.name == "spans/response+few"
    assert "training split" in run.prompt_version.text


def test_the_item_itself_its_template_its_words_and_other_splits_are_never_shown(project, provider, shown, mona, karim):
    """Everybody draws for everybody: nobody's examples hold its own template, its words, or a held-out one."""
    settled(project, "held-out", mona, karim, "في مصر", split="test")
    sibling = settled(project, "sibling", mona, karim, "في مصر", of="template-wrong-0")
    twin = settled(project, "twin", mona, karim, "في مصر")
    same_words = shown[1].prompt
    again = Prompt.objects.create(
        project=project,
        key="again",
        text=same_words.text,
        text_sha256=same_words.text_sha256,
        variety=same_words.variety,
        template=twin.prompt.template,
    )
    Response.objects.filter(pk=twin.pk).update(prompt=again)
    run_through(few(project, provider))
    origin = {
        pk: row for pk, *row in Response.objects.values_list("pk", "prompt__template__key", "prompt__text_sha256")
    }
    splits = dict(Response.objects.values_list("pk", "prompt__template__split"))
    calls = Call.objects.all()
    assert calls.count() == Response.objects.count()
    seen = set()
    for call in calls:
        examples = [int(name.split(":")[1]) for name in call.about]
        seen |= set(examples)
        assert len(set(examples)) == 3
        for example in examples:
            assert splits[example] == "train"
            assert example != call.response_id
            assert origin[example][0] != origin[call.response_id][0]
            assert origin[example][1] != origin[call.response_id][1]
    assert {sibling.pk, twin.pk} & seen


def test_errors_that_are_not_settled_or_that_only_judges_found_are_no_examples(project, provider, shown, item, mona):
    open_one = of_split(add_response(project, "open", "يوم العيد في مصر", "ar-EG"), "train")
    mark(open_one, mona, "في مصر")
    derive([open_one.pk])
    by_judge = of_split(add_response(project, "by-judge", "يوم العيد في مصر", "ar-EG"), "train")
    judge = add_judge(project, provider, "simulated-2")
    Marking.objects.create(response=by_judge, rater=judge.rater, no_errors=True)
    derive([by_judge.pk])
    for seed in range(12):
        asking = few(project, provider, examples_seed=seed)
        assert not {open_one.pk, by_judge.pk} & set(drawn(asking, item))


def test_what_was_planned_is_shown_though_people_settle_anew(project, provider, fake_provider, shown, item):
    run = runs.create_run(few(project, provider), of(item))
    before = run.calls.get().about
    Span.objects.update(explanation="Said anew.")
    derive([response.pk for response in shown])
    fake_provider.tell(record=True)
    for shard in runs.start_here(run):
        work_through(shard)
    [asked] = fake_provider.asked()
    user = asked["body"]["messages"][1]["content"]
    assert "Said anew." not in user
    assert all(json.loads(name.split(":", 2)[2]) for name in before[:2])


def test_without_three_examples_a_response_is_not_asked_and_the_plan_says_why(project, provider, item, mona, karim):
    settled(project, "wrong", mona, karim, "في مصر")
    planned = plan(few(project, provider), of(item))
    assert (planned.size, planned.not_ready) == (0, 1)
    assert "fewer than three" in next(iter(planned.reasons))


def test_categories_stand_in_examples_of_judges_that_are_told_of_them(project, provider, shown, item):
    category = ErrorCategory.objects.create(project=project, slug="dates", name="Wrong date")
    Span.objects.update(category=category)
    derive([response.pk for response in shown])
    for with_taxonomy in (True, False):
        judge = few(project, provider, with_taxonomy=with_taxonomy)
        [about] = plan(judge, of(item)).about.values()
        found = judge_kind("spans").subjects(set(about))
        assert ('"category": "dates"' in "".join(each.errors for each in found.values())) == with_taxonomy


def test_another_seed_draws_others_and_the_same_one_the_same(project, provider, item, mona, karim):
    for number in range(12):
        settled(project, f"wrong-{number}", mona, karim, "في مصر")
    settled(project, "right", mona, karim)
    without = drawn(few(project, provider), item)
    one = few(project, provider, examples_seed=1)
    assert one.rater.name == "simulated-1 (whole + few-shot, examples seed 1)"
    assert drawn(one, item) == drawn(one, item)
    others = [drawn(few(project, provider, examples_seed=seed), item) for seed in range(2, 6)]
    assert len({tuple(each) for each in (without, drawn(one, item), *others)}) > 3
    prompts = {judge_kind("spans").prompt_text(judge).sha256 for judge in project.judges.all()}
    assert len(prompts) == project.judges.count()


def test_occurrences_are_counted_as_answers_count_them():
    assert occurrence("aaa", "aa", 1) == 2
    assert occurrence("one two one", "one", 8) == 2


def test_planning_asks_as_much_for_many_as_for_few(project, provider, shown, mona, karim, django_assert_num_queries):
    judge = few(project, provider)
    with CaptureQueriesContext(connection) as of_few:
        plan(judge, project.responses.all())
    for number in range(6):
        settled(project, f"more-{number}", mona, karim, "في مصر")
    with django_assert_num_queries(len(of_few)):
        plan(judge, project.responses.all())


def test_balanced_examples_hold_as_many_without_errors_as_with(project, provider, shown, item, mona, karim):
    settled(project, "right-too", mona, karim)
    judge = few(project, provider, balanced=True)
    [about] = plan(judge, of(item)).about.values()
    assert [len(json.loads(str(name).split(":", 2)[2])) for name in about] == [1, 0, 1, 0]
    assert len({str(name).split(":")[1] for name in about}) == 4
    assert judge_kind("spans").prompt_text(judge).name == "spans/response+balanced"
    assert "Four responses" in judge_kind("spans").prompt_text(judge).text
    assert judge.rater.name.endswith("(whole + few-shot, balanced)")


def test_without_enough_error_free_responses_balanced_examples_are_not_made_up(project, provider, shown, item):
    """There is one response without errors: three with errors would do for a judge that is not balanced."""
    balanced = plan(few(project, provider, balanced=True), of(item))
    assert (balanced.size, balanced.not_ready) == (0, 1)
    assert "two without any" in next(iter(balanced.reasons))
    assert plan(few(project, provider, name="plain"), of(item)).size == 1


def test_balance_says_nothing_of_a_judge_without_examples(project, provider):
    judge = add_judge(project, provider, "simulated-1", granularity="response", balanced=True)
    assert "balanced" not in judge.options
