"""How writers of several languages say which option they choose. Plain phrases, no patterns.

A language is added by an entry here. Phrases are compared in folded spelling, whatever the case; several languages are
looked for at once, since answers mix them.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cues:
    """The phrases of one language.

    answers   what announces an option when a colon or one of `links` follows: "answer", "the right option".
    certain   what announces one by itself, too: "the correct answer C".
    final     the same, and whatever was announced before it is taken back: "final answer".
    links     between the announcement and the option: "is".
    choosing  what precedes an option directly: "I choose".
    nouns     that may stand before the letter: "option".
    settled   what follows an option: "is correct".
    therefore what precedes an option at the end of a text: "therefore".
    because   what follows an option at the start of a text.
    conjunctions  between two options.
    particles     written onto a letter without a space (Korean).
    prompts   what a question ends with, after its options: "Answer".
    """

    answers: tuple[str, ...] = ()
    certain: tuple[str, ...] = ()
    final: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    choosing: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()
    therefore: tuple[str, ...] = ()
    because: tuple[str, ...] = ()
    conjunctions: tuple[str, ...] = ()
    particles: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()


CUES: dict[str, Cues] = {
    "en": Cues(
        answers=("answer", "my choice", "the solution", "the right option", "the best option"),
        certain=("correct answer", "correct option", "correct choice", "right answer", "best answer"),
        final=("final answer", "final choice"),
        links=("is", "would be", "should be", "must be", "seems to be", "will be"),
        choosing=("i choose", "i would choose", "i pick", "i select", "i go with", "i'd go with", "i will go with"),
        nouns=("option", "choice", "answer", "letter", "number"),
        settled=(
            "is correct", "is right", "is true", "is the answer", "is the correct answer", "is the right answer",
            "is the correct option", "is the correct choice", "is the best answer", "is the right choice",
        ),
        therefore=("therefore", "thus", "so", "hence"),
        because=("because", "since", "as", "due to", "for"),
        conjunctions=("and", "or", "and also", "as well as"),
        prompts=("answer", "the answer", "correct answer", "the correct answer", "your answer"),
    ),
    "ar": Cues(
        answers=("الجواب", "الإجابة", "جوابي", "إجابتي", "الحل", "اختياري"),
        certain=(
            "الإجابة الصحيحة", "الجواب الصحيح", "الخيار الصحيح", "الاختيار الصحيح",
            "الإجابة الأصح", "الخيار الأنسب", "الإجابة الأنسب",
        ),
        final=("الإجابة النهائية", "الجواب النهائي"),
        links=("هو", "هي", "هو الخيار", "هي الخيار", "تكون", "يكون", "ستكون"),
        choosing=("أختار", "اخترت", "سأختار", "أرجح"),
        nouns=("الخيار", "خيار", "الاختيار", "الإجابة", "الجواب", "الحرف", "رقم", "الفقرة"),
        settled=(
            "هو الصحيح", "هي الصحيحة", "هو الجواب الصحيح", "هي الإجابة الصحيحة", "هو الخيار الصحيح",
            "هو الجواب", "صحيح",
            "هي الإجابة", "صحيحة", "هو الاختيار الصحيح",
        ),
        therefore=("لذلك", "لذا", "إذن", "إذا", "بالتالي", "وبالتالي", "وعليه"),
        because=("لأن", "لأنه", "لأنها", "لأنهم", "حيث", "إذ", "بسبب", "نظرا", "كون"),
        conjunctions=("و", "أو", "وكذلك"),
        prompts=("الإجابة", "الجواب", "الإجابة الصحيحة", "الجواب الصحيح", "إجابتك"),
    ),
    "id": Cues(
        answers=("jawaban", "jawabannya", "jawaban saya"),
        certain=("jawaban yang benar", "jawaban yang tepat", "jawaban benar", "pilihan yang benar",
                 "pilihan yang tepat"),
        final=("jawaban akhir", "jawaban akhirnya"),
        links=("adalah", "ialah", "yaitu", "yakni"),
        choosing=("saya memilih", "saya pilih", "aku pilih"),
        nouns=("opsi", "pilihan", "huruf", "nomor", "jawaban"),
        settled=("adalah jawaban yang benar", "adalah jawaban yang tepat", "adalah jawabannya",
                 "adalah pilihan yang benar",
                 "adalah pilihan yang tepat", "yang benar", "yang tepat", "benar"),
        therefore=("jadi", "maka", "oleh karena itu", "dengan demikian"),
        because=("karena", "sebab", "akibat"),
        conjunctions=("dan", "atau", "serta"),
        prompts=("jawaban", "jawabannya", "jawaban yang benar"),
    ),
    "ko": Cues(
        answers=("정답", "답", "해답", "제 답"),
        certain=("정답은", "답은", "정답이", "올바른 답은", "옳은 것은"),
        final=("최종 답은", "최종 정답은", "최종 답", "최종 정답"),
        links=("은", "는", "이"),
        choosing=("나는", "저는", "선택은"),
        nouns=("보기", "선택지", "번호"),
        settled=("정답", "정답입니다", "정답이다", "맞습니다", "맞다", "옳습니다", "옳다", "답입니다"),
        therefore=("따라서", "그러므로", "그래서", "결국"),
        because=("왜냐하면", "때문"),
        conjunctions=("와", "과", "및", "또는", "혹은"),
        particles=("입니다", "이다", "예요", "이에요", "번", "번입니다", "번이다", "은", "는", "이", "가", "을", "를",
                   "라고", "와", "과",
                   "번이", "번은", "번을", "번과", "번이에요"),
        prompts=("정답", "답", "정답은", "답은"),
    ),
    "bn": Cues(
        answers=("উত্তর", "আমার উত্তর", "উত্তরটি"),
        certain=("সঠিক উত্তর", "সঠিক উত্তরটি", "সঠিক বিকল্প", "সঠিক বিকল্পটি", "সঠিক অপশন"),
        final=("চূড়ান্ত উত্তর",),
        links=("হলো", "হল", "হচ্ছে", "হবে"),
        choosing=("আমি বেছে নিচ্ছি", "আমি বাছাই করছি"),
        nouns=("বিকল্প", "অপশন", "নম্বর"),
        settled=("সঠিক", "সঠিক উত্তর", "হলো সঠিক উত্তর",
                 "হল সঠিক উত্তর", "ই সঠিক"),
        therefore=("তাই", "সুতরাং", "অতএব"),
        because=("কারণ", "কেননা", "যেহেতু"),
        conjunctions=("এবং", "ও", "অথবা", "বা", "আর"),
        prompts=("উত্তর", "সঠিক উত্তর"),
    ),
    "fr": Cues(
        answers=("réponse", "la réponse", "ma réponse", "mon choix"),
        certain=("bonne réponse", "réponse correcte", "réponse exacte", "bonne option", "option correcte"),
        final=("réponse finale",),
        links=("est", "est donc", "serait", "est la"),
        choosing=("je choisis", "je choisirais", "j'opte pour"),
        nouns=("l'option", "option", "le choix", "la lettre", "la réponse", "réponse"),
        settled=("est correcte", "est correct", "est la bonne réponse", "est la réponse correcte", "est exacte",
                 "est juste",
                 "est la réponse", "est vraie"),
        therefore=("donc", "ainsi", "par conséquent"),
        because=("car", "parce que", "parce qu'", "puisque", "en raison"),
        conjunctions=("et", "ou", "ainsi que"),
        prompts=("réponse", "la réponse", "bonne réponse"),
    ),
    "ms": Cues(
        certain=("jawapan yang betul", "jawapan betul"),
        final=("jawapan akhir",),
        answers=("jawapan", "jawapannya"),
        links=("ialah", "adalah"),
        settled=("adalah jawapan yang betul", "ialah jawapan yang betul", "betul"),
        because=("kerana",),
        prompts=("jawapan",),
    ),
    "es": Cues(
        answers=("respuesta", "la respuesta", "mi respuesta"),
        certain=("respuesta correcta", "opción correcta"),
        final=("respuesta final",),
        links=("es", "sería"),
        choosing=("elijo", "escojo"),
        nouns=("opción", "la opción", "letra", "la letra"),
        settled=("es correcta", "es la correcta", "es la respuesta correcta", "es la respuesta"),
        therefore=("por lo tanto", "por tanto", "así que"),
        because=("porque", "ya que", "dado que"),
        conjunctions=("y", "o", "u"),
        prompts=("respuesta",),
    ),
    "de": Cues(
        answers=("antwort", "die antwort", "meine antwort", "lösung"),
        certain=("richtige antwort", "korrekte antwort", "richtige option"),
        final=("endgültige antwort",),
        links=("ist", "lautet", "wäre"),
        choosing=("ich wähle", "ich nehme"),
        nouns=("option", "antwort", "buchstabe"),
        settled=("ist richtig", "ist korrekt", "ist die richtige antwort"),
        therefore=("daher", "also", "deshalb", "somit"),
        because=("weil", "denn", "da"),
        conjunctions=("und", "oder"),
        prompts=("antwort",),
    ),
    "hi": Cues(
        answers=("उत्तर", "जवाब"),
        certain=("सही उत्तर", "सही जवाब", "सही विकल्प"),
        links=("है", "होगा"),
        nouns=("विकल्प",),
        settled=("सही है", "सही उत्तर है", "सही विकल्प है"),
        therefore=("इसलिए", "अतः"),
        because=("क्योंकि",),
        conjunctions=("और", "या"),
        prompts=("उत्तर",),
    ),
}  # fmt: skip
