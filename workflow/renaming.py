"""What rooms above keep by a stage's name follows it where a lead renames the stage."""

from collections.abc import Callable

#: Called with the id of the project, the former name and the new one, in the transaction that renames.
Follower = Callable[[int, str, str], None]

_followers: list[Follower] = []


def register_follower(follower: Follower) -> None:
    _followers.append(follower)


def renamed(project: int, before: str, after: str) -> None:
    for follow in _followers:
        follow(project, before, after)
