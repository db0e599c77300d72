// What an earlier visit left on this device: of this item, brought forward into the draft; of other items, sent.
import { withoutRemarks } from "./remarks.js";
import { openTabs } from "./storage.js";
import { send } from "./transport.js";

/** The record kept on the device for the draft as it stands. */
export function recordFor(sync) {
  return {
    key: sync.key,
    assignment: sync.task.assignment,
    client: sync.client,
    version: sync.version,
    body: sync.draft.serialise(),
    unanswered: sync.unanswered,
    submission: sync.submission,
    urls: { draft: sync.task.urls.draft, submit: sync.task.urls.submit },
    page: window.location.pathname + window.location.search,
    seq: sync.seq,
    at: Date.now(),
  };
}

/** Takes the newest record of this item from this tab or a closed one into the draft; older ones are set aside. */
export async function bringForward(sync, records) {
  const alive = await openTabs();
  const [record, ...older] = records.filter(({ assignment, client }) =>
    assignment === sync.task.assignment && (client === sync.client || !alive.has(client)));
  for (const { key, body } of older) {
    await sync.store.keepCopy({ assignment: sync.task.assignment, mine: body, theirs: sync.task.draft });
    await sync.store.delete(key);
  }
  if (!record) return;
  if (record.key !== sync.key) await sync.store.delete(record.key);
  sync.seq = record.seq;
  sync.acknowledged = record.seq;
  const server = sync.task.draft;
  const ours = record.version === sync.task.version || record.unanswered.some((sent) => sync.same(sent, server));
  if (ours || sync.same(record.body, server)) {
    sync.draft.replace(record.body); // counts as a change, unless the server has it already
    if (record.submission) resume(sync, record.submission);
    else if (!sync.unsent) await sync.store.delete(sync.key);
  } else {
    await sync.resolve(record.body, server, sync.task.version);
    sync.draft.take(record.body); // whichever draft was chosen
  }
  if (sync.unsent) sync.push();
}

/** One spelling of a draft of any kind: a database may hand its keys back in another order. */
function canonical(value) {
  return JSON.stringify(value, (_, part) => (part && typeof part === "object" && !Array.isArray(part)
    ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part));
}

function resume(sync, submission) {
  sync.submission = submission;
  sync.submit();
}

/**
 * Sends what other items of this person left behind in tabs that are gone.
 * @returns {Promise<string[]>} pages of those the server would not take, to be opened and settled there
 */
export async function sendLeftovers(sync, records) {
  const alive = await openTabs();
  const pages = [];
  for (const record of records) {
    if (record.assignment === sync.task.assignment || alive.has(record.client)) continue;
    const { body, version, submission, urls, client } = record;
    const outcome = submission
      ? await send("POST", urls.submit, { submission, version, body }, { expects: "submitted_at" })
      : await send("PUT", urls.draft, { body, client }, { version, expects: "version" });
    const stored = outcome.kind === "ok" || (outcome.kind === "conflict" && !submission && canonical(outcome.body) === canonical(withoutRemarks(body)));
    if (stored) await sync.store.delete(record.key);
    else if (outcome.kind === "conflict" || outcome.kind === "blocked" || outcome.kind === "invalid") pages.push(record.page);
  }
  return pages;
}
