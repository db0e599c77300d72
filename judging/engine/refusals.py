"""Does a short text decline to answer? Ten languages, because judges answer in the language of the text. Pure."""

import re
import unicodedata

# A refusal is short; a long text that happens to say "I cannot" somewhere is something else.
LONGEST = 600
# With all that is not seen in it. And composing makes one character of four at most.
MAX_UNSEEN = 12_000
MAX_COMPOSED = 4
INVISIBLE = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
APOSTROPHES = str.maketrans("’‘ʼ`´", "'''''")

PHRASES = re.compile(
    "|".join(
        [
            # English
            r"\bi(?:'m| am) (?:really |very |so )?sorry\b.*\b(?:can't|cannot|can not|unable|won't)\b",
            r"\bi (?:can't|cannot|can not|won't|will not|must decline|have to decline|am unable|am not able)\b",
            r"\bi(?:'m| am) (?:unable|not able|not comfortable)\b",
            r"\bas an ai\b",
            # Arabic
            r"(?:لا|لن) (?:أستطيع|يمكنني|استطيع|أقدر|اقدر)|لا أتمكن|(?:أعتذر|اعتذر|آسف|أسف|عذرا|عذرًا|معذرة)\b",
            r"مش هقدر|ما أقدر|ما اكدر|غير قادر على",
            # Bengali
            r"দুঃখিত|আমি .{0,40}(?:পারব না|পারবো না|পারছি না|সক্ষম নই|অক্ষম)",
            # Korean
            r"죄송(?:합니다|하지만|해요)|(?:도와드릴|답변드릴|응답할|제공할|도울|수행할) 수 없|할 수 없습니다",
            # Indonesian and Malay
            r"\bmaaf\b|(?:saya )?tidak (?:dapat|bisa) (?:membantu|memenuhi|menjawab|memberikan|melakukan)",
            # Spanish
            r"\blo siento\b|\bno puedo (?:ayudar|cumplir|responder|proporcionar|hacer)",
            # French
            r"\b(?:je suis )?désolée?\b|\bje ne (?:peux|suis) pas\b|\bje ne puis\b",
            # German
            r"\bes tut mir leid\b|\btut mir leid\b|\bich kann (?:das|dir|ihnen|dabei|diese[rsnm]?)\b.*\bnicht\b",
            # Chinese
            r"抱歉|对不起|對不起|我(?:无法|無法|不能)",
            # Japanese
            r"申し訳(?:ありません|ございません)|すみませんが|お(?:答え|手伝い)(?:すること)?(?:は|が)?できません",
        ]
    ),
    re.DOTALL,
)


def is_refusal(text: str) -> bool:
    """True for a short text, without any JSON in it, that says its author will not do what was asked."""
    # Long texts are not composed: it takes quadratic time over marks.
    if len(text) > MAX_UNSEEN or len(INVISIBLE.sub("", text).strip()) > LONGEST * MAX_COMPOSED:
        return False
    plain = INVISIBLE.sub("", unicodedata.normalize("NFC", text)).translate(APOSTROPHES).casefold().strip()
    return bool(plain) and len(plain) <= LONGEST and "{" not in plain and PHRASES.search(plain) is not None
