"""Lines of a declared file format as Arrow tables: the columns follow from the record type.

Free objects, whose fields differ from line to line, become texts of JSON; so every row of a table has the same columns
of the same types, which is what loaders of data sets ask for.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import orjson

from formats.records import FieldType, RecordType

if TYPE_CHECKING:  # a start does not load it
    import pyarrow


def schema_of(type_: RecordType) -> "pyarrow.Schema":
    import pyarrow

    return pyarrow.schema([_field(name, each) for name, each in type_.fields.items()])


def _field(name: str, each: FieldType) -> "pyarrow.Field":
    import pyarrow

    holds = {"holds": each.description} if each.description else None
    return pyarrow.field(name, _type(each), metadata=holds)


def _type(each: FieldType) -> "pyarrow.DataType":
    import pyarrow

    if each.inner is None:
        return _type_of_keywords(each.kind.keywords)
    struct = pyarrow.struct([_field(name, inner) for name, inner in each.inner.fields.items()])
    return pyarrow.list_(struct) if each.is_list else struct


def _type_of_keywords(keywords: Mapping[str, Any]) -> "pyarrow.DataType":
    """The type of a value that is described so; of one without a type of its own a text of JSON."""
    import pyarrow

    simple = {"string": pyarrow.string(), "integer": pyarrow.int64(), "number": pyarrow.float64()}
    simple["boolean"] = pyarrow.bool_()
    declared = keywords.get("type")
    if declared == "array" and isinstance(items := keywords.get("items"), Mapping):
        inner = _type_of_keywords(items)
        return (
            pyarrow.string()
            if items.get("type") in ("object", "array", None) and "enum" not in items
            else (pyarrow.list_(inner))
        )
    if declared in simple:
        return simple[declared]
    for values in (keywords.get("enum"), [keywords["const"]] if "const" in keywords else None):
        if values and all(type(value) is int for value in values):
            return pyarrow.int64()
    return pyarrow.string()


def as_table(lines: Sequence[Mapping[str, Any]], schema: "pyarrow.Schema") -> "pyarrow.Table":
    """Raises pyarrow.ArrowInvalid where a line is none of the format."""
    import pyarrow

    rows = [{field.name: _value(line.get(field.name), field.type) for field in schema} for line in lines]
    return pyarrow.Table.from_pylist(rows, schema=schema)


def _value(value: Any, kind: "pyarrow.DataType") -> Any:
    import pyarrow

    if value is None:
        return None
    if pyarrow.types.is_list(kind):
        return [_value(entry, kind.value_type) for entry in value]
    if pyarrow.types.is_struct(kind):
        return {field.name: _value(value.get(field.name), field.type) for field in kind.fields}
    if pyarrow.types.is_string(kind) and not isinstance(value, str):
        return orjson.dumps(value).decode()
    return value
