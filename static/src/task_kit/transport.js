// One request to the server and what its answer means. Nothing is retried here.
import { csrfToken } from "../site/csrf.js";

const PATIENCE = 20_000;

/**
 * `signal` ends the wait in place of our own patience, where a person can do so or a newer request does.
 * @typedef {{kind: "ok", data: object} | {kind: "offline"} | {kind: "busy", seconds: number} |
 *   {kind: "waiting", status: number, seconds: number, message: string} | {kind: "failed", status: number} | {kind: "signed-out"} | {kind: "csrf"} |
 *   {kind: "conflict", version: number, body: object, remarks: ?object} |
 *   {kind: "invalid", problems: object[], message: string} |
 *   {kind: "blocked", code: string, message: string}} Outcome
 * @returns {Promise<Outcome>} never rejects
 */
export async function send(method, url, payload, { version = null, signal = null } = {}) {
  const headers = { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": csrfToken() };
  if (version !== null) headers["If-Match"] = `"${version}"`;
  let response;
  let data = null;
  try {
    response = await fetch(url, {
      method, headers, body: JSON.stringify(payload), credentials: "same-origin",
      // A redirect can only lead to the sign-in page.
      redirect: "manual", signal: signal ?? AbortSignal.timeout(PATIENCE),
    });
    if (response.type !== "opaqueredirect") data = await response.json().catch(() => null);
  } catch {
    return { kind: "offline" };
  }
  return outcome(response, data);
}

function outcome(response, data) {
  const { status } = response;
  const { code = "", message = "", problems = [] } = data?.error ?? {};
  if (response.type === "opaqueredirect" || status === 401) return { kind: "signed-out" };
  if (response.ok) return data ? { kind: "ok", data } : { kind: "failed", status };
  if (status === 403) return code === "csrf" || !data ? { kind: "csrf" } : { kind: "blocked", code, message };
  if (status === 412) return { kind: "conflict", version: data?.version, body: data?.body, remarks: data?.remarks };
  if (status === 422 || status === 400 || status === 413) return { kind: "invalid", problems, message };
  if (status === 404 || status === 409 || status === 410) return { kind: "blocked", code: code || "gone", message };
  // What the server cannot take just now: it says when it is worth another try.
  if (status === 503 || status === 507) return { kind: "waiting", status, seconds: Number(response.headers.get("Retry-After")) || 0, message };
  if (status === 429) return { kind: "busy", seconds: Number(response.headers.get("Retry-After")) || 5 };
  return { kind: "failed", status };
}
