"""Graders of a gold file by pseudonym, each with the varieties of their community."""

from formats.importing.pseudonyms import PseudonymBook
from formats.problems import ProblemLog
from projects.models import Project, Rater, Response
from rubrics.importing.communities import Communities


class GraderBook(PseudonymBook):
    def __init__(self, project: Project, problems: ProblemLog) -> None:
        super().__init__(project, problems)
        self.communities = Communities(project, problems)

    def rater_of(self, line: int, grade: dict, response: Response, place: str) -> Rater | None:
        """The rater of a grade, or None with the problem said; never a judge of the response's laboratory."""
        rater = self.rater(line, grade, [response.target_model], place)
        if rater is not None:
            self.communities.note(line, rater, grade.get("varieties"), f"{place}varieties")
        return rater
