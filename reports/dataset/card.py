"""README.md of a folder: a head in YAML that loaders of data sets read, and for people what is in it.

Hugging Face's `load_dataset(folder)` finds in the head which files are which split of which configuration, and takes
the default one where none is asked for (https://huggingface.co/docs/hub/datasets-manual-configuration). A text in
YAML is written as in JSON, which YAML reads.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import orjson
from django.utils import timezone

from projects.models import Project
from reports.gold.card import cell, table, terms
from reports.gold.formats import formats_of

#: Identifiers of licences that Hugging Face's cards know among those that data sets are given; any other is `other`.
LICENCES = frozenset(
    {
        *("apache-2.0", "mit", "cc", "cc0-1.0", "cc-by-2.0", "cc-by-2.5", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0"),
        *("cc-by-sa-4.0", "cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nd-4.0", "cc-by-nc-nd-3.0"),
        *("cc-by-nc-nd-4.0", "cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0", "pddl", "odc-by", "odbl"),
        *("cdla-sharing-1.0", "cdla-permissive-1.0", "cdla-permissive-2.0", "gpl-3.0", "unknown"),
    }
)


@dataclass(frozen=True)
class Configuration:
    """A table as it stands in the folder: rows by split, in the order of the splits."""

    name: str
    about: str
    rows: dict[str, int]

    def path(self, split: str) -> str:
        return path_of(self.name, split)


def path_of(name: str, split: str) -> str:
    return f"{name}/{split}.parquet"


def card(project: Project, configurations: Sequence[Configuration], left_out: int, with_held_back: bool) -> str:
    """`left_out` rows are about held-back questions; with them in the folder, it says that nobody may train on them."""
    return "\n".join(
        ["---", *head(project, configurations), "---", "", body(project, configurations, left_out, with_held_back)]
    )


def head(project: Project, configurations: Sequence[Configuration]) -> Iterator[str]:
    tags = sorted(project.responses.values_list("variety__tag", flat=True).distinct().order_by())
    yield f"pretty_name: {quoted(project.name)}"
    yield from listed("language", dict.fromkeys(tag.split("-")[0].lower() for tag in tags))
    yield from listed("language_bcp47", tags)
    yield from licence_of(project.licence.strip())
    yield from listed("annotations_creators", ["machine-generated" if project.is_generated else "expert-generated"])
    yield from listed("tags", ["human-evaluation", "llm-as-a-judge"])
    yield "configs:"
    for number, each in enumerate(configurations):
        yield f"- config_name: {quoted(each.name)}"
        if number == 0:
            yield "  default: true"
        yield "  data_files:"
        for split in each.rows:
            yield f"  - split: {quoted(split)}"
            yield f"    path: {quoted(each.path(split))}"


def licence_of(said: str) -> Iterator[str]:
    """An identifier that cards know, else `other` with the lead's own words; nothing where none is stated."""
    if not said:
        return
    identifier = re.sub(r"[\s_]+", "-", said.lower())
    if identifier in LICENCES:
        yield f"license: {quoted(identifier)}"
        return
    yield 'license: "other"'
    yield f"license_name: {quoted(re.sub(r'[^a-z0-9.]+', '-', said.lower()).strip('-')[:60] or 'own')}"


def listed(name: str, texts: Iterable[str]) -> list[str]:
    lines = [f"- {quoted(text)}" for text in texts]
    return [f"{name}:", *lines] if lines else []


def quoted(text: str) -> str:
    return orjson.dumps(" ".join(text.split())).decode()


def body(project: Project, configurations: Sequence[Configuration], left_out: int, with_held_back: bool) -> str:
    splits = list(dict.fromkeys(split for each in configurations for split in each.rows))
    rows = [
        (f"`{each.name}`", cell(each.about), *(each.rows.get(split, 0) for split in splits)) for each in configurations
    ]
    default = configurations[0].name
    blocks = [
        f"# {cell(project.name)}",
        project.description.strip(),
        *["**Generated data.** Texts and answers were made by a program to try the software at scale."]
        * project.is_generated,
        *held_back(left_out, with_held_back),
        "## Tables",
        table(("configuration", "a row is", *splits), rows),
        f"```python\nfrom datasets import load_dataset\n\nload_dataset(FOLDER)  # {default}\n"
        f'load_dataset(FOLDER, "{configurations[-1].name}")\n```',
        "Splits are by template, with all its translations on one side; a prompt without one stands by its own words. "
        "Tables are joined by `response_key` (`id` in the gold). People appear by pseudonym alone. What each column "
        "holds stands in the head of its Parquet file.",
        *(gold_section(project)),
        *terms(project),
        f"Written on {timezone.now():%Y-%m-%d} (UTC).",
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def held_back(left_out: int, with_held_back: bool) -> list[str]:
    if with_held_back:
        return ["**Held back.** Rows about held-back questions can be in it. Do not publish them, train on none."]
    return [f"{left_out} rows about held-back questions of a benchmark were left out."] if left_out else []


def gold_section(project: Project) -> list[str]:
    """The cards of the gold, each below its own heading."""
    found = []
    for gold_format in formats_of(project):
        summary = gold_format.summarise(project)
        if summary.responses:
            said = gold_format.made(project, summary)
            found.append(f"## How the gold of {gold_format.area} was made\n\n{said}")
    return found
