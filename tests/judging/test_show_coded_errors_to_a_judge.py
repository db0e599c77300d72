"""A judge of categories is shown what people coded: two errors of each category, of the training split alone."""

import json

import pytest

from annotation import classification
from annotation.gold import derive
from annotation.models import Classification, Span
from judging.engine.planning import plan
from tests.annotation.marked import rater_of
from tests.judging.every_kind import judge_of
from tests.judging.proposing import add_categories, keep_touching_errors, run_through
from tests.judging.test_show_errors_to_a_judge import of_split, settled

pytestmark = pytest.mark.django_db


@pytest.fixture
def categories(project):
    return add_categories(project)


@pytest.fixture
def item(koshari, mona, karim):
    """Five errors without a category, of a template that is held out."""
    keep_touching_errors(koshari, mona, karim)
    return of_split(koshari, "test")


@pytest.fixture
def coded(project, mona, karim, hana, categories):
    """Three errors of the first category and one of the second, each of a template of its own."""
    chosen = [categories[0]] * 3 + [categories[1]]
    return [code(project, f"coded-{n}", mona, karim, hana, category) for n, category in enumerate(chosen)]


def code(project, key, mona, karim, coder, category, **of) -> Span:
    response = settled(project, key, mona, karim, "في مصر", **of)
    span = response.spans.get()
    classification.classify(span, rater_of(coder, project), category)
    return span


def few(project, provider, **how):
    return judge_of("categories", project, provider, shots="few", **how)


def examples_of(judge, item) -> list[list[str]]:
    """Of each error of the item, the names of its examples."""
    planned = plan(judge, item.project.responses.filter(pk=item.pk))
    return [[str(name) for name in about[1:]] for _place, about in sorted(planned.about.items())]


def test_two_of_each_category_where_there_are_as_many(project, provider, item, coded, categories):
    named = examples_of(few(project, provider), item)
    assert len(named) == 5
    for names in named:
        assert [name.split(":")[2] for name in names] == [*[categories[0].slug] * 2, categories[1].slug]
        assert len(set(names)) == 3
        assert {int(name.split(":")[1]) for name in names} <= {span.pk for span in coded}


def test_the_judge_reads_words_explanation_and_category_and_nothing_else_of_them(
    project, provider, fake_provider, item, coded, hana
):
    Classification.objects.update(reason="secret reason")
    Span.objects.filter(pk__in=[span.pk for span in coded]).update(correction="secret correction")
    fake_provider.tell(record=True)
    run = run_through(few(project, provider))
    assert set(run.calls.values_list("state", flat=True)) == {"scored"}
    asked = [request["body"]["messages"][1]["content"] for request in fake_provider.asked()]
    assert all("of the category inaccuracy" in user and "of the category connotation" in user for user in asked)
    assert all("Wrong in coded-3." in user for user in asked)
    told = json.dumps(asked, ensure_ascii=False)
    assert "secret" not in told
    assert rater_of(hana, project).pseudonym not in told
    assert run.prompt_version.name == "categories/few"
    assert Classification.objects.filter(rater=run.judge.rater).count() == 5


def test_held_out_templates_split_opinions_and_choices_in_sight_of_a_proposal_are_no_examples(
    project, provider, item, coded, mona, karim, hana, categories
):
    first, second = categories
    code(project, "held-out", mona, karim, hana, second, split="test")
    divided = code(project, "divided", mona, karim, hana, second)
    classification.classify(divided, rater_of(mona, project), first)
    seen = code(project, "seen", mona, karim, hana, second)
    Classification.objects.filter(span=seen).update(after_proposal=True)
    derive([divided.response_id, seen.response_id])
    of_second = {name for names in examples_of(few(project, provider), item) for name in names if second.slug in name}
    assert of_second == {f"coded:{coded[3].pk}:{second.slug}"}


def test_an_errors_own_template_is_never_among_its_examples(project, provider, item, coded):
    own = coded[0].response
    of_split(item, "train", f"template-{own.key}")
    for names in examples_of(few(project, provider), item):
        assert f"coded:{coded[0].pk}:inaccuracy" not in names


def test_where_nothing_was_coded_nothing_is_asked_and_the_plan_says_why(project, provider, item, categories):
    planned = plan(few(project, provider), project.responses.all())
    assert (planned.size, planned.not_ready) == (0, 1)
    assert "people coded" in next(iter(planned.reasons))
    assert plan(judge_of("categories", project, provider), project.responses.all()).size == 5


def test_the_seed_draws_others(project, provider, item, coded, mona, karim, hana, categories):
    for n in range(4, 12):
        code(project, f"coded-{n}", mona, karim, hana, categories[0])
    drawn = {
        str(examples_of(few(project, provider, name=f"seed {seed}", examples_seed=seed), item)) for seed in range(4)
    }
    assert len(drawn) > 1
