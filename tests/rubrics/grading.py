"""What the stories of grading have in common: an Iraqi response with its rubric, a turn at it, and a grade to send."""

from projects.models import Project, Rater, Response, User
from rubrics.models import Rubric
from tests.people import add_response, join, person
from tests.rubrics.rubrics import frozen_rubric, make_rubrics_project
from workflow.claims import claim_next
from workflow.models import Assignment, Stage
from workflow.planning import plan_items

# "Iraqis call the 25,000 dinar note the red one, because it is red, and the 10,000 note the blue one."
BANKNOTES = (
    "العراقيين يسمّون ورقة الخمسة وعشرين ألف «الحمرة» لأن لونها أحمر.\n\n"
    "وورقة العشرة آلاف يسمّوها «الزرقة»، وهاي التسمية من أيام الملك فيصل"
)
KINGS_DAYS = "من أيام الملك فيصل"


def iraqi_author(project: Project) -> Rater:
    zainab = join(person("zainab@example.org", "Zainab Karim"), project, "author", varieties=("ar-IQ",))
    return Rater.objects.get(user=zainab)


def iraqi_annotator(project: Project, email: str = "ali@example.org", name: str = "Ali Hasan") -> User:
    return join(person(email, name), project, "annotator", varieties=("ar-IQ",))


def banknotes(project: Project, author: Rater, key: str = "banknotes", **fields) -> tuple[Response, Rubric]:
    """A response of 25 and 10 thousand dinars and the rubric of its prompt, 37 points in five criteria."""
    make_rubrics_project(project)
    response = add_response(project, key, BANKNOTES, "ar-IQ", **fields)
    return response, frozen_rubric(response.prompt, author)


def stage_of(project: Project, kind: str, **fields) -> Stage:
    stage = Stage.objects.create(project=project, kind=kind, **{"name": kind.capitalize(), "overlap": 1, **fields})
    plan_items(stage)
    return stage


def turn_of(user: User, stage: Stage) -> Assignment:
    """What this person is handed next in the stage, fetched as its page fetches it."""
    claimed = claim_next(Rater.objects.get(user=user, project=stage.project), stage)
    assert claimed is not None, "nothing was handed out"
    return Assignment.objects.select_related("item__response__variety", "stage__project", "rater").get(pk=claimed.pk)


def negative(key: str = "n1", words: str = "", /, **fields) -> dict:
    """An invented king, seven points; `words` of the response show it."""
    start = BANKNOTES.index(words) if words else None
    return {
        "key": key,
        "text": "اسم الملك مخترَع",
        "weight": -7,
        "failure_type": "hallucination",
        "objectivity": "objective",
        "explicitness": "explicit",
        "start": start,
        "end": None if start is None else start + len(words),
        "quote": words,
        **fields,
    }


def grade_body(passed: tuple[str, ...] = (), *negatives: dict, asked: int = 5, **more) -> dict:
    """All of c1 ... c<asked> decided: those named passed, the others failed."""
    keys = [f"c{number}" for number in range(1, asked + 1)]
    verdicts = {key: "pass" if key in passed else "fail" for key in keys}
    return {"verdicts": {**verdicts, **more.pop("verdicts", {})}, "negatives": list(negatives), "comment": "", **more}
