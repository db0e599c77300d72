"""The prompts that come with the product: files of each kind, by version, language of instruction and part.

A part whose name begins with `phrase_` is a few words that stand within another part, so it has no line of its own.
Once a run has used a version its English files are never changed: runs are pinned to their text.

`v1` asks for explanations in English. `v2` is the same text with a slot there, `{{explanation_language}}`, which a
judge's option of that name fills: its files are those of `v1`, in which the few words are replaced as they are read.
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
FIRST, WITH_SLOT = "v1", "v2"
SLOT = "explanation_language"
#: By kind the parts that came when projects had prompts of their own: one may be without them, and asks for them in
#: shipped words.
LATER: Mapping[str, frozenset[str]] = {
    "spans": frozenset({"several_places"}),
    "questionnaire": frozenset({"alone", "example", "examples", "example_prompt", "example_answer"}),
}
#: By language of instruction the words of `v1` that ask for English, and those of `v2` in their place.
EXPLAINED = {
    "en": ("in English", "in {{explanation_language}}"),
    "ar": ("بالإنجليزية", "باللغة {{explanation_language}}"),
    "bn": ("ইংরেজিতে", "{{explanation_language}} ভাষায়"),
    "id": ("dalam bahasa Inggris", "dalam bahasa {{explanation_language}}"),
    "ko": ("영어로", "{{explanation_language}} 언어로"),
}


def is_phrase(part: str) -> bool:
    return part.startswith(PHRASE)


@cache
def shipped(kind: str, version: str, language: str = ENGLISH) -> Mapping[str, str]:
    """The templates of a kind by part. Raises FileNotFoundError where no prompt ships in the language, or in the
    version: of a kind that asks for no explanation in English there is no `v2`."""
    if version == WITH_SLOT:
        before, after = EXPLAINED.get(language, ("", ""))
        first = shipped(kind, FIRST, language)
        with_slot = {part: text.replace(before, after) for part, text in first.items()}
        if with_slot == first:
            raise FileNotFoundError(f"no prompt {kind}/{version} in {language}")
        return MappingProxyType(with_slot)
    folder = KINDS / kind / "prompts" / version / language
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))}
    if not texts:
        raise FileNotFoundError(f"no prompt {kind}/{version} in {language}")
    return MappingProxyType({part: text.strip("\n") if is_phrase(part) else text for part, text in texts.items()})


def has_slot(kind: str) -> bool:
    """Whether its shipped prompts can ask for explanations in another language than English."""
    try:
        return bool(shipped(kind, WITH_SLOT))
    except FileNotFoundError:
        return False


def newest(kind: str) -> str:
    """The newest version of the kind's shipped prompts."""
    return WITH_SLOT if has_slot(kind) else FIRST


def version_name(version: str, language: str) -> str:
    """How figures name a shipped prompt: `v1` in English, `v1-ar` in Arabic."""
    return version if language == ENGLISH else f"{version}-{language}"
