"""Few-shot for questionnaires: three other items that people answered, of the training split alone."""

import io
import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import QuestionnaireAnswer
from formats.archive.restoring import restore
from formats.archive.writing import write_archive
from judging.engine.planning import plan
from judging.engine.rereading import reread
from judging.judges import add_judge
from judging.kinds.questionnaire.examples import LONGEST, parse, shown_examples
from judging.models import Call, Run
from projects.models import Project, Prompt, Response
from tests.annotation.questionnaires import RANK, WRONG, questionnaire, responses_of
from tests.annotation.rated import pair_of
from tests.elsewhere import elsewhere
from tests.judging.every_kind import answered_run
from tests.judging.rating import run_through, states
from tests.judging.test_show_errors_to_a_judge import of_split
from tests.people import add_response, signed_in
from workflow.models import Stage, WorkItem

pytestmark = pytest.mark.django_db
GOOD = {"scale": "How good?", "key": "good"}
TONE = {"choice": "Which tone?", "key": "tone", "of": ["Warm", "Cold", "Flat", "Odd"]}
SHOWN = re.compile(r"<<<answers (?P<nonce>\w+)>>>\n(?P<answers>.*?)\n<<<end of answers (?P=nonce)>>>", re.S)


@pytest.fixture
def people(project):
    return [project.raters.create(kind="human", name=name, pseudonym=name) for name in ("first", "second")]


def settled(stage, people, key: str, split: str = "train", tag: str = "ar-EG", of: str = "", **answers) -> Response:
    """A response that both people answered in this way."""
    response = of_split(add_response(stage.project, key, f"جواب {key}", tag), split, of)
    for person in people:
        QuestionnaireAnswer.objects.create(stage=stage, response=response, rater=person, answers=answers)
    return response


@pytest.fixture
def stage(project):
    return questionnaire(project, GOOD, WRONG, name="Fair")


@pytest.fixture
def judge(project, provider):
    return add_judge(project, provider, "simulated-1", kind="questionnaire", shots="few")


@pytest.fixture
def shown(stage, people) -> list[Response]:
    return [settled(stage, people, f"r{good}", good=good, wrong="Private words") for good in (1, 2, 3, 4, 5)]


@pytest.fixture
def item(project, stage) -> Response:
    return of_split(add_response(project, "tea", "الشاي مشروب ساخن", "ar-EG"), "test")


def asked_about(judge, response: Response) -> list[str]:
    """The names of the examples of the response's one call; none where it is not asked about."""
    planned = plan(judge, Response.objects.filter(pk=response.pk))
    return [name for names in planned.about.values() for name in map(str, names) if name.startswith("filled:")]


def grades(names: list[str]) -> list[int]:
    return [json.loads(name.split(":", 3)[3])["good"] for name in names]


def test_one_of_each_part_of_the_scale_is_shown_with_gold_and_without_words(judge, shown, item, fake_provider):
    assert judge.rater.name == "simulated-1 (questionnaire, few-shot)"
    low, middle, high = grades(asked_about(judge, item))
    assert low in (1, 2)
    assert middle == 3
    assert high in (4, 5)
    fake_provider.tell(record=True)
    assert states(run_through(judge, Response.objects.filter(pk=item.pk))) == {"scored": 1}
    [request] = fake_provider.asked()
    said = "\n".join(message["content"] for message in request["body"]["messages"])
    answers = [json.loads(match["answers"]) for match in SHOWN.finditer(said)]
    assert answers == [{"good": low}, {"good": middle}, {"good": high}]
    assert "Private words" not in said, "what somebody wrote in free words is nobody else's"
    assert "Mona" not in said
    assert said.count("جواب") == 3


def test_never_of_the_item_s_template_nor_of_its_words_nor_from_another_split(judge, stage, people, item):
    for good in (1, 3, 5):
        settled(stage, people, f"test{good}", "test", good=good)
        settled(stage, people, f"own{good}", of=item.prompt.template.key, good=good)
        same = settled(stage, people, f"same{good}", good=good)
        words = Prompt.objects.create(
            project=item.project,
            key=f"words{good}",
            text=item.prompt.text,
            text_sha256=item.prompt.text_sha256,
            variety=item.prompt.variety,
            template=same.prompt.template,
        )
        Response.objects.filter(pk=same.pk).update(prompt=words)
    planned = plan(judge, Response.objects.filter(pk=item.pk))
    assert (planned.size, planned.not_ready) == (0, 1)
    assert "fewer than three" in next(iter(planned.reasons))


def test_nothing_that_people_say_of_the_item_changes_what_is_drawn(judge, stage, people, shown, item):
    before = asked_about(judge, item)
    for person in people:
        QuestionnaireAnswer.objects.create(stage=stage, response=item, rater=person, answers={"good": 5})
    assert asked_about(judge, item) == before
    assert not any(f":{item.pk}:" in name for name in before)


def test_a_check_is_no_example_and_neither_is_an_answer_to_one_nor_a_judge_s(
    judge, stage, people, shown, item, project
):
    """With the only middle grade among the checks, another item takes its place."""
    assert grades(asked_about(judge, item))[1] == 3
    WorkItem.objects.filter(stage=stage, response=shown[2]).delete()
    made = {"variety": shown[2].variety, "slots": 0, "open_slots": 0, "position": 99}
    WorkItem.objects.create(stage=stage, response=shown[2], is_check=True, **made)
    assert 3 not in grades(asked_about(judge, item))
    WorkItem.objects.filter(is_check=True).delete()
    QuestionnaireAnswer.objects.filter(response=shown[2]).update(is_check=True)
    assert 3 not in grades(asked_about(judge, item))


def test_the_item_s_variety_comes_first(judge, stage, people, shown, project):
    bengali = of_split(add_response(project, "cha", "চা", "bn-BD"), "test")
    for good in (1, 3, 5):
        settled(stage, people, f"bn{good}", tag="bn-BD", good=good)
    keys = dict(project.responses.values_list("pk", "key"))
    assert {keys[int(name.split(":")[2])] for name in asked_about(judge, bengali)} == {"bn1", "bn3", "bn5"}


def test_a_seed_draws_others_and_the_same_ones_again(project, provider, judge, stage, people, shown, item):
    for good in (1, 2, 3, 3, 4, 5):
        settled(stage, people, f"more{good}-{len(Response.objects.all())}", good=good)
    seeds = [
        add_judge(project, provider, "simulated-1", kind="questionnaire", shots="few", examples_seed=seed)
        for seed in range(6)
    ]
    drawn = [asked_about(one, item) for one in seeds]
    assert drawn == [asked_about(one, item) for one in seeds]
    assert len({tuple(names) for names in drawn}) > 1


def test_of_unordered_answers_one_of_each_of_the_first_three(project, provider, people):
    stage = questionnaire(project, TONE)
    for number, tone in enumerate(["Warm", "Warm", "Cold", "Flat", "Odd"]):
        settled(stage, people, f"r{number}", tone=tone)
    item = of_split(add_response(project, "tea", "الشاي", "ar-EG"), "test")
    judge = add_judge(project, provider, "simulated-1", kind="questionnaire", shots="few")
    names = asked_about(judge, item)
    assert [json.loads(name.split(":", 3)[3])["tone"] for name in names] == ["Warm", "Cold", "Flat"]


def test_of_a_ranking_the_letters_are_those_under_which_responses_are_shown(project, provider, people):
    stage = questionnaire(project, RANK, show=("prompt", "pair"))
    pairs = [pair_of(project, f"p{number}") for number in range(4)]
    for number, pair in enumerate(pairs):
        of_split(pair.first, "train" if number else "test", f"template-{number}")
        for person in people:
            ranks = {f"p{number}-a": 1, f"p{number}-b": 2}
            QuestionnaireAnswer.objects.create(stage=stage, pair=pair, rater=person, answers={"rank": ranks})
    judge = add_judge(project, provider, "simulated-1", kind="questionnaire", shots="few")
    [item] = [names for names in plan(judge, Response.objects.all()).about.values() if f"pair:{pairs[0].pk}" in names]
    examples = shown_examples(item)
    assert len(examples) == 3
    better = {f"p{number}-a" for number in range(4)}
    for shown in examples.values():
        ranks = json.loads(shown.errors)["rank"]
        best = min(ranks, key=ranks.get)
        text = shown.responses["AB".index(best)]
        assert set(Response.objects.filter(text=text).values_list("key", flat=True)) <= better, "people ranked it first"


def test_of_prompts_alone_other_prompts_without_their_responses(project, provider, people, fake_provider):
    stage = questionnaire(project, GOOD, show=("prompt",))
    prompts = [responses_of(project, f"p{number}", 2)[0] for number in range(5)]
    for number, response in enumerate(prompts):
        of_split(response, "train" if number else "test", f"template-{number}")
        for person in people:
            QuestionnaireAnswer.objects.create(
                stage=stage, prompt=response.prompt, rater=person, answers={"good": 1 + number}
            )
    judge = add_judge(project, provider, "simulated-1", kind="questionnaire", shots="few")
    names = asked_about(judge, prompts[0])
    assert len(set(names)) == 3
    fake_provider.tell(record=True)
    run_through(judge, Response.objects.filter(pk=prompts[0].pk))
    [request] = fake_provider.asked()
    said = "\n".join(message["content"] for message in request["body"]["messages"])
    assert len(SHOWN.findall(said)) == 3
    assert "جواب" not in said


@pytest.mark.parametrize("good", [(1, 5), (1, 2), ()])
def test_with_fewer_than_three_it_says_so_and_asks_nothing(good, judge, stage, people, item):
    for each in good:
        settled(stage, people, f"r{each}", good=each)
    planned = plan(judge, Response.objects.filter(pk=item.pk))
    assert (planned.size, planned.not_ready, len(planned.reasons)) == (0, 1, 1)


def test_tied_and_overlong_and_odd_answers_are_no_example(judge, stage, people, shown, item):
    QuestionnaireAnswer.objects.filter(response=shown[2]).update(answers={"good": "three"})
    Response.objects.filter(pk=shown[0].pk).delete()
    long = of_split(add_response(stage.project, "long", "ش" * (LONGEST + 1), "ar-EG"), "train")
    for person in people:
        QuestionnaireAnswer.objects.create(stage=stage, response=long, rater=person, answers={"good": 1})
    drawn = asked_about(judge, item)
    assert len(drawn) == 3
    assert not {1, 3} & set(grades(drawn))


def test_its_reply_is_read_again_and_an_example_that_went_leaves_the_call_unasked(judge, shown, item):
    run = answered_run(judge)
    assert reread(run, everything=True).same == run.calls.count() > 0
    names = [name for name in Call.objects.filter(response=item).get().about if name.startswith("filled:")]
    Response.objects.filter(pk=int(names[0].split(":")[2])).delete()
    assert len(shown_examples(names)) == 2


def test_in_another_installation_its_calls_name_what_is_there(judge, stage, people, shown, item, project, tmp_path):
    """Also the examples of prompts alone, and the reference that stands beside a prompt."""
    alone = questionnaire(project, GOOD, show=("prompt", "reference"), name="Alone: a")
    for good, response in zip((1, 2, 3, 4, 5), shown, strict=True):
        for person in people:
            QuestionnaireAnswer.objects.create(
                stage=alone, prompt=response.prompt, rater=person, answers={"good": good}
            )
    run_through(judge)
    before = {about_in_words(call) for call in Call.objects.all()}
    assert len(before) > 6
    out = io.BytesIO()
    write_archive(project, out)
    with elsewhere(tmp_path):
        there = Project.objects.get(pk=restore(io.BytesIO(out.getvalue())).project)
        assert {about_in_words(call) for call in Call.objects.filter(run__project=there)} == before
        assert reread(Run.objects.get(project=there), everything=True).same == len(before)


def about_in_words(call: Call) -> str:
    """What a call is about, by what does not depend on the installation."""
    said = []
    for name in call.about:
        sort, _colon, rest = name.partition(":")
        if sort == "filled":
            prompt, responses, answers = parse(name)
            keys = [Response.objects.get(pk=pk).key for pk in responses]
            said.append(f"{sort} {Prompt.objects.get(pk=prompt).key if prompt else ''} {keys} {answers}")
        else:
            models: dict[str, Any] = {"stage": Stage, "prompt": Prompt, "besides": Prompt, "beside": Response}
            row = models[sort].objects.get(pk=int(rest))
            said.append(f"{sort} {row.name if sort == 'stage' else row.key}")
    return f"{call.response.key}: {said}"


def test_a_judge_without_examples_is_asked_as_before(project, provider, shown, item):
    judge = add_judge(project, provider, "simulated-1", kind="questionnaire", shots="zero")
    assert judge.options == {}
    assert judge.rater.name == "simulated-1 (questionnaire)"
    assert asked_about(judge, item) == []


def test_planning_costs_the_same_number_of_statements_for_many(judge, stage, people, shown, item, project):
    def statements() -> int:
        with CaptureQueriesContext(
            connection,
        ) as found:
            plan(judge, Response.objects.filter(project=project))
        return len(found)

    few = statements()
    for number in range(12):
        settled(stage, people, f"more{number}", good=1 + number % 5)
    assert statements() == few


def test_nour_chooses_examples_on_the_page(project, provider, nour, shown, item):
    lead = signed_in(nour)
    told = {"provider": provider.pk, "model": "simulated-1", "kind": "questionnaire", "shots": "few"}
    assert lead.post("/p/feasts/judges/add/", {**told, "examples_seed": "7"}).status_code == 302
    [options] = project.judges.values_list("options", flat=True)
    assert options == {"shots": "few", "examples_seed": 7}


@pytest.mark.parametrize(
    ("said", "how"),
    [
        ((["Facts"], ["Style"]), {}),  # none has a majority, and one must be chosen
        ((["Facts", "Style"], ["Facts", "Style"]), {"most": 1}),  # since then fewer may be chosen
    ],
)
def test_majorities_that_are_no_answer_are_no_example(project, judge, people, item, said, how):
    faults = {"choices": "What is wrong?", "key": "faults", "of": ["Facts", "Style", "Dates"]}
    stage = questionnaire(project, faults, name="Faults")
    for at in range(3):
        response = settled(stage, people[:0], f"f{at}")
        for person, chosen in zip(people, said, strict=True):
            answers = {"faults": chosen}
            QuestionnaireAnswer.objects.create(stage=stage, response=response, rater=person, answers=answers)
    Stage.objects.filter(pk=stage.pk).update(ask=[{**faults, **how}])
    assert asked_about(judge, item) == []
    QuestionnaireAnswer.objects.update(answers={"faults": ["Dates"]})
    assert len(asked_about(judge, item)) == 3
