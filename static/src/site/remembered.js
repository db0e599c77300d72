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

/** The choices of `<form data-remember-choices="name">` are those that the person left in it, on this device. */
export function startRememberedChoices(root) {
  for (const form of root.querySelectorAll("form[data-remember-choices]")) {
    const key = `mizan-choices-${form.dataset.rememberChoices}`;
    try {
      const left = JSON.parse(localStorage.getItem(key) ?? "{}");
      for (const select of form.querySelectorAll("select")) {
        // What is offered no more is not chosen.
        if ([...select.options].some((option) => option.value === left[select.name])) select.value = left[select.name];
      }
    } catch {
      // Storage is forbidden, or holds something else.
    }
    form.addEventListener("change", () => {
      try {
        localStorage.setItem(key, JSON.stringify(Object.fromEntries([...form.querySelectorAll("select")].map((select) => [select.name, select.value]))));
      } catch {
        // As above.
      }
    });
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
