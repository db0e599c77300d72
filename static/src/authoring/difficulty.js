// The difficulty check: the prompt is tried once on a model, and the author says how it did. What the model answered is
// shown once and kept nowhere, neither on the server nor on this device.
import { element } from "../site/dom.js";
import { clock, gettext, interpolate } from "../site/text.js";
import { announce } from "../task_kit/announce.js";
import { send } from "../task_kit/transport.js";
import { sha256 } from "./checks.js";
import { Choices, Field } from "./section.js";

const PATIENCE = 180_000; // a model that thinks long still answers within this

export class Difficulty {
  /** @param {import("./screen.js").AuthoringScreen} screen */
  constructor(screen) {
    Object.assign(this, { screen, task: screen.task, checks: screen.checks });
    this.state = element("div", { class: "difficulty__state", role: "status" });
    this.live = element("div", { class: "difficulty__live" });
    this.problem = element("p", { class: "notice notice--error", role: "alert", hidden: true });
    this.form = this.task.read_only ? null : this.#form();
    this.root = element("div", { class: "stack", "data-field": "difficulty" }, this.state, this.live, this.problem, this.form);
    this.show();
  }

  show() {
    const { current, last } = this.checks;
    if (this.shown && this.refused !== this.screen.document.state.prompt) this.showProblem("");
    const spelt = JSON.stringify([current, last, this.screen.document.state.prompt.trim() === "", this.screen.fixed]);
    if (spelt === this.shown) return;
    this.shown = spelt;
    this.state.replaceChildren(...this.#stateOf(current, last));
    if (this.form) this.form.hidden = Boolean(current) || Boolean(this.request);
    if (current?.outcome && this.live.childElementCount) this.live.replaceChildren();
  }

  showProblem(message) {
    this.problem.textContent = message;
    this.problem.hidden = !message;
    this.refused = this.screen.document.state.prompt; // said of these words alone
  }

  focus() {
    const target = this.root.querySelector("button:not([hidden]), input") ?? this.root;
    target.focus({ preventScroll: true });
    this.root.scrollIntoView({ block: "center" });
  }

  #stateOf(current, last) {
    if (current?.outcome === "perfect") return [this.#perfect(current)];
    if (current?.outcome) return [element("p", { class: "notice notice--good", text: this.#said(current) })];
    if (current) return this.request || this.answered ? [] : [this.#unmarked(current)];
    if (!last) return [];
    return [element("p", { class: "notice notice--warning" },
      gettext("The prompt was changed since it was checked, so that check no longer holds."), " ", this.#said(last))];
  }

  #said(check) {
    const outcome = this.task.outcomes.find(({ value }) => value === check.outcome)?.label ?? gettext("not said");
    return interpolate(gettext("%(model)s, %(time)s: %(outcome)s"), { model: `\u2068${check.model}\u2069`, time: `\u2068${when(check.asked_at)}\u2069`, outcome });
  }

  #perfect(check) {
    const actions = this.screen.fixed ? [] : [
      element("button", { type: "button", class: "btn btn-sm btn-secondary", text: gettext("Revise the prompt"), on: { click: () => this.screen.goTo({ field: "prompt" }) } }),
      element("button", { type: "button", class: "btn btn-sm btn-outline-danger", text: gettext("Discard this prompt"), on: { click: () => this.screen.skip() } })];
    return element("div", { class: "notice notice--error" },
      element("p", {}, element("strong", { text: this.#said(check) }), " ",
        gettext("A prompt that is answered perfectly tells no models apart, so it cannot be frozen. Make it harder and check it again, or discard it.")),
      ...actions);
  }

  /** A check whose answer was never marked: the answer is gone, what the author remembers of it is not. */
  #unmarked(check) {
    return element("div", { class: "stack" },
      element("p", { class: "notice notice--warning", text: interpolate(gettext("This prompt was sent to %(model)s, and how it did was not said yet. The answer itself was thrown away: if you did not read it, change the prompt and try again."), { model: `\u2068${check.model}\u2069` }) }),
      this.screen.fixed ? null : this.#outcomes(check));
  }

  #form() {
    const { asker } = this.task;
    const byHand = this.#byHand();
    if (!asker) return element("div", { class: "stack" }, element("p", { class: "muted", text: gettext("Ask a model of your choice in a new conversation, elsewhere. Then say here which one it was and how it did.") }), byHand);
    return element("div", { class: "stack" },
      element("div", {}, element("button", { type: "button", class: "btn btn-secondary", text: interpolate(gettext("Try it on %(model)s"), { model: asker.model }), on: { click: () => this.#ask() } })),
      element("details", {}, element("summary", { class: "small", text: gettext("You tried it elsewhere?") }), byHand));
  }

  #byHand() {
    const name = element("input", { type: "text", class: "form-control", id: "difficulty-model", maxlength: 200, autocomplete: "off", dir: "auto" });
    const model = new Field({ name: "model", label: gettext("Which model?"), control: name });
    const outcome = new Choices({ name: "outcome", id: "difficulty-outcome", label: gettext("How did it do?"), options: this.task.outcomes, choose: () => outcome.showProblem("") });
    const record = () => {
      model.showProblem(name.value.trim() ? "" : gettext("Say which model was asked."));
      outcome.showProblem(outcome.value ? "" : gettext("Say how it did."));
      if (!name.value.trim()) return model.focus();
      if (!outcome.value) return outcome.focus();
      const { prompt } = this.screen.document.state;
      return this.#settle(this.task.urls.difficulty_by_hand, { prompt, model: name.value.trim(), outcome: outcome.value });
    };
    return element("div", { class: "stack difficulty__by-hand" }, model.root, outcome.root,
      element("div", {}, element("button", { type: "button", class: "btn btn-secondary", text: gettext("Record the check"), on: { click: record } })));
  }

  /** The three ways a model can do, as buttons: pressing one settles it. */
  #outcomes(check) {
    return element("div", { class: "field", role: "group", "aria-label": gettext("How did it do?") },
      element("p", { class: "field__label", text: gettext("How did it do?") }),
      element("div", { class: "cluster" }, ...this.task.outcomes.map(({ value, label }) => element("button", {
        type: "button", class: "btn btn-secondary", text: label,
        on: { click: () => this.#settle(this.task.urls.difficulty_mark, { check: check.id, outcome: value }) },
      }))));
  }

  /** Sends the prompt once. The answer lives in this page alone, until it is marked or the page is left. */
  async #ask() {
    const { prompt } = this.screen.document.state;
    if (this.screen.fixed || this.request) return;
    this.showProblem("");
    if (!prompt.trim()) return this.showProblem(gettext("Write the prompt first, then try it on a model."));
    this.request = new AbortController();
    const timeout = setTimeout(() => this.request?.abort(), PATIENCE);
    const stopClock = this.#waiting();
    const { signal } = this.request;
    const outcome = await send("POST", this.task.asker.url, { prompt }, { signal });
    clearTimeout(timeout);
    stopClock();
    this.request = null;
    this.live.replaceChildren();
    if (outcome.kind === "ok") this.#answer(await sha256(prompt), outcome.data); // it may have been written on meanwhile
    else if (!signal.aborted) await this.#failed(outcome, () => this.#ask());
    else this.showProblem(gettext("You stopped waiting. An answer that still comes is thrown away."));
    this.shown = null;
    this.show();
    if (outcome.kind !== "ok") this.screen.linter.soon(); // it also says whether the prompt counts as tried
  }

  #waiting() {
    const began = performance.now();
    const seconds = element("span", { class: "num", "aria-hidden": "true", text: "0 s" });
    const tick = setInterval(() => { seconds.textContent = `${Math.round((performance.now() - began) / 1000)} s`; }, 1000);
    this.form.hidden = true;
    this.live.replaceChildren(element("div", { class: "difficulty__waiting" },
      element("span", { class: "difficulty__pulse", "aria-hidden": "true" }),
      element("span", { text: interpolate(gettext("Waiting for %(model)s…"), { model: this.task.asker.model }) }), seconds,
      element("button", { type: "button", class: "btn btn-sm btn-secondary", text: gettext("Cancel"), on: { click: () => this.request?.abort() } })));
    announce(interpolate(gettext("Waiting for %(model)s…"), { model: this.task.asker.model }));
    return () => clearInterval(tick);
  }

  #answer(hash, { check: id, answer, seconds }) {
    const check = { id, prompt_sha256: hash, model: this.task.asker.model, by_hand: false, outcome: "", asked_at: new Date().toISOString() };
    this.answered = true;
    const { lang, dir, asker } = this.task;
    this.live.replaceChildren(element("div", { class: "stack" },
      element("p", { class: "muted small", text: interpolate(gettext("%(model)s answered after %(seconds)s s. This is shown once: it is thrown away when you have said how it did, or leave this page."), { model: asker.model, seconds: Math.round(seconds) }) }),
      element("div", { class: "difficulty__answer prompt-text", lang, dir, tabindex: "0", role: "region", "aria-label": gettext("Answer of the model"), text: answer }),
      this.#outcomes(check)));
    announce(gettext("The model has answered."));
    this.checks.put(check);
    this.live.querySelector("[tabindex]").focus({ preventScroll: true });
  }

  async #settle(url, payload) {
    if (this.screen.fixed) return;
    this.showProblem("");
    const outcome = await send("POST", url, payload);
    if (outcome.kind !== "ok") return this.#failed(outcome, () => this.#settle(url, payload));
    this.answered = false;
    this.live.replaceChildren();
    this.checks.put(outcome.data.difficulty);
    announce(this.#said(this.checks.last));
    this.screen.focusStep("difficulty");
  }

  async #failed(outcome, again) {
    if (await this.screen.signedInFor(outcome)) return again();
    return this.showProblem(outcome.problems?.map(({ message }) => message).join(" ") || outcome.message
      || (outcome.kind === "busy" ? interpolate(gettext("The server is busy. Try again in %(seconds)s s."), { seconds: outcome.seconds })
        : gettext("The server could not be reached, so nothing was checked. Your draft is kept; try again when you are back online.")));
  }
}

function when(text) {
  const date = new Date(text);
  const today = date.toDateString() === new Date().toDateString();
  return today ? clock(date) : `${date.toISOString().slice(0, 10)} ${clock(date)}`;
}
