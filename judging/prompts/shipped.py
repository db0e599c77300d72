"""The prompts that come with the product: files of each kind, by version, language of instruction and part.

A part whose name begins with `phrase_` is a few words that stand within another part, so it has no line of its own.
Once a run has used a version its English files are never changed: runs are pinned to their text.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

KINDS = Path(__file__).parent.parent / "kinds"
ENGLISH = "en"
# The order in which they are offered.
LANGUAGES = (ENGLISH, "ar", "bn", "id", "ko")
PHRASE = "phrase_"


def is_phrase(part: str) -> bool:
    return part.startswith(PHRASE)


@cache
def shipped(kind: str, version: str, language: str = ENGLISH) -> Mapping[str, str]:
    """The templates of a kind by part. Raises FileNotFoundError where no prompt ships in the language."""
    folder = KINDS / kind / "prompts" / version / language
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))}
    if not texts:
        raise FileNotFoundError(f"no prompt {kind}/{version} in {language}")
    return MappingProxyType({part: text.strip("\n") if is_phrase(part) else text for part, text in texts.items()})


def version_name(version: str, language: str) -> str:
    """How figures name a shipped prompt: `v1` in English, `v1-ar` in Arabic."""
    return version if language == ENGLISH else f"{version}-{language}"
