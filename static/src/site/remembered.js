/** `<details data-remember="name">` stays as the person left it, on this device. */
export function startRemembered(root) {
  for (const details of root.querySelectorAll("details[data-remember]")) {
    const key = `mizan-open-${details.dataset.remember}`;
    try {
      const open = localStorage.getItem(key);
      if (open !== null) details.open = open === "yes";
      details.addEventListener("toggle", () => localStorage.setItem(key, details.open ? "yes" : "no"));
    } catch {
      return; // storage is forbidden: the page opens as the server sent it
    }
  }
}

/** A yes or no that this device remembers, as far as it may. */
export function remembered(name, fallback) {
  const key = `mizan-${name}`;
  let value = fallback;
  try {
    value = (localStorage.getItem(key) ?? (fallback ? "yes" : "no")) === "yes";
  } catch {
    // Storage is forbidden: it holds until the page is left.
  }
  return {
    get on() { return value; },
    set on(next) {
      value = next;
      try {
        localStorage.setItem(key, next ? "yes" : "no");
      } catch {
        // As above.
      }
    },
  };
}
