"""A researcher takes everything that was answered out of a project: tidy frames, exact offsets, nobody's name."""

import io
from datetime import UTC, datetime

import numpy as np
import pandas
import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from annotation.models import Adjudication, Marking, Rating, Review, Span
from annotation.outcomes import outcomes
from judging.engine.runs import create_run
from judging.judges import add_judge
from projects.models import Dimension, Project, QuestionType, Rater, ResponsePair
from providers.models import Provider
from reports.frames import FRAMES, calls, frame, markings, preferences, ratings, reviews, scores, spans
from reports.frames.files import CSV, FORMATS, JSONL, PARQUET, blocks, read_csv, read_jsonl
from reports.frames.reading import text_of
from tests.annotation.marked import mark, rater_of
from tests.people import add_response
from tests.reports.juice import juice

pytestmark = pytest.mark.django_db


def file_of(table, project, file_format, folder):
    path = folder / f"{table.name}.{file_format}"
    path.write_bytes(b"".join(blocks(table, project, file_format)))
    return path


def read_back(path, table, file_format):
    if file_format == PARQUET:
        return pandas.read_parquet(path)
    return {CSV: read_csv, JSONL: read_jsonl}[file_format](path, table)


def test_each_frame_has_the_types_that_are_declared_with_and_without_rows(answered, project, other_project):
    for name, each in FRAMES.items():
        for of_project in (project, other_project):
            found = each(of_project)
            assert {column: str(dtype) for column, dtype in found.dtypes.items()} == {
                column.name: column.dtype for column in each.columns
            }, name
            assert len(found) == each.count(of_project), name
    assert not len(spans(other_project))


def test_a_rejected_mark_leaves_too_with_what_became_of_it_and_why(answered, project):
    found = spans(project).set_index("quote")
    assert found.outcome.to_dict() == {
        "على السحور": "kept",
        "مصرية شعبية": "rejected",
        "كل يوم على السحور": "kept",
        "الفراعنة": "kept",
        "الرز": "rejected",
    }
    rejected = found.loc["الرز"]
    assert (rejected.is_kept, rejected.decided_by, rejected.policy) == (False, "reviews", "unanimous")
    assert (rejected.votes_keep, rejected.votes_reject, rejected.verdicts_needed) == (1, 1, 2)
    assert rejected.rater == "Simba"
    assert rejected.rater_kind == "judge"
    assert found.gold_key.notna().to_list() == found.is_kept.to_list()


def test_an_experts_word_is_told_as_such(answered, project, hana):
    Adjudication.objects.create(span=answered["rice"], rater=rater_of(hana, project), is_kept=True, reason="A custom")
    row = spans(project).set_index("quote").loc["الرز"]
    assert (row.outcome, row.decided_by, row.expert_reason, row.is_kept) == ("kept", "expert", "A custom", True)


def test_outcomes_are_those_of_the_gold():
    project = juice(("US-en", "KR-ko"), 6)
    expected = outcomes(project.responses.values_list("id", flat=True))
    keys = dict(Span.objects.values_list("id", "key"))
    found = spans(project)
    assert sorted(zip(found.span_key, found.outcome, strict=True)) == sorted(
        (keys[pk], outcome) for pk, outcome in expected.items()
    )
    gold = set(Span.objects.filter(gold_error__isnull=False).values_list("gold_error__key", flat=True))
    assert set(found.gold_key.dropna()) == gold


def test_no_errors_is_a_row_and_later_rounds_count_instead(koshari, mona, karim, project):
    mark(koshari, mona)
    mark(koshari, karim, "الرز")
    Marking.objects.create(response=koshari, rater=rater_of(karim, project), round=2, no_errors=True)
    Marking.objects.create(response=koshari, rater=rater_of(karim, project), round=3, is_complete=False)
    found = markings(project)
    of_karim = found[found.rater == rater_of(karim, project).pseudonym].set_index("round")
    assert of_karim.is_counted.to_dict() == {1: False, 2: True, 3: False}
    assert of_karim.spans.to_dict() == {1: 1, 2: 0, 3: 0}
    assert found.no_errors.tolist() == [True, False, True, False]
    assert spans(project).is_counted.tolist() == [False]


def test_verdicts_of_validators_carry_what_they_corrected(answered, project, hana, thin):
    Review.objects.create(
        span=answered["popular"],
        rater=rater_of(hana, project),
        verdict="correct",
        start=12,
        end=17,
        quote=answered["popular"].response.text[12:17],
        category=thin,
        criticality="low",
        correction="=1+1",
    )
    found = reviews(project)
    assert len(found) == 8
    row = found[found.corrected_quote.notna()].iloc[0]
    assert (row.corrected_start, row.corrected_end, row.corrected_category) == (12, 17, "fact")
    assert row.corrected_correction == "=1+1", "in a frame a text is what it is"
    assert row.span_rater == rater_of_pseudonym(answered["popular"])
    assert row.created_at.tzinfo is not None
    assert found.is_counted.all()


def rater_of_pseudonym(span) -> str:
    return span.rater.pseudonym


def test_nobodys_name_or_address_leaves(answered, project, tmp_path):
    names = ("Mona", "Adel", "Karim", "Samir", "example.org")
    for each in FRAMES.values():
        for file_format in FORMATS:
            content = file_of(each, project, file_format, tmp_path).read_bytes()
            assert not [name for name in names if name.encode() in content], each.name


texts = st.text(st.sampled_from("ab \n😀👩‍👩‍👧🇧🇩كشري ًপহেলা ঢ়বৈ"), min_size=1, max_size=60)


@given(texts, st.data())
def test_offsets_in_both_units_give_the_quote(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    made = text_of((1, 1, "k", "u", "p", "v", "m", "s"), text)
    first, last, first_unit, last_unit = made.offsets(start, end)
    assert text[first:last] == text[start:end]
    units = text.encode("utf-16-le")
    assert units[2 * first_unit : 2 * last_unit].decode("utf-16-le") == text[start:end]


@pytest.mark.parametrize("file_format", FORMATS)
def test_offsets_of_stored_spans_hold_in_the_files(project, mona, tmp_path, file_format):
    wanted = {
        "emoji": ("=😀 عيد 👩‍👩‍👧 سعيد 🇧🇩!", ("👩‍👩‍👧", "🇧🇩!", "=😀")),
        "arabic": ("الكَشري أكلة\nمصرية", ("الكَشري", "أكلة\nمصرية")),
        "bengali": ("পহেলা বৈশাখে 🎉 ঢাকার", ("বৈশাখে", "ঢাকার")),
    }
    for key, (text, quotes) in wanted.items():
        response = add_response(project, key, text, "ar-EG")
        mark(response, mona, *quotes)
    path = file_of(spans, project, file_format, tmp_path)
    found = read_back(path, spans, file_format)
    pandas.testing.assert_frame_equal(found, spans(project))
    assert len(found) == 7
    for row in found.itertuples():
        text = wanted[row.response_key][0]
        assert text[row.start : row.end] == row.quote
        units = text.encode("utf-16-le")
        assert units[2 * row.start_utf16 : 2 * row.end_utf16].decode("utf-16-le") == row.quote


UGLY = (
    '=SUM(A1), "quoted"',
    "-dash",
    "'=already",
    "''+twice",
    "line\r\nbreak",
    "old\rbreak",
    "tab\tin, comma;",
    "@home",
    "'plain",
)


def test_a_spreadsheet_runs_no_cell_and_a_notebook_reads_every_text_back(project, mona, koshari, tmp_path):
    judge = Rater.objects.create(project=project, kind="judge", name='Judge, "the\nfirst"', model="m")
    for number, words in enumerate(UGLY):
        mark(
            add_response(project, f"{words} {number}", "Some words.", "ar-EG", model=words),
            judge,
            "words",
            explanation=words,
        )
    path = file_of(spans, project, CSV, tmp_path)
    content = path.read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    cells = pandas.read_csv(path, dtype=str, keep_default_na=False)
    assert cells.explanation.tolist()[:4] == ['\'=SUM(A1), "quoted"', "'-dash", "''=already", "'''+twice"]
    assert not cells.map(lambda cell: cell.startswith(("=", "+", "-", "@", "\t", "\r"))).any().any()
    back = read_csv(path, spans)
    assert back.explanation.tolist() == list(UGLY)
    pandas.testing.assert_frame_equal(back, spans(project))
    pandas.testing.assert_frame_equal(pandas.read_parquet(file_of(spans, project, PARQUET, tmp_path)), spans(project))


def test_a_quote_of_a_whole_long_response_is_read_back(project, mona, tmp_path):
    text = "long " * 30_000
    mark(add_response(project, "long", text, "ar-EG"), rater_of(mona, project), text)
    path = file_of(spans, project, CSV, tmp_path)
    assert read_csv(path, spans).quote.tolist() == [text]


def test_files_of_nothing_have_their_columns(project, tmp_path):
    for each in FRAMES.values():
        for file_format in FORMATS:
            path = file_of(each, project, file_format, tmp_path)
            found = read_back(path, each, file_format)
            pandas.testing.assert_frame_equal(found, each(project))
    with pytest.raises(ValueError, match="no file of the frame spans"):
        read_csv(file_of(reviews, project, CSV, tmp_path), spans)


def test_the_parquet_file_says_what_each_column_holds(project, tmp_path):
    schema = parquet.read_schema(file_of(spans, project, PARQUET, tmp_path))
    assert schema.field("start_utf16").metadata[b"holds"].decode().endswith("UTF-16 code units")


def test_chunks_are_the_whole_in_parts_of_bounded_size(monkeypatch):
    project = juice(("US-en",), 6)
    whole = {name: each(project) for name, each in FRAMES.items()}
    monkeypatch.setattr(frame, "CHUNK_ROWS", 7)
    monkeypatch.setattr(frame, "FIRST_BATCH", 2)
    for name, each in FRAMES.items():
        parts = list(each.chunks(project))
        assert all(len(part) <= 7 for part in parts), name
        if parts:
            pandas.testing.assert_frame_equal(pandas.concat(parts, ignore_index=True), whole[name])
    assert len(whole["spans"]) > 7


def test_it_takes_no_more_queries_for_more_answers(django_assert_max_num_queries):
    project = juice(("US-en",), 12)
    for each in FRAMES.values():
        with django_assert_max_num_queries(18):
            each(project)


@pytest.fixture
def rated(db):
    """Yes-or-no questions beside grades of 1 to 5, no judge at all."""
    project = Project.objects.create(slug="rated", name="Rated", preset="ratings", areas=["ratings"])
    dimension = Dimension.objects.create(project=project, slug="tone", name="Tone")
    for slug, low, high in (("polite", 0, 1), ("tone", 1, 5)):
        QuestionType.objects.create(
            project=project, dimension=dimension, slug=slug, name=slug, lowest=low, highest=high
        )
    return project


def test_a_pair_that_was_graded_is_two_ratings_and_one_preference(rated):
    first, second = (add_response(rated, key, f"Text {key}", "ar-EG") for key in "ab")
    second.prompt = first.prompt
    second.save(update_fields=["prompt"])
    pair = ResponsePair.objects.create(
        project=rated, key="a,b", prompt=first.prompt, variety=first.variety, first=first, second=second
    )
    rater = Rater.objects.create(project=rated, kind="human", name="Ann")
    tone, polite = (rated.question_types.get(slug=slug) for slug in ("tone", "polite"))
    common = {"rater": rater, "question": tone, "pair": pair}
    Rating.objects.create(**common, first_grade=2, second_grade=4, is_swapped=True)
    Rating.objects.create(**common, round=2, preference="tie", is_swapped=True)
    Rating.objects.create(rater=rater, question=polite, response=first, first_grade=0, is_check=True)
    found = ratings(rated)
    assert found[["response_key", "question", "side", "grade", "is_counted"]].to_numpy().tolist() == [
        ["a", "tone", "first", 2.0, False],
        ["a", "polite", "alone", 0.0, False],
        ["b", "tone", "second", 4.0, False],
    ]
    assert found.is_shown_first.tolist() == [False, pandas.NA, True]
    told = preferences(rated)
    assert told.preference.tolist() == ["second", "tie"]
    assert told.stated.tolist() == [pandas.NA, "tie"]
    assert told.is_counted.tolist() == [False, True]
    assert told[["first_response_key", "second_response_key", "pair_key"]].iloc[0].tolist() == ["a", "b", "a,b"]
    assert len(scores(rated)) == 3


def test_calls_say_what_became_of_them_and_no_reply(project, koshari):
    provider = Provider.objects.create(name="gateway", base_url="https://example.org/v1", key_name="SK_A_SECRET")
    judge = add_judge(project, provider, "gpt-4o", name="Dear, the first", granularity="response")
    create_run(judge, project.responses.all())
    judge.calls.update(
        state="scored",
        raw_output="the reply itself",
        parsed={"errors": ["the reply itself"]},
        problem="the reply itself",
        prompt_tokens=120,
        completion_tokens=None,
        cost=12_500_000,
        cost_is_bound=False,
        latency_ms=900,
    )
    [row] = calls(project).to_dict("records")
    assert (row["rater"], row["model"], row["state"]) == ("Dear, the first", "gpt-4o", "scored")
    assert (row["prompt_tokens"], row["cost"], row["latency_ms"]) == (120, 0.0125, 900)
    assert pandas.isna(row["completion_tokens"])
    version = judge.calls.get().prompt_version
    assert (row["prompt_version"], row["prompt_sha256"]) == (version.version, version.text_sha256)
    for file_format in FORMATS:
        content = b"".join(blocks(calls, project, file_format))
        assert b"the reply itself" not in content
        assert b"SK_A_SECRET" not in content
        assert b"example.org" not in content


def test_the_command_writes_a_file_of_each_frame(answered, project, tmp_path, capsys):
    out = io.StringIO()
    call_command("frames", "feasts", "--to", str(tmp_path / "out"), "--only", "spans,reviews", stdout=out)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "feasts-reviews.parquet",
        "feasts-spans.parquet",
    ]
    assert "5 rows written to" in out.getvalue()
    pandas.testing.assert_frame_equal(pandas.read_parquet(tmp_path / "out" / "feasts-spans.parquet"), spans(project))
    call_command("frames", "feasts", "--to", str(tmp_path), "--format", "csv", stdout=io.StringIO())
    assert len(list(tmp_path.glob("*.csv"))) == len(FRAMES)
    with pytest.raises(CommandError, match="no frame “none”"):
        call_command("frames", "feasts", "--to", str(tmp_path), "--only", "none")


@pytest.mark.parametrize("names", [",", " , "])
def test_a_list_without_a_name_is_no_list_of_all(answered, project, tmp_path, names):
    with pytest.raises(CommandError, match=r"there are: .*spans"):
        call_command("frames", "feasts", "--to", str(tmp_path), "--only", names)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [("frames", "--to"), ("export_gold", "--output")])
def test_a_place_that_cannot_be_written_is_named(answered, project, tmp_path, command):
    name, flag = command
    (tmp_path / "file").write_text("as it was")
    with pytest.raises(CommandError, match=r"file.* cannot be written: (File exists|Not a directory)"):
        call_command(name, "feasts", flag, str(tmp_path / "file" / "below"), stdout=io.StringIO())


def test_a_folder_of_the_files_own_name_stays(answered, project, tmp_path):
    (tmp_path / "feasts-spans.parquet").mkdir()
    with pytest.raises(CommandError, match=r"feasts-spans\.parquet cannot be written"):
        call_command("frames", "feasts", "--to", str(tmp_path), "--only", "spans", stdout=io.StringIO())
    assert [path.name for path in tmp_path.iterdir()] == ["feasts-spans.parquet"]


def test_an_interrupted_command_leaves_nothing_half_written(answered, project, tmp_path, monkeypatch):
    (tmp_path / "feasts-reviews.csv").write_text("as it was")

    def broken_off(*_arguments):
        yield b"half"
        raise KeyboardInterrupt

    whole = blocks
    monkeypatch.setattr(
        "reports.management.commands.frames.blocks",
        lambda table, *others: (broken_off if table.name == "reviews" else whole)(table, *others),
    )
    with pytest.raises(CommandError, match=r"complete: feasts-spans\.csv, feasts-markings\.csv") as failed:
        call_command("frames", "feasts", "--to", str(tmp_path), "--format", "csv", stdout=io.StringIO())
    assert failed.value.returncode == 130
    assert (tmp_path / "feasts-reviews.csv").read_text() == "as it was"
    assert not list(tmp_path.glob("*.partial"))


def test_times_are_in_utc(answered, project):
    at = datetime(2026, 3, 1, 12, 30, 1, 5, tzinfo=UTC)
    Marking.objects.update(created_at=at)
    assert set(spans(project).created_at) == {pandas.Timestamp(at)}
    assert np.dtype("int64") == spans(project).votes_keep.to_numpy(dtype="int64").dtype
