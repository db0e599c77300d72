from formats.importing.command import ImportCommand


class Command(ImportCommand):
    help = "Import frozen rubrics (JSONL), with their prompts where those are new, into a project: all or nothing."
    kind = "rubrics"
