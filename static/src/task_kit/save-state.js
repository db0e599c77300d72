// The line that always says where the work is: saved, being saved, or kept on this device and why.
import { element } from "../site/dom.js";
import { clock, gettext, interpolate } from "../site/text.js";
import { announce } from "./announce.js";

const WORDS = {
  saved: ({ at }) => (at ? interpolate(gettext("Saved %(time)s"), { time: clock(at) }) : gettext("Saved")),
  unsaved: () => gettext("Saving…"),
  saving: () => gettext("Saving…"),
  submitted: () => gettext("Submitted"),
  offline: ({ kept, submitting, status }) => {
    if (status) return gettext("The server has a problem – kept on this device, trying again");
    if (!kept) return gettext("Offline – keep this page open, this browser cannot keep your work");
    return submitting ? gettext("Offline – kept on this device, submitted when you are back online") : gettext("Offline – kept on this device");
  },
  waiting: ({ kept, seconds, status }) => {
    if (!kept) return gettext("The server cannot store just now – keep this page open, it is sent again");
    const words = status === 507 ? gettext("The server's disk is full – saved here, sent again in %(seconds)s s") : gettext("Saved here – will be sent again in %(seconds)s s");
    return interpolate(words, { seconds });
  },
  busy: ({ seconds }) => interpolate(gettext("Server busy – kept on this device, next try in %(seconds)s s"), { seconds }),
  "signed-out": () => gettext("Signed out – kept on this device"),
  conflict: () => gettext("Changed elsewhere – choose a version"),
  refused: () => gettext("Not saved – see what is missing"),
  blocked: () => gettext("No longer open to you – kept on this device"),
};
const KIND = { saved: "good", submitted: "good", unsaved: "quiet", saving: "quiet" };

export class SaveState {
  /** @param {HTMLElement} root @param {{signIn: Function, takeBack: Function}} actions */
  constructor(root, actions) {
    this.text = element("span", { class: "save-state__text" });
    this.signIn = element("button", { type: "button", class: "btn btn-sm btn-primary", hidden: true, text: gettext("Sign in"), on: { click: actions.signIn } });
    this.takeBack = element("button", { type: "button", class: "btn btn-sm btn-secondary", hidden: true, text: gettext("Go on editing"), on: { click: actions.takeBack } });
    this.root = element("div", { class: "save-state", id: "save-state" }, this.text, this.signIn, this.takeBack);
    root.append(this.root);
  }

  show(status) {
    const words = WORDS[status.state](status);
    const kind = KIND[status.state] ?? "warning";
    // Said aloud only when something is wrong, and when it is right again: not at every save.
    if (words !== this.text.textContent && (kind === "warning" || (kind === "good" && this.troubled))) announce(words);
    if (kind !== "quiet") this.troubled = kind === "warning";
    this.text.textContent = words;
    this.root.dataset.state = status.state;
    this.root.className = `save-state save-state--${kind}`;
    this.signIn.hidden = status.state !== "signed-out";
    this.takeBack.hidden = !(["offline", "waiting"].includes(status.state) && status.submitting);
  }
}
