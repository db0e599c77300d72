// Writing a prompt: what is written stays in this browser until it is saved, over reloads and lost sessions.
import { clock, gettext, interpolate } from "../site/text.js";

const DELAY = 400;

/** Storage that may be forbidden or full: then nothing is kept, and the page says so. */
function stored(act) {
  try {
    return act(localStorage);
  } catch {
    return null;
  }
}

/** The texts of the form by name. */
function read(form) {
  const fields = form.querySelectorAll("textarea[name], input[name=note], select[name=language]");
  return Object.fromEntries([...fields].map((field) => [field.name, field.value]));
}

function write(form, texts) {
  for (const [name, text] of Object.entries(texts)) {
    const field = form.elements.namedItem(name);
    if (field) field.value = text;
  }
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function startDraft(form) {
  const key = form.dataset.draft;
  const shown = document.getElementById("draft-state");
  const again = document.getElementById("draft-drop");
  const begun = read(form);
  let timer = 0;

  function keep() {
    const texts = read(form);
    if (same(texts, begun)) {
      stored((storage) => storage.removeItem(key));
      shown.textContent = "";
      return;
    }
    const now = new Date();
    const kept = stored((storage) => { storage.setItem(key, JSON.stringify({ texts, at: now.toISOString() })); return true; });
    shown.textContent = kept
      ? interpolate(gettext("Kept in this browser %(time)s; not saved in the project yet."), { time: clock(now) })
      : gettext("This browser keeps nothing: save before you leave the page.");
  }

  const draft = JSON.parse(stored((storage) => storage.getItem(key)) ?? "null");
  // What the server refused stands in the form already, and is newer than what was kept.
  if (draft && !("refused" in form.dataset) && !same(draft.texts, begun)) {
    write(form, draft.texts);
    shown.textContent = interpolate(gettext("Your draft from %(time)s is shown."), { time: clock(new Date(draft.at)) });
    again.hidden = false;
    form.dispatchEvent(new CustomEvent("draft:shown", { bubbles: true }));
  }
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(keep, DELAY);
  });
  window.addEventListener("pagehide", () => {
    if (!form.dataset.sent && !same(read(form), begun)) keep();
  });
  again.addEventListener("click", () => {
    stored((storage) => storage.removeItem(key));
    write(form, begun);
    again.hidden = true;
    shown.textContent = gettext("The draft is dropped; this is the prompt that it was begun from.");
    form.dispatchEvent(new CustomEvent("draft:shown", { bubbles: true }));
  });
  form.addEventListener("submit", () => {
    keep(); // the answer may never come; the page that says it is saved drops it
    form.dataset.sent = "yes";
  });
}

// After htmx has read the page, so that a draft that is shown is checked too.
window.addEventListener("load", () => {
  for (const form of document.querySelectorAll("form[data-draft]")) startDraft(form);
});
for (const saved of document.querySelectorAll("[data-draft-saved]")) {
  stored((storage) => storage.removeItem(saved.dataset.draftSaved));
  history.replaceState(null, "", location.pathname);
}
