"""Graders of a gold file by pseudonym, each with the varieties they speak."""

from formats.importing.pseudonyms import PseudonymBook
from formats.problems import ProblemLog
from projects.models import Project, Rater, Response
from rubrics.importing.rater_varieties import RaterVarieties


class GraderBook(PseudonymBook):
    def __init__(self, project: Project, problems: ProblemLog) -> None:
        super().__init__(project, problems)
        self.rater_varieties = RaterVarieties(project, problems)

    def rater_of(self, line: int, grade: dict, response: Response, place: str) -> Rater | None:
        """The rater of a grade, or None with the problem said."""
        rater = self.rater(line, grade, [response.target_model], place)
        if rater is not None:
            self.rater_varieties.note(line, rater, grade.get("varieties"), f"{place}varieties")
        return rater
