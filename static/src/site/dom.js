/**
 * Builds an element. Attribute values true and false set and omit the attribute; `on` holds listeners,
 * `class` and `text` are what they say; children are nodes or strings. Never takes markup.
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "class") node.className = value;
    else if (name === "text") node.textContent = value;
    else if (name === "on") for (const [type, listener] of Object.entries(value)) node.addEventListener(type, listener);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/**
 * Opens a modal dialog with the given content and buttons and resolves to the value of the button pressed,
 * or to "" when it was left with Escape. `first` is the value of the button that has the focus at first, where Enter goes. What is `read` begins at its title: longer than the window, it would open at its end.
 * @param {{title: string, content?: Node[], buttons: {value: string, label: string, kind?: string}[], wide?: boolean, closable?: boolean, first?: string, read?: boolean}} options
 */
export function ask({ title, content = [], buttons, wide = false, closable = true, first = null, read = false }) {
  const heading = element("h2", { id: `dialog-${Math.random().toString(36).slice(2)}`, text: title, tabindex: read && -1, autofocus: read });
  const dialog = element("dialog", { class: wide ? "dialog dialog--wide" : "dialog", "aria-labelledby": heading.id });
  const form = element("form", { method: "dialog" }, heading, ...content, element("div", { class: "dialog__actions" },
    ...buttons.map(({ value, label, kind = "btn-secondary" }) =>
      // Only an answer has to be complete; leaving the dialog never has to.
      element("button", { class: `btn ${kind}`, value, text: label, formnovalidate: value === "", autofocus: value === first }))));
  dialog.append(form);
  document.body.append(dialog);
  return new Promise((resolve) => {
    if (!closable) dialog.addEventListener("cancel", (event) => event.preventDefault());
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue);
      dialog.remove();
    });
    dialog.returnValue = "";
    dialog.showModal();
  });
}
