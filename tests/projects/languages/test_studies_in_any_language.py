"""Studies in languages that nobody foresaw: brought in, marked, looked at and taken away, each drawn as it runs."""

import io
import json

import pytest
from django.core.management import call_command

from formats.importing.running import run_import
from formats.reading import Source
from projects.models import LanguageVariety, ProjectVariety, Rater, Response
from tests.people import signed_in
from tests.workflow.working import body, mark, marking_stage, submit
from workflow import claims
from workflow.models import Assignment

pytestmark = pytest.mark.django_db

#: Of each language a tag, its direction, what a model wrote, and what was wrong with it.
TEXTS = {
    "ary": ("rtl", "المغاربة كيفطرو بالحريرة كل صباح.", "كل صباح"),
    "apc": ("rtl", "منعمل التبولة بالرز دايماً.", "بالرز"),
    "fa": ("rtl", "نوروز در پاییز جشن گرفته می‌شود.", "پاییز"),
    "nqo": ("rtl", "ߒߞߏ ߦߋ߫ ߛߓߍߛߎ߲ ߠߋ߬ ߘߌ߫.", "ߛߓߍߛߎ߲"),
    "hi": ("ltr", "होली सर्दियों में मनाई जाती है।", "सर्दियों"),
    "sw": ("ltr", "Ugali hupikwa kwa mchele.", "mchele"),
    "yo": ("ltr", "Ọbẹ̀ ẹ̀gúsí ni a fi ń jẹ búrẹ́dì.", "búrẹ́dì"),
    "bo": ("ltr", "ལོ་གསར་ནི་དབྱར་ཁར་བྱེད།", "དབྱར་ཁ"),
    "chr": ("ltr", "ᏎᎷ ᎤᏁᎦ ᎠᎵᏍᏓᏴᏗ.", "ᎤᏁᎦ"),
}


@pytest.mark.parametrize("tag", TEXTS)
def test_a_study_goes_through_in_any_language(project, nour, mona, tmp_path, tag):
    direction, text, wrong = TEXTS[tag]
    line = {"id": "r1", "prompt": text, "variety": "OURS", "model": "M", "laboratory": "L", "response": text}
    lead, client = signed_in(nour), signed_in(mona)
    assert lead.post(f"/p/{project.slug}/languages/add/", {"language": tag, "short_name": "OURS"}).status_code == 302
    brought = run_import(project, Source(io.BytesIO(json.dumps(line).encode())), "items")
    assert brought.is_stored, brought.problems
    variety = LanguageVariety.objects.get(tag=tag)
    rater = Rater.objects.get(user=mona)
    rater.varieties.set([variety])
    stage = marking_stage(project)

    taken = claims.claim_next(rater, stage)
    assert isinstance(taken, Assignment)
    shown = client.get(f"/tasks/{taken.uuid}/").content.decode()
    assert f'lang="{tag}" dir="{direction}"' in shown
    response = Response.objects.get()
    answer = submit(client, taken, 1, body(mark(response, wrong)))
    assert answer.status_code == 200, answer.content

    results = lead.get(f"/p/{project.slug}/results/")
    assert results.status_code == 200
    listed = lead.get(f"/p/{project.slug}/responses/").content.decode()
    assert "OURS" in listed
    call_command("export_gold", project.slug, "-o", str(tmp_path / "gold.jsonl"))
    stored = [json.loads(line) for line in (tmp_path / "gold.jsonl").read_text("utf-8").splitlines()]
    assert (tag, text) in {(line.get("variety"), line.get("response")) for line in stored}
    assert ProjectVariety.objects.get(project=project).short_name == "OURS"
