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
