"""What published studies left behind comes in as it lies there: ESA, Argilla, AlpacaEval, MT-Bench.

The layouts are those that the tools' own writers have, with texts of our own.
"""

import io
import json
import zipfile

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Marking, Rating
from jobs.files import content_of
from jobs.models import Job, StoredFile
from jobs.working import work_on
from projects.models import Laboratory, Rater, Response, ResponsePair
from projects.problems import Problem
from tests.annotation.rated import pair_of, question_type, rate
from tests.formats.test_foreign_formats import CAIRO, CAIRO16, TEXT, fields, read
from tests.people import signed_in

# --- ESA ---


def segment(**changes) -> dict:
    spans = [
        {"start_i": CAIRO[0], "end_i": CAIRO[1], "severity": "major"},
        {"start_i": "missing", "end_i": "missing", "severity": "minor"},
    ]
    return {
        "langs": "en-es",
        "line_id": 4,
        "doc_id": "news-1",
        "domain": "news",
        "src": "Where?",
        "tgt": TEXT,
        "system": "Nile",
        "annotator": "engspa1",
        "esa_spans": spans,
        "esa_score": 67.5,
        **changes,
    }


def test_a_segment_of_esa_has_marks_an_omission_and_a_score():
    content = json.dumps(segment()).encode()
    [item] = fields("esa", content, "items")
    assert (item["id"], item["prompt"], item["model"], item["domain"]) == (
        "Nile/en-es/news-1/4",
        "Where?",
        "Nile",
        "news",
    )
    marks, rating = fields("esa", content, "answers")
    assert [(each.get("quote"), each.get("anchor"), each["criticality"]) for each in marks["spans"]] == [
        ("Cairo", None, "major"),
        (None, "response", "minor"),
    ]
    assert (rating["item"], rating["question"], rating["grade"], rating["rater"]) == (
        item["id"],
        "score",
        67.5,
        "engspa1",
    )


def test_offsets_outside_the_text_are_those_of_the_page_it_was_marked_on():
    """At the end of a text with pictures UTF-16 goes on where code points do not."""
    length = len(TEXT)
    end16 = len(TEXT.encode("utf-16-le")) // 2
    span = {"start_i": end16 - 5, "end_i": end16, "severity": "undecided"}
    [marks] = fields("esa", json.dumps(segment(esa_spans=[span], esa_score=None)).encode(), "answers")
    assert [(each["start"], each["end"], each["quote"]) for each in marks["spans"]] == [(length - 5, length, "today")]
    assert CAIRO != CAIRO16


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"esa_score": "good"}, "not_of_the_format"),
        ({"esa_spans": None}, "not_of_the_format"),
        ({"tgt": ""}, "not_of_the_format"),
        ({"esa_spans": [{"start_i": 9, "end_i": 3}]}, "not_offsets"),
        ({"esa_spans": [{"start_i": 0, "end_i": 9000}]}, "other_words"),
        ({"esa_spans": ["x"]}, "not_of_the_format"),
    ],
)
def test_what_is_no_segment_of_esa_is_named_by_its_line(changes, code):
    found = read("esa", json.dumps(segment(**changes)).encode(), "answers")
    assert [(each.code, each.line) for each in found if isinstance(each, Problem)] == [(code, 1)]


# --- Argilla ---


def argilla_record(**changes) -> dict:
    value = [{"start": CAIRO[0], "end": CAIRO[1], "label": "place"}]
    return {
        "id": "r1",
        "fields": {"prompt": "Where?", "response": TEXT},
        "metadata": {"batch": 2},
        "suggestions": {"errors": {"value": value, "score": [0.9], "agent": "omega-1"}},
        "responses": {
            "errors": [{"value": value, "user_id": "u-1"}, {"value": [], "user_id": "u-2"}],
            "tone": [{"value": 4, "user_id": "u-1"}],
            "remark": [{"value": "a comment", "user_id": "u-1"}],
        },
        "vectors": {},
        "_server_id": "x",
        **changes,
    }


def test_records_of_argilla_are_texts_marks_and_ratings():
    content = json.dumps([argilla_record()]).encode()
    [item] = fields("argilla", content, "items")
    assert item == {"id": "r1", "response": TEXT, "prompt": "Where?", "metadata": {"batch": 2}}
    first, second, judge, rating = fields("argilla", content, "answers")
    assert (first["rater"], [each["quote"] for each in first["spans"]]) == ("u-1", ["Cairo"])
    assert first["metadata"] == {"argilla": {"remark": "a comment"}}
    assert (second["rater"], second["no_errors"]) == ("u-2", True)
    assert (judge["rater_kind"], judge["model"], judge["spans"][0]["category"]) == ("judge", "omega-1", "place")
    assert (rating["question"], rating["grade"], rating["item"]) == ("tone", 4, "r1")


def test_a_folder_of_argilla_is_read_without_its_settings():
    folder = io.BytesIO()
    with zipfile.ZipFile(folder, "w") as archive:
        archive.writestr("study/.argilla/settings.json", json.dumps({"questions": []}))
        archive.writestr("study/.argilla/dataset.json", json.dumps({"name": "study"}))
        archive.writestr("study/records.json", json.dumps([argilla_record()]))
    assert [item["id"] for item in fields("argilla", folder.getvalue(), "items")] == ["r1"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"fields": {"a": "x", "b": "y"}}, "not_of_the_format"),
        ({"responses": [1]}, "not_of_the_format"),
        ({"responses": {"errors": [{"value": [{"start": 1, "end": 900, "label": "x"}]}]}}, "other_words"),
    ],
)
def test_what_is_no_record_of_argilla_is_named_by_its_line(changes, code):
    found = read("argilla", json.dumps([argilla_record(**changes)]).encode(), "answers")
    assert [each.code for each in found if isinstance(each, Problem)] == [code]


# --- AlpacaEval ---


def annotation(preference: object = 2.0, **changes) -> dict:
    return {
        "instruction": "Name a dish.",
        "output_1": "Koshari.",
        "generator_1": "Nile",
        "dataset": "own",
        "output_2": "Bread.",
        "generator_2": "Volga",
        "annotator": "omega-judge",
        "preference": preference,
        "raw_completion": {"concise_explanation": "It is a dish."},
        **changes,
    }


def test_an_annotation_of_alpaca_eval_is_two_texts_a_pair_and_a_preference():
    content = json.dumps([annotation(), annotation()]).encode()
    first, second, pair = fields("alpaca-eval", content, "items")
    assert (first["model"], second["model"], first["domain"]) == ("Nile", "Volga", "own")
    assert (pair["first"], pair["second"]) == (first["id"], second["id"])
    rating, _again = fields("alpaca-eval", content, "answers")
    assert (rating["pair"], rating["preference"], rating["comment"]) == (pair["id"], "second", "It is a dish.")
    # The file of a model's outputs makes the very same text.
    output = {"instruction": "Name a dish.", "output": "Koshari.", "generator": "Nile", "dataset": "own"}
    assert fields("alpaca-eval", json.dumps([output]).encode(), "items") == [first]


@pytest.mark.parametrize(
    ("preference", "expected"),
    [
        (1.0, {"preference": "first"}),
        (1.5, {"preference": "tie"}),
        (0, {"preference": "tie"}),
        (1.25, {"preference": "first", "probabilities": [0.75, 0.0, 0.25]}),
        (None, {"unparseable": True}),
    ],
)
def test_preferences_of_alpaca_eval_may_be_weighed(preference, expected):
    [rating] = fields("alpaca-eval", json.dumps([annotation(preference)]).encode(), "answers")
    said = {name: rating[name] for name in ("preference", "probabilities", "unparseable") if name in rating}
    assert said == expected


@pytest.mark.parametrize("changes", [{"preference": 3}, {"preference": "2"}, {"output_2": None}, {"instruction": 5}])
def test_what_is_no_annotation_is_named(changes):
    found = read("alpaca-eval", json.dumps([annotation(**changes)]).encode(), "answers")
    assert [each.code for each in found] == ["not_of_the_format"]


# --- MT-Bench ---

JUDGE = ["omega-1", "pair-v2"]
QUESTION = {"question_id": 81, "category": "writing", "turns": ["Write of Cairo.", "Now shorter."]}
GAME = {
    "question_id": 81,
    "model_1": "Nile",
    "model_2": "Volga",
    "g1_winner": "model_1",
    "g2_winner": "error",
    "judge": JUDGE,
    "g1_judgment": "The first.",
    "g2_judgment": "",
    "turn": 1,
    "tstamp": 1.5,
}
SINGLE = {"question_id": 81, "model": "Nile", "judge": ["omega-1", "single-v1"], "judgment": "8", "score": 8, "turn": 2}


def mt_answer(model: str) -> dict:
    turns = [f"{model} on Cairo at length.", f"{model} on Cairo."]
    return {"question_id": 81, "answer_id": "x", "model_id": model, "choices": [{"index": 0, "turns": turns}]}


def mt_folder(*models: str, questions: tuple = (QUESTION,)) -> bytes:
    files = {"mt_bench/question.jsonl": questions, "mt_bench/model_judgment/omega-1_pair.jsonl": [GAME]}
    files |= {f"mt_bench/model_answer/{model}.jsonl": [mt_answer(model)] for model in models}
    return zipped({name: "".join(json.dumps(row) + "\n" for row in rows).encode() for name, rows in files.items()})


def zipped(files: dict[str, bytes]) -> bytes:
    folder = io.BytesIO()
    with zipfile.ZipFile(folder, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return folder.getvalue()


def test_a_folder_of_mt_bench_is_texts_of_both_turns_and_pairs():
    items = fields("mt-bench", mt_folder("Nile", "Volga"), "items")
    texts, pairs = [each for each in items if "kind" not in each], [each for each in items if "kind" in each]
    assert [each["id"] for each in texts] == ["81/Nile/1", "81/Nile/2", "81/Volga/1", "81/Volga/2"]
    assert texts[1]["prompt"] == "Write of Cairo.\n\nNow shorter."
    assert (texts[1]["response"], texts[1]["prompt_id"], texts[1]["domain"]) == ("Nile on Cairo.", "81/2", "writing")
    assert pairs == [{"kind": "pair", "id": "81/Nile/Volga/1", "first": "81/Nile/1", "second": "81/Volga/1"}]


def test_the_two_games_of_a_judgment_are_both_orders_and_a_score_is_a_grade():
    content = "".join(json.dumps(row) + "\n" for row in (GAME, SINGLE, {**SINGLE, "score": -1})).encode()
    first, second, graded, unread = fields("mt-bench", content, "answers")
    assert (first["pair"], first["preference"], first["swapped"], first["both_orders"], first["comment"]) == (
        "81/Nile/Volga/1",
        "first",
        False,
        True,
        "The first.",
    )
    assert (second["unparseable"], second["swapped"]) == (True, True)
    assert (first["rater"], first["model"]) == ("omega-1 (pair-v2)", "omega-1")
    assert (graded["item"], graded["grade"]) == ("81/Nile/2", 8)
    assert (unread["unparseable"], "grade" in unread) == (True, False)


def test_answers_without_their_questions_say_what_is_missing():
    found = read("mt-bench", json.dumps(mt_answer("Nile")).encode(), "items")
    assert [(each.code, each.line) for each in found] == [("no_question", 1)]
    # A pair whose text is not in the folder is none.
    assert [each["id"] for each in fields("mt-bench", mt_folder("Nile"), "items")] == ["81/Nile/1", "81/Nile/2"]


@pytest.mark.parametrize(
    "row",
    [{"question_id": 81}, {**GAME, "turn": 0}, {**mt_answer("Nile"), "choices": []}, {"question_id": 1, "turns": 5}],
)
def test_what_is_nothing_of_mt_bench_is_named(row):
    assert [each.code for each in read("mt-bench", json.dumps(row).encode(), "items")] == ["not_of_the_format"]


# --- Into a project ---

TEXTS = """
kind: items
read: {format: FORMAT}
keep: true
fields: {if: "{response}", variety: en-US, laboratory: "{model|slug} lab"}
"""
SAID = """
kind: answers
read: {format: FORMAT}
keep: true
fields: {laboratory: Omega, question: better}
"""


def bring(project, tmp_path, name: str, content: bytes) -> None:
    """The same file twice, each by a mapping of four lines."""
    path = tmp_path / f"study.{'zip' if content[:2] == b'PK' else 'json'}"
    path.write_bytes(content)
    for command, mapping in (("import_items", TEXTS), ("import_answers", SAID)):
        said = tmp_path / f"{command}.yaml"
        said.write_text(mapping.replace("FORMAT", name))
        call_command(command, project.slug, str(path), mapping=str(said), quiet=True)


@pytest.mark.django_db
def test_a_board_of_alpaca_eval_comes_in_by_two_mappings(project, tmp_path):
    question_type(project, "better", lowest=None, highest=None)
    bring(project, tmp_path, "alpaca-eval", json.dumps([annotation(1.25)]).encode())
    pair = ResponsePair.objects.get()
    assert (pair.first.text, pair.first.target_model.laboratory.slug, pair.second.text) == (
        "Koshari.",
        "nile-lab",
        "Bread.",
    )
    rating = Rating.objects.get()
    assert (rating.pair, rating.preference, rating.probabilities) == (pair, "first", [0.75, 0.0, 0.25])
    assert (rating.rater.kind, rating.rater.laboratory.slug) == ("judge", "omega")


@pytest.mark.django_db
def test_a_folder_of_mt_bench_comes_in_by_two_mappings(project, tmp_path):
    question_type(project, "better", lowest=None, highest=None)
    bring(project, tmp_path, "mt-bench", mt_folder("Nile", "Volga"))
    assert Response.objects.count() == 4
    found = Rating.objects.order_by("is_swapped").values_list("preference", "is_unparseable", "is_of_both_orders")
    assert list(found) == [("first", False, True), ("", True, True)]


@pytest.mark.django_db
def test_segments_of_esa_come_in_and_go_out_with_their_scores(project, tmp_path):
    question_type(project, "score", lowest=0, highest=100)
    path = tmp_path / "esa.jsonl"
    path.write_text(json.dumps(segment(esa_score=67)))
    for command, mapping in (
        ("import_items", TEXTS),
        ("import_answers", "kind: answers\nread: {format: esa}\nkeep: true\nfields: {rater_kind: human}\n"),
    ):
        (tmp_path / "said.yaml").write_text(mapping.replace("FORMAT", "esa"))
        call_command(command, project.slug, str(path), mapping=str(tmp_path / "said.yaml"), quiet=True)
    assert Marking.objects.get().spans.count() == 2
    assert Rating.objects.get().first_grade == 67
    call_command("export_marks", project.slug, format="esa", to=str(tmp_path / "out.jsonl"))
    [row] = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert (row["esa_score"], row["tgt"], row["annotator"], row["system"]) == (67, TEXT, "engspa1", "Nile")
    assert row["esa_spans"] == segment()["esa_spans"]
    call_command("export_marks", project.slug, format="argilla", to=str(tmp_path / "records.json"))
    [record] = json.loads((tmp_path / "records.json").read_text())
    assert record["responses"]["score"] == [{"value": 67, "user_id": "engspa1"}]


# --- And out again ---


def out_again(project, tmp_path, name: str, capsys, **options) -> tuple[bytes, str]:
    path = tmp_path / "out"
    capsys.readouterr()
    call_command("export_ratings", project.slug, format=name, to=str(path), **options)
    return path.read_bytes(), capsys.readouterr().err


def by_page(nour, chosen: str) -> bytes:
    client = signed_in(nour)
    assert f'<option value="{chosen}">' in client.get("/p/feasts/frames/").content.decode()
    client.post("/p/feasts/foreign-files/prepare/", {"format": chosen})
    work_on(Job.objects.get(kind="foreign_export").pk)
    return b"".join(content_of(StoredFile.objects.get(job__kind="foreign_export")))


def as_rows(rows) -> list[dict]:
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))


@pytest.mark.django_db
def test_preferences_go_out_as_alpaca_eval_and_come_back_the_same(nour, project, tmp_path, capsys):
    question_type(project, "better", lowest=None, highest=None)
    other = {"instruction": "Name a feast 🎉 «العيد».", "output_1": "عيد الفطر", "output_2": 'Eid\n"al"-Adha'}
    files = [annotation(1.25), annotation(2, **other, raw_completion=None), annotation(None, instruction="Third?")]
    bring(project, tmp_path, "alpaca-eval", json.dumps(files).encode())
    content, said = out_again(project, tmp_path, "alpaca-eval", capsys)
    assert said == ""
    assert by_page(nour, "alpaca-eval better") == content
    written = json.loads(content)
    assert [row["preference"] for row in written] == [1.25, 2, None]
    # The tool's own reader: frames of these columns, preferences within 1 and 2, of which the mean less 1 is a rate.
    assert all(set(annotation()) == set(row) for row in written)
    for kind in ("items", "answers"):
        given = fields("alpaca-eval", json.dumps(files).encode(), kind)
        assert as_rows(fields("alpaca-eval", content, kind)) == as_rows(given)


@pytest.mark.django_db
def test_people_and_both_orders_have_their_preference_in_alpaca_eval(project, tmp_path, capsys, mona):
    question = question_type(project, "better")
    pair = pair_of(project, "feast")
    rate(pair, mona, question, 2, 5)
    judge = Rater.objects.create(
        project=project, kind="judge", name="J", model="j", laboratory=Laboratory.objects.create(slug="o", name="O")
    )
    for is_swapped, preference in ((False, "first"), (True, "second")):
        Rating.objects.create(
            question=question, pair=pair, rater=judge, preference=preference, is_swapped=is_swapped,
            is_of_both_orders=True,
        )  # fmt: skip
    content, _said = out_again(project, tmp_path, "alpaca-eval", capsys)
    assert {row["annotator"]: row["preference"] for row in json.loads(content)} == {"Mona Adel": 2.0, "J": 1.5}
    content, said = out_again(project, tmp_path, "mt-bench", capsys)
    assert "1 answers left out" in said, "MT-Bench knows nobody who saw one order"
    with zipfile.ZipFile(io.BytesIO(content)) as folder:
        [row] = [json.loads(line) for line in folder.read("mt_bench/model_judgment/j_pair.jsonl").splitlines()]
    assert (row["g1_winner"], row["g2_winner"], row["judge"]) == ("model_1", "model_2", ["j", "J"])
    question_type(project, "other")
    with pytest.raises(CommandError, match="--question"):
        out_again(project, tmp_path, "alpaca-eval", capsys)


@pytest.mark.django_db
def test_judgments_go_out_as_the_folder_of_mt_bench_and_come_back_the_same(project, tmp_path, capsys):
    question_type(project, "better", lowest=None, highest=None)
    content = mt_folder("Nile", "Volga")
    second = {**GAME, "turn": 2, "g2_winner": "tie"}
    with zipfile.ZipFile(io.BytesIO(content)) as folder:
        files = {name: folder.read(name) for name in folder.namelist()}
    files["mt_bench/model_judgment/omega-1_pair.jsonl"] += json.dumps(second).encode() + b"\n"
    content = zipped(files)
    bring(project, tmp_path, "mt-bench", content)
    written, said = out_again(project, tmp_path, "mt-bench", capsys)
    assert said == ""
    for kind in ("items", "answers"):
        assert as_rows(fields("mt-bench", written, kind)) == as_rows(fields("mt-bench", content, kind))
    with zipfile.ZipFile(io.BytesIO(written)) as folder:
        names, lines = folder.namelist(), {name: folder.read(name).splitlines() for name in folder.namelist()}
    # As FastChat finds them: models by their files, answers by the number of the question, winners of two games.
    assert set(names) == set(files)
    [question] = map(json.loads, lines["mt_bench/question.jsonl"])
    assert question == QUESTION
    [answer] = map(json.loads, lines["mt_bench/model_answer/Nile.jsonl"])
    assert (answer["question_id"], answer["choices"][0]["turns"]) == (81, mt_answer("Nile")["choices"][0]["turns"])
    games = [json.loads(line) for line in lines["mt_bench/model_judgment/omega-1_pair.jsonl"]]
    assert [(game["g1_winner"], game["g2_winner"], game["turn"]) for game in games] == [
        ("model_1", "error", 1), ("model_1", "tie", 2)
    ]  # fmt: skip


@pytest.mark.django_db
def test_grades_of_single_answers_go_out_with_minus_one_where_none_was_read(project, tmp_path, capsys):
    question_type(project, "better", lowest=1, highest=10)
    singles = [SINGLE, {**SINGLE, "model": "Volga", "score": 7.5}, {**SINGLE, "turn": 1, "score": -1, "judgment": ""}]
    with zipfile.ZipFile(io.BytesIO(mt_folder("Nile", "Volga"))) as folder:
        files = {name: folder.read(name) for name in folder.namelist() if "judgment" not in name}
    files["mt_bench/model_judgment/omega-1_single.jsonl"] = b"".join(
        json.dumps(row).encode() + b"\n" for row in singles
    )
    bring(project, tmp_path, "mt-bench", zipped(files))
    written, _said = out_again(project, tmp_path, "mt-bench", capsys)
    with zipfile.ZipFile(io.BytesIO(written)) as folder:
        rows = [json.loads(line) for line in folder.read("mt_bench/model_judgment/omega-1_single.jsonl").splitlines()]
    assert sorted((row["model"], row["turn"], row["score"]) for row in rows) == [
        ("Nile", 1, -1), ("Nile", 2, 8), ("Volga", 2, 7.5)
    ]  # fmt: skip
    given = fields("mt-bench", zipped(files), "answers")
    assert as_rows(fields("mt-bench", written, "answers")) == as_rows(given)
