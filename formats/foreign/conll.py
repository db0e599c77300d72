"""CoNLL: a token a line with its columns, the last a tag (B-X, I-X, O, with E- and S- where a file has them), an empty
line between sentences.

The text is the tokens with spaces between them: what stood between them in the source the format does not keep. A line
`# sent_id = ...` or `# id ...` names the sentence. Whose the marks are, a mapping says.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from formats.foreign.documents import Answer, Document, Loss, Mark
from formats.reading import Record

READS = "paragraphs"
HOLDS = frozenset({"categories"})
RATER = "CoNLL"
TOKEN = re.compile(r"\S+")
ID = re.compile(r"#\s*(?:sent_id|id)\s*[=:]?\s*(\S.*)")


def document_of(record: Record) -> Document | None:
    """One sentence; None for a paragraph without tokens, such as -DOCSTART-."""
    key, tokens, tags = str(record.line), [], []
    for line in record.fields["lines"]:
        named = ID.match(line)
        if named:
            key = named[1].strip()
        elif not is_comment(line):
            columns = line.split("\t") if "\t" in line else line.split()
            tokens.append(columns[0])
            tags.append(columns[-1] if len(columns) > 1 else "O")
    if not tokens:
        return None
    return Document(key, " ".join(tokens), {}, [Answer(RATER, _marks(tokens, tags))], record.line)


def is_comment(line: str) -> bool:
    """A token may begin with a number sign too; its columns are then set apart by a tab."""
    return line.startswith(("# ", "-DOCSTART-")) or (line.startswith("#") and "\t" not in line)


def _marks(tokens: list[str], tags: list[str]) -> list[Mark]:
    marks: list[Mark] = []
    place, is_open = 0, False
    for token, tag in zip(tokens, tags, strict=True):
        prefix, _dash, name = tag.partition("-")
        goes_on = is_open and prefix in ("I", "E", "M", "L") and marks[-1].category == name
        if goes_on:
            marks[-1].end = place + len(token)
        elif name and prefix in ("B", "I", "S", "U", "E", "M", "L"):
            marks.append(Mark(str(len(marks) + 1), place, place + len(token), name))
        is_open = bool(name) and prefix in ("B", "I", "M")
        place += len(token) + 1
    return marks


def written(documents: Iterable[Document]) -> Iterator[bytes]:
    """A sentence for each answer. Marks that begin or end within a word cover all of it; of two that share a word the
    one that is first in the list is kept. What stands between words is lost, line ends too."""
    for document in documents:
        tokens = list(TOKEN.finditer(document.text))
        for answer in document.answers:
            tags = ["O"] * len(tokens)
            for mark, covered in kept(tokens, answer.marks):
                for at in covered:
                    tags[at] = f"{'I' if at > covered.start else 'B'}-{mark.category or 'mark'}"
            rows = "".join(f"{token[0]}\t{tag}\n" for token, tag in zip(tokens, tags, strict=True))
            yield f"# id = {document.key}\n{rows}\n".encode()


def kept(tokens: Sequence[re.Match[str]], marks: Iterable[Mark]) -> Iterator[tuple[Mark, range]]:
    """Marks that the format can hold, and the places of the tokens that each covers."""
    ends = [token.end() for token in tokens]
    starts = [token.start() for token in tokens]
    taken: set[int] = set()
    for mark in marks:
        covered = range(bisect_right(ends, mark.start), bisect_left(starts, mark.end))
        if covered and taken.isdisjoint(covered):
            taken.update(covered)
            yield mark, covered


def losses(document: Document) -> dict[str, int]:
    tokens = list(TOKEN.finditer(document.text))
    marks = sum(len(answer.marks) for answer in document.answers)
    held = sum(1 for answer in document.answers for _each in kept(tokens, answer.marks))
    return {Loss.OVERLAPS: marks - held}
