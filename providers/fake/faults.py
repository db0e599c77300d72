"""How the simulated provider can be told to fail: by the end of a model's name, or through /control.

`simulated-1:refuse` always refuses. POST /control {"faults": ["ratelimit", "error"]} makes the next two requests
fail so; {"shares": {"error": 0.3}} makes three in ten fail, decided by a hash of the request's number;
{"refused": {"simulated-1": ["these words"]}} makes that model refuse every text in which the words stand, and
{"leniency": {"simulated-1": 0.1}, "noise": 0.05} tells how it grades by criteria (grading.py), and
{"leaning": {"simulated-1": {"lenient": 0.5, "first": 0.3, "noise": 0.6}}} how it rates (rating.py) and
scores by a reference (scoring.py), there in points. Of grading,
{"habits": {"simulated-1": {"verbose": 0.5, "misses_implicit": 1, "granted": ["these words"]}}} tells further defects.

Three faults are of the connection and not of the answer (BROKEN): `hang` answers nothing until the caller gives up,
`cutstream` ends in the middle of an answer that was announced whole, `reset` drops the connection before it reads.
A provider charges for the first two: what it had said by then, it had said.
{"memory": {...}} tells which texts a model knows by heart (memory.py), {"replies": {"simulated-1": "A"}} makes it say
the same whatever it is asked.
Which parameters it refuses or passes over, and what it says beside an answer, is told as abilities.py has it.
"""

import json
from dataclasses import dataclass, field, replace
from typing import Any

from providers.fake import abilities, answers, memory
from providers.fake.grading import Habit
from providers.fake.rating import Leaning

FAULTS = frozenset(
    {
        "slow",
        "refuse",
        "filter",
        "truncate",
        "malformed",
        "prose",
        "empty",
        "ratelimit",
        "error",
        "badrequest",
        "othermodel",
        "echo",
        "errorbody",
        "toolcall",
        "cut",
        "null",
        "astray",
        "first",
        "hang",
        "cutstream",
        "reset",
    }
)
BROKEN = frozenset({"hang", "cutstream", "reset"})
Answer = tuple[int, dict[str, str], dict]  # status, extra headers, body


@dataclass
class Settings:
    latency_ms: float = 0
    seed: str = "0"
    retry_after: float = 1
    slow_ms: float = 2000
    faults: list[str] = field(default_factory=list)
    shares: dict[str, float] = field(default_factory=dict)
    refused: dict[str, list[str]] = field(default_factory=dict)
    leniency: dict[str, float] = field(default_factory=dict)
    noise: float = 0
    leaning: dict[str, dict[str, float]] = field(default_factory=dict)
    habits: dict[str, dict[str, Any]] = field(default_factory=dict)
    refuses_parameters: list[str] = field(default_factory=list)
    ignores_parameters: list[str] = field(default_factory=list)
    refuses_silently: bool = False
    reasoning_tokens: int = 0
    fingerprint: str = ""
    models: list[dict] = field(default_factory=list)
    memory: dict[str, dict[str, Any]] = field(default_factory=dict)
    replies: dict[str, str] = field(default_factory=dict)
    record: bool = False
    # What it counts as a token of what is sent; 0 counts a hundred tokens, whatever comes.
    bytes_of_a_token: float = 0

    def change(self, values: dict) -> None:
        """Raises ValueError for what it does not know."""
        unknown = set(values) - set(self.__dataclass_fields__) - {"reset"}
        faults = [*values.get("faults", []), *values.get("shares", {})]
        unknown |= set(faults) - FAULTS
        if unknown:
            raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
        for leniency in (0, *values.get("leniency", {}).values()):
            Habit.of(leniency, values.get("noise", self.noise))
        for leaning in values.get("leaning", {}).values():
            Leaning(**leaning)  # raises TypeError for what it does not know
        for habit in values.get("habits", {}).values():
            Habit(**habit)  # likewise
        if values.get("reset"):
            vars(self).update(vars(Settings(latency_ms=self.latency_ms, seed=self.seed)))
        for name, value in values.items():
            if name != "reset":
                setattr(self, name, value)

    def habit(self, model: str) -> Habit:
        return replace(Habit.of(self.leniency.get(model, 0), self.noise), **self.habits.get(model, {}))

    def leaning_of(self, model: str) -> Leaning:
        return Leaning(**self.leaning.get(model, {}))

    def refuses(self, model: str, messages: list[dict]) -> bool:
        words = self.refused.get(model, [])
        return bool(words) and any(word in answers.asked(messages) for word in words)

    def fault(self, model: str, number: int) -> str:
        """The fault of request `number`, or an empty string."""
        suffix = model.rpartition(":")[2] if ":" in model else ""
        if suffix in FAULTS:
            return suffix
        if self.faults:
            return self.faults.pop(0)
        dice = (answers.numbers(self.seed, str(number))[0] + 0.5) / 256
        for name, share in self.shares.items():
            if dice < share:
                return name
            dice -= share
        return ""


def counted(
    settings: Settings, answer: tuple[int, dict[str, str], dict], size: int
) -> tuple[int, dict[str, str], dict]:
    """The answer with the tokens of a request of so many bytes, where it was told to count them."""
    usage = answer[2].get("usage")
    if usage and settings.bytes_of_a_token:
        usage["prompt_tokens"] = round(size / settings.bytes_of_a_token)
        usage["total_tokens"] = usage["prompt_tokens"] + usage["completion_tokens"]
    return answer


def completion(model: str, content: str | None, finish_reason: str = "stop", **message: object) -> dict:
    words = len((content or "").split())
    return {
        "id": "simulated",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content, **message},
                "finish_reason": finish_reason,
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": words, "total_tokens": 100 + words},
    }


def respond(settings: Settings, request: dict, fault: str) -> tuple[int, dict[str, str], dict]:
    """Status, extra headers and body of a chat completion."""
    model = str(request.get("model", ""))
    messages = request.get("messages", [])
    if refusal := abilities.refusal(request, settings.refuses_parameters, is_silent=settings.refuses_silently):
        return 400, {}, refusal
    if fault == "ratelimit":
        return 429, {"Retry-After": f"{settings.retry_after:g}"}, error("Too many requests (simulated)")
    if fault == "error":
        return 500, {}, error("Something broke (simulated)")
    if fault == "badrequest":
        return 400, {}, error("This request is not understood (simulated)")
    if fault == "errorbody":
        return 200, {}, error("Overloaded (simulated)")
    if fault == "refuse" or settings.refuses(model, messages):
        return 200, {}, completion(model, answers.REFUSAL)
    if fault == "filter":
        return 200, {}, completion(model, "", "content_filter")
    if fault == "toolcall":
        call = {"id": "1", "type": "function", "function": {"name": "grade", "arguments": "{}"}}
        return 200, {}, completion(model, None, "tool_calls", tool_calls=[call])
    if model in settings.replies:
        return 200, {}, completion(model, settings.replies[model])
    if model in settings.memory:
        by_heart = memory.remembered(model, answers.asked(messages), settings.memory[model])
        if by_heart is not None:
            return 200, {}, completion(model, by_heart)
    good = answers.answer(
        answers.stirred(settings.seed, request, messages),
        messages,
        model,
        settings.habit(model),
        settings.leaning_of(model),
        abilities.schema_of(request),
    )
    if not good.startswith("{"):  # the prompt stands by itself, and brings no form of its own
        good = abilities.in_form(request, settings.ignores_parameters) or good
    if not fault or fault in BROKEN:
        return 200, {}, with_abilities(completion(model, good), settings, request)
    marked = answers.marked(messages)
    contents = {
        "truncate": (good[: len(good) // 2], "length"),
        "cut": (good[: len(good) // 2], "stop"),
        "malformed": (answers.misnamed(good) if marked else good, "stop"),
        "prose": ("Simulated: the text reads well to me.", "stop"),
        "empty": ("", "stop"),
        "null": ("null", "stop"),
        "astray": (answers.astray(good) if marked else good, "stop"),
        "first": (answers.biased(good, messages) if marked else good, "stop"),
        "echo": (marked[1] if marked else answers.asked(messages), "stop"),
    }
    if fault in contents:
        content, finish_reason = contents[fault]
        return 200, {}, completion(model, content, finish_reason)
    answered_by = "gpt-4o-mini" if fault == "othermodel" else model
    return 200, {}, with_abilities(completion(answered_by, good), settings, request)


def with_abilities(answer: dict, settings: Settings, request: dict) -> dict:
    """The completion with what the request asked for beside the text."""
    abilities.add(answer, request, settings.ignores_parameters, settings.reasoning_tokens, settings.fingerprint)
    return answer


def error(message: str) -> dict:
    return {"error": {"message": message, "type": "simulated", "code": None}}


def dump(body: dict) -> bytes:
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
