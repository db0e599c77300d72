// The buttons and keys for a bookmark, for being unsure and for a note to oneself; on a phone behind one button.
import { ask, element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { keyCap } from "./actions.js";
import { announce } from "./announce.js";
import { BOOKMARK, icon, NOTE, TEXT_SIZE, UNSURE } from "./icons.js";
import { keyOf, letter } from "./keys.js";
import { startThemeSwitch } from "../site/theme-switch.js";
import { send } from "./transport.js";

const LONGEST = 2000;

function tool(label, sign, key, run) {
  return element("button", { type: "button", class: "btn btn-quiet btn-sm tool", title: label, "aria-label": label, "aria-keyshortcuts": keyOf(key), on: { click: run } },
    icon(sign), element("span", { text: label }), keyCap(key));
}

export class RemarkTools {
  /** @param {import("./remarks.js").Remarks} remarks @param {object} screen with its `task` and whether it is `locked` */
  constructor(remarks, screen) {
    Object.assign(this, { remarks, screen });
    this.words = { bookmarked: gettext("Bookmark"), unsure: gettext("I am unsure"), note: gettext("Note to yourself") };
    this.buttons = {
      bookmarked: tool(this.words.bookmarked, BOOKMARK, "K", () => this.toggle("bookmarked")),
      unsure: tool(this.words.unsure, UNSURE, "U", () => this.toggle("unsure")),
      note: tool(this.words.note, NOTE, "W", () => this.write()),
    };
    this.reading = element("button", { type: "button", class: "btn btn-quiet btn-sm tool when-narrow", on: { click: () => this.setReading() } },
      icon(TEXT_SIZE), element("span", { text: gettext("Text size") }));
    this.all = element("div", { class: "remarks__all" }, ...Object.values(this.buttons), this.reading);
    this.more = element("button", { type: "button", class: "btn btn-quiet btn-sm tool remarks__more", "aria-label": Object.values(this.words).join(", "),
      "aria-expanded": "false", text: "⋯", on: { click: () => this.open(this.more.getAttribute("aria-expanded") !== "true") } });
    this.root = element("div", { class: "remarks" }, this.more, this.all);
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.more.getAttribute("aria-expanded") !== "true") return;
      event.stopPropagation();
      this.open(false);
      this.more.focus();
    });
    document.addEventListener("click", ({ target }) => { if (!this.root.contains(target)) this.open(false); });
    for (const event of ["state", "settled"]) remarks.addEventListener(event, () => this.refresh());
    this.refresh();
  }

  open(isOpen) {
    this.more.setAttribute("aria-expanded", String(isOpen));
    this.root.classList.toggle("remarks--open", isOpen);
  }

  refresh() {
    const { bookmarked, unsure, note } = this.remarks;
    for (const [field, isOn] of Object.entries({ bookmarked, unsure, note: Boolean(note) })) {
      // A note is no switch: that there is one is part of what the button is called.
      if (field !== "note") this.buttons[field].setAttribute("aria-pressed", String(isOn));
      this.buttons[field].classList.toggle("is-on", isOn);
    }
    this.buttons.note.title = note || this.words.note;
    this.buttons.unsure.disabled = this.screen.task.read_only;
    this.more.classList.toggle("is-on", Boolean(bookmarked || unsure || note));
  }

  toggle(field) {
    if (field === "unsure" && (this.screen.task.read_only || this.screen.locked)) return;
    this.remarks.set(field, !this.remarks[field]);
    announce(`${this.words[field]}: ${this.remarks[field] ? gettext("on") : gettext("off")}`);
    this.open(false);
  }

  /** Kept with every letter: however the dialog is left, nothing of the note is lost. */
  async write() {
    this.open(false);
    const { remarks } = this;
    const field = element("textarea", { class: "form-control", id: "own-note", rows: 5, dir: "auto", maxlength: LONGEST, "aria-describedby": "own-note-readers", autofocus: true });
    field.value = remarks.note;
    field.addEventListener("input", () => remarks.set("note", field.value));
    const merged = () => { if (field.value !== remarks.note) field.value = remarks.note; };
    remarks.addEventListener("settled", merged);
    await ask({
      title: this.words.note,
      content: [
        element("label", { class: "visually-hidden", for: "own-note", text: this.words.note }), field,
        element("p", { class: "muted small", id: "own-note-readers", text: remarks.isShared ? gettext("Your lead can read this note too.") : gettext("Only you read this.") }),
      ],
      buttons: [{ value: "", label: gettext("Close"), kind: "btn-primary" }],
    });
    remarks.removeEventListener("settled", merged);
  }

  /** The choices of the menu of the bar, which gives way to the text on a narrow screen. */
  async setReading() {
    this.open(false);
    const groups = [...document.querySelectorAll(".topbar .reading-choices")].map((group) => group.cloneNode(true));
    const choices = element("div", { class: "stack" }, ...groups);
    startThemeSwitch(choices);
    await ask({ title: gettext("Text size"), content: [choices], buttons: [{ value: "", label: gettext("Close"), kind: "btn-primary" }] });
    this.more.focus();
  }

  commands() {
    const command = (key, field, run) => ({ keys: [key], label: this.words[field], single: true, once: true, matches: letter(key), run });
    return [
      command("K", "bookmarked", () => this.toggle("bookmarked")),
      ...(this.screen.task.read_only ? [] : [command("U", "unsure", () => this.toggle("unsure"))]),
      command("W", "note", () => { this.write(); }),
    ];
  }
}

/** Tells the server what no save of a draft will: on an item that is only read, or after its answer. */
export async function sendRemarks(remarks, task) {
  const sent = remarks.told;
  if (!sent) return true;
  const outcome = await send("POST", task.urls.remarks, { remarks: sent });
  if (outcome.kind === "ok") remarks.settle(sent, outcome.data.remarks);
  return outcome.kind === "ok";
}

/** An item that is only read has no draft whose saves its remarks could go along with: they are sent by themselves, and
 *  again when the connection is back or the next one changes. */
export function keepByThemselves(remarks, task, notices) {
  const notice = element("p", { class: "notice notice--warning", role: "alert", hidden: true, text: gettext("Not saved yet. It is sent again when the connection is back.") });
  notices.append(notice);
  let flight = Promise.resolve();
  const push = () => {
    flight = flight.then(() => sendRemarks(remarks, task)).then((isKept) => { notice.hidden = isKept; });
  };
  remarks.addEventListener("state", push);
  window.addEventListener("online", push);
  window.addEventListener("beforeunload", (event) => { if (remarks.told) event.preventDefault(); });
}
