"""The YAML of project files: what is read is plain data with its lines; what could hide something is refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.project_file.reading import MAX_BYTES, read_yaml
from formats.project_file.writing import write_yaml
from projects.problems import Invalid

WORDS = [
    *("no", "yes", "on", "true", "null", "~", "", "1e3", "0x1f", "1_000", "2026-01-01", "12:30:45", "=", "<<", ".5"),
    *("- a", "a: b", "#x", "!x", "&a", "*a", "'", '"', "\t", "a\r\nb", "  x\n y\n\n", "\n", "x\n", "1.5", "-7"),
    *("كلمة " * 60, "言葉" * 80, "😀 " * 60, "one, two", "{a}", "[a]"),
]
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0")) | st.sampled_from(WORDS)
KEYS = TEXTS.filter(lambda text: len(text) < 100)
VALUES = st.recursive(
    TEXTS | st.booleans() | st.none() | st.integers(-(10**15), 10**15) | st.floats(-1e12, 1e12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(KEYS, VALUES, max_size=4))
@settings(deadline=None)
def test_whatever_is_written_is_read_again_and_written_alike(data):
    written = write_yaml(data)
    assert read_yaml(written)[0] == data
    assert write_yaml(read_yaml(written)[0]) == written


def test_every_place_has_its_line():
    data, lines = read_yaml("\ufeffa: 1\nlist:\n- name: x\n  more: {deep: no}\n- name: y\n".encode())
    assert data == {"a": 1, "list": [{"name": "x", "more": {"deep": "no"}}, {"name": "y"}]}
    assert {place: lines[place] for place in ("a", "list", "list[0].name", "list[0].more.deep", "list[1]")} == {
        "a": 1,
        "list": 2,
        "list[0].name": 3,
        "list[0].more.deep": 4,
        "list[1]": 5,
    }


BOMB = b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        (BOMB, "alias", 1),
        (b"a: 1\nb: *a\n", "alias", 2),
        (b"a: !!python/object/apply:os.system [x]\n", "tag", 1),
        (b"a: 1\nb: !own x\n", "tag", 2),
        (b"a: 1\nb: 2\na: 3\n", "duplicate_key", 3),
        (b"a:\n  b: 1\n  b: 2\n", "duplicate_key", 3),
        (b"a: 1\n---\nb: 2\n", "many_documents", 2),
        (b"? [a]\n: 1\n", "not_a_key", 1),
        (b"a: [1\n", "not_yaml", 2),
        (b"a: 1\n b: 2\n", "not_yaml", 2),
        (b"a: b: c\n", "not_yaml", 1),
        ("a: 1\nb: caf\u00e9\n".encode("latin-1"), "not_utf8", 2),
        ("a: 1".encode("utf-16"), "not_utf8", 1),
        (b'a: "\\0"\n', "unstorable", 1),
        (b"a: \x07\n", "not_yaml", None),
        (b"[" * 100_000, "too_deep", 1),
        (b"a: [" + b"1, " * 100_000 + b"]", "too_many", 1),
    ],
)
def test_what_could_hide_something_is_refused_with_its_line(content, code, line):
    with pytest.raises(Invalid) as refused:
        read_yaml(content)
    [problem] = refused.value.problems
    assert (problem.code, problem.line) == (code, line)


def test_a_file_larger_than_5_mb_is_refused():
    read_yaml(b"a: " + b"x" * (MAX_BYTES - 4))
    with pytest.raises(Invalid, match="larger than 5 MB"):
        read_yaml(b"a: " + b"x" * MAX_BYTES)
