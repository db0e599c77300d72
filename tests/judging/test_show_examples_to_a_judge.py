"""Few-shot: three graded examples, of the training split, never of the template of what is judged."""

import re

import pytest

from annotation.models import Rating, RatingSettings
from judging.engine import runs
from judging.engine.planning import plan
from judging.engine.shards import work_through
from judging.kinds.examples import part_of_scale, parts_of
from judging.models import Call
from projects.models import LanguageVariety, Prompt, Rater, Response
from projects.splits import drawn, origin
from tests.annotation.rated import question_type, rate
from tests.judging.rating import (
    a_pair,
    ask,
    examples_for,
    graded_pair,
    rating_judge,
    respond,
    run_through,
    states,
    template,
    worth,
)

GIVEN = re.compile(r"Native readers graded this answer (\d)\.")


@pytest.fixture
def formality(project):
    return question_type(project)


def of(items):
    return Response.objects.filter(pk__in=[item.pk for item in items])


def the_test_item(project, question, words: str = "", tag: str = "ar-EG") -> Response:
    prompt = ask(project, question, template(project, f"held-out-{words}{tag}", question, "test"), tag)
    return respond(prompt, worth(4, words))


def example_ids(call: Call) -> list[int]:
    return [int(str(name).split(":")[1]) for name in call.about if name.startswith("example:")]


def test_three_graded_examples_stand_before_the_response(project, provider, formality, mona, fake_provider):
    """One of 1-2, one of 3, one of 4-5, with people's grades and no word of who gave them."""
    examples_for(project, formality, mona)
    item = the_test_item(project, formality)
    fake_provider.tell(record=True)
    run = run_through(rating_judge(project, provider, kind="pointwise", shots="few"), of([item]))
    assert states(run) == {"scored": 1}
    [asked] = fake_provider.asked()
    user = asked["body"]["messages"][1]["content"]
    grades = [int(grade) for grade in GIVEN.findall(user)]
    assert [part_of_scale(grade, formality) for grade in grades] == ["low", "middle", "high"]
    assert user.index(item.text) > user.rindex("Native readers")
    assert mona.name not in user
    call = Call.objects.get()
    shown = [Response.objects.get(pk=pk) for pk in example_ids(call)]
    assert len(shown) == 3
    for response, grade in zip(shown, grades, strict=True):
        assert response.text in user
        assert response.prompt.text in user
        people = Rating.objects.filter(pair__first=response).values_list("first_grade", flat=True) or (
            Rating.objects.filter(pair__second=response).values_list("second_grade", flat=True)
        )
        assert list(people) == [grade]


def test_the_grades_that_were_planned_are_shown_and_stay_on_record(project, provider, formality, mona, fake_provider):
    """People settle on something else between the plan and the call: what the call says was shown, was shown."""
    for rating in examples_for(project, formality, mona):
        Rating.objects.filter(pk=rating.pk).update(second_grade=3)
    item = the_test_item(project, formality)
    run = runs.create_run(rating_judge(project, provider, kind="pointwise", shots="few"), of([item]))
    planned = [int(name.split(":")[2]) for name in Call.objects.get().about[1:]]
    Rating.objects.update(first_grade=1, second_grade=1)
    fake_provider.tell(record=True)
    for shard in runs.start_here(run):
        work_through(shard)
    [asked] = fake_provider.asked()
    assert [int(grade) for grade in GIVEN.findall(asked["body"]["messages"][1]["content"])] == planned
    assert planned != [1, 1, 1]
    assert plan(run.judge, of([item])).size == 0


def test_no_example_comes_from_the_items_own_template_or_from_outside_the_training_split(
    project, provider, formality, mona
):
    """Forty items of ten templates in three splits; whoever draws for them stays on one side."""
    splits = ["train"] * 6 + ["validation"] * 2 + ["test"] * 2
    for number, split in enumerate(splits):
        one = template(project, f"t{number}", formality, split)
        for tag in ("ar-EG", "bn-BD"):
            for grades in ((1, 3), (5, 2)):
                graded_pair(ask(project, formality, one, tag), mona, formality, *grades)
    for kind in ("pointwise", "pairwise"):
        run_through(rating_judge(project, provider, kind=kind, shots="few"))
    origins = {
        pk: (key, split)
        for pk, key, split in Response.objects.values_list("pk", "prompt__template__key", "prompt__template__split")
    }
    calls = Call.objects.all()
    assert calls.count() == 80 + 80
    for call in calls:
        drawn_for = [name.split(":") for name in call.about if name.startswith("example:")]
        assert len(drawn_for) == 3
        for parts in drawn_for:
            key, split = origins[int(parts[1])]
            assert split == "train"
            assert key != origins[call.response_id][0]


def test_the_same_item_is_shown_the_same_examples_and_another_one_others(project, provider, formality, mona):
    for _number in range(8):
        examples_for(project, formality, mona)
    items = [the_test_item(project, formality, f"w{number}") for number in range(12)]
    judge = rating_judge(project, provider, kind="pointwise", shots="few")
    one, again = plan(judge, of(items)), plan(judge, of(items))
    assert one.about == again.about
    assert len(set(one.about.values())) > 6


def test_examples_are_of_the_variety_else_of_the_language_else_of_any(project, provider, formality, mona):
    LanguageVariety.objects.create(
        tag="ar-LB", name="Lebanese Arabic", language="ar", script="Arab", region="LB", direction="rtl"
    )
    examples_for(project, formality, mona, "ar-EG")
    examples_for(project, formality, mona, "ar-IQ")
    examples_for(project, formality, mona, "bn-BD")
    judge = rating_judge(project, provider, kind="pointwise", shots="few")

    def tags(tag: str) -> set[str]:
        item = the_test_item(project, formality, "of", tag)
        [about] = plan(judge, of([item])).about.values()
        ids = [int(str(name).split(":")[1]) for name in about[1:]]
        return set(Response.objects.filter(pk__in=ids).values_list("variety__tag", flat=True))

    assert tags("ar-EG") == {"ar-EG"}
    assert tags("bn-BD") == {"bn-BD"}
    assert tags("ar-LB") <= {"ar-EG", "ar-IQ"}
    assert tags("ko-KR") <= {"ar-EG", "ar-IQ", "bn-BD"}


@pytest.mark.parametrize(
    ("grades", "missing"), [(((1, 2), (5, 4)), "middle"), (((3, 3), (4, 5)), "low"), (((1, 3),), "high")]
)
def test_without_an_example_of_a_part_of_the_scale_a_response_waits(
    grades, missing, project, provider, formality, mona
):
    for each in grades:
        graded_pair(ask(project, formality, template(project, f"t{each}", formality)), mona, formality, *each)
    item = the_test_item(project, formality)
    found = plan(rating_judge(project, provider, kind="pointwise", shots="few"), of([item]))
    assert (found.size, found.not_ready) == (0, 1)
    [reason] = found.reasons
    assert {"low": "low end", "middle": "middle", "high": "high end"}[missing] in reason
    assert "Formality" in reason


def test_example_pairs_are_shown_with_both_grades_in_either_order(project, provider, formality, mona, fake_provider):
    examples_for(project, formality, mona)
    pair = a_pair(ask(project, formality, template(project, "held-out", formality, "test")))
    fake_provider.tell(record=True)
    run_through(rating_judge(project, provider, shots="few"), of([pair.first, pair.second]))
    assert Rating.objects.filter(pair=pair).count() == 2
    for call in Call.objects.all():
        names = [name.split(":")[1:] for name in call.about if name.startswith("example:")]
        assert [part_of_scale(int(name[1]), formality) for name in names] == ["low", "middle", "high"]
        for first, first_grade, second, second_grade in names:
            rating = Rating.objects.get(pair__first__in=[first, second], pair__second__in=[first, second])
            people = {rating.pair.first_id: rating.first_grade, rating.pair.second_id: rating.second_grade}
            assert people == {int(first): int(first_grade), int(second): int(second_grade)}
    for asked in fake_provider.asked():
        user = asked["body"]["messages"][1]["content"]
        assert len(re.findall(r"Native readers graded answer A \d and answer B \d\.", user)) == 3


def test_where_a_preference_is_asked_for_examples_are_pairs_that_people_decided(project, provider, mona, fake_provider):
    choice = question_type(project, "which-is-better", lowest=None, highest=None)
    for number, preference in enumerate(("first", "second", "tie")):
        pair = a_pair(ask(project, choice, template(project, f"t{number}", choice)))
        Rating.objects.create(question=choice, pair=pair, rater=Rater.objects.get(user=mona), preference=preference)
    item = a_pair(ask(project, choice, template(project, "held-out", choice, "test")))
    fake_provider.tell(record=True)
    run_through(rating_judge(project, provider, shots="few"), of([item.first, item.second]))
    for asked in fake_provider.asked():
        user = asked["body"]["messages"][1]["content"]
        assert re.findall(r"Native readers found answer ([AB]) better", user) == ["A", "B"]


def test_judges_and_checks_give_no_example(project, provider, formality, mona, simba):
    """What a judge said, and answers that only tested the rater, are nobody's gold."""
    for number, grades in enumerate(((1, 2), (3, 3), (5, 4))):
        prompt = ask(project, formality, template(project, f"t{number}", formality))
        graded_pair(prompt, simba, formality, *grades)
        graded_pair(prompt, mona, formality, *grades, is_check=True)
    item = the_test_item(project, formality)
    assert plan(rating_judge(project, provider, kind="pointwise", shots="few"), of([item])).not_ready == 1


def test_experts_decide_and_otherwise_the_rule_of_the_project(project, provider, formality, mona, karim, hana):
    """4 and 5 of two annotators, 3 of the expert: 3. Without the expert the majority's rule says 4 or 5, the mean 4.5,
    which becomes the nearer of the two to the middle of the scale: 4."""
    contested = a_pair(ask(project, formality, template(project, "contested", formality)), 4, 1)
    rate(contested, mona, formality, 4, 1)
    rate(contested, karim, formality, 5, 1)
    RatingSettings.objects.create(project=project, gold_rule="mean")
    graded_pair(ask(project, formality, template(project, "t3", formality)), mona, formality, 3, 3)
    item = the_test_item(project, formality)
    judge = rating_judge(project, provider, kind="pointwise", shots="few")
    [about] = plan(judge, of([item])).about.values()
    assert f"example:{contested.first_id}:4" in about
    rate(contested, hana, formality, 3, 1)
    assert plan(judge, of([item])).not_ready == 1, "nothing is graded 4 or 5 any more"


def test_a_prompt_without_a_template_is_a_template_of_its_own(project, provider, formality, mona):
    """Its split is drawn, the same whenever it is asked; two prompts with the same words are one."""
    same = [
        ask(project, formality, text="The same words?"),
        ask(project, formality, tag="bn-BD", text="The same words?"),
    ]
    hashes = {prompt.text_sha256 for prompt in same}
    assert len({origin(None, None, each) for each in hashes}) == 1
    shares = [drawn(f"prompt {number}") for number in range(4000)]
    for split, share in (("train", 0.7), ("validation", 0.05), ("test", 0.25)):
        assert abs(shares.count(split) / 4000 - share) < 4 * (share * (1 - share) / 4000) ** 0.5
    assert shares == [drawn(f"prompt {number}") for number in range(4000)]
    assert shares != [drawn(f"prompt {number}", seed=1) for number in range(4000)]
    for number in range(30):
        graded_pair(ask(project, formality), mona, formality, *((1, 3), (5, 3))[number % 2])
    run_through(rating_judge(project, provider, kind="pointwise", shots="few"))
    prompts = {pk: origin(None, None, text) for pk, text in Prompt.objects.values_list("pk", "text_sha256")}
    of_response = dict(Response.objects.values_list("pk", "prompt"))
    for call in Call.objects.all():
        for pk in example_ids(call):
            assert prompts[of_response[pk]].split == "train"
            assert of_response[pk] != of_response[call.response_id]


def test_no_example_asks_the_words_of_the_item(project, provider, formality, mona):
    """A template of the training split asks what the held-out one asks: it is no example for it."""
    same = "The very same question?"
    for grades in ((1, 2), (3, 3), (5, 4)):
        one = template(project, f"same-{grades}", formality)
        graded_pair(ask(project, formality, one, text=same), mona, formality, *grades)
    item = respond(ask(project, formality, template(project, "held-out", formality, "test"), text=same), worth(4))
    judge = rating_judge(project, provider, kind="pointwise", shots="few")
    assert plan(judge, of([item])).not_ready == 1
    examples_for(project, formality, mona)
    assert plan(judge, of([item])).size == 1


def test_the_parts_of_a_scale(project):
    """1-2, 3 and 4-5 of five grades; scales of other lengths have the parts that they have."""
    five, four, two, ten = (
        question_type(project, f"s{highest}", lowest=lowest, highest=highest)
        for lowest, highest in ((1, 5), (1, 4), (0, 1), (0, 10))
    )
    assert [part_of_scale(grade, five) for grade in five.scale] == ["low", "low", "middle", "high", "high"]
    assert parts_of(four) == parts_of(two) == ["low", "high"]
    assert parts_of(ten) == ["low", "middle", "high"]


def test_drawing_for_many_costs_the_same_number_of_statements(
    project, provider, formality, mona, django_assert_max_num_queries
):
    for _number in range(3):
        examples_for(project, formality, mona)
    judge = rating_judge(project, provider, shots="few")
    with django_assert_max_num_queries(20):
        assert plan(judge, Response.objects.filter(project=project)).size == 18


def test_a_seed_draws_other_examples_and_without_one_all_stays_as_it_was(project, provider, formality, mona):
    """The draw without a seed is the one that runs were planned with before there were seeds."""
    for _number in range(8):
        examples_for(project, formality, mona)
    items = [the_test_item(project, formality, f"w{number}") for number in range(6)]
    plain = rating_judge(project, provider, kind="pointwise", shots="few")
    assert "examples_seed" not in plain.options
    seeds = [rating_judge(project, provider, kind="pointwise", shots="few", examples_seed=seed) for seed in (0, 1)]
    plans = [plan(judge, of(items)) for judge in (plain, *seeds)]
    assert plans[0].prompt.name == "pointwise/few+rubric"
    assert plans[1].prompt.name == "pointwise/few seed 0+rubric"
    assert "examples_rule" not in plans[0].prompt.parts
    assert plans[1].prompt.parts["examples_rule"].endswith("Seed: 0.")
    assert len({tuple(sorted(each.about.items())) for each in plans}) == 3
    assert plan(seeds[0], of(items)).about == plans[1].about
