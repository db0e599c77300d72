"""What the baselines of a board are called: in files one name for all languages, on pages in the reader's own."""

from django.utils.translation import gettext, gettext_noop

from agreement import baselines

# By kind, the short name and the name of its row. Names stand in files, so they are the same in every language.
ROWS = {
    baselines.EMPTY: ("baseline-empty", gettext_noop("Baseline: empty")),
    baselines.CONSTANT: ("baseline-constant", gettext_noop("Baseline: constant")),
    baselines.FIRST_OPTION: ("baseline-first-option", gettext_noop("Baseline: first option")),
    baselines.LONGEST_OPTION: ("baseline-longest-option", gettext_noop("Baseline: longest option")),
    baselines.ECHO: ("baseline-echo", gettext_noop("Baseline: question echoed")),
}
NAMES = frozenset(name for _slug, name in ROWS.values())


def shown_name(name: str, *, is_baseline: bool) -> str:
    """The name of a configuration for people. A baseline that somebody has named otherwise keeps that name, and so does
    a model that is called as a baseline is."""
    return gettext(name) if is_baseline and name in NAMES else name
