"""Files of other annotation tools come in as texts and marks, and go out so that the tools read them.

The rules of each layout are those that the tool publishes, written out by hand in the tests of its writer.
"""

import io
import json
import zipfile

import cassis
import datasets
import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from annotation.models import ErrorCategory, Marking, Span
from formats.foreign import conll, doccano, label_studio, mqm, prodigy, web_annotation
from formats.foreign.documents import Answer, Document, Loss, Mark, told
from formats.foreign.registry import FOREIGN
from formats.readers.choosing import Reading, read_records
from formats.reading import Record, Source
from jobs.files import content_of
from jobs.models import Job, StoredFile
from jobs.working import work_on
from projects.models import Rater, Response
from projects.problems import Problem
from reports.foreign_exporting import MARKS
from reports.foreign_files import KEPT_APART
from tests.annotation.marked import mark, rater_of
from tests.people import signed_in

TEXT = "🍚 كشري in Cairo 🇪🇬 today"
#: By code points and by UTF-16 code units: the bowl takes one of the first and two of the second.
CAIRO, CAIRO16 = (10, 15), (11, 16)
assert TEXT[slice(*CAIRO)] == "Cairo"
assert TEXT.encode("utf-16-le")[2 * CAIRO16[0] : 2 * CAIRO16[1]].decode("utf-16-le") == "Cairo"


def read(name: str, content: bytes, kind: str) -> list:
    return list(read_records(Source(io.BytesIO(content)), name, reading=Reading(kind=kind)))


def fields(name: str, content: bytes, kind: str) -> list[dict]:
    found = read(name, content, kind)
    assert all(isinstance(each, Record) for each in found), found
    return [each.fields for each in found]


def document(*answers: Answer) -> Document:
    return Document("r1", TEXT, {}, list(answers))


def marked(rater: str = "Mona", **said) -> Answer:
    return Answer(rater, [Mark("m1", *CAIRO, "place", said)])


# --- Label Studio ---


def task(start: int, end: int, words: str | None = "Cairo", **more) -> dict:
    value = {"start": start, "end": end, "labels": ["place"]} | ({} if words is None else {"text": words})
    region = {"id": "x1", "from_name": "label", "to_name": "text", "type": "labels", "value": value}
    given = {"completed_by": {"email": "mona@example.org"}, "result": [region], "was_cancelled": False}
    return {"id": 7, "data": {"text": TEXT}, "annotations": [given], "predictions": [], **more}


def test_label_studio_counts_utf_16_and_its_words_say_so():
    [line] = fields("label-studio", json.dumps([task(*CAIRO16)]).encode(), "answers")
    assert (line["item"], line["rater"], line["rater_kind"]) == ("7", "mona@example.org", "human")
    expected = {"id": "x1", "start": 10, "end": 15, "quote": "Cairo", "category": "place"}
    assert line["spans"] == [expected]
    assert fields("label-studio", json.dumps([task(*CAIRO16, None)]).encode(), "answers")[0]["spans"] == [expected]
    assert fields("label-studio", json.dumps([task(*CAIRO)]).encode(), "answers")[0]["spans"] == [expected]


def test_words_that_are_not_at_their_place_are_named():
    found = read("label-studio", json.dumps([task(0, 4, "Giza")]).encode(), "answers")
    assert [(type(each), each.line, each.code) for each in found] == [(Problem, 1, "other_words")]


def test_a_tag_of_the_layout_may_be_called_other_than_its_data():
    """<Text name="shown" value="$review"/>: taken for another text's, the marks would have become “no errors”."""
    renamed = task(*CAIRO16)
    renamed["annotations"][0]["result"][0]["to_name"] = "shown"
    expected = [{"id": "x1", "start": 10, "end": 15, "quote": "Cairo", "category": "place"}]
    assert fields("label-studio", json.dumps([renamed]).encode(), "answers")[0]["spans"] == expected
    renamed["data"] = {"title": "A title without it", "review": TEXT}
    content = json.dumps([renamed]).encode()
    assert fields("label-studio", content, "answers")[0]["spans"] == expected
    assert fields("label-studio", content, "items")[0]["response"] == TEXT
    renamed["data"] = {"text": "Nothing of that kind."}
    [problem] = read("label-studio", json.dumps([renamed]).encode(), "answers")
    assert isinstance(problem, Problem), "its words are nowhere: that is said, and the mark not left out"


def test_marks_of_another_text_of_the_task_are_none_of_the_response():
    both = task(*CAIRO16)
    both["data"]["prompt"] = "Where is Giza?"
    other = {"start": 9, "end": 13, "labels": ["place"], "text": "Giza"}
    more = {"id": "x2", "from_name": "label", "to_name": "asked", "type": "labels", "value": other}
    both["annotations"][0]["result"].append(more)
    [line] = fields("label-studio", json.dumps([both]).encode(), "answers")
    assert [span["quote"] for span in line["spans"]] == ["Cairo"]
    assert line["metadata"]["label_studio"][0]["value"] == other


def test_what_people_cancelled_is_no_answer_and_what_models_predicted_is_a_judges():
    cancelled = task(*CAIRO16)
    cancelled["annotations"][0]["was_cancelled"] = True
    cancelled["predictions"] = [{"model_version": "ner-2", "result": cancelled["annotations"][0]["result"]}]
    [line] = fields("label-studio", json.dumps([cancelled]).encode(), "answers")
    assert (line["rater"], line["rater_kind"], line["model"]) == ("ner-2", "judge", "ner-2")
    [item] = fields("label-studio", json.dumps([cancelled]).encode(), "items")
    assert item == {"id": "7", "response": TEXT}


def test_label_studio_is_written_by_its_rules():
    judge = Answer("J", [Mark("m1", *CAIRO, "place")], "ner-2")
    tasks = json.loads(b"".join(label_studio.written([document(marked(), Answer("Karim", []), judge)])))
    assert [sorted(each) for each in tasks] == [["annotations", "data", "id", "predictions"]]
    for given in [*tasks[0]["annotations"], *tasks[0]["predictions"]]:
        assert isinstance(given["result"], list)
        for region in given["result"]:
            assert {"id", "from_name", "to_name", "type", "value"} <= region.keys()
            assert region["to_name"] in tasks[0]["data"]
            assert region["value"][region["type"]] == ["place"]
            assert (region["value"]["start"], region["value"]["end"]) == CAIRO16
    assert [each["model_version"] for each in tasks[0]["predictions"]] == ["ner-2"]


# --- The others ---


@pytest.mark.parametrize(
    "labels",
    [
        {"label": [[*CAIRO, "place"]]},
        {"labels": [[*CAIRO, "place"]]},
        {"entities": [{"id": 1, "label": "place", "start_offset": 10, "end_offset": 15}], "relations": []},
    ],
)
def test_doccano_in_each_of_its_layouts(labels):
    content = json.dumps({"id": 3, "text": TEXT, **labels, "Comments": []}).encode()
    [line] = fields("doccano", content, "answers")
    assert (line["item"], [(each["quote"], each["category"]) for each in line["spans"]]) == ("3", [("Cairo", "place")])


def test_doccano_is_written_by_its_rules():
    lines = [json.loads(line) for line in b"".join(doccano.written([document(marked(), marked("Karim"))])).splitlines()]
    assert lines == [{"id": "r1", "text": TEXT, "label": [[*CAIRO, "place"]]}]


def test_prodigy_takes_what_was_accepted():
    row = {
        "text": TEXT,
        "spans": [{"start": 10, "end": 15, "label": "place"}],
        "_annotator_id": "mona",
        "_input_hash": 9,
    }
    content = b"\n".join(json.dumps({**row, "answer": each}).encode() for each in ("accept", "reject", "ignore"))
    [line] = fields("prodigy", content, "answers")
    assert (line["item"], line["rater"], line["spans"][0]["quote"]) == ("9", "mona", "Cairo")


ANNOTATION = {
    "@context": "http://www.w3.org/ns/anno.jsonld",
    "id": "http://example.org/anno1",
    "type": "Annotation",
    "creator": {"name": "Mona"},
    "body": [
        {"type": "TextualBody", "value": "place", "purpose": "tagging"},
        {"type": "TextualBody", "value": "It is Giza.", "purpose": "commenting"},
    ],
    "target": {
        "source": {"id": "r1", "value": TEXT},
        "selector": {"type": "TextQuoteSelector", "exact": "Cairo", "prefix": "in "},
    },
}


def test_annotations_of_the_web_are_gathered_by_text_and_creator():
    second = {**ANNOTATION, "id": "anno2", "target": {**ANNOTATION["target"]}}
    second["target"]["selector"] = {"type": "TextPositionSelector", "start": 2, "end": 6}
    [line] = fields("web-annotation", json.dumps([ANNOTATION, second]).encode(), "answers")
    assert [(each["quote"], each["explanation"]) for each in line["spans"]] == [
        ("Cairo", "It is Giza."),
        ("كشري", "It is Giza."),
    ]
    assert len(fields("web-annotation", json.dumps([ANNOTATION, second]).encode(), "items")) == 1


def test_annotations_of_the_web_are_written_by_their_model():
    written = json.loads(b"".join(web_annotation.written([document(marked(explanation="No."), Answer("Karim", []))])))
    for each in written:
        assert (each["@context"], each["type"]) == ("http://www.w3.org/ns/anno.jsonld", "Annotation")
        assert each["target"]["source"]["id"] == "urn:mizan:text:r1"
    position, quote = written[0]["target"]["selector"]
    assert position == {"type": "TextPositionSelector", "start": 10, "end": 15}
    assert quote == {"type": "TextQuoteSelector", "exact": "Cairo"}
    assert [each["purpose"] for each in written[0]["body"]] == ["tagging", "commenting"]


def test_targets_in_one_text_are_one_mark_and_the_order_of_them_says_nothing():
    whole = {"id": "r1", "value": TEXT}
    parts = [(2, 6), (10, 15)]
    selectors = [{"type": "TextPositionSelector", "start": start, "end": end} for start, end in reversed(parts)]
    targets = [{"source": "r1", "selector": selectors[0]}, {"source": whole, "selector": selectors[1]}]
    [line] = fields("web-annotation", json.dumps([{**ANNOTATION, "target": targets}]).encode(), "answers")
    [span] = line["spans"]
    assert (span["start"], span["end"], span["more"]) == (2, 6, [{"start": 10, "end": 15, "quote": "Cairo"}])
    written = b"".join(web_annotation.written([document(Answer("Mona", [Mark("a", *parts[0], more=parts[1:])]))]))
    [again] = fields("web-annotation", written, "answers")
    assert [(each["id"], each["more"]) for each in again["spans"]] == [("a", span["more"])]


@pytest.mark.parametrize("other", [{"source": "r2"}, {"source": {"id": "r2", "value": TEXT}}, "http://x.org", None, []])
def test_targets_in_several_texts_are_a_problem(other):
    given = {**ANNOTATION, "target": [ANNOTATION["target"], other]}
    [found] = read("web-annotation", json.dumps([given]).encode(), "answers")
    assert isinstance(found, Problem)


def test_a_selector_or_body_of_another_kind_says_nothing():
    target = {**ANNOTATION["target"], "selector": ["http://example.org/selector", None]}
    [line] = fields("web-annotation", json.dumps([{**ANNOTATION, "body": [1], "target": target}]).encode(), "answers")
    assert line["spans"] == []


MQM = (
    "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tcomment\n"
    'A\td\t1\t1\trater1\tThe "big" house.\tDas <v>große</v> Haus.\tStyle/Awkward\tMinor\t\n'
    'A\td\t1\t1\trater2\tThe "big" house.\tDas große Haus.\tNo-error\tNo-error\t\n'
    'A\td\t1\t1\trater1\tThe <v>"big"</v> house.\tDas große Haus.\tAccuracy/Omission\tMajor\tgone\n'
    "A\td\t1\t1\trater2\tx\tDas große Haus.\tx\tHOTW-test\t\n"
)


def test_mqm_rows_of_one_rater_are_one_answer():
    first, second = fields("mqm", MQM.encode(), "answers")
    assert (first["rater"], first["item"]) == ("rater1", "A/d/1/1")
    awkward, omitted = first["spans"]
    assert (awkward["start"], awkward["end"], awkward["quote"], awkward["penalty"]) == (4, 9, "große", 1.0)
    assert (omitted["anchor"], omitted["metadata"]["source_quote"], omitted["penalty"]) == ("response", '"big"', 5.0)
    assert (second["rater"], second["no_errors"], second["spans"]) == ("rater2", True, [])
    [item] = fields("mqm", MQM.encode(), "items")
    assert (item["response"], item["prompt"], item["model"]) == ("Das große Haus.", 'The "big" house.', "A")


def test_a_severity_with_spaces_is_one_and_no_error_needs_no_category():
    head = "system\tdoc\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    rows = "s\td\t1\tr1\ta\t<v>b</v>\tStyle/Awkward\t Minor \ns\td\t2\tr1\ta\tb\t\tNo-error\n"
    first, second = fields("mqm", (head + rows).encode(), "answers")
    assert (first["spans"][0]["criticality"], first["spans"][0]["penalty"]) == ("minor", 1.0)
    assert (second["spans"], second["no_errors"]) == ([], True)


def test_another_table_is_no_mqm():
    found = read("mqm", b"a\tb\n1\t2\n", "answers")
    assert [(each.line, each.code) for each in found] == [(2, "not_of_the_format")]


def test_conll_sentences_are_texts_of_their_tokens():
    content = b"-DOCSTART- O\n\n# id = s1\nIn\tO\nNew\tB-LOC\nCairo\tI-LOC\n,\tO\nMona\tS-PER\n\nNo\tO\nmarks\tO\n"
    first, second = fields("conll", content, "answers")
    assert (first["item"], [(each["quote"], each["category"]) for each in first["spans"]]) == (
        "s1",
        [("New Cairo", "LOC"), ("Mona", "PER")],
    )
    assert (second["no_errors"], fields("conll", content, "items")[1]["response"]) == (True, "No marks")


def test_a_token_may_begin_with_a_number_sign():
    [line] = fields("conll", b"# id = s1\n#koshari\tB-tag\n#\tO\n#not a column\n", "answers")
    assert [(each["quote"], each["category"]) for each in line["spans"]] == [("#koshari", "tag")]
    assert fields("conll", b"#koshari\tB-tag\n#\tO\n", "items")[0]["response"] == "#koshari #"


ARABIC = "الكشري 👨‍👩‍👧 أكلة.\n\nرز وعدس"


def test_conll_keeps_words_apart_and_counts_the_marks_that_it_cannot_hold():
    """“أكلة.” and “رز” are two words, though no space stands between them; of marks that share one the first stays."""
    food, all_of_it = ARABIC.index("رز"), ARABIC.index("أكلة")
    marks = [Mark("a", food, len(ARABIC), "food"), Mark("b", all_of_it, food + 2, "dish"), Mark("c", 7, 12, "emoji")]
    given = Document("r1", ARABIC, {}, [Answer("Mona", marks)])
    written = b"".join(conll.written([given])).decode()
    assert written.splitlines() == [
        "# id = r1",
        "الكشري\tO",
        "👨‍👩‍👧\tB-emoji",
        "أكلة.\tO",
        "رز\tB-food",
        "وعدس\tI-food",
        "",
    ]
    assert conll.losses(given) == {"marks on words of other marks, or on no word": 1}
    [line] = fields("conll", written.encode(), "answers")
    assert [each["quote"] for each in line["spans"]] == ["👨‍👩‍👧", "رز وعدس"]


def test_uima_annotations_are_marks_and_tokens_are_none():
    structures = [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": TEXT},
        {"%ID": 2, "%TYPE": "custom.Place", "begin": 11, "end": 16, "value": "city"},
        {"%ID": 3, "%TYPE": "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token", "begin": 0, "end": 2},
        {"%ID": 4, "%TYPE": "x.DocumentMetaData", "documentTitle": "r1.txt", "begin": 0, "end": 20},
    ]
    content = json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": structures, "%VIEWS": {}}, indent=1).encode()
    [line] = fields("uima", content, "answers")
    assert (line["item"], [(each["quote"], each["category"]) for each in line["spans"]]) == (
        "r1.txt",
        [("Cairo", "city")],
    )


def three_marks() -> Document:
    """Two that overlap, one of them in Arabic, beside emoji of two UTF-16 code units and of four."""
    koshari = TEXT.index("كشري")
    marks = [
        Mark("a", *CAIRO, "place"),
        Mark("b", TEXT.index("in"), TEXT.index(" today"), "phrase"),
        Mark("c", koshari, koshari + 4, "food"),
    ]
    return Document("r1", TEXT, {}, [Answer("Mona", marks), Answer("Karim", [])])


MARKED = {("Cairo", "place"), ("in Cairo 🇪🇬", "phrase"), ("كشري", "food")}


def test_the_reader_of_uima_itself_reads_what_is_written_and_is_read():
    """dkpro-cassis, which INCEpTION's users read its files with."""
    content = b"".join(FOREIGN["uima"].written([three_marks()]))
    with zipfile.ZipFile(io.BytesIO(content)) as folder:
        assert folder.testzip() is None
        both = [cassis.load_cas_from_json(io.BytesIO(folder.read(name))) for name in folder.namelist()]
    assert [each.sofa_string for each in both] == [TEXT, TEXT]
    assert {(span.get_covered_text(), span.label) for span in both[0].select("custom.Span")} == MARKED
    assert list(both[1].select("custom.Span")) == []

    [first, second] = fields("uima", content, "answers")
    assert [(each["rater"], each["item"]) for each in (first, second)] == [("Mona", "r1"), ("Karim", "r1")]
    again = fields("uima", both[0].to_json().encode(), "answers")
    for line in (first, *again):
        assert {(span["quote"], span["category"]) for span in line["spans"]} == MARKED


def test_the_library_datasets_reads_what_is_written_for_prodigy_and_esa(tmp_path):
    for name in ("prodigy", "esa"):
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(b"".join(FOREIGN[name].written([three_marks()])))
        rows = datasets.load_dataset("json", data_files=str(path), split="train", cache_dir=str(tmp_path / "cache"))
        spans = rows[0]["spans" if name == "prodigy" else "esa_spans"]
        start, end = ("start", "end") if name == "prodigy" else ("start_i", "end_i")
        assert {TEXT[each[start] : each[end]] for each in spans} == {quote for quote, _category in MARKED}
        assert len(rows) == 2


def test_potato_lines_keep_their_other_answers():
    span = {"schema": "places", "name": "city", "start": 10, "end": 15, "text": "Cairo"}
    row = {"id": "i1", "user_id": "mona", "displayed_text": TEXT, "span_annotations": [span]}
    row["label_annotations"] = {"ok": 1}
    [line] = fields("potato", json.dumps(row).encode(), "answers")
    assert (line["rater"], line["spans"][0]["category"], line["metadata"]) == ("mona", "city", {"potato": {"ok": 1}})


@pytest.mark.parametrize("name", [each for each in FOREIGN if hasattr(FOREIGN[each], "written") and each != "conll"])
def test_what_is_written_is_read_as_it_was(name):
    answers = [marked(criticality="low"), Answer("Karim", [])] if name != "doccano" else [marked("doccano")]
    given = document(*answers)
    given.facts = {"model": "A", "prompt": "Where?"}
    content = b"".join(FOREIGN[name].written([given]))
    lines = fields(name, content, "answers")
    assert [line["rater"] for line in lines] == [each.rater for each in answers]
    category = None if name == "esa" else "place"  # which knows none
    assert [(each["start"], each["end"], each["quote"], each.get("category")) for each in lines[0]["spans"]] == [
        (*CAIRO, "Cairo", category)
    ]
    if len(lines) > 1:
        assert (lines[1]["spans"], lines[1]["no_errors"]) == ([], True)
    assert fields(name, content, "items")[0]["response"] == TEXT


@pytest.mark.parametrize("name", [each for each in FOREIGN if each != "conll"])  # any text is one of tokens
def test_a_file_of_another_layout_is_a_problem_and_no_failure(name):
    for row in ({"data": 1}, {"text": 5, "spans": "x"}, {"target": []}, {"data": {"text": "x"}, "annotations": [1]}):
        content = json.dumps([row] if FOREIGN[name].READS == "json" else row).encode() + b"\n"
        if name == "mqm":
            content = b"system\trater\ttarget\tcategory\tseverity\nA\tr\tx\ty\tHuge\n"
        found = read(name, content, "answers")
        assert found
        assert all(isinstance(each, Problem) for each in found), (row, found)


@pytest.mark.parametrize("module", [label_studio, doccano, prodigy, web_annotation, mqm])
def test_a_foreign_file_holds_texts_and_marks_and_nothing_else(module):
    name = next(each for each, known in FOREIGN.items() if known is module)
    with pytest.raises(Exception, match="import it as items, answers"):
        read(name, b"", "rubrics")


# --- Into a project ---

TO_ITEMS = """
kind: items
read: {format: label-studio}
keep: true
fields: {prompt: "Where?", variety: ar-EG, model: Nile-7B, laboratory: Delta}
"""
TO_ANSWERS = """
kind: answers
read: {format: label-studio}
keep: true
fields: {kind: spans}
values: {spans.category: {other: null}}
create: [categories]
"""


@pytest.mark.django_db
def test_a_label_studio_project_comes_in_by_two_mappings(project, tmp_path):
    """What the file does not say, the lead does: the variety and the model. Categories are made for the asking."""
    path = tmp_path / "export.json"
    path.write_text(json.dumps([task(*CAIRO16)]))
    for kind, mapping in (("items", TO_ITEMS), ("answers", TO_ANSWERS)):
        (tmp_path / f"{kind}.yaml").write_text(mapping)
        assert len(mapping.strip().splitlines()) <= 10
    call_command("import_items", project.slug, str(path), mapping=str(tmp_path / "items.yaml"), quiet=True)
    assert Response.objects.get().text == TEXT
    without = tmp_path / "without.yaml"
    without.write_text(TO_ANSWERS.replace("create: [categories]", ""))
    with pytest.raises(CommandError):
        call_command("import_answers", project.slug, str(path), mapping=str(without), quiet=True)
    assert not Marking.objects.exists()
    call_command("import_answers", project.slug, str(path), mapping=str(tmp_path / "answers.yaml"), quiet=True)
    span = Span.objects.get()
    assert (span.start, span.end, span.quote, span.category.slug) == (*CAIRO, "Cairo", "place")
    assert ErrorCategory.objects.filter(project=project, slug="place").count() == 1
    assert Rater.objects.get(project=project, name="mona@example.org").kind == "human"
    for name in ("label-studio", "doccano", "prodigy", "web-annotation", "mqm", "conll", "potato", "uima"):
        call_command("export_marks", project.slug, format=name, to=str(tmp_path / name))
        [line] = fields(name, (tmp_path / name).read_bytes(), "answers")
        assert [(each["quote"], each["category"]) for each in line["spans"]] == [("Cairo", "place")]


@pytest.mark.django_db
def test_what_a_format_cannot_hold_is_told(koshari, mona, tmp_path):
    _words, missing = mark(koshari, rater_of(mona, koshari.project), "الكشري", "أكلة")
    type(missing).objects.filter(pk=missing.pk).update(anchor="response", start=None, end=None, quote="")
    told = {}
    for name in ("doccano", "web-annotation", "mqm", "esa"):
        err = io.StringIO()
        call_command("export_marks", "feasts", format=name, to=str(tmp_path / name), stderr=err)
        told[name] = err.getvalue()
    assert "1 marks that point at no words" in told["doccano"]
    assert "1 explanations" in told["doccano"]
    assert "1 names of those who marked" in told["doccano"]
    assert "explanations" not in told["web-annotation"]
    assert "1 marks that point at no words" in told["web-annotation"]
    assert "no words" not in told["mqm"] + told["esa"], "which have rows for what is missing"
    assert "1 texts with their line ends" in told["mqm"]
    spans = [span for line in fields("mqm", (tmp_path / "mqm").read_bytes(), "answers") for span in line["spans"]]
    assert sorted(span.get("anchor", "words") for span in spans) == ["response", "words"]


FILES = "/api/v1/projects/feasts/foreign-files/"


@pytest.mark.django_db
def test_page_and_api_have_a_worker_write_the_file_of_the_command(koshari, nour, mona, tmp_path):
    mark(koshari, rater_of(mona, koshari.project), "الكشري", "أكلة")
    client = signed_in(nour)
    page = client.get("/p/feasts/frames/").content.decode()
    assert 'action="/p/feasts/foreign-files/prepare/"' in page
    for number, name in enumerate(MARKS):
        assert f'<option value="{name}">' in page
        if number % 2:
            answer = client.post("/p/feasts/foreign-files/prepare/", {"format": name})
            assert answer.status_code == 302
        else:
            answer = client.post(FILES, {"format": name}, content_type="application/json")
            assert answer.status_code == 202
        job = Job.objects.get(kind="foreign_export", options__format=name)
        assert str(job.uuid) in answer["Location"]
        work_on(job.pk)
        written = b"".join(content_of(StoredFile.objects.get(job=job)))
        call_command("export_marks", "feasts", format=name, to=str(tmp_path / name))
        if name == "uima":
            assert fields(name, written, "answers") == fields(name, (tmp_path / name).read_bytes(), "answers")
        else:
            assert written == (tmp_path / name).read_bytes()
    said = client.get(f"/api/v1/projects/feasts/jobs/{Job.objects.get(options__format='doccano').uuid}/").json()
    assert said["result"]["left_out"]["explanations"] == 2
    assert "2 explanations" in client.get("/p/feasts/jobs/").content.decode()


def test_what_a_format_cannot_hold_is_said_in_the_readers_language(monkeypatch):
    """By names that stand in results of jobs, whoever reads them; all that are counted have words."""
    translations = {"scores": "درجات", "answers": "إجابات"}
    monkeypatch.setattr(translation._trans, "gettext", lambda text: translations.get(text, text), raising=False)
    assert told({"scores": 2, "answers": 3}) == "2 درجات, 3 إجابات"
    assert {*KEPT_APART} <= {*Loss.values}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"format": "word"}, 422),
        ({"format": "alpaca-eval", "question": "none"}, 422),
        ({"format": "a\0b"}, 400),
        ({"format": "mt-bench", "question": "\ud800"}, 400),
        ({"format": ["esa"]}, 400),
        ({}, 400),
    ],
)
def test_what_no_format_is_begins_no_file(koshari, nour, mona, asked, status):
    client = signed_in(nour)
    assert client.post(FILES, asked, content_type="application/json").status_code == status
    assert client.post("/p/feasts/foreign-files/prepare/", {"format": "word"})["Location"] == "/p/feasts/frames/"
    assert "There is no such format." in client.get("/p/feasts/frames/").content.decode()
    assert signed_in(mona).post(FILES, {"format": "esa"}, content_type="application/json").status_code == 404
    assert 'id="other-tools"' not in client.get("/p/feasts/frames/").content.decode(), "nothing is marked or rated"
    assert not Job.objects.exists()
