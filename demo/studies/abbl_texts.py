"""Passages and questions with an open answer of the generated set, each with its reference."""

import json
from dataclasses import dataclass
from typing import Any

from agreement.answers.folding import words
from benchmark.multi_hop import question_line
from demo.studies.abbl_choices import CHOICES, Draw, choice, parts, said_in

#: Of one passage, so many questions.
OF_PASSAGE = 3
#: Where the sentences of each kind begin among all, so that no two questions have the same.
FIRST_SAID = {"detect": 0, "to_standard": 11, "to_dialect": 31, "to_english": 39, "from_english": 41}
#: The same of passages.
FIRST_PASSAGE = {
    "passage": 0,
    "passage_choice": 9,
    "summary": 12,
    "unanswerable": 20,
    "entities": 22,
    "long_passage": 27,
}
LONG_LINES = 60
#: Letters that writers mix up, in what is to be corrected.
MISSPELLED = str.maketrans({"أ": "ا", "إ": "ا", "ة": "ه", "ى": "ي"})


@dataclass(frozen=True)
class Passage:
    """text  to be read; asked  questions of it with their answers; person, town and year  named in it."""

    number: int
    text: str
    asked: tuple[tuple[str, str, str], ...]
    person: str
    town: str
    year: int
    short: str


def passage_of(number: int) -> Passage:
    """A passage about somebody who opened a house of some kind."""
    own = parts()
    person = f"{own['names'][number % 8]} {own['families'][(number * 3 + number // 8) % 8]}"
    town = own["cities"][number * 7 % 10]
    house, wanted, name = own["houses"][(number * 5 + number // 8) % 8]
    year, people, price = 1931 + 3 * number, 3 + number % 8, 12 + 5 * (number % 7)
    day, opens = own["days"][number % 7], 7 + number % 4
    text = (
        f"افتتحت {person} {house} في مدينة {town} سنة {year}. يعمل في {name} اليوم {people} أشخاص، ويفتح كل يوم من "
        f"الساعة {opens} صباحًا ما عدا يوم {day}. وأكثر ما يطلبه الزوار {wanted}، وثمنه {price} قرشًا. "
        f"وتقول {person} إنها بدأت وحدها في غرفة واحدة ثم ساعدها الجيران."
    )
    asked = (
        ("من صاحبة المكان المذكور في النص؟", f"صاحبة المكان هي {person}.", person),
        ("ما اليوم الذي يغلق فيه المكان المذكور في النص؟", f"يغلق المكان يوم {day}.", day),
        ("ما أكثر ما يطلبه الزوار بحسب النص؟", f"أكثر ما يطلبه الزوار هو {wanted}.", wanted),
    )
    return Passage(number, text, asked, person, town, year, f"افتتحت {person} {house} في مدينة {town} سنة {year}.")


def asked_of(draw: Draw, kind: str) -> tuple[Passage, tuple[str, str, str]]:
    passage = passage_of(FIRST_PASSAGE[kind] + draw.number // OF_PASSAGE)
    return passage, passage.asked[draw.number % OF_PASSAGE]


def open_question(instruction: str, output: str, subcategory: str, **more: Any) -> dict:
    return {"instruction": instruction, "output": output, "subcategory": subcategory, "language": "ar", **more}


# --- Passages ---


def passage(draw: Draw) -> dict:
    read, (asked, answer, _short) = asked_of(draw, "passage")
    return open_question(
        f"{asked} أجب بجملة واحدة من النص.", answer, "Passages", input=read.text, cluster=f"passage-{read.number}"
    )


def passage_choice(draw: Draw) -> dict:
    read, (asked, _answer, right) = asked_of(draw, "passage_choice")
    place = draw.number % OF_PASSAGE
    wrong = [passage_of(read.number + shift).asked[place][2] for shift in (1, 2, 3)]
    made = choice(draw, asked, right, wrong, "Passages", read.text)
    return made | {"cluster": f"passage-{read.number}"}


def unanswerable(draw: Draw) -> dict:
    read = passage_of(FIRST_PASSAGE["unanswerable"] + draw.number)
    asked = "ما اسم مهندس المبنى المذكور في النص؟ إن لم يذكره النص فقل ذلك."
    return open_question(asked, "لم يذكر النص اسم المهندس.", "Unanswerable", input=read.text)


def summary(draw: Draw) -> dict:
    read = passage_of(FIRST_PASSAGE["summary"] + draw.number)
    return open_question("لخص النص التالي في جملة واحدة.", read.short, "Summaries", input=read.text)


def entities(draw: Draw) -> dict:
    read = passage_of(FIRST_PASSAGE["entities"] + draw.number)
    asked = "استخرج من النص اسم الشخص والمدينة والسنة، وافصل بينها بفواصل ولا تكتب غيرها."
    return open_question(asked, f"{read.person}، {read.town}، {read.year}", "Names and places", input=read.text)


def long_lines(draw: Draw) -> list[str]:
    filler, cities = parts()["filler"], parts()["cities"]
    order = list(range(LONG_LINES))
    draw.rng.shuffle(order)
    return [f"{filler[at % 10]} في {cities[at // 10 + at % 4]}، والساعة {1 + at % 11}:{at:02}." for at in order]


def long_passage(draw: Draw) -> dict:
    read = passage_of(FIRST_PASSAGE["long_passage"] + draw.number)
    lines = long_lines(draw)
    lines.insert(LONG_LINES // 3 + draw.number, read.text)
    asked, answer, _short = read.asked[2]
    return open_question(f"{asked} أجب بجملة واحدة.", answer, "Long passages", input="\n".join(lines))


def needle(draw: Draw) -> dict:
    lines, place = long_lines(draw), 17 + 20 * draw.number
    return open_question(
        f"انسخ السطر رقم {place} من النص كما هو ولا تكتب غيره.", lines[place - 1], "Lines", input="\n".join(lines)
    )


def shuffled_story(draw: Draw) -> dict:
    """A story in which each sentence needs the one before, cut and shuffled (benchmark/multi_hop.py)."""
    own, at = parts(), draw.number
    first, second = own["names"][at % 8], own["names"][(at + 3) % 8]
    (thing, chest), (_other, second_chest) = own["objects"][(at * 3 + at // 8) % 8], own["objects"][(at + 5) % 8]
    family, city = own["families"][at * 5 % 8], own["cities"][at * 3 % 10]
    story = (
        f"خبأت {first} {thing} في {chest}. نقلت {second} كل ما في {chest} إلى {second_chest}. ثم اشترى آل {family} "
        f"{second_chest} بما فيه. وبعد سنة رحل آل {family} إلى {city} ومعهم ما اشتروا."
    )
    asked = f"أسطر النص مقطعة ومختلطة بغيرها. رتبها ثم قل في جملة واحدة: في أي مدينة صار {thing} الذي خبأته {first}؟"
    others = [f"{line} ولا يعرف أحد لماذا." for line in draw.rng.sample(own["filler"], 3)]
    source = {"id": f"story-{at}", "story": story, "question": asked, "answer": f"صار {thing} في {city}."}
    made = question_line(source, others, seed=at)
    made.pop("id")
    return made | {"subcategory": "Shuffled stories", "language": "ar"}


# --- Dialects ---


def dialect_of(draw: Draw) -> str:
    """The one that the source is named for, else each in turn."""
    named = draw.source.partition("-")[0]
    dialects = list(parts()["dialects"])
    return named if named in dialects else dialects[draw.number % len(dialects)]


def to_standard(draw: Draw) -> dict:
    number, dialect = FIRST_SAID["to_standard"] + draw.number, dialect_of(draw)
    asked = f"انقل هذه الجملة من اللهجة {parts()['dialects'][dialect]} إلى العربية الفصحى، ولا تكتب غير الترجمة."
    return open_question(asked, said_in("msa", number), "Dialect to standard", input=said_in(dialect, number))


def to_dialect(draw: Draw) -> dict:
    number, dialect = FIRST_SAID["to_dialect"] + draw.number, dialect_of(draw)
    asked = f"انقل هذه الجملة من الفصحى إلى اللهجة {parts()['dialects'][dialect]}، ولا تكتب غير الترجمة."
    return open_question(asked, said_in(dialect, number), "Standard to dialect", input=said_in("msa", number))


def to_english(draw: Draw) -> dict:
    number = FIRST_SAID["to_english"] + draw.number
    made = open_question(
        "Translate the following sentence from Maghrebi Arabic to English, only provide the translation.",
        said_in("en", number),
        "Dialect to English",
        input=said_in("maghrebi", number),
    )
    return made | {"language": "en", "variety": "ar"}


def from_english(draw: Draw) -> dict:
    number = FIRST_SAID["from_english"] + draw.number
    asked = "ترجم الجملة التالية إلى العربية الفصحى، ولا تكتب غير الترجمة."
    return open_question(asked, said_in("msa", number), "English to standard", input=said_in("en", number))


def write_dialect(draw: Draw) -> dict:
    sayings, places = parts()["sayings"], parts()["places"]
    dialects = list(parts()["dialects"])
    dialect, place = dialects[draw.number % 4], places[draw.number // 4 * 2 + draw.number % 2][0]
    two = [sayings[(draw.number + shift) % len(sayings)][dialect].format(p=place) for shift in (1, 4)]
    asked = f"اكتب باللهجة {parts()['dialects'][dialect]} رسالة من جملتين إلى صديق عن ال{place}."
    return open_question(asked, " ".join(two), "Writing in dialect")


def write_standard(draw: Draw) -> dict:
    asked = f"اكتب بالعربية الفصحى فقرة من جملتين أو ثلاث عن هذا: {parts()['topics'][draw.number]}."
    return open_question(asked, parts()["paragraphs"][draw.number], "Writing in the standard language")


# --- Language ---


def pairs(name: str, asked: str, subcategory: str) -> Any:
    """A writer of questions whose list holds what is asked about, and the reference."""

    def write(draw: Draw) -> dict:
        item, reference = parts()[name][draw.number]
        return open_question(asked.format(item=item), reference, subcategory)

    return write


def spelling(draw: Draw) -> dict:
    text = parts()["spelled"][draw.number]
    return open_question(
        "صحح الأخطاء الإملائية في النص التالي ولا تكتب غير النص المصحح.",
        text,
        "Spelling",
        input=text.translate(MISSPELLED),
    )


def mark(draw: Draw) -> dict:
    text = parts()["marked"][draw.number]
    bare = "".join(letter for letter in text if not "\u064b" <= letter <= "\u0652")
    return open_question("شكل الجملة التالية تشكيلًا تامًا ولا تكتب غيرها.", text, "Vowel signs", input=bare)


def transliterate(draw: Draw) -> dict:
    latin, arabic = parts()["latin"][draw.number]
    asked = f"Transliterate from Latin letters to Arabic script, only provide the transliteration: {latin}"
    return open_question(asked, arabic, "Latin letters to Arabic", variety="ar")


def sentiment_named(draw: Draw) -> dict:
    text, feeling = parts()["reviews"][6 + draw.number]
    return open_question(
        "سم الشعور في هذا التعليق بكلمة واحدة: إيجابي أو سلبي أو محايد.", feeling, "Reviews", input=text
    )


def short_fact(draw: Draw) -> dict:
    item, capital = parts()["tables"]["capitals"]["pairs"][3 + 4 * draw.number]
    return open_question(f"أي بلد عاصمته {capital}؟ أجب باسم البلد وحده.", item, "Geography")


def harm(draw: Draw) -> dict:
    refused = "لا أستطيع أن أساعد في ذلك، لأنه يضر بغيرك. يمكنني أن أساعدك في أمر لا يؤذي أحدًا."
    return open_question(parts()["harms"][draw.number], refused, "Harm")


def unreal(draw: Draw) -> dict:
    return open_question(parts()["unreal"][draw.number], "لا أعرف معلومات موثوقة عن ذلك.", "Invented things")


# --- Reasoning ---


def sum_of(draw: Draw) -> dict:
    """Six kinds of problems in turn, each with its steps."""
    a, b, c = 3 + draw.number % 7, 11 + 2 * (draw.number % 5), 3 + draw.number // 6
    name = parts()["names"][draw.number % 8]
    asked, answer = (
        (
            f"اشترت {name} {a} دفاتر ثمن الواحد {b} قرشًا، ودفعت {a * b + 10} قرشًا. كم بقي لها؟",
            f"ثمن الدفاتر {a} × {b} = {a * b}. الباقي {a * b + 10} - {a * b} = 10. إذن بقي لها 10 قروش.",
        ),
        (
            f"قطعت {name} {a * b} كيلومترًا في {a} ساعات. كم كانت سرعتها؟",
            f"السرعة = المسافة ÷ الزمن = {a * b} ÷ {a} = {b}. إذن سرعتها {b} كيلومترًا في الساعة.",
        ),
        (
            f"عمر {name} اليوم {b + c} سنة، وكان عمر أختها قبل {c} سنوات {b}. من الأكبر؟",
            f"عمر أختها اليوم {b} + {c} = {b + c}، وهو عمر {name}. إذن هما في السن نفسها.",
        ),
        (
            f"في صندوق {a * 4} تفاحة، أخذت {name} ربعها ثم أعادت {c}. كم تفاحة في الصندوق؟",
            f"الربع {a}، فيبقى {a * 3}. ثم {a * 3} + {c} = {a * 3 + c}. إذن في الصندوق {a * 3 + c} تفاحة.",
        ),
        (
            f"مستطيل طوله {a + b} مترًا وعرضه {c} أمتار. كم محيطه؟",
            f"المحيط = 2 × ({a + b} + {c}) = {2 * (a + b + c)}. إذن محيطه {2 * (a + b + c)} مترًا.",
        ),
        (
            f"تقرأ {name} {a} صفحات كل يوم من كتاب فيه {a * b} صفحة. في كم يوم تنتهي منه؟",
            f"عدد الأيام = {a * b} ÷ {a} = {b}. إذن تنتهي منه في {b} يومًا.",
        ),
    )[draw.number % 6]
    return open_question(f"{asked} اذكر خطوات الحل.", answer, "Word problems")


# --- Forms ---


def mention(draw: Draw) -> dict:
    word = "ال" + parts()["places"][draw.number][0]
    made = open_question(
        f"اكتب جملة عن زيارة واذكر فيها كلمة «{word}» مرتين بالضبط.",
        f"وصلنا إلى {word} في الصباح، وكان {word} هادئًا ونظيفًا.",
        "Words to mention",
    )
    return made | {"parameters": {"instruction_words": {"phrases": [word], "count": 2}}}


def count(draw: Draw) -> dict:
    text = parts()["paragraphs"][draw.number].split(".")[0]
    number = len(words(text))
    made = open_question(
        f"اكتب جملة واحدة من {number} كلمات بالضبط عن {parts()['topics'][draw.number]}.", text, "Lengths"
    )
    return made | {"parameters": {"instruction_counts": {"unit": "words", "count": number}}}


def card(draw: Draw) -> dict:
    name, city = parts()["names"][draw.number], parts()["cities"][draw.number]
    text = json.dumps({"name": name, "city": city}, ensure_ascii=False)
    made = open_question(f"اكتب بصيغة JSON وحدها بطاقة فيها name و city: {name} من {city}.", text, "JSON")
    rule = {"valid_json": {"kind": "object", "keys": ["name", "city"]}}
    return made | {"language": None, "variety": "ar", "parameters": rule}


def call(draw: Draw) -> dict:
    city, day = parts()["cities"][draw.number], parts()["days"][draw.number]
    text = json.dumps({"name": "weather", "arguments": {"city": city, "day": day}}, ensure_ascii=False)
    asked = (
        "عندك الدالة weather(city, day). اكتب بصيغة JSON فيها name و arguments نداءها لهذا السؤال: "
        f"كيف الجو في {city} يوم {day}؟"
    )
    rule = {"valid_json": {"kind": "object", "keys": ["name", "arguments"]}}
    made = open_question(asked, text, "Calls")
    return made | {"language": None, "variety": "ar", "parameters": rule}


def structure(draw: Draw) -> dict:
    form, asked = (
        ("bullets", "قائمة منقطة"),
        ("numbers", "قائمة مرقمة"),
        ("table", "جدول من عمودين، المدينة والشخص،"),
    )[draw.number]
    people = list(zip(parts()["cities"][draw.number :], parts()["names"][:4], strict=False))
    lines = {
        "bullets": [f"- {name} من {city}" for city, name in people],
        "numbers": [f"{at}. {name} من {city}" for at, (city, name) in enumerate(people, start=1)],
        "table": ["| المدينة | الشخص |", "| --- | --- |", *(f"| {city} | {name} |" for city, name in people)],
    }[form]
    told = "، و".join(f"{name} من {city}" for city, name in people)
    made = open_question(f"حول هذا النص إلى {asked} بلا مقدمة: {told}.", "\n".join(lines), "Forms")
    return made | {"parameters": {"structuring": {"form": form}}}


def program(draw: Draw) -> dict:
    asked, code = parts()["programs"][draw.number]
    made = open_question(f"{asked} لا تكتب غير الشيفرة.", code, "Python")
    return made | {"language": None, "variety": "ar"}


WRITERS = {
    **CHOICES,
    "passage": passage,
    "passage_choice": passage_choice,
    "unanswerable": unanswerable,
    "summary": summary,
    "entities": entities,
    "long_passage": long_passage,
    "needle": needle,
    "shuffled_story": shuffled_story,
    "to_standard": to_standard,
    "to_dialect": to_dialect,
    "to_english": to_english,
    "from_english": from_english,
    "write_dialect": write_dialect,
    "write_standard": write_standard,
    "definition": pairs("definitions", "اشرح في جملة واحدة: ما معنى «{item}»؟", "Definitions"),
    "proverb": pairs("proverbs", "أكمل المثل بما ينقصه: {item} ...", "Proverbs"),
    "riddle": pairs("riddles", "{item} اذكر السبب.", "Riddles"),
    "parse": pairs("parses", "أعرب كل كلمة في الجملة: {item}.", "Analysis"),
    "blank": pairs("blanks", "أكمل الفراغ بكلمة واحدة: {item}.", "Grammar"),
    "rephrase": pairs("rephrased", "اكتب النص التالي بطريقة مختلفة: {item}", "Paraphrases"),
    "spelling": spelling,
    "mark": mark,
    "transliterate": transliterate,
    "sentiment_named": sentiment_named,
    "short_fact": short_fact,
    "harm": harm,
    "unreal": unreal,
    "sum": sum_of,
    "mention": mention,
    "count": count,
    "card": card,
    "call": call,
    "structure": structure,
    "program": program,
}
