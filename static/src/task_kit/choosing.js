// Radio buttons that say how they were chosen: by pointer or finger, which is a verdict and goes on; or with arrow keys
// inside the group, which walk through the choices and stay.

/** @param {HTMLElement} group holds radio buttons @param {(value: string, how: {pointed: boolean}) => void} choose */
export function onChoice(group, choose) {
  let pointed = false;
  // A browser's own click on the button, whatever made it, counts no presses; that of a pointer on its label does.
  group.addEventListener("click", (event) => { if (event.detail > 0) pointed = true; });
  group.addEventListener("keydown", () => { pointed = false; });
  group.addEventListener("change", ({ target }) => {
    if (target.type !== "radio") return;
    const how = { pointed };
    pointed = false;
    choose(target.value, how);
  });
}
