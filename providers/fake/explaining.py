"""In which language the simulated model explains: the one that the instructions name for it.

Of a language it has no sentence in, and of English, the explanation stays as it is. It still knows no language: its one
sentence in each says that it is simulated, and keeps the number that tells one explanation from another.
"""

import re
from typing import Any

#: The line that describes the answer's explanation, whatever language it is in, up to its first comma: it names the
#: language in English. What has no such line names it in a sentence of its own, as refinements do.
DESCRIBED = re.compile(
    r"^- (?:reason|reasoning|explanation|justification):([^,،\n]*)|^- The explanation: in ([^,\n]*)", re.M
)
NUMBER = re.compile(r"[0-9]+")
EXPLANATIONS = {"reason", "reasoning", "explanation", "justification"}
SENTENCES = {
    "Arabic": ("محاكاة: اختارته دالة تجزئة", "."),
    "Bengali": ("অনুকরণ: একটি হ্যাশ এটি বেছে নিয়েছে", "।"),
    "Indonesian": ("Simulasi: dipilih oleh sebuah hash", "."),
    "Korean": ("모의: 해시가 골랐습니다", "."),
}


def language_in(instructions: str) -> str | None:
    """The language that explanations are to be in, of those there is a sentence in; None for all others."""
    named = " ".join(" ".join(match.groups("")) for match in DESCRIBED.finditer(instructions))
    return next((language for language in SENTENCES if re.search(rf"\b{language}\b", named)), None)


def explained(content: Any, instructions: str) -> Any:
    """What a model says, with its explanations in the language that the instructions ask for."""
    language = language_in(instructions)
    return content if language is None else _in(content, *SENTENCES[language])


def _in(content: Any, sentence: str, stop: str) -> Any:
    if isinstance(content, list):
        return [_in(each, sentence, stop) for each in content]
    if not isinstance(content, dict):
        return content
    said = {}
    for name, value in content.items():
        if name in EXPLANATIONS and isinstance(value, str):
            number = NUMBER.search(value)
            said[name] = f"{sentence} ({number[0]}){stop}" if number else f"{sentence}{stop}"
        else:
            said[name] = _in(value, sentence, stop)
    return said
