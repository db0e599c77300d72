"""What a model is sent of a question: instruction, passage and options as one text."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from django.utils.translation import get_language, get_language_info
from django.utils.translation import gettext as _

from formats.limits import MAX_TEXT
from projects.languages.facts import facts, general
from projects.languages.names import name
from projects.languages.tags import NotATag, read_tag


def prompt_text(instruction: str, input_text: str = "", options: Sequence[Mapping[str, str]] = ()) -> str:
    """The parts with an empty line between them; options one a line, unless the instruction lists them all itself."""
    parts = [instruction, input_text]
    if not all(option["text"] in instruction for option in options):
        parts.append("\n".join(f"{option['label']}. {option['text']}" for option in options))
    return "\n\n".join(part for part in parts if part)


def too_long(text: str) -> str:
    """Why no question can have this `prompt_text`; empty where one can. It is a prompt of the project, which leaves and
    comes in again with at most as many characters as any."""
    if len(text) <= MAX_TEXT:
        return ""
    message = _("With its passage and options the question has %(length)d characters; at most %(limit)d fit.")
    return message % {"length": len(text), "limit": MAX_TEXT}


def beside_prompt(prompt: str, input_text: str, options: Sequence[Mapping[str, str]]) -> tuple[str, str]:
    """Passage and options, one a line, as far as the prompt does not hold them: whoever is shown it reads nothing
    twice. An instruction that lists the options itself may leave out the labels by which a reference names them."""
    lines = [f"{option['label']}. {option['text']}" for option in options]
    return "" if input_text in prompt else input_text, "" if all(line in prompt for line in lines) else "\n".join(lines)


def language_in_words(tag: str, *, is_translated: bool = False) -> str:
    """The language of a tag, in English or in the reader's words; the tag itself where nobody here knows a name.

    Without its place: an answer in any Arabic is one in Arabic. Which dialect is wanted says a question's reference.
    """
    try:
        language = facts(read_tag(tag)).language if tag else "und"
    except NotATag:
        return tag
    for known in (language, general(language)):
        with suppress(KeyError):
            return str(get_language_info(known)["name_translated" if is_translated else "name"])
    return name(language, (get_language() or "en") if is_translated else "en") if language != "und" else tag
