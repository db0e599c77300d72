"""A board of 470 questions as ABBL has them, with answers as long as models write: up to 4,000 characters of Arabic."""

import random

from benchmark.models import Answer, Configuration, RuleScore, RuleUse, Ruling
from projects.anchors import sha256
from projects.models import Project, Response
from tests.benchmark.boards import configuration, frozen_set, judge, open_questions

QUESTIONS, LONGEST, SKILLS = 470, 4_000, 22
PASSAGES = 64
WORDS = ("الكتاب", "النهر", "في", "على", "المدينة", "يقول", "الشاعر", "إن", "البيت", "كتب", "الجواب", "هو", "& <b>")


def long_text(chance: random.Random, least: int, most: int) -> str:
    """Arabic words in paragraphs, of between `least` and `most` characters; a text in three is of the most."""
    wanted = most if chance.random() < 1 / 3 else chance.randint(least, most)
    words: list[str] = []
    length = 0
    while length < wanted:
        words.append(chance.choice(WORDS) + ("\n" if chance.random() < 0.03 else ""))
        length += len(words[-1]) + 1
    return " ".join(words)[:wanted].strip()


def long_board(project: Project) -> Configuration:
    """One model that has answered everything and was judged, with a reason of 600 characters for every score."""
    chance = random.Random(13)
    passages = [long_text(chance, 500, 3_000) for _passage in range(PASSAGES)]
    lines = open_questions(QUESTIONS, skill=[f"Skill {at % SKILLS:02d}" for at in range(QUESTIONS)])
    for at, line in enumerate(lines):
        line |= {"instruction": f"{at}: {long_text(chance, 40, 400)}", "output": long_text(chance, 20, 800)}
        if at % 3 == 0:
            line["input"] = passages[at % PASSAGES]
    question_set = frozen_set(project, *lines)
    simba, row = judge(project), configuration(project, "Talkative")
    questions = list(question_set.questions.select_related("prompt__variety").order_by("position"))
    uses = dict(RuleUse.objects.filter(question__question_set=question_set).values_list("question", "target_sha256"))
    texts = [long_text(chance, 200, LONGEST) for _question in questions]
    responses = Response.objects.bulk_create(
        Response(
            project=project,
            prompt=question.prompt,
            variety=question.prompt.variety,
            target_model=row.target_model,
            key=f"talkative-{question.key}",
            text=text,
            text_sha256=sha256(text),
        )
        for question, text in zip(questions, texts, strict=True)
    )
    answers = Answer.objects.bulk_create(
        Answer(configuration=row, prompt=response.prompt, response=response) for response in responses
    )
    pairs = list(zip(questions, answers, strict=True))
    Ruling.objects.bulk_create(
        Ruling(answer=answer, target_sha256=question.target_sha256, state="answered") for question, answer in pairs
    )
    RuleScore.objects.bulk_create(
        RuleScore(
            answer=answer,
            target_sha256=uses[question.pk],
            rater=simba,
            value=float(chance.randint(0, 10)),
            detail={"reason": long_text(chance, 100, 600)},
        )
        for question, answer in pairs
    )
    return row
