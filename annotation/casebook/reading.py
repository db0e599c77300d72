"""Who may open the case book, and when: the server's word, before anything is looked up."""

from dataclasses import dataclass

from django.db.models import TextChoices
from django.utils import timezone

from annotation.casebook.finding import Reader
from annotation.models import Span
from projects.access import PERMISSIONS
from projects.models import Project, Rater, RaterKind, User
from workflow.models import Assignment, CaseBook, Status, feedback_rules

MOST_OF_LIKE = 20_000
HALF = MOST_OF_LIKE // 2


class Gate(TextChoices):
    """Why the book is open to the person, or not."""

    OPEN = "open"
    CLOSED = "closed"  # the project keeps none
    NOT_YET = "not_yet"  # they have handed in nothing
    BUSY = "busy"  # they have an item open before them


@dataclass(frozen=True)
class AtTheBook:
    """A person before the book; `before_them` is the item that keeps it closed."""

    reader: Reader
    gate: Gate
    before_them: Assignment | None = None


def come(user: User, project: Project) -> AtTheBook:
    """The person in a project that was fetched with rights."""
    is_lead = bool(project.viewer_roles & PERMISSIONS["answers.read"])
    rater = Rater.objects.filter(project=project, user=user, kind=RaterKind.HUMAN).first()
    reader = Reader(project, rater, is_lead)
    opens = feedback_rules(project).case_book
    if is_lead:
        return AtTheBook(reader, Gate.OPEN)
    if opens == CaseBook.CLOSED:
        return AtTheBook(reader, Gate.CLOSED)
    turns = Assignment.objects.filter(rater=rater) if rater else Assignment.objects.none()
    if not turns.filter(status=Status.SUBMITTED).exists():
        return AtTheBook(reader, Gate.NOT_YET)
    if opens == CaseBook.BETWEEN_ITEMS:
        open_before = turns.filter(status=Status.CLAIMED, lease_expires_at__gt=timezone.now()).order_by("pk").first()
        if open_before is not None:
            return AtTheBook(reader, Gate.BUSY, open_before)
    return AtTheBook(reader, Gate.OPEN)


def text_of_answer(turn: Assignment) -> str:
    """What "like this one" compares of an answer of one's own: the marks in it with their explanations; where there
    are none, the text that it was about, or the two."""
    marks = Span.objects.filter(marking__assignment=turn).values_list("quote", "explanation")
    words = "\n".join(text for mark in marks[:100] for text in mark if text)
    if not words and (pair := turn.item.pair) is not None:
        words = f"{pair.first.text[:HALF]}\n{pair.second.text}"
    about = turn.item.response
    return (words or (about.text if about else turn.item.first_words))[:MOST_OF_LIKE]
