"""How often 95 % intervals hold the truth, by figure and design, in simulated studies: no speed, but a promise.

A cell is the share of the intervals that hold the true figure; in brackets the share of studies that have one, where
not all do; a dash where every study is refused. Where it lies outside 93 to 97 a star stands beside it. A standard
error of a cell is about 0.5 at 2,000 studies (`--studies`). Prints; never passes or fails: tests/agreement/
test_coverage.py does.
"""

import argparse

from tests.agreement.coverage import OF_PROMPTS, OF_RATERS, Case, Design, coverage

PROMPTS = (2, 3, 5, 10, 20, 50)
#: Of so many raters, how many rate each prompt; of 50 prompts.
PARTS = ((10, 2), (10, 3), (30, 3))
ITEMS = ((1, 0.0), (4, 0.1), (8, 0.3), (0, 0.3))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=2_000)
    studies = parser.parse_args().studies
    head = [f"{items or '1-8'} x, ICC {icc:g}" for items, icc in ITEMS]
    print(line("figure", "prompts", *head))
    for case in OF_PROMPTS:
        for prompts in PROMPTS:
            designs = [Design(prompts, items, icc) for items, icc in ITEMS]
            print(line(case.name, str(prompts), *(cell(case, design, studies) for design in designs)), flush=True)
    for case in OF_RATERS:
        for raters in (2, 3, 5, 10):
            for prompts in PROMPTS:
                designs = [Design(prompts, items, icc, raters) for items, icc in ITEMS]
                cells = (cell(case, design, max(1, studies // 2)) for design in designs)
                print(line(f"{case.name}, {raters} raters", str(prompts), *cells), flush=True)
        for raters, each in PARTS:
            designs = [Design(50, items, icc, raters, each) for items, icc in ITEMS]
            cells = (cell(case, design, max(1, studies // 2)) for design in designs)
            print(line(f"{case.name}, {each} of {raters} raters", "50", *cells), flush=True)


def cell(case: Case, design: Design, studies: int) -> str:
    covered, known = coverage(case, design, studies)
    if covered is None:
        return "-"
    star = "" if 0.93 <= covered <= 0.97 else "*"
    return f"{covered:.1%}{star}" + (f" ({known:.0%})" if known < 0.995 else "")


def line(figure: str, prompts: str, *cells: str) -> str:
    return f"{figure:<36}{prompts:>8}  " + "".join(f"{one:>16}" for one in cells)


if __name__ == "__main__":
    main()
