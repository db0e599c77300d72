// What every task screen does beside its own work: saves drafts, says so, submits, skips, signs in again.
import { element } from "../site/dom.js";
import { AsShown, translatedNotice } from "./as-shown.js";
import { leftoverNotice, lostNotice } from "./notices.js";
import { askWhySkip } from "./skipping.js";
import { sendRemarks } from "./remark-tools.js";
import { DraftWithRemarks } from "./remarks.js";
import { SaveState } from "./save-state.js";
import { signInHere } from "./signin.js";
import { DraftStore, tabIdentity } from "./storage.js";
import { Sync } from "./sync.js";
import { send } from "./transport.js";
import { WorkingTime } from "./working-time.js";

/**
 * Ties a screen to the server. The screen has a `document`, `lock(locked)`, and the events "submit" and "skip".
 * @param {object} of  `task`; `screen`; the `remarks` beside the answer; where `notices` and the state in the `toolbar` stand; `decide(mine, theirs)`
 *   between two versions; `showInvalid(detail)` for a submission that was refused; `notSkipped`, what to say where skipping
 *   failed; `skipWords`, where leaving an item is called something else;
 *   `onwards`, where no next item follows one that was lost; where the answer is no list of spans, `same` and
 *   `combine` for two of its versions.
 * @returns {Promise<Sync>}
 */
export async function startSaving({ task, screen, remarks, notices, toolbar, decide, showInvalid, notSkipped, skipWords, onwards, ...answer }) {
  const store = await DraftStore.open(task.owner);
  const client = await tabIdentity();
  const time = new WorkingTime(task, client);
  const shown = new AsShown(document.querySelectorAll("[data-as-shown]"));
  const sync = new Sync({
    task, document: new DraftWithRemarks(screen.document, remarks), store, client, decide, shown, ...answer,
    signIn: (options) => signInHere(task.urls.login, options),
  });
  const state = new SaveState(toolbar, {
    signIn: async () => { if (await sync.signInAgain()) sync.push(); },
    takeBack: () => sync.takeBack(),
  });
  sync.addEventListener("status", ({ detail }) => {
    state.show(detail);
    if (detail.state === "blocked") notices.append(lostNotice(detail, screen, task, onwards));
  });
  stopWhereTranslated(shown, sync, screen, notices);
  sync.addEventListener("invalid", ({ detail }) => showInvalid(detail));
  sync.addEventListener("submitted", async ({ detail }) => {
    await time.push(); // the item is done, and with it its time
    await sendRemarks(remarks, task); // those of the moment in which it was on its way
    window.location.assign(detail.next);
  });
  sync.addEventListener("leftover", ({ detail }) => notices.append(leftoverNotice(detail.pages)));
  screen.addEventListener("submit", () => sync.submit());
  screen.addEventListener("skip", () => skip(task, sync, notices, { notSkipped, skipWords }));
  window.addEventListener("beforeunload", (event) => {
    if (sync.unsent && !store.available && !sync.stopped) event.preventDefault();
  });
  await sync.start();
  return sync;
}

/** Locked while a submission is under way, and while the page shows other words than those that are judged. */
function stopWhereTranslated(shown, sync, screen, notices) {
  let isSubmitting = false;
  let notice = null;
  const settle = () => {
    screen.lock(isSubmitting || shown.isTranslated);
    notice?.remove();
    notice = shown.isTranslated ? translatedNotice() : null;
    if (notice) notices.append(notice);
  };
  sync.addEventListener("locked", ({ detail }) => {
    isSubmitting = detail.locked;
    settle();
  });
  shown.addEventListener("changed", settle);
  if (shown.isTranslated) settle();
}

async function skip(task, sync, notices, words) {
  const answer = await askWhySkip(task, words.skipWords);
  if (!answer) return;
  await sync.push();
  const outcome = await send("POST", task.urls.skip, answer, { expects: "next" });
  if (outcome.kind === "ok") {
    sync.stopped = true;
    await sync.store.delete(sync.key);
    window.location.assign(outcome.data.next ?? task.urls.next);
  } else if (outcome.kind === "signed-out" || outcome.kind === "csrf") {
    if (await sync.signInAgain({ silent: outcome.kind === "csrf" })) await skip(task, sync, notices, words);
  } else {
    notices.append(element("p", { class: "notice notice--error", role: "alert", text: outcome.message || words.notSkipped }));
  }
}
