// Working time that pages kept on this device because no answer came: told by whatever page its person opens next.
import { csrfToken } from "./csrf.js";

const KEPT = "mizan-time:";

export function local() {
  try {
    return window.localStorage;
  } catch {
    return null; // even touching it can be forbidden
  }
}

export const keyOf = (owner, assignment, client) => `${KEPT}${owner}|${assignment}|${client}`;

/** @returns {?{url: string, signs: number[][]}} what is kept under a key */
export function kept(key) {
  try {
    return JSON.parse(local()?.getItem(key) ?? "null");
  } catch {
    return null; // cut short while it was written
  }
}

const PATIENCE = 10_000;

/** Of so many stretches one call tells: the server takes 2,000, and what outlives a page may be 64 kB. */
const AT_ONCE = 1000;

/**
 * Tells the server of stretches; outlives the page. Of very many (a device that was offline for days) some at a time.
 * @returns {Promise<boolean>} whether they need not be told again
 */
export async function tell(url, signs) {
  for (let first = 0; first < signs.length; first += AT_ONCE) {
    if (!(await tellSome(url, signs.slice(first, first + AT_ONCE)))) return false;
  }
  return true;
}

async function tellSome(url, signs) {
  try {
    const response = await fetch(url, {
      method: "POST", keepalive: true, credentials: "same-origin", redirect: "manual",
      headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": csrfToken() },
      body: JSON.stringify({ now: Date.now(), signs, zone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
      signal: AbortSignal.timeout(PATIENCE), // the next item waits for the answer
    });
    // A portal of a hotel or a train answers too, with a page of its own: that is no answer of ours.
    const told = await response.json();
    // What the server will never take (an item that is gone, a stretch it cannot read) is not told again either.
    return response.ok ? "seconds" in told : [400, 404, 409, 422].includes(response.status) && "error" in told;
  } catch {
    return false;
  }
}

/** Tells what pages of this person left behind; what a page that is open keeps, it tells itself, and twice counts once. */
export async function tellUntold() {
  const owner = document.querySelector('meta[name="person"]')?.content;
  const storage = local();
  if (!owner || !storage) return;
  for (const key of Object.keys(storage).filter((each) => each.startsWith(`${KEPT}${owner}|`))) {
    const written = storage.getItem(key);
    const untold = kept(key);
    const isTold = !untold?.signs?.length || (await tell(untold.url, untold.signs));
    if (isTold && storage.getItem(key) === written) storage.removeItem(key);
  }
}
