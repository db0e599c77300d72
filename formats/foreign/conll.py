"""CoNLL: a token a line with its columns, the last a tag (B-X, I-X, O, with E- and S- where a file has them), an empty
line between sentences.

The text is the tokens with spaces between them: what stood between them in the source the format does not keep. A line
`# sent_id = ...` or `# id ...` names the sentence. Whose the marks are, a mapping says.
"""

import re
from collections.abc import Iterable, Iterator

from formats.foreign.documents import Answer, Document, Mark
from formats.reading import Record

READS = "paragraphs"
RATER = "CoNLL"
ID = re.compile(r"#\s*(?:sent_id|id)\s*[=:]?\s*(\S.*)")


def document_of(record: Record) -> Document | None:
    """One sentence; None for a paragraph without tokens, such as -DOCSTART-."""
    key, tokens, tags = str(record.line), [], []
    for line in record.fields["lines"]:
        named = ID.match(line)
        if named:
            key = named[1].strip()
        elif not line.startswith(("#", "-DOCSTART-")):
            columns = line.split("\t") if "\t" in line else line.split()
            tokens.append(columns[0])
            tags.append(columns[-1] if len(columns) > 1 else "O")
    if not tokens:
        return None
    return Document(key, " ".join(tokens), {}, [Answer(RATER, _marks(tokens, tags))], record.line)


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
    """A sentence for each answer; marks that begin or end within a word cover all of it, and of two that overlap the
    first is kept: the format holds no more."""
    for document in documents:
        for answer in document.answers:
            yield f"# id = {document.key}\n".encode()
            place, open_mark = 0, None
            for token in document.text.split(" "):
                end = place + len(token)
                found = next((mark for mark in answer.marks if mark.start < end and place < mark.end), None)
                prefix = "I" if found is not None and found is open_mark else "B"
                if token.strip():
                    tag = f"{prefix}-{found.category or 'mark'}" if found else "O"
                    yield f"{''.join(token.split())}\t{tag}\n".encode()
                place, open_mark = end + 1, found
            yield b"\n"
