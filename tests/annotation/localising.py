"""Templates, and a stage in which they are put into people's languages."""

from projects.localising import localise
from projects.models import LanguageVariety, Project, PromptTemplate, QuestionType, Rater
from tests.annotation.rated import make_ratings_project, question_type
from workflow.claims import claim_next
from workflow.models import Assignment, Stage
from workflow.planning import plan_items

ORIGINAL = "At a [locale_nationality] family gathering in [locale_country], how do you ask for a second helping?"
EGYPTIAN = "في عزومة عيلة [locale_nationality] في [locale_country]، تطلب طبق تاني إزاي؟"
VALUES = {"locale_nationality": "مصرية", "locale_country": "مصر"}
ASKED = "في عزومة عيلة مصرية في مصر، تطلب طبق تاني إزاي؟"


def template_of(
    project: Project, key: str = "t-1", text: str = ORIGINAL, question: QuestionType | None = None, split: str = ""
) -> PromptTemplate:
    question = question or project.question_types.first() or question_type(project)
    return PromptTemplate.objects.create(project=project, key=key, question=question, text=text, split=split)


def localising_stage(project: Project) -> Stage:
    """A stage with the templates there are, each in every language of those who work in the project."""
    make_ratings_project(project)
    stage = Stage.objects.create(project=project, kind="localising", name="Localising", overlap=1)
    plan_items(stage)
    return stage


def draft(text: str = EGYPTIAN, **values: str) -> dict:
    return {"text": text, "values": VALUES | values}


def templates_to_show(project: Project, speaker: Rater) -> dict[str, object]:
    """A template that is localised into Bengali, and one that the speaker, of Egyptian Arabic, has as an item."""
    question = question_type(project)
    template = template_of(project, question=question, split="train")
    stage = Stage.objects.create(project=project, kind="localising", name="Localising", overlap=1)
    plan_items(stage)
    localise(template, LanguageVariety.objects.get(tag="bn-BD"), EGYPTIAN, VALUES, None)
    claim_next(speaker, stage)
    return {"question": question.pk, "dimension": question.dimension_id, "template": template.pk}


def localised_now(project: Project) -> Assignment:
    return Assignment.objects.get(stage__project=project, stage__kind="localising")
