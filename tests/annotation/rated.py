"""Question types, pairs and ratings for the stories."""

from annotation.models import Rating
from projects.models import Dimension, Level, Project, QuestionType, Rater, Response, ResponsePair, User
from tests.annotation.marked import rater_of
from tests.people import add_response

LABELS = ("Major failure", "Minor failure", "Pass", "Good", "Excellent")


def make_ratings_project(project: Project) -> Project:
    """The project as one of ratings, with neither question types nor stages yet."""
    Project.objects.filter(pk=project.pk).update(preset="ratings", areas=["ratings"])
    project.refresh_from_db()
    return project


def question_type(
    project: Project, slug: str = "formality", lowest: int | None = 1, highest: int | None = 5, dimension: str = "tone"
) -> QuestionType:
    """A question type with a line for each grade of its scale; without a scale it asks for a preference alone."""
    found, _is_new = Dimension.objects.get_or_create(
        project=project, slug=dimension, defaults={"name": dimension.title()}
    )
    question = QuestionType.objects.create(
        project=project, dimension=found, slug=slug, name=slug.title(), lowest=lowest, highest=highest
    )
    Level.objects.bulk_create(
        Level(
            question=question,
            grade=grade,
            label=LABELS[grade - 1] if (lowest, highest) == (1, 5) else "",
            summary=f"What earns a {grade}.",
            detail=f"All that earns a {grade}, at length.",
        )
        for grade in question.scale
    )
    return question


def pair_of(
    project: Project,
    key: str,
    first: str = "اتفضل، إزيك؟",
    second: str = "مرحبا، كيف حالك؟",
    tag: str = "ar-EG",
    question: QuestionType | None = None,
    models: tuple[str, str] = ("Nile-7B", "Delta-9B"),
) -> ResponsePair:
    """Two responses of two target models to one prompt, side by side."""
    one = add_response(project, f"{key}-a", first, tag, models[0])
    other = add_response(project, f"{key}-b", second, tag, models[1])
    if one.prompt_id != other.prompt_id:
        Response.objects.filter(pk=other.pk).update(prompt=one.prompt_id)
        other.refresh_from_db()
    if question is not None:
        one.prompt.question = question
        one.prompt.save(update_fields=["question"])
    return ResponsePair.objects.create(
        project=project, key=key, prompt=one.prompt, variety=one.variety, first=one, second=other
    )


def rate(
    subject: ResponsePair | Response,
    person: User | Rater,
    question: QuestionType,
    first: float,
    second: float | None = None,
    **fields,
) -> Rating:
    about = {"pair": subject} if isinstance(subject, ResponsePair) else {"response": subject}
    rater = rater_of(person, question.project)
    return Rating.objects.create(
        question=question, rater=rater, first_grade=first, second_grade=second, **about, **fields
    )
