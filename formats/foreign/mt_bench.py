"""MT-Bench: questions, answers of models and judgments, the zipped folder of all of them or one file after the other.

https://github.com/lm-sys/FastChat (fastchat/llm_judge): question.jsonl (question_id, category, turns), model_answer/
(question_id, model_id, choices with turns), model_judgment/ of pairs (model_1, model_2, g1_winner, g2_winner, judge,
turn; the second game shows model_2 first) and of single answers (model, score from 1 to 10, -1 where none was read).

A turn of an answer is a response, `81/vicuna-13b/1`; the prompt of the second turn holds both turns' words, without
what the model answered in between, for two models are asked the same. Texts need the questions, so that items come from
the folder; answers come from a file of judgments as well.
"""

import re
import uuid
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from tempfile import TemporaryFile
from typing import Any

import orjson
from django.utils.translation import gettext as _

from formats.foreign.documents import wrong
from formats.foreign.rated import Game, Rated
from formats.reading import Record
from projects.problems import Invalid, Problem

READS = "jsonl"
#: Answers and pairs that wait for the questions, which stand behind them in the folder.
MOST_WAITING = 100_000
WINNERS = {"model_1": "first", "model_2": "second", "tie": "tie"}


class Folder:
    """What is remembered from line to line."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.questions: dict[str, list[str]] = {}
        self.categories: dict[str, str] = {}
        self.answers: list[tuple[int, str, str, list[str]]] = []
        self.pairs: dict[tuple[str, str, str, int], int] = {}

    def take(self, record: Record) -> Iterator[Record]:
        """Answers of judges at once; texts wait for the questions, and pairs for their texts."""
        fields, line = record.fields, record.line
        question = str(fields.get("question_id", ""))
        turns = fields.get("turns")
        if question and isinstance(turns, list) and turns and all(isinstance(each, str) for each in turns):
            self.questions[question] = turns
            self.categories[question] = str(fields.get("category") or "")
        elif question and isinstance(fields.get("choices"), list):
            answers = (fields["choices"] or [{}])[0].get("turns")
            if not isinstance(answers, list) or not isinstance(fields.get("model_id"), str):
                raise wrong(_("An answer of MT-Bench has a “model_id”, and “turns” under “choices”."), line, "choices")
            self.answers.append((line, question, fields["model_id"], [str(each) for each in answers]))
        elif question and "g1_winner" in fields and "g2_winner" in fields:
            first, second, turn = str(fields.get("model_1")), str(fields.get("model_2")), turn_of(fields, line)
            self.pairs.setdefault((question, first, second, turn), line)
            if self.kind == "answers":
                yield from of_pair(record, f"{question}/{first}/{second}/{turn}")
        elif question and "score" in fields and "model" in fields:
            if self.kind == "answers":
                yield of_answer(record, f"{question}/{fields['model']}/{turn_of(fields, line)}")
        else:
            raise wrong(_("This is no question, answer or judgment of MT-Bench."), line, "question_id")
        if len(self.answers) + len(self.pairs) > MOST_WAITING:
            message = _("The folder has more than %(limit)d answers.")
            raise Invalid(Problem("too_many", message % {"limit": MOST_WAITING}, line=line))

    def rest(self) -> Iterator[Record | Problem]:
        """Texts and then pairs, once all has been read."""
        if self.kind != "items":
            return
        for line, question, model, answers in self.answers:
            turns = self.questions.get(question)
            if turns is None:
                message = _("Its question is in no question.jsonl beside it: import the whole folder as .zip.")
                yield Problem("no_question", message, "question_id", line)
                continue
            for turn, answer in enumerate(answers[: len(turns)], start=1):
                if not answer:
                    continue
                item = {"prompt_id": f"{question}/{turn}", "prompt": "\n\n".join(turns[:turn]), "model": model}
                domain = {"domain": self.categories[question]} if self.categories[question] else {}
                yield Record(line, {"id": f"{question}/{model}/{turn}", **item, "response": answer, **domain})
        answered = {
            (question, model, turn) for _line, question, model, turns in self.answers for turn in turns_of(turns)
        }
        for (question, first, second, turn), line in self.pairs.items():
            if (question, first, turn) in answered and (question, second, turn) in answered:
                sides = {"first": f"{question}/{first}/{turn}", "second": f"{question}/{second}/{turn}"}
                yield Record(line, {"kind": "pair", "id": f"{question}/{first}/{second}/{turn}", **sides})


def turns_of(answers: list[str]) -> list[int]:
    return [turn for turn, answer in enumerate(answers, start=1) if answer]


def turn_of(fields: dict[str, Any], line: int) -> int:
    turn = fields.get("turn", 1)
    if type(turn) is not int or not 1 <= turn <= 9:
        raise wrong(_("The turn of a judgment is 1 or 2."), line, "turn")
    return turn


def judge_of(fields: dict[str, Any]) -> dict[str, Any]:
    """The judge's model and the template that it was asked by, as the file names them."""
    judge = fields.get("judge")
    model, template = (str(each) for each in judge) if isinstance(judge, list) and len(judge) == 2 else ("judge", "")
    name = f"{model} ({template})" if template else model
    return {"rater": name[:120], "rater_kind": "judge", "model": model}


def of_pair(record: Record, pair: str) -> Iterator[Record]:
    """The two games: in the second the answer of model_2 was shown first."""
    for game in (1, 2):
        winner = record.fields[f"g{game}_winner"]
        said = {"preference": WINNERS[winner]} if winner in WINNERS else {"unparseable": True}
        reason = record.fields.get(f"g{game}_judgment")
        comment = {"comment": reason} if isinstance(reason, str) and reason else {}
        order = {"both_orders": True, "swapped": game == 2}
        line = {"kind": "ratings", "pair": pair, **judge_of(record.fields), **said, **order, **comment}
        yield Record(record.line, line)


def of_answer(record: Record, item: str) -> Record:
    score = record.fields["score"]
    is_grade = isinstance(score, (int, float)) and not isinstance(score, bool) and score >= 0
    said = {"grade": score} if is_grade else {"unparseable": True}
    reason = record.fields.get("judgment")
    comment = {"comment": reason} if isinstance(reason, str) and reason else {}
    return Record(record.line, {"kind": "ratings", "item": item, **judge_of(record.fields), **said, **comment})


# --- Written --------------------------------------------------------------------------------------------

OF_TURN = re.compile(r"(?P<question>.+)/(?P<turn>[12])", re.DOTALL)
NAMED = re.compile(r"(?P<model>.+) \((?P<template>.+)\)", re.DOTALL)
#: So much of the folder is handed on at once.
BLOCK = 1 << 20


def holds(rated: Rated) -> bool:
    """Judges' grades of single answers, and verdicts on pairs that were asked for in both orders."""
    return bool(rated.model) and (not rated.is_pair or rated.is_of_both_orders)


def ratings_written(ratings: Iterable[Rated]) -> Iterator[bytes]:
    """The zipped folder: `question.jsonl`, an answer file for each model, a file of judgments for each judge.

    A prompt `81/2` whose words begin with those of `81/1` is the second turn of question 81; any other is a question
    of one turn. The texts of rated responses are held in memory. Raises Invalid where they are too many.
    """
    written = _Written()
    for rated in ratings:
        written.take(rated)
    with TemporaryFile() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as folder:
            for name, rows in written.files():
                folder.writestr(f"mt_bench/{name}", b"".join(orjson.dumps(row) + b"\n" for row in rows))
        file.seek(0)
        while block := file.read(BLOCK):
            yield block


class _Written:
    def __init__(self) -> None:
        self.prompts: dict[str, tuple[str, str]] = {}
        self.texts: dict[tuple[str, str], str] = {}
        self.judgments: list[Rated] = []

    def take(self, rated: Rated) -> None:
        self.prompts[rated.prompt_key] = rated.prompt, rated.domain
        self.texts |= {(rated.prompt_key, side.model): side.text for side in rated.sides}
        self.judgments.append(rated)
        if len(self.texts) > MOST_WAITING:
            raise Invalid(
                Problem("too_many", _("The folder has more than %(limit)d answers.") % {"limit": MOST_WAITING})
            )

    def files(self) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        questions: dict[str, dict[str, Any]] = {}
        for key in sorted(self.prompts):  # the second turn stands behind the first
            text, domain = self.prompts[key]
            question, turn = self._place(key)
            if turn == 1:
                questions[question] = {"question_id": _number(question), "category": domain, "turns": [text]}
            else:
                questions[question]["turns"].append(text.removeprefix(questions[question]["turns"][0] + "\n\n"))
        yield "question.jsonl", list(questions.values())
        turns: dict[str, dict[str, list[str]]] = defaultdict(dict)
        for (key, model), answer in self.texts.items():
            question, turn = self._place(key)
            turns[model].setdefault(question, [""] * len(questions[question]["turns"]))[turn - 1] = answer
        for model, answered in turns.items():
            yield f"model_answer/{_file(model)}.jsonl", [_answer(model, *each) for each in answered.items()]
        of_judges: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for rated in self.judgments:
            question, turn = self._place(rated.prompt_key)
            kind = "pair" if rated.is_pair else "single"
            of_judges[f"{_file(rated.model)}_{kind}"].append(_judgment(rated, question, turn))
        for name, rows in of_judges.items():
            yield f"model_judgment/{name}.jsonl", rows

    def _place(self, key: str) -> tuple[str, int]:
        """The question of a prompt, and which of its turns it is."""
        found = OF_TURN.fullmatch(key)
        if found is None:
            return key, 1
        first = self.prompts.get(f"{found['question']}/1")
        if found["turn"] == "1":
            return found["question"], 1
        is_second = first is not None and self.prompts[key][0].startswith(first[0] + "\n\n")
        return (found["question"], 2) if is_second else (key, 1)


def _number(question: str) -> int | str:
    return int(question) if question.isascii() and question.isdecimal() and str(int(question)) == question else question


def _file(name: str) -> str:
    """The tool finds models by the names of their files."""
    return name.replace("/", "--").replace("\\", "--")


def _answer(model: str, question: str, turns: list[str]) -> dict[str, Any]:
    answer = uuid.uuid5(uuid.NAMESPACE_OID, f"{question}/{model}").hex
    row = {"question_id": _number(question), "answer_id": answer, "model_id": model}
    return {**row, "choices": [{"index": 0, "turns": turns}], "tstamp": 0.0}


def _judgment(rated: Rated, question: str, turn: int) -> dict[str, Any]:
    named = NAMED.fullmatch(rated.rater)
    template = named["template"] if named and named["model"] == rated.model else rated.rater
    judge = [rated.model, "" if rated.rater == rated.model else template]
    row: dict[str, Any] = {"question_id": _number(question)}
    if rated.is_pair:
        row |= {f"model_{number}": side.model for number, side in enumerate(rated.sides, start=1)}
        row |= {f"g{number}_winner": _winner(game) for number, game in enumerate(rated.games, start=1)}
        row["judge"] = judge
        row |= {f"g{number}_judgment": game.comment for number, game in enumerate(rated.games, start=1)}
    else:
        [game] = rated.games
        score = -1 if game.grade is None else int(game.grade) if game.grade == int(game.grade) else game.grade
        row |= {"model": rated.sides[0].model, "judge": judge, "judgment": game.comment, "score": score}
    return {**row, "turn": turn, "tstamp": rated.given_at.timestamp()}


def _winner(game: Game) -> str:
    if game.weight is None:
        return "error"
    return "tie" if game.weight == 1.5 else "model_1" if game.weight < 1.5 else "model_2"
