"""Every kind of task screen with an item on it, for the stories that are told of all of them."""

from collections.abc import Callable

from playwright.sync_api import Page

from benchmark.scoring_task.sampling import plan_sample
from projects.models import Project, Rater, User
from tests.annotation.localising import localising_stage, template_of
from tests.annotation.marked import mark
from tests.annotation.questionnaires import RIGHT, WRONG, questionnaire
from tests.annotation.rated import make_ratings_project, pair_of, question_type
from tests.annotation.rating import rating_stage
from tests.benchmark.answered import answered, configuration_of, frozen_set
from tests.benchmark.checks import check_stage, draft_set
from tests.benchmark.sets import open_line
from tests.people import EGYPTIAN, add_response, join, person, signed_in
from tests.rubrics.rubrics import frozen_rubric, make_rubrics_project
from tests.workflow.working import marking_stage
from workflow.claims import claim_next
from workflow.models import Stage
from workflow.planning import plan_items

TAG = "ar-EG"
LONG = (EGYPTIAN + "\n\n") * 12
GUIDELINES = "# How to judge\n\n" + "Read the text twice.\n\n" * 30


def marking(project: Project) -> Stage:
    add_response(project, "long", LONG, TAG)
    return marking_stage(project)


def reviewing(project: Project) -> Stage:
    response = add_response(project, "long", LONG, TAG)
    Stage.objects.create(project=project, kind="spans", name="Marking", overlap=2)
    stage = Stage.objects.create(project=project, kind="reviews", name="Reviews", position=2, policy="any")
    for name in ("karim", "simba"):
        marker = join(person(f"{name}@x.org", name), project, "annotator", varieties=(TAG,))
        mark(response, marker, *(("على السحور",) if name == "karim" else ("العدس", "أيام الفراعنة")))
    mark(response, Rater.objects.get(project=project, user__email="mona@example.org"))  # who reviews has marked
    plan_items(stage)
    return stage


def grading(project: Project) -> Stage:
    author = join(person("author@x.org", "Author"), project, "author", varieties=(TAG,))
    make_rubrics_project(project)
    response = add_response(project, "long", LONG, TAG)
    frozen_rubric(response.prompt, Rater.objects.get(user=author))
    stage = Stage.objects.create(project=project, kind="scoring", name="Grading", overlap=1)
    plan_items(stage)
    return stage


def rating_pairs(project: Project) -> Stage:
    pair_of(project, "greeting", LONG, LONG, question=question_type(make_ratings_project(project)))
    return rating_stage(project)


def rating_one(project: Project) -> Stage:
    question_type(make_ratings_project(project))
    add_response(project, "alone", LONG, TAG)
    return rating_stage(project, "ratings")


def asking(project: Project) -> Stage:
    add_response(project, "long", LONG, TAG)
    return questionnaire(project, RIGHT, {"choice": "Is it polite?", "key": "polite", "of": ["Yes", "No"]}, WRONG)


def localising(project: Project) -> Stage:
    template_of(project)
    stage = localising_stage(project)
    plan_items(stage)
    return stage


def checking(project: Project) -> Stage:
    draft_set(project, open_line())
    return check_stage(project)


def scoring(project: Project) -> Stage:
    frozen_set(project, open_line("tea", variety=TAG, rules=[{"rule": "judge_generation"}]))
    answered(configuration_of(project), "tea", LONG)
    stage = Stage.objects.create(project=project, kind="answer_scoring", name="Points", overlap=2, seed=7)
    plan_sample(stage)
    return stage


# Of each: how its stage is made, what its page sets when it stands, and the text that is judged.
SCREENS: dict[str, tuple[Callable[[Project], Stage], str, str]] = {
    "marking": (marking, "span-editor", "#span-text"),
    "reviewing": (reviewing, "reviews", "#review-text"),
    "grading": (grading, "scoring", "#grade-text"),
    "rating a pair": (rating_pairs, "ratings", "#side-A-text"),
    "rating one": (rating_one, "ratings", "#side-A-text"),
    "a questionnaire": (asking, "questionnaire", ".side__text"),
    "localising": (localising, "localising", "[data-as-shown=original]"),
    "checking a question": (checking, "question-check", "[data-as-shown=question]"),
    "scoring an answer": (scoring, "answer-scoring", "#answer-text"),
}


def open_item(page: Page, address: str, user: User, stage: Stage, ready: str, language: str = "en") -> Page:
    """The person's next item of the stage, its interface in a language, when its screen stands."""
    turn = claim_next(user.raters.get(project=stage.project), stage)
    assert turn is not None
    values = {"sessionid": signed_in(user).cookies["sessionid"].value, "django_language": language}
    page.context.add_cookies([{"name": name, "value": value, "url": address} for name, value in values.items()])
    page.goto(f"{address}/tasks/{turn.uuid}/")
    page.wait_for_selector(f"html[data-{ready}=ready]")
    return page
