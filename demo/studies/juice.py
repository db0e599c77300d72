"""A span project at the size of JuICE: 1,050 responses in seven settings whose gold is 7,470 errors.

`generate(seed)` yields the lines of an import, item by item: the item (no "kind"), the spans of two generated
annotators and two simulated judges, their reviews, the groups of spans on one issue, and the classifications.
An error of the gold set is a group, or a span in no group, that every reviewer kept; the counts per setting
are the published ones whatever the seed. Every line says in its metadata that it was generated.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from demo.studies import texts
from demo.studies.errors import (
    ERROR_TYPE,
    HUMANS,
    JUDGES,
    NOT_THICK,
    RESPONSES,
    SETTINGS,
    THICK,
    Issue,
    Setting,
    plan,
)

ANNOTATORS = {"US": 10, "KR": 10, "ID": 10, "BD": 14}
MODELS = (("Atlas-70B", "atlas-lab"), ("Lumen-32B", "lumen-ai"), ("Harbor-9B", "harbor-research"))
PROMPTS = {"story generation": 20, "creative ideation": 20, "how-to advice": 10}
EXPERTS = ("Generated expert 1", "Generated expert 2")
DOUBLY_CODED = 191
# Leaves Cohen's kappa of the two experts near 0.6 at the shares of categories used here.
DISAGREED = 63
#: The task whose prompts, of one variety, are answered twice; and of how many responses one has a slip.
TWICE, TWICE_IN, SLIP_EVERY = "how-to advice", "bn-BD", 3
GENERATED = {"generated": True}
DEFAULT_SEED = 2026


@dataclass
class _Item:
    line: dict
    text: texts.Text
    setting: Setting
    annotators: tuple[str, str]

    @property
    def id(self) -> str:
        return self.line["id"]


def _tasks(setting: Setting) -> Iterator[tuple[str, int, int]]:
    """(task, number of the prompt in its task, number of responses of each model to it)."""
    for task, count in PROMPTS.items():
        # Bengali has five how-to prompts, each answered twice by each model.
        twice = task == TWICE and setting.variety == TWICE_IN
        for number in range(count // 2 if twice else count):
            yield task, number, 2 if twice else 1


def _items(rng: Random, setting: Setting) -> list[_Item]:
    topics = texts.topics(setting.language)
    people = ANNOTATORS[setting.country]
    items: list[_Item] = []
    for task, number, replicates in _tasks(setting):
        domain, topic = topics[number]
        prompt = texts.prompt(setting.language, setting.country, task, topic)
        prompt_id = f"{setting.code}-{task.split()[0]}-{number + 1:02}"
        for model, laboratory in MODELS:
            for replicate in range(1, replicates + 1):
                count = len(items)
                text = texts.write(rng, setting.language, setting.country, task)
                line = {
                    "id": f"juice-{setting.code}-{count + 1:03}",
                    "prompt_id": prompt_id,
                    "prompt": prompt,
                    "variety": setting.variety,
                    "model": model,
                    "laboratory": laboratory,
                    "response": text.text,
                    "task": task,
                    "domain": domain,
                    "metadata": {**GENERATED, "setting": setting.code, "replicate": replicate},
                }
                first = count % people
                second = (first + 1 + count // people % (people - 1)) % people
                names = tuple(f"Generated annotator {setting.country}-{n + 1}" for n in (first, second))
                items.append(_Item(line, text, setting, (names[0], names[1])))
    assert len(items) == RESPONSES
    return items


def _rater(item: _Item, detector: str) -> dict:
    if detector in HUMANS:
        return {"rater": item.annotators[HUMANS.index(detector)], "rater_kind": "human"}
    letter = detector[-1]
    return {
        "rater": f"Simulated judge {letter.upper()}",
        "rater_kind": "judge",
        "model": f"simulated-{detector}",
        "laboratory": "simulated",
        "simulated": True,
    }


class _Places:
    """Where each issue of a response lies, and the slightly different boundaries each detector gives it."""

    def __init__(self, rng: Random, text: texts.Text) -> None:
        self.rng = rng
        self.text = text
        self.free_sentences = rng.sample(range(len(text.sentences)), len(text.sentences))
        self.free_paragraphs = rng.sample(range(text.paragraphs), text.paragraphs)
        self.used_sentences: list[int] = []
        self.response_is_free = True

    def choose(self, issue: Issue) -> dict | tuple[list[tuple[int, int]], int, int]:
        """An anchor for an omission, else the words of a sentence and the half-open range of them at fault."""
        if issue.category == "cultural-missingness" and self.rng.random() < 0.5:
            if self.response_is_free and self.rng.random() < 0.3:
                self.response_is_free = False
                return {"anchor": "response"}
            if self.free_paragraphs:
                return {"anchor": "paragraph", "paragraph": self.free_paragraphs.pop()}
        # Now and then a second, different problem lies in a sentence that already has one: spans overlap.
        if issue.is_kept and self.used_sentences and self.rng.random() < 0.06:
            sentence = self.rng.choice(self.used_sentences)
        else:
            sentence = self.free_sentences.pop()
            self.used_sentences.append(sentence)
        words = self.text.words(sentence)
        length = min(len(words), self.rng.choice((1, 2, 3, 3, 4, 4, 5, 6)))
        start = self.rng.randrange(len(words) - length + 1)
        return words, start, start + length

    def mark(self, words: list[tuple[int, int]], start: int, end: int, taken: set[tuple[int, int]]) -> dict:
        """One detector's boundaries of an issue; never the same place twice by the same detector."""
        if self.rng.random() < 0.45:
            # Short spans only grow: whatever two detectors do to one issue, their spans share a word.
            most = 1 if end - start > 2 else 0
            start = max(start + self.rng.randint(-1, most), 0)
            end = min(end + self.rng.randint(-most, 1), len(words))
        wider = ((left, right) for left in range(start, -1, -1) for right in range(end, len(words) + 1))
        start, end = next(
            (left, right)
            for left, right in (*wider, *((n, n + 1) for n in range(len(words))))
            if (words[left][0], words[right - 1][1]) not in taken
        )
        place = (words[start][0], words[end - 1][1])
        taken.add(place)
        return {"start": place[0], "end": place[1], "quote": self.text.text[slice(*place)], "anchor": "words"}


@dataclass
class _Marked:
    """The spans of one item by detector, and by issue."""

    by_detector: dict[str, list[dict]]
    by_issue: list[tuple[Issue, list[dict]]]


def _mark(rng: Random, item: _Item, issues: list[Issue]) -> _Marked:
    places = _Places(rng, item.text)
    taken: dict[str, set[tuple[int, int]]] = {name: set() for name in HUMANS + JUDGES}
    marked = _Marked({name: [] for name in HUMANS + JUDGES}, [])
    for issue in issues:
        place = places.choose(issue)
        spans = []
        for name in issue.found_by:
            anchor = place if isinstance(place, dict) else places.mark(*place, taken[name])
            spans.append(_span(rng, item, issue, name, len(marked.by_detector[name]) + 1, anchor))
            marked.by_detector[name].append(spans[-1])
        marked.by_issue.append((issue, spans))
    return marked


def _span(rng: Random, item: _Item, issue: Issue, detector: str, number: int, anchor: dict) -> dict:
    # Judges explain in the language of the text, as people do: another would tell a reviewer whose a mark is.
    error_type = ERROR_TYPE.get(issue.category, "cultural")
    if error_type == "cultural" and rng.random() < 0.04:
        error_type = "both"
    criticality = rng.choices(("high", "medium", "low"), item.setting.criticality)[0]
    reason = issue.category if issue.is_kept else "not an error"
    return {
        "id": f"{item.id}-{detector}-{number}",
        **anchor,
        "type": error_type,
        "category": "",
        "criticality": criticality,
        "explanation": texts.explain(item.setting.language, reason, anchor.get("quote", "")),
        "correction": "",
        "metadata": {**GENERATED, "issue": f"{item.id}-{issue.key}"},
    }


def _keep(rng: Random, span: dict) -> dict:
    """Keep as it is; one time in twenty with another weight, which keeps the span as well."""
    if rng.random() < 0.05:
        others = [level for level in ("high", "medium", "low") if level != span["criticality"]]
        return {"span": span["id"], "verdict": "correct", "comment": "", "criticality": rng.choice(others)}
    return {"span": span["id"], "verdict": "keep", "comment": ""}


def _reviews(rng: Random, item: _Item, marked: _Marked) -> Iterator[dict]:
    """Each human on the spans of the other and of both judges; a span that goes has at least one reject."""
    reviews: dict[str, list[dict]] = {name: [] for name in HUMANS}
    for issue, spans in marked.by_issue:
        for span, detector in zip(spans, issue.found_by, strict=True):
            reviewers = [name for name in HUMANS if name != detector]
            against = rng.choice(reviewers)
            for name in reviewers:
                if issue.is_kept:
                    review = _keep(rng, span)
                elif name == against or rng.random() < 0.5:
                    review = {"span": span["id"], "verdict": "reject", "comment": ""}
                else:
                    review = _keep(rng, span)
                reviews[name].append(review)
    for name, rows in reviews.items():
        if rows:
            rng.shuffle(rows)
            line = {"kind": "reviews", "item": item.id, **_rater(item, name), "round": 1}
            yield {**line, "reviews": rows, "metadata": GENERATED}


class _SecondExpert:
    """Codes a sample of the gold errors again and differs from the first expert in a fixed number of them."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        sample = rng.sample(range(sum(setting.errors for setting in SETTINGS)), DOUBLY_CODED)
        self.coded = set(sample)
        self.differs = set(sample[:DISAGREED])
        self.seen = -1

    def code(self, category: str) -> str | None:
        """Their category for the next gold error; None for one outside the sample."""
        self.seen += 1
        if self.seen not in self.coded:
            return None
        if self.seen in self.differs:
            return self.rng.choice([other for other in THICK + NOT_THICK[:2] if other != category])
        return category


def _aggregate(item: _Item, marked: _Marked, second_expert: _SecondExpert) -> Iterator[dict]:
    """Groups of spans on one issue, and a category for each error, given to the first span of its group."""
    kept = [(issue, spans) for issue, spans in marked.by_issue if issue.is_kept]
    groups = [[span["id"] for span in spans] for _, spans in kept if len(spans) > 1]
    if groups:
        yield {"kind": "groups", "item": item.id, "groups": groups, "metadata": GENERATED}
    coded: dict[str, list[dict]] = {name: [] for name in EXPERTS}
    for issue, spans in kept:
        coded[EXPERTS[0]].append({"span": spans[0]["id"], "category": issue.category})
        again = second_expert.code(issue.category)
        if again:
            coded[EXPERTS[1]].append({"span": spans[0]["id"], "category": again})
    for name, rows in coded.items():
        if rows:
            line = {"kind": "classifications", "item": item.id, "rater": name, "rater_kind": "human"}
            yield {**line, "classifications": rows, "metadata": GENERATED}


def generate(seed: int = DEFAULT_SEED) -> Iterator[dict]:
    """Yield every line of the project: an item (without "kind"), then its answers. Same seed, same lines."""
    second_expert = _SecondExpert(Random(f"{seed}:second expert"))
    for setting in SETTINGS:
        rng = Random(f"{seed}:{setting.code}")
        items = _items(rng, setting)
        planned = plan(rng, setting, [len(item.text.sentences) for item in items])
        for item, issues in zip(items, planned, strict=True):
            marked = _mark(rng, item, issues)
            yield item.line
            for name, spans in marked.by_detector.items():
                line = {"kind": "spans", "item": item.id, **_rater(item, name), "round": 1}
                yield {**line, "no_errors": not spans, "spans": spans, "metadata": GENERATED}
            yield from _reviews(rng, item, marked)
            yield from _aggregate(item, marked, second_expert)


def items(seed: int = DEFAULT_SEED) -> Iterator[dict]:
    """The lines for `import_items` alone."""
    return (line for line in generate(seed) if "kind" not in line)


def answers(seed: int = DEFAULT_SEED) -> Iterator[dict]:
    """The lines for `import_answers` alone, in the order of the items."""
    return (line for line in generate(seed) if "kind" in line)


def said_by_people_and_judges(lines: Iterable[dict]) -> Iterator[dict]:
    """The lines for `import_answers` where errors are grouped and categorised by what a judge proposes: marks, reviews,
    and the categories of those errors alone that two experts coded."""
    held: list[dict] = []
    for line in lines:
        if line.get("kind") in ("spans", "reviews"):
            yield line
        elif line.get("kind") == "classifications":
            held.append(line)
    twice = {row["span"] for line in held if line["rater"] == EXPERTS[1] for row in line["classifications"]}
    for line in held:
        rows = [row for row in line["classifications"] if row["span"] in twice]
        if rows:
            yield {**line, "classifications": rows}


def prompts_of(items: Iterable[dict]) -> Iterator[dict]:
    """The lines for `import_prompts`: each prompt once."""
    seen = set()
    for item in items:
        if item["prompt_id"] not in seen:
            seen.add(item["prompt_id"])
            yield {name: item[name] for name in ("prompt_id", "prompt", "variety", "task", "domain")}


def as_collected(item: dict, seed: int = DEFAULT_SEED) -> str:
    """The text of an item before its grammar was corrected: in one of three a word stands twice."""
    rng = Random(f"{seed}:slip:{item['id']}")
    text = item["response"]
    if rng.randrange(SLIP_EVERY):
        return text
    start, end = rng.choice(texts.words_within(text, 0, len(text)))
    return f"{text[:end]} {text[start:]}"
