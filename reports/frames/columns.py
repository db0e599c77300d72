"""What a column of a frame is called, of what type it is and what it holds: declared once.

From a declaration follow the types of the pandas frame, the schema of the Parquet file, the reading of a CSV file and
the tables in docs/frames.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a start loads neither
    import pyarrow

#: pandas types. All but numbers have a missing value of their own (NA); a missing number is NaN.
TEXT, WHOLE, NUMBER, FLAG, TIME = "string", "Int64", "float64", "boolean", "datetime64[us, UTC]"


@dataclass(frozen=True)
class Column:
    """`dtype` is one of the five above; `holds` says what a value is, its unit, and what a missing one means."""

    name: str
    dtype: str
    holds: str


#: What a row says of texts that nobody may train on.
HELD_BACK = (
    Column("held_back", FLAG, "it is about a held-back question or an answer to one: keep it out of training"),
    Column("canary", TEXT, "canary GUID of the question set that holds it back; missing where none does"),
)
#: Of every row that is about one response, first in its frame.
RESPONSE = (
    Column("response_key", TEXT, "key of the response, as it was imported; unique in the project"),
    Column("response_uuid", TEXT, "UUID of the response, as in addresses"),
    Column("prompt_key", TEXT, "key of its prompt"),
    Column("variety", TEXT, "tag of its language variety (BCP 47)"),
    Column("target_model", TEXT, "name of the model that wrote it"),
    Column("text_sha256", TEXT, "SHA-256 of its text in UTF-8, in hexadecimal digits"),
    *HELD_BACK,
)
#: Of every row that is somebody's answer.
RATER = (
    Column("rater", TEXT, "who answered: a person by pseudonym, a judge by name"),
    Column("rater_kind", TEXT, "human or judge"),
    Column("is_expert", FLAG, "the person is an expert of the project"),
    Column("is_panel", FLAG, "the judge is several judges as one: its answers are made of theirs"),
    Column("is_simulated", FLAG, "the judge is a program that only plays one"),
    Column("is_gold_builder", FLAG, "errors that the judge found are in the gold of error spans"),
)
ROUND = Column("round", WHOLE, "round of the answer, from 1; of a judge its replicate")
UNSURE = Column("unsure", FLAG, "the person said that they are unsure of the answer; missing of judges and imports")
#: Of every row that a person may have answered here.
WORKED = (
    Column(
        "guidelines_version",
        WHOLE,
        "version of the guidelines when a person answered here; missing of judges and imports",
    ),
    Column(
        "active_seconds",
        WHOLE,
        "time a person worked on the task that the row is a part of; missing of judges and imports",
    ),
    UNSURE,
    Column("note", TEXT, "the person's note to themselves, where the project says that leads read it; else missing"),
)
CATEGORY_NOW = Column(
    "category_now", TEXT, "slug of the category that it is read as, where categories were merged or split since"
)
IS_COUNTED = Column("is_counted", FLAG, "dashboards without filters count it")
#: Beside `is_counted` of every row that a person may have answered here. False of what is not counted at all.
IS_FIRST = Column(
    "is_first",
    FLAG,
    "figures of agreement count it: what is counted, but of an answer that was amended or sent back the one first "
    "handed in, which has rows of its own",
)
OWN_LABORATORY = Column(
    "own_laboratory",
    FLAG,
    "a judge's answer about a model of its own laboratory: counted in the figures of that alone",
)


def offsets(of: str, prefix: str = "") -> tuple[Column, ...]:
    """Half-open offsets in both units and the quote between them; missing where there are no words."""
    return (
        Column(f"{prefix}start", WHOLE, f"where {of} begins, in code points of the response's text"),
        Column(f"{prefix}end", WHOLE, "where it ends, half-open, in code points"),
        Column(f"{prefix}start_utf16", WHOLE, "where it begins, in UTF-16 code units"),
        Column(f"{prefix}end_utf16", WHOLE, "where it ends, in UTF-16 code units"),
        Column(f"{prefix}quote", TEXT, "the words: text[start:end]"),
    )


def schema_of(columns: Sequence[Column]) -> "pyarrow.Schema":
    """The schema of a Parquet file; pandas reads the file back with the types declared here."""
    import pandas
    import pyarrow

    types = {
        TEXT: pyarrow.string(),
        WHOLE: pyarrow.int64(),
        NUMBER: pyarrow.float64(),
        FLAG: pyarrow.bool_(),
        TIME: pyarrow.timestamp("us", tz="UTC"),
    }
    fields = [
        pyarrow.field(column.name, types[column.dtype], metadata={"holds": column.holds.encode()}) for column in columns
    ]
    empty = pandas.DataFrame({column.name: pandas.Series(dtype=column.dtype) for column in columns})
    return pyarrow.schema(fields, pyarrow.Schema.from_pandas(empty, preserve_index=False).metadata)
