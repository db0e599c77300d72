"""What a project is made of, as data and as the bytes of its file; and what such data must look like."""

from functools import cache
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from formats.format import Format
from formats.importing.registry import importers
from formats.project_file.part import parts
from formats.project_file.writing import write_yaml
from projects.models import Project

VERSION = "mizan.project/1"
EXAMPLE = "format: mizan.project/1\nproject:\n  name: Feasts of the Nile\n  areas: [spans]\n"


@cache
def project_format() -> Format:
    """Made of the parts, so that it is asked for once all areas are declared."""
    version = Annotated[Literal["mizan.project/1"], "Of which kind and version the file is"]
    fields: dict[str, Any] = {"format": version}
    fields |= {part.key: NotRequired[part.record] for part in parts()}
    declared = TypedDict("ProjectFile", fields)  # type: ignore[misc]
    return Format(
        name="project",
        version=VERSION,
        title="A project file: everything a project is made of, but its texts and answers",
        description="UTF-8, YAML without anchors and tags, of at most 5 MB. A key that is left out leaves the project "
        "as it is; an empty list takes everything of that key away.",
        records={"": declared},
        example=EXAMPLE,
    )


def published_formats() -> dict[str, Format]:
    """Every format with a published schema, by the name under which that is asked for."""
    return {**{kind: importer.format for kind, importer in importers().items()}, "project": project_format()}


def described(project: Project) -> dict[str, Any]:
    """The whole project as data, in the order of the file; what is empty is left out."""
    found: dict[str, Any] = {"format": VERSION}
    for part in parts():
        if value := part.read(project):
            found[part.key] = value
    return found


def file_of(project: Project) -> bytes:
    """The project file, in UTF-8: the same project gives the same bytes."""
    return write_yaml(described(project))
