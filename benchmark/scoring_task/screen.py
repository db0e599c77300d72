"""What the scoring screen shows: the question, its reference, the answer as it is scored. Never a model, and never
anybody's score."""

from typing import Any

from agreement.answers.thinking import without_thinking
from benchmark.models import Answer, Question
from benchmark.prompting import beside_prompt, language_in_words
from benchmark.scoring import reply_of
from benchmark.scoring_task.checking import HIGHEST, LOWEST
from projects.models import LanguageVariety


def words_of(answer: Answer) -> str:
    """The answer as it is scored: without what a model thought beforehand."""
    reply = reply_of(answer)
    return without_thinking(reply.content, reply.reasoning, reply.tags).text


def screen(answer: Answer, question: Question, body: dict) -> dict[str, Any]:
    """Template context; `task` is what the page's script reads. The answer needs `configuration__card` and `response`,
    the question `prompt__variety`."""
    expected = LanguageVariety.objects.filter(tag=question.expected_language).first()
    written = expected or question.prompt.variety
    passage, options = beside_prompt(question.prompt.text, question.input_text, question.options)
    return {
        "prompt": question.prompt,
        "passage": passage,
        "options": options,
        "reference": question.reference,
        "expected": language_in_words(question.expected_language, is_translated=True),
        "written": written,
        "answer": words_of(answer),
        "task": {
            "draft": body,
            "lang": written.tag,
            "dir": written.direction,
            "lowest": LOWEST,
            "highest": HIGHEST,
        },
    }
