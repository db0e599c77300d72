// Leads write the guidelines: each draft is saved as one types, and of two side by side the same section is in sight.
import { csrfToken } from "../site/csrf.js";
import { ask, element } from "../site/dom.js";
import { clock, gettext, interpolate } from "../site/text.js";
import { signInHere } from "../task_kit/signin.js";
import { alignSheets } from "./aligning.js";

const DELAY = 800;
const AGAIN = 5000;

// Whoever put signing in off is not asked again at every word: only where they send the form.
let isPutOff = false;

class Sheet {
  /** `fault` says why what is written is not stored, until it is. */
  constructor(root, { draft, signin }, tell) {
    this.side = root.dataset.sheet;
    this.address = draft;
    this.signin = signin;
    this.fault = "";
    this.tell = tell;
    this.field = (name) => root.querySelector(`[name="${name}-${this.side}"]`);
    this.stored = this.#told();
    this.timer = 0;
    this.sending = null;
    root.addEventListener("input", () => this.#later(DELAY));
  }

  get isStored() {
    const { text, change } = this.#told();
    return text === this.stored.text && change === this.stored.change;
  }

  /** Resolves once what is written is stored, refused, or given up for now. */
  save({ replace = false } = {}) {
    clearTimeout(this.timer);
    this.sending = (this.sending ?? Promise.resolve()).then(() => this.#send(replace));
    return this.sending;
  }

  #told() {
    return { text: this.field("text").value, change: this.field("change").value };
  }

  #later(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), delay);
  }

  async #send(replace) {
    if (this.isStored && !replace) return;
    const told = this.#told();
    const body = JSON.stringify({ ...told, language: this.field("language").value, state: this.field("state").value, replace });
    this.tell(gettext("Saving …"));
    let answer;
    try {
      answer = await fetch(this.address, { method: "PUT", headers: { "Content-Type": "application/json", "X-CSRFToken": csrfToken() }, body });
    } catch {
      this.#fail(gettext("No connection: what you wrote stays on this page and is sent again."));
      this.#later(AGAIN);
      return;
    }
    const said = await answer.json().catch(() => ({}));
    if (answer.status === 412) await this.#met(said);
    else if (answer.ok) this.#keep(told, said.state);
    else await this.#failed(answer.status, said);
  }

  #fail(words) {
    this.fault = words;
    this.tell(words);
  }

  #keep(told, state) {
    this.stored = told;
    this.fault = "";
    this.field("state").value = state;
    const other = [...document.querySelectorAll("input[name=seen]")].find((field) => field.value.startsWith(`${this.field("language").value}=`));
    if (other) other.value = `${this.field("language").value}=${state}`;
    this.tell(interpolate(gettext("Draft saved at %(time)s"), { time: clock(new Date()) }));
  }

  async #failed(status, said) {
    this.#fail(said.error?.message ?? gettext("This could not be saved. It stays on this page."));
    if (status >= 500) this.#later(AGAIN);
    // Signed out; or signed in again in another tab, since when the token of this page is of the session before.
    if (isPutOff || (status !== 401 && status !== 403)) return;
    isPutOff = true;
    if (!await signInHere(this.signin)) return;
    isPutOff = status === 403; // refused for another reason than the token, it would be asked for ever
    this.#later(0);
  }

  /** Another's draft came between. Theirs stands, this one is set aside by the server, so either choice loses nothing. */
  async #met(said) {
    const title = said.by ? interpolate(gettext("%(name)s has saved this language meanwhile"), { name: said.by }) : gettext("Somebody has saved this language meanwhile");
    const theirs = element("textarea", { class: "form-control guidelines__text", rows: 10, readonly: true, dir: this.field("text").dir, lang: this.field("text").lang || null, "aria-label": gettext("What stands now"), text: said.text });
    const choice = await ask({
      title,
      wide: true,
      closable: false,
      content: [element("p", { text: gettext("Both are kept: the one that you do not choose is set aside on this page.") }), theirs],
      buttons: [{ value: "theirs", label: gettext("Go on with theirs") }, { value: "mine", label: gettext("Go on with mine"), kind: "btn-primary" }],
      first: "mine",
    });
    this.field("state").value = said.state;
    if (choice === "mine") return this.#send(true);
    this.field("text").value = said.text;
    this.field("change").value = said.change;
    return this.#keep({ text: said.text, change: said.change }, said.state);
  }
}

const form = document.getElementById("guidelines-edit");
if (form) {
  const state = document.getElementById("guidelines-saved");
  const roots = [...form.querySelectorAll("[data-sheet]")];
  const sheets = roots.map((root) => new Sheet(root, form.dataset, (words) => { state.textContent = words; }));
  if (roots.length === 2) alignSheets(...roots.map((root) => root.querySelector(".guidelines__text")));
  // What the form sends is what was told last: a save on its way would make it another's.
  let isSent = false;
  form.addEventListener("submit", (event) => {
    if (isSent) return;
    event.preventDefault();
    const { submitter } = event;
    isPutOff = false;
    Promise.all(sheets.map((sheet) => sheet.save())).then(() => {
      // Sent now, it would be answered by a page that does not hold what is written: it stays here.
      const left = sheets.find((sheet) => !sheet.isStored);
      if (left) {
        state.textContent = left.fault || gettext("This could not be saved. It stays on this page.");
        return;
      }
      isSent = true;
      form.requestSubmit(submitter);
    });
  });
  document.querySelector("[data-guidelines-chooser]")?.addEventListener("submit", (event) => {
    if (sheets.every((sheet) => sheet.isStored)) return;
    event.preventDefault();
    Promise.all(sheets.map((sheet) => sheet.save())).then(() => { event.target.submit(); });
  });
  window.addEventListener("pageshow", () => { isSent = false; }); // by the back button the page is as it was left
  window.addEventListener("beforeunload", (event) => { if (!isSent && !sheets.every((sheet) => sheet.isStored)) event.preventDefault(); });
  document.documentElement.dataset.guidelines = "ready";
}
