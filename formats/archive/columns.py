"""A row of any table as it stands in an archive: a list of values in the order of the table's columns."""

import base64
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson
from django.core.exceptions import ValidationError
from django.db import connection, models
from django.utils.translation import gettext as _

from formats.archive.contents import Table
from projects.models import Project, User
from projects.problems import Invalid, Problem
from projects.stored_text import UNSTORABLE


@dataclass(frozen=True)
class Column:
    """One field of a table that is written. `to` is the model that it refers to, where it does."""

    field: models.Field
    to: type[models.Model] | None

    @property
    def name(self) -> str:
        return self.field.name

    @property
    def is_own(self) -> bool:
        """Whether it refers to a row of its own table."""
        return self.to is self.field.model

    @cached_property
    def default(self) -> Any:
        """What stands in it until it is sealed, or where an older archive does not name it."""
        return None if self.field.null else self.field.get_default()

    def read(self, value: Any) -> Any:
        """A value that is no reference, as the field has it. Raises ValidationError."""
        field = self.field
        if value is None:
            if not field.null:
                raise ValidationError(_("This is needed."))
            return None
        if isinstance(field, models.JSONField):
            return value
        is_text = isinstance(field, models.CharField | models.TextField)
        if isinstance(value, dict | list) or (is_text and not isinstance(value, str)):
            raise ValidationError(_("This is not a value of its kind."))
        if isinstance(value, str) and UNSTORABLE.search(value):
            raise ValidationError(_("This holds a character that cannot be stored."))
        found = field.to_python(value)
        field.run_validators(found)
        return found

    def stored(self, value: Any) -> Any:
        """A value as the database takes it."""
        return self.field.get_db_prep_save(value, connection)


def columns_of(table: Table) -> list[Column]:
    """What is written of a row: all but its own id, its project, and accounts of people."""
    found = []
    for field in table.model._meta.concrete_fields:
        to = field.related_model if field.is_relation else None
        if to is Project or to is User or (field.primary_key and to is None):
            continue
        assert to is None or isinstance(to, type)
        found.append(Column(field, to))
    return found


def project_columns(model: type[models.Model]) -> list[str]:
    """The fields of a model that refer to its project."""
    return [field.name for field in model._meta.concrete_fields if field.related_model is Project]


def packed(row: list[Any]) -> bytes:
    """A row as a line."""
    return orjson.dumps(row, default=_as_text, option=orjson.OPT_APPEND_NEWLINE)


def _as_text(value: object) -> str:
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(bytes(value)).decode()
    return str(value)


def wrong_value(place: str, line: int, error: ValidationError) -> Invalid:
    return Invalid(Problem("wrong_value", " ".join(error.messages), place, line))
