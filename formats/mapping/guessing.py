"""A first mapping from the first rows of a file: columns known by their names in several languages, and by what is in
them. It is proposed, never applied unseen."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from formats.fitting import as_text
from formats.format import Format

#: What tools and people call our fields, folded as `folded` does.
NAMES: dict[str, str] = {
    "id": "id key item_id itemid response_id uid uuid index idx example_id sample_id segid "
    "seg_id معرف 번호 nomor kunci",
    "prompt_id": "prompt_id question_id promptid qid source_id doc_id docid frage_id",
    "prompt": "prompt question instruction input query source source_text user frage eingabe "
    "aufforderung pregunta instruccion entree سؤال السؤال 질문 프롬프트 지시문 pertanyaan perintah "
    "প্রশ্ন نص_السؤال",
    "response": "response answer output completion generation target text translation hypothesis "
    "summary antwort ausgabe respuesta salida reponse sortie إجابة الإجابة الرد 응답 답변 출력 "
    "jawaban respons keluaran উত্তর",
    "variety": "variety language lang locale lang_code language_code sprache idioma langue لغة اللغة "
    "언어 bahasa ভাষা",
    "model": "model model_name system system_name systemid generator engine modell modelo modele "
    "نموذج النموذج 모델 মডেল",
    "laboratory": "laboratory lab vendor provider company organization labor anbieter laboratorio مختبر "
    "연구소",
    "task": "task category_task motivation_app aufgabe tarea tache 과제 tugas",
    "domain": "domain topic subject bereich thema dominio domaine مجال 분야 주제 topik",
    "rater": "rater annotator annotator_id worker worker_id reviewer judge evaluator participant "
    "bewerter anotador annotateur مقيم 평가자 annotator_name penilai",
    "grade": "grade rating score label note bewertung puntuacion درجة 점수 평점 nilai নম্বর",
    "item": "item item_id response_id text_id target_id",
    "pair": "pair pair_id comparison_id",
    "preference": "preference winner preferred better choice praferenz preferencia تفضيل 선호",
    "comment": "comment comments reason rationale explanation notes kommentar comentario commentaire "
    "تعليق 의견 komentar",
    "question": "question_type criterion dimension aspect kriterium criterio critere معيار 기준 "
    "kriteria",
    "definition": "definition description beschreibung descripcion تعريف 정의",
    "name": "name title titel titulo اسم 이름 nama",
}  # fmt: skip
#: Fields of ours and which one others mean by the same name. In our files `question` is the short name of a question
#: type; where it holds words, it is what was asked.
MEANT_BY_OTHERS = {"question": "prompt"}
TAG = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?")


def folded(name: str) -> str:
    """Without case, accents and punctuation."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(each for each in plain if unicodedata.category(each) not in ("Mn", "Lm"))
    return re.sub(r"[^\w]+", "_", plain).strip("_")


SYNONYMS = {field: {folded(each) for each in names.split()} for field, names in NAMES.items()}


def guessed_fields(declared: Format, rows: Sequence[dict[str, Any]]) -> dict[str, str]:
    """What fills which of the fields of the format's first record type, as templates. A column is used once, or where
    it has the very name of a field."""
    type_ = declared.types.get(declared.default or "") or next(iter(declared.types.values()))
    columns = list(dict.fromkeys(name for row in rows for name in row if not name.startswith("@")))
    found: dict[str, str] = {name: name for name in type_.fields if name in columns}
    for field, meant in MEANT_BY_OTHERS.items():
        is_free = meant in type_.fields.keys() - found.keys()
        if field in found and is_free and any(map(has_words, texts_in(rows, field))):
            found[meant] = found.pop(field)
    free = [name for name in columns if name not in found.values()]
    for field in type_.fields:
        if field not in found:
            known = next((name for name in free if folded(name) in SYNONYMS.get(field, ())), None)
            if known is not None:
                found[field] = known
                free.remove(known)
    for field, column in by_content(rows, free, set(type_.fields) - set(found)):
        found[field] = column
        free.remove(column)
    return {field: f"{{{found[field]}}}" for field in type_.fields if field in found}


def texts_in(rows: Sequence[dict[str, Any]], column: str) -> list[str]:
    return [str(as_text(row[column])) for row in rows if row.get(column) not in (None, "")]


def has_words(text: str) -> bool:
    return len(text.split()) > 1


def by_content(rows: Sequence[dict[str, Any]], free: Sequence[str], wanted: set[str]) -> list[tuple[str, str]]:
    """Columns of language tags, of the longest texts (the response), of the next longest (the prompt), and of what is
    short and never the same (the id)."""
    values = {name: texts for name in free if (texts := texts_in(rows, name))}
    found: list[tuple[str, str]] = []

    def take(field: str, column: str | None) -> None:
        if field in wanted and column is not None:
            found.append((field, column))
            values.pop(column)

    take("variety", next((name for name, texts in values.items() if all(map(TAG.fullmatch, texts))), None))
    long = sorted(values, key=lambda name: -sum(map(len, values[name])) / len(values[name]))
    long = [name for name in long if sum(map(len, values[name])) / len(values[name]) >= 40]
    take("response", long[0] if long else None)
    take("prompt", next((name for name in long if name in values), None))
    unique = (name for name, texts in values.items() if len(set(texts)) == len(rows) > 1 and max(map(len, texts)) <= 60)
    take("id", next(unique, None))
    return found
