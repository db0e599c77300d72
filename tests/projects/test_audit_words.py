"""Whatever is written into the audit log has words there that people can read."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.apps import apps

from projects.audit_words import WORDS

ACTION = re.compile(r"[a-z_]+\.[a-z_]+")
# What writes an action down, or is given one to write.
WRITERS = {"record", "_record", "noted", "account_event", "_receiver", "_move", "_again", "_go_on", "_end", "stop"}


def actions_of(tree: ast.AST) -> Iterator[str]:
    """Each action that is named to a writer, or kept for one under the name `action`."""
    for node in ast.walk(tree):
        given: list[ast.expr] = []
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            given = list(node.args) if name in WRITERS else []
        elif isinstance(node, ast.Assign) and any(getattr(to, "id", "") == "action" for to in node.targets):
            given = [node.value]
        parts = [
            part for each in given for part in ([each.body, each.orelse] if isinstance(each, ast.IfExp) else [each])
        ]
        yield from (
            part.value
            for part in parts
            if isinstance(part, ast.Constant) and isinstance(part.value, str) and ACTION.fullmatch(part.value)
        )


def actions() -> set[str]:
    root = Path(__file__).resolve().parents[2]
    folders = [Path(app.path) for app in apps.get_app_configs() if Path(app.path).parent == root]
    return {
        name for folder in folders for file in folder.rglob("*.py") for name in actions_of(ast.parse(file.read_text()))
    }


def test_every_action_has_words():
    found = actions()
    assert len(found) > 80
    assert {"sign_in.failed", "job.paused", "quiz.opened", "stage.closed"} <= found
    assert sorted(found - WORDS.keys()) == []
