// On the page the sign-in ends on. Inside the marking screen's frame it hands the fresh CSRF token to the page
// around it; as a page of its own it does nothing.
import { csrfToken } from "./csrf.js";

if (window.parent !== window) {
  const owner = document.querySelector('meta[name="signed-in-owner"]')?.content ?? null;
  window.parent.postMessage({ mizan: "signed-in", csrf: csrfToken(), owner }, window.location.origin);
}
