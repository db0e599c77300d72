import { csrfToken } from "../site/csrf.js";
import { reach } from "../task_kit/transport.js";
import { clock, gettext, interpolate } from "../site/text.js";

const PAUSE = 400; // milliseconds without a change before an answer is sent
const RETRY_FIRST = 2000;
const RETRY_LONGEST = 60_000;

/**
 * Saves each question of the form by itself, one request at a time per question, as soon as its answer changes.
 * Without it, or without a connection, handing in carries all answers all the same.
 */
export function startSaving(form) {
  const status = document.getElementById("quiz-saved");
  for (const question of form.querySelectorAll("[data-save]")) {
    const saver = new Saver(question, (text) => { status.textContent = text; });
    question.addEventListener("change", () => saver.changed());
  }
  form.addEventListener("submit", () => { form.dataset.leaving = "yes"; });
}

class Saver {
  constructor(question, tell) {
    this.question = question;
    this.tell = tell;
    this.saves = Number(question.dataset.saves);
    this.timer = 0;
    this.isBusy = false;
    this.isStale = false;
    this.failures = 0;
  }

  changed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), PAUSE);
  }

  answer() {
    const fields = new URLSearchParams();
    const given = [...this.question.querySelectorAll("input:checked, input[type=hidden]")];
    for (const { name, value, form } of given) if (form && value) fields.append(name, value);
    return fields;
  }

  async save() {
    if (this.isStale || this.question.closest("form").dataset.leaving) return; // handing in carries the answers
    if (this.isBusy) {
      this.changed();
      return;
    }
    this.isBusy = true;
    const answer = await reach(this.question.dataset.save, {
      method: "POST",
      headers: { "X-CSRFToken": csrfToken(), "If-Match": `"${this.saves}"`, Accept: "application/json" },
      body: this.answer(),
    });
    this.isBusy = false;
    if (!answer || (answer.response.ok && !("saves" in answer.data))) {
      this.retryLater(0);
      this.tell(gettext("Not saved: there is no connection. Your answers stay on this page; handing in sends all of them."));
    } else this.answered(answer);
  }

  answered({ response, data }) {
    if (response.ok) {
      this.failures = 0;
      this.saves = data.saves;
      this.tell(interpolate(gettext("Saved %(time)s"), { time: clock(new Date()) }));
    } else if (!data || [429, 502, 503, 504, 507].includes(response.status)) {
      this.retryLater(Number(response.headers.get("Retry-After")));
    } else {
      this.failures = 0;
      this.isStale = response.status === 412;
      this.tell(data.error.message);
    }
  }

  /** The same answer again, later each time and never before the server asked for it. */
  retryLater(seconds) {
    this.failures += 1;
    const growing = Math.min(RETRY_FIRST * 2 ** (this.failures - 1), RETRY_LONGEST) * (0.8 + Math.random() * 0.4);
    const wait = Math.max(seconds * 1000, growing);
    this.tell(interpolate(gettext("Kept on this page – will be sent again in %(seconds)s s"), { seconds: Math.ceil(wait / 1000) }));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), wait);
  }
}
