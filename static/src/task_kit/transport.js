// One request to the server and what its answer means. Nothing is retried here. Whether one is online is seen by what
// answers, for a browser does not know: a portal of a hotel or a train answers too, with a page or a redirection of its
// own. What our server says to a script is JSON, never a redirection; all else is nobody's answer, and one is offline.
import { csrfToken } from "../site/csrf.js";

const PATIENCE = 20_000;

/**
 * `expects` names what an answer of ours holds where all went well; `signal` ends the wait in place of our own patience, where a person can do so or a newer request does.
 * @typedef {{kind: "ok", data: object} | {kind: "offline"} | {kind: "busy", seconds: number} |
 *   {kind: "waiting", status: number, seconds: number, message: string} | {kind: "failed", status: number} | {kind: "signed-out"} | {kind: "csrf"} |
 *   {kind: "conflict", version: number, body: object, remarks: ?object} |
 *   {kind: "invalid", problems: object[], message: string} |
 *   {kind: "blocked", code: string, message: string}} Outcome
 * @returns {Promise<Outcome>} never rejects
 */
export async function send(method, url, payload, { version = null, expects = null, signal = null } = {}) {
  const headers = { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": csrfToken() };
  if (version !== null) headers["If-Match"] = `"${version}"`;
  const answer = await reach(url, { method, headers, body: JSON.stringify(payload), signal });
  if (!answer || (answer.response.ok && expects && !(expects in answer.data))) return { kind: "offline" };
  return outcome(answer.response, answer.data);
}

/**
 * Fetches as a script of ours does. @param {RequestInit} options
 * @returns {Promise<?{response: Response, data: ?object}>} null where no answer of ours came in time; `data` is null where
 *   something before our server refused or broke off
 */
export async function reach(url, { signal = null, ...options }) {
  try {
    const response = await fetch(url, { credentials: "same-origin", ...options, redirect: "manual", signal: signal ?? AbortSignal.timeout(PATIENCE) });
    const data = response.type === "opaqueredirect" ? null : objectIn(await response.text());
    return data || isOnTheWay(response) ? { response, data } : null;
  } catch {
    return null;
  }
}

function objectIn(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** What a proxy in front of our server says of itself: too much, too often, out of order. A portal asks to sign in there (511). */
function isOnTheWay({ status }) {
  return [413, 429].includes(status) || (status >= 500 && status !== 511);
}

function outcome(response, data) {
  const { status } = response;
  const { code = "", message = "", problems = [] } = data?.error ?? {};
  if (status === 401) return { kind: "signed-out" };
  if (response.ok) return { kind: "ok", data };
  if (status === 403) return code === "csrf" ? { kind: "csrf" } : { kind: "blocked", code, message };
  if (status === 412) return { kind: "conflict", version: data?.version, body: data?.body, remarks: data?.remarks };
  if (status === 422 || status === 400 || status === 413) return { kind: "invalid", problems, message };
  if (status === 404 || status === 409 || status === 410) return { kind: "blocked", code: code || "gone", message };
  // What the server cannot take just now: it says when it is worth another try.
  if (status === 503 || status === 507) return { kind: "waiting", status, seconds: Number(response.headers.get("Retry-After")) || 0, message };
  if (status === 429) return { kind: "busy", seconds: Number(response.headers.get("Retry-After")) || 5 };
  return { kind: "failed", status };
}
