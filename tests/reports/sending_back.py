"""An answer that was taken back or sent back is handed in once more."""

from projects.models import User
from tests.people import signed_in
from tests.workflow.working import submit
from workflow.models import Assignment, Draft

NOTE = "انظري إلى السطر الثاني"


def once_more(person: User, turn: Assignment, body: dict) -> None:
    version = Draft.objects.get(assignment=turn).version
    answer = submit(signed_in(person), turn, version, body)
    assert answer.status_code == 200, answer.content
