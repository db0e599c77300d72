// The line that always says where the work is: saved, being saved, or kept on this device and why.
import { element } from "../site/dom.js";
import { clock, gettext, interpolate } from "../site/text.js";

const WORDS = {
  saved: ({ at }) => (at ? interpolate(gettext("Saved %(time)s"), { time: clock(at) }) : gettext("Saved")),
  unsaved: () => gettext("Saving…"),
  saving: () => gettext("Saving…"),
  submitted: () => gettext("Submitted"),
  offline: ({ kept, submitting }) => {
    if (!kept) return gettext("Offline – keep this page open, this browser cannot keep your work");
    return submitting ? gettext("Offline – kept on this device, submitted when you are back online") : gettext("Offline – kept on this device");
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
    this.root = element("div", { class: "save-state", role: "status", id: "save-state" }, this.text, this.signIn, this.takeBack);
    root.append(this.root);
  }

  show(status) {
    const words = WORDS[status.state](status);
    if (this.text.textContent !== words) this.text.textContent = words;
    this.root.dataset.state = status.state;
    this.root.className = `save-state save-state--${KIND[status.state] ?? "warning"}`;
    this.signIn.hidden = status.state !== "signed-out";
    this.takeBack.hidden = !(status.state === "offline" && status.submitting);
  }
}
