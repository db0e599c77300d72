"""The project's categories as a prompt lists them."""

from collections.abc import Iterable

from annotation.models import ErrorCategory


def listed(categories: Iterable[ErrorCategory]) -> str:
    return "\n".join(described(category) for category in categories)


def described(category: ErrorCategory) -> str:
    example = f" Example: {category.example}" if category.example else ""
    return f"- {category.slug}: {category.name}. {category.definition}{example}"
