"""The columns of a table held against the fields of its kind: a wrong name is one problem, not one of each row."""

from difflib import get_close_matches

from django.utils.translation import gettext as _

from formats.importing.registry import Importer
from formats.reading import Source
from projects.problems import Invalid, Problem


def refuse_columns(run: Importer, source: Source) -> None:
    """Raises Invalid with a problem for each column that no field is filled by, each that is missing, and each that
    holds lists or structures where a field holds a text or a number."""
    types = run.format.types
    ours = {column: run.our_name(column) for column in source.columns or ()}
    # Without a column that says the kind of each row, all are of one kind.
    of_rows = [types[run.format.default]] if run.format.default and "kind" not in ours else list(types.values())
    known = {name: each for type_ in of_rows for name, each in type_.fields.items()}
    problems = []
    for column, name in ours.items():
        if name is None:
            continue
        if name not in known:
            problems.append(Problem("unknown_column", unknown_column(name, known), column[:120]))
        elif column in source.nested and known[name].kind.json_type not in ("object", "array"):
            message = _("The column holds lists or structures. Say in a mapping which part of it is meant.")
            problems.append(Problem("nested_column", message, column[:120]))
    if len(of_rows) == 1:
        missing = [name for name in of_rows[0].required if name not in ours.values()]
        message = _("The table has no column of this name.")
        problems += [Problem("missing_column", message, name) for name in missing]
    if problems:
        raise Invalid(problems)


def unknown_column(name: str, known: dict) -> str:
    close = get_close_matches(name, known, n=1)
    if close:
        return _("There is no such field. Is “%(name)s” meant?") % {"name": close[0]}
    return _("There is no such field. A mapping says which field a column fills.")
