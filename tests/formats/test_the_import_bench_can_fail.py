"""`make bench ARGS=import_lock` ends with code 1, in words, where a save failed or anybody waited for too long."""

from collections import Counter

from speed.import_lock_bench import broken_lock, broken_saves, tell
from speed.load import Load


def saves(*times: float, failed: int = 0) -> Load:
    answered = {200: len(times) - failed, **({503: failed} if failed else {})}
    return Load(5.0, list(times), Counter(answered))


def test_what_was_kept_is_no_failure(capsys):
    broken = broken_lock("an import", 2.1, 22_000) + broken_saves("an import", saves(*[0.1] * 99, 2.9), lock=2.1)
    assert tell(broken) == 0
    assert capsys.readouterr().out == ""


def test_one_save_that_failed_is_a_failure(capsys):
    broken = broken_saves("an import", saves(*[0.1] * 100, failed=1), lock=2.1)
    assert tell(broken) == 1
    assert capsys.readouterr().out == "   BROKEN: an import: 1 of 100 saves failed (1 x 503)\n"


def test_a_lock_of_more_than_a_second_for_each_ten_thousand_rows_is_one():
    [broken] = broken_lock("an import", 2.3, 22_000)
    assert broken == "an import: nobody else could write for 2.30 s, where 2.20 s are the most"


def test_a_small_file_has_the_time_of_ten_thousand_rows():
    assert broken_lock("an import", 0.9, 800) == []
    assert len(broken_lock("an import", 1.1, 800)) == 1


def test_saves_that_waited_for_longer_than_the_lock_and_a_second_are_one():
    [broken] = broken_saves("an import", saves(*[0.1] * 90, *[1.6] * 10), lock=0.5)
    assert broken == "an import: the slowest hundredth of 100 saves took 1.60 s, where 1.50 s are the most"


def test_where_nobody_saved_nothing_was_shown():
    assert len(broken_saves("an import", saves(), lock=0.5)) == 1
