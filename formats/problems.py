"""The problems of a file, each with its line and field."""

from dataclasses import dataclass, field

from projects.problems import Problem

SHOWN_PROBLEMS = 100


@dataclass(slots=True)
class ProblemLog:
    """Problems of a file: the first hundred in full, all of them counted."""

    shown: list[Problem] = field(default_factory=list)
    total: int = 0

    def add(self, problem: Problem) -> None:
        self.total += 1
        if len(self.shown) < SHOWN_PROBLEMS:
            self.shown.append(problem)

    def say(self, line: int, code: str, message: str, name: str = "") -> None:
        self.total += 1
        if len(self.shown) < SHOWN_PROBLEMS:
            self.shown.append(Problem(code, message, name, line))
