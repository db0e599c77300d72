// The screen of a questionnaire: the rating screen with parts in place of grades.
import { announce } from "../task_kit/announce.js";
import { RatingScreen } from "../ratings/screen.js";
import { PartsDocument } from "./document.js";
import { PartCard } from "./part-card.js";
import { problemsOf, warningsOf } from "./problems.js";

export class QuestionnaireScreen extends RatingScreen {
  newDocument(task) {
    return new PartsDocument(task.draft, task.questions, { rules: task.rules });
  }

  newCard(part) {
    return new PartCard(part, this);
  }

  problemsOf(draft) {
    return problemsOf(this.task, draft);
  }

  warningsOf(draft) {
    return warningsOf(this.task, draft);
  }

  /** Of any of several each press is one more; what else is chosen leads on to what is missing. */
  choose(key) {
    const card = this.cards.get(this.current?.slug);
    if (!card?.stays) return super.choose(key);
    const said = this.locked || this.task.read_only ? null : card.choose(this.current.field, key);
    if (said) announce(said);
    return Boolean(said);
  }
}
