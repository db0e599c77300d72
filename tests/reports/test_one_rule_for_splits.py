"""Which side of the split a prompt stands on is the same for who judges, who trains and who reads the figures."""

from collections import Counter

import pytest

from judging.engine.choice import Choice
from projects.models import Prompt, PromptTemplate, Rater, Split
from projects.splits import origins
from reports.ratings.reader import load
from reports.ratings.scope import RatingScope
from tests.annotation.rated import make_ratings_project, question_type, rate
from tests.people import EGYPTIAN, add_response

pytestmark = pytest.mark.django_db
RESPONSES = 60


@pytest.fixture
def rated(project):
    """Sixty prompts that Mona rated a response to; two are of a template for testing, two of one without a split."""
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    mona = Rater.objects.create(project=feasts, kind="human", name="Mona")
    found = [add_response(feasts, f"r{number}", EGYPTIAN, "ar-EG") for number in range(RESPONSES)]
    for response in found:
        rate(response, mona, question, 4)
    for key, split, chosen in (("assigned", Split.TEST, found[:2]), ("left to be drawn", "", found[2:4])):
        template = PromptTemplate.objects.create(project=feasts, key=key, question=question, text="Ask.", split=split)
        Prompt.objects.filter(pk__in=[one.prompt_id for one in chosen]).update(template=template)
    return feasts


def test_judging_and_figures_find_the_same_responses_on_each_side(rated):
    varieties = list(rated.responses.values_list("variety", flat=True).distinct())
    of_prompt = origins(rated)
    found = {}
    for side in Split.values:
        asked = set(Choice(split=side).responses(rated).values_list("pk", flat=True))
        shown = set(load(rated, varieties, RatingScope(split=side)).items.response.tolist())
        assert shown == asked
        assert {
            of_prompt[pk].split for pk in rated.prompts.filter(responses__in=asked).values_list("pk", flat=True)
        } <= {side}
        found[side] = len(shown)
    assert sum(found.values()) == RESPONSES
    assert found[Split.TRAIN] > found[Split.TEST] > found[Split.VALIDATION]


def test_a_template_is_on_one_side_with_all_its_prompts(rated):
    of_prompt = origins(rated)
    of_template = Counter(
        (key, of_prompt[pk].split)
        for pk, key in rated.prompts.filter(template__isnull=False).values_list("pk", "template__key")
    )
    assert sorted(of_template.values()) == [2, 2]
    assert of_template["assigned", Split.TEST] == 2
