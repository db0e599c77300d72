"""What a model is sent of a question: instruction, passage and options as one text."""

from collections.abc import Mapping, Sequence


def prompt_text(instruction: str, input_text: str = "", options: Sequence[Mapping[str, str]] = ()) -> str:
    """The parts with an empty line between them; options one a line, unless the instruction lists them all itself."""
    parts = [instruction, input_text]
    if not all(option["text"] in instruction for option in options):
        parts.append("\n".join(f"{option['label']}. {option['text']}" for option in options))
    return "\n\n".join(part for part in parts if part)


def beside_prompt(prompt: str, input_text: str, options: Sequence[Mapping[str, str]]) -> tuple[str, str]:
    """Passage and options, one a line, as far as the prompt does not hold them: whoever is shown it reads nothing
    twice. An instruction that lists the options itself may leave out the labels by which a reference names them."""
    lines = [f"{option['label']}. {option['text']}" for option in options]
    return "" if input_text in prompt else input_text, "" if all(line in prompt for line in lines) else "\n".join(lines)
