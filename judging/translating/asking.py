"""What a model is asked for a draft, and what of its reply is one."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.utils.crypto import salted_hmac

from judging.engine.parsing import read_text
from judging.prompts import fill
from projects import placeholders
from projects.localising import MAX_TEXT, MAX_VALUE
from projects.models import LanguageVariety, LocalisationDraft, PromptTemplate

VERSION = "v1"
_FOLDER = Path(__file__).parent / "prompts" / VERSION
SYSTEM, QUESTION = (_FOLDER.joinpath(f"{part}.txt").read_text(encoding="utf-8") for part in ("system", "question"))
#: As drafts name the prompt that made them: its version, and the start of its hash.
PROMPT = f"translating {VERSION} {sha256((SYSTEM + QUESTION).encode()).hexdigest()[:12]}"


@dataclass(frozen=True, slots=True)
class Ask:
    """One template in one variety."""

    template: PromptTemplate
    variety: LanguageVariety

    @property
    def nonce(self) -> str:
        """The number of the marks: nobody who writes a template can know it, and asked again it is the same."""
        place = f"{self.template.pk} {self.variety.pk} {self.template.text}"
        return salted_hmac("judging.translating", place).hexdigest()[:32]

    @property
    def system(self) -> str:
        return fill(SYSTEM, {"language": english_name(self.variety), "variety": self.variety.tag})

    @property
    def question(self) -> str:
        names = placeholders.names(self.template.text)
        shown = ", ".join(f"[{name}]" for name in names) or "none"
        return fill(QUESTION, {"nonce": self.nonce, "placeholders": shown, "text": self.template.text})


def english_name(variety: LanguageVariety) -> str:
    return variety.name or variety.tag


def read_draft(one: Ask, reply: str) -> dict[str, Any] | None:
    """The draft of a reply: `text` and `values`; None where it is none.

    A draft has every placeholder of the original and no other. A value that is missing, too long or holds a placeholder
    itself is left empty for the speaker.
    """
    said = read_text(reply).value
    if said is None or said.get("ticket") != one.nonce or not isinstance(said.get("text"), str):
        return None
    original, text, given = one.template.text, said["text"].strip(), said.get("values") or {}
    if not text or len(text) > MAX_TEXT or one.nonce in text or not isinstance(given, dict):
        return None
    if placeholders.missing(original, text) or placeholders.unknown(original, text):
        return None
    return {"text": text, "values": {name: value_of(given.get(name)) for name in placeholders.names(original)}}


def value_of(said: object) -> str:
    value = said.strip() if isinstance(said, str) else ""
    return "" if len(value) > MAX_VALUE or placeholders.find(value) else value


def store(one: Ask, draft: dict[str, Any], **made: Any) -> bool:
    """False where somebody localised or drafted it meanwhile, or its original is another one by now."""
    template = PromptTemplate.objects.select_for_update(no_key=True).filter(pk=one.template.pk).order_by("pk").first()
    place = {"template": one.template, "variety": one.variety}
    if template is None or template.text != one.template.text:
        return False
    if template.localisations.filter(variety=one.variety).exists():
        return False
    _row, is_new = LocalisationDraft.objects.get_or_create(**place, defaults={**draft, "prompt": PROMPT, **made})
    return is_new
