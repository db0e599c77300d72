"""Nour builds multi-hop questions: every line of a story can be found again, and the same seed gives the same bytes."""

import json
from collections import Counter

import pytest
import regex
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from benchmark.models import Question
from benchmark.multi_hop import build, cut, on_one_line, question_line
from tests.benchmark.sets import stored

STORY = "في القرية بئر عميقة.\nشربت منها سلمى كلّ صباح،\nثم حملت الجرّة إلى البيت."
SOURCE = {"id": "well", "story": STORY, "question": "من أين شربت سلمى؟", "answer": "من البئر", "language": "ar"}
EMPTY = '{"id": "x", "story": " ", "question": "q", "answer": "a"}'
TEXTS = st.text(min_size=1, max_size=200).filter(on_one_line)


@given(TEXTS, st.lists(TEXTS, max_size=4), st.integers())
def test_every_line_is_there_once_and_the_story_can_be_put_together(story, distractors, seed):
    context = build({"story": story}, distractors, seed=seed)
    assert context.recovered("story") == on_one_line(story)
    all_lines = [line for text in (story, *distractors) for line in cut(on_one_line(text))]
    assert Counter(context.lines) == Counter(all_lines)
    assert len(set(context.places["story"])) == len(cut(on_one_line(story)))


@given(TEXTS, st.lists(TEXTS, max_size=4), st.integers())
def test_the_same_seed_gives_the_same_bytes(story, distractors, seed):
    one, same = (build({"story": story}, distractors, seed=seed).text.encode("utf-8", "surrogatepass") for _ in "12")
    assert one == same


@given(TEXTS, st.integers(1, 12))
def test_no_character_is_cut_in_two(text, width):
    pieces = cut(text, width)
    assert "".join(pieces) == text
    assert [len(regex.findall(r"\X", piece)) <= width for piece in pieces] == [True] * len(pieces)


def test_a_line_has_ten_characters_with_their_marks():
    assert cut("كَتَبَ الوَلَدُ دَرْسَهُ") == ["كَتَبَ الوَلَد" + "ُ" + " ", "دَرْسَهُ"]
    with pytest.raises(ValueError, match="at least one character"):
        cut("text", 0)


def test_another_seed_or_another_question_is_another_shuffle():
    distractors = ["نزل المطر على الجبل البعيد.", "باع التاجر قماشه في السوق."]
    line = question_line(SOURCE, distractors, seed=1)
    assert line["input"] != question_line(SOURCE, distractors, seed=2)["input"]
    assert line["input"] != question_line({**SOURCE, "id": "other"}, distractors, seed=1)["input"]
    assert (line["instruction"], line["output"], line["language"]) == (SOURCE["question"], SOURCE["answer"], "ar")
    lines, places = line["input"].split("\n"), line["metadata"]["context"]["places"]["story"]
    assert "".join(lines[place] for place in places) == on_one_line(STORY)
    assert "story" not in line


def test_question_and_answer_can_be_buried_as_well():
    line = question_line(SOURCE, [], seed=1, buried=("story", "question", "answer"))
    lines, places = line["input"].split("\n"), line["metadata"]["context"]["places"]
    assert "".join(lines[place] for place in places["answer"]) == SOURCE["answer"]
    assert sorted(place for part in places.values() for place in part) == list(range(len(lines)))
    with pytest.raises(ValueError, match="no part"):
        question_line(SOURCE, [], seed=1, buried=("title",))


@pytest.mark.django_db
def test_the_command_writes_lines_that_can_be_imported(project, tmp_path, capfdbinary):
    file, distractors, output = tmp_path / "stories.jsonl", tmp_path / "other.txt", tmp_path / "questions.jsonl"
    file.write_text(json.dumps(SOURCE, ensure_ascii=False) + "\n\n", "utf-8")
    distractors.write_text("نزل المطر على الجبل البعيد.\nباع التاجر قماشه في السوق.\n", "utf-8")
    options = {"seed": 7, "distractors": str(distractors), "per_question": 1}
    call_command("build_contexts", str(file), output=str(output), **options)
    call_command("build_contexts", str(file), **options)
    assert capfdbinary.readouterr().out == output.read_bytes()
    stored(project, *(json.loads(line) for line in output.read_text("utf-8").splitlines()))
    question = Question.objects.get(key="well")
    assert (question.reference, question.skill.name) == ("من البئر", "4-Birds Multihop")
    assert question.input_text.count("\n") + 1 > len(cut(on_one_line(STORY)))


@pytest.mark.parametrize("text", ["no json", "[]", '{"id": "x"}', EMPTY])
def test_a_line_that_is_no_story_is_named(tmp_path, text):
    file = tmp_path / "stories.jsonl"
    file.write_text(text + "\n", "utf-8")
    with pytest.raises(CommandError, match="Line 1"):
        call_command("build_contexts", str(file), seed=1)
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("build_contexts", str(tmp_path / "none"), seed=1)


def test_a_context_that_could_not_be_imported_is_not_written(tmp_path):
    """A story of 190,000 characters is 19,000 lines: with the breaks between them it is longer than a text may be."""
    file, output = tmp_path / "stories.jsonl", tmp_path / "questions.jsonl"
    long = SOURCE | {"id": "long", "story": "ب" * 190_000}
    file.write_text("\n".join(json.dumps(source) for source in (SOURCE, long)), "utf-8")
    with pytest.raises(CommandError, match=r"Line 2 .* longer than 200000 characters"):
        call_command("build_contexts", str(file), seed=1, output=str(output))
    assert not output.exists()
    file.write_text(json.dumps(long | {"story": "ب" * 181_000}), "utf-8")
    call_command("build_contexts", str(file), seed=1, output=str(output))
    assert len(json.loads(output.read_text("utf-8"))["input"]) == 199_099
