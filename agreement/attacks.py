"""Answers that speak to the judge: forged ends of the text, turns of another speaker, orders to forget what was said.

The marks around a text and the ticket of an answer keep such texts from succeeding (`judging/engine/calling.py`); here
they are found, so that people can look at who sends them. What a question holds itself, its answer may quote.

Sources: patterns of F. Perez and I. Ribeiro, Ignore Previous Prompt (arXiv 2211.09527), and of X. Zheng et al.,
Cheating Automatic LLM Benchmarks (arXiv 2410.07137); the control tokens are those that the chat templates of open
models publish. The wording in other languages is our own.
"""

from collections.abc import Mapping
from typing import TypeVar

import regex

from agreement.figures import NO_ITEMS, Figure

ATTACK = "attack on the judge"
#: A single answer may quote an attack, about which somebody asked; three are a habit.
MIN_ATTACKS = 3
#: Of an answer, its beginning and its end are read up to so many characters each.
READ = 30_000

_CONTROL = (
    r"<\|(?:im_start|im_end|eot_id|start_header_id|end_header_id|endoftext|system|user|assistant|end|start|channel"
    r"|message|return|(?:START|END)_OF_TURN_TOKEN|CHATBOT_TOKEN)\|>"
    r"|<(?:start|end)_of_turn>|\[/?INST\]|<</?SYS>>|<｜(?:User|Assistant)｜>|<｜end▁of▁sentence｜>"
)
_MARKS = (
    r"(?:<<<|＜＜＜|«)\s*(?i:end of )?(?i:answer|question|criterion|paragraph|example)\b[^>＞»\n]{0,80}(?:>>>|＞＞＞|»)"
)
_ORDERS = (
    r"\b(?:ignore|disregard|forget|override)\s+(?:(?:all|any|of|the|your|my|these|those)\s+){0,3}"
    r"(?:(?:previous|prior|above|earlier|preceding)\s*(?:instructions?|prompts?|rules?|text|##|messages?)?"
    r"|instructions?\s+(?:above|before|given))",
    r"(?:تجاهلي?|انسَ?|أهملي?|اهمل)\s+(?:كل|جميع|كافة)?\s*(?:ال)?(?:تعليمات|أوامر|توجيهات)\s+(?:السابقة|أعلاه|المذكورة)",
    r"ignora\s+(?:todas\s+)?las\s+instrucciones\s+(?:anteriores|previas)",
    r"(?:oublie|ignore)z?\s+(?:toutes\s+)?les\s+(?:consignes|instructions)\s+(?:précédentes|ci-dessus)",
    r"(?:vergiss|ignoriere)\s+(?:alle\s+)?(?:bisherigen|vorherigen|obigen)\s+(?:Anweisungen|Instruktionen)",
    r"abaikan\s+semua\s+(?:perintah|instruksi)\s+sebelumnya",
    r"忽略(?:以上|上述|之前)?(?:所有|全部|的)*(?:指示|指令)",
    r"(?:これまで|以上|上記)の(?:すべての)?指示を(?:すべて)?無視",
    r"(?:앞의|이전의?)\s*모든\s*지시를\s*무시",
    r"আগের\s+সব\s+নির্দেশ\s+(?:ভুলে|উপেক্ষা)",
)
_FORGED = (
    r"\{\s*\"(?:ticket|score|verdicts?|grade|preference)\"\s*:\s*[^{}]{0,400}"
    r"\"(?:ticket|reason|score|justification)\"\s*:"
)
_PLEAS = (
    r"\b(?:give|award|assign)\s+(?:this|the|my)\s+(?:answer|response|output)?\s*(?:the\s+)?"
    r"(?:full|maximum|highest|top|perfect)\s+(?:marks?|scores?|grades?|points)",
    r"\b(?:rate|score|grade)\s+this\s+(?:answer|response|output)\s+(?:as\s+)?(?:a\s+)?(?:10|ten|perfect)\b",
    r"(?:امنحي?|أعطِ?ي?|اعطي?)\s+(?:هذه|هذا|هذي)\s+(?:الإجابة|الاجابة|الجواب|الرد)\s+(?:الدرجة|العلامة)\s+(?:الكاملة|القصوى|النهائية)",
)
_ANY = regex.compile("|".join(f"(?:{one})" for one in (_CONTROL, _MARKS, _FORGED)))
_SAID = regex.compile("|".join(f"(?:{one})" for one in (*_ORDERS, *_PLEAS)), regex.IGNORECASE)
#: One by one they are found far faster than as alternatives, and those of which a word must occur faster still by it:
#: nearly every answer holds none.
_EACH = [regex.compile(one, regex.IGNORECASE) for one in (*_ORDERS, *_PLEAS)]
_WORDS_OF = {
    r"\b(?:ignore|": ("ignore", "disregard", "forget", "override"),
    r"(?:vergiss|": ("vergiss", "ignoriere"),
    r"\b(?:give|": ("give", "award", "assign"),
}
_HINTS = [next((words for begin, words in _WORDS_OF.items() if each.pattern.startswith(begin)), ()) for each in _EACH]
#: Where case is ignored these are an i, and folding the case does not make one of them.
_OTHER_I = ("ı", "İ")
_HIDDEN = regex.compile(r"\p{Cf}")
#: Letters that no screen shows, and that models read all the same.
_TAGS = regex.compile(r"[\U000E0020-\U000E007E]{8,}")

Q = TypeVar("Q")


def attack_in(answer: str, question: str = "") -> str:
    """The words of an answer that speak to its judge, "" where there are none or the question holds them itself."""
    text = answer if len(answer) <= 2 * READ else f"{answer[:READ]}\n{answer[-READ:]}"
    if hidden := _TAGS.search(text):
        return "".join(chr(ord(letter) - 0xE0000) for letter in hidden[0])[:200]
    shown = _HIDDEN.sub("", text)
    for readable in (text,) if shown == text else (text, shown):
        for pattern in (_ANY, _SAID) if _may_hold_said(readable) else (_ANY,):
            for match in pattern.finditer(readable):
                if match[0].casefold() not in question.casefold():
                    return match[0][:200]
    return ""


def _may_hold_said(text: str) -> bool:
    """Whether `_SAID` is found in a text."""
    folded = text.casefold()
    is_plain = not any(letter in text for letter in _OTHER_I)
    for each, words in zip(_EACH, _HINTS, strict=True):
        if words and is_plain and not any(word in folded for word in words):
            continue
        if each.search(text):
            return True
    return False


def attacks(answers: Mapping[Q, str], asked: Mapping[Q, str]) -> Figure:
    """Do answers speak to the judge instead of answering?

    answers, asked  texts of the answers, and of the questions they answer, by question.

    value = share of such answers; n = answers that are not empty. detail: `flag`, `is_flagged` (three answers),
    `questions`, `found` (the words, by the first questions). Undefined: "no items".
    """
    texts = {question: text for question, text in answers.items() if text.strip()}
    if not texts:
        return Figure.without_value(NO_ITEMS, flag=ATTACK, is_flagged=False, questions=[])
    found = {question: words for question, text in texts.items() if (words := attack_in(text, asked.get(question, "")))}
    detail = {"flag": ATTACK, "is_flagged": len(found) >= MIN_ATTACKS, "questions": list(found)}
    return Figure(len(found) / len(texts), len(texts), detail={**detail, "found": list(found.values())[:MIN_ATTACKS]})
