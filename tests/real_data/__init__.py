"""Human data that others published, read from a folder beside the project and taken in by the product's own import.

Each module turns one published file into the lines of an items file and of an answers file.
"""

from pathlib import Path

import pytest


def data_folder() -> Path | None:
    """`shared/data` beside the project or further up, None where it is not there."""
    folders = (parent / "shared" / "data" for parent in Path(__file__).resolve().parents)
    return next((folder for folder in folders if folder.is_dir()), None)


def published(name: str) -> Path:
    """The path of a published file. Skips the test, saying so, where the human data is not beside the project."""
    folder = data_folder()
    if folder is None or not (folder / name).exists():
        pytest.skip(f"{name}: the human data kept beside the project is not here")
    return folder / name
