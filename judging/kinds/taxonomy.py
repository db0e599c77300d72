"""The project's categories as a prompt lists them."""

from collections.abc import Iterable

from annotation.models import ErrorCategory
from judging.prompts import fill


def listed(categories: Iterable[ErrorCategory], example: str) -> str:
    """A line for each; `example` is the prompt's phrase that introduces one."""
    return "\n".join(described(category, example) for category in categories)


def described(category: ErrorCategory, phrase: str) -> str:
    example = f" {fill(phrase, {'example': category.example})}" if category.example else ""
    return f"- {category.slug}: {category.name}. {category.definition}{example}"
