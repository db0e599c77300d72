// In place of Popper, which Bootstrap's menus ask for: ours hang below their buttons (`data-bs-display="static"`) and are
// placed by the style sheet, so nothing is computed. It would weigh a third of the script of every page.
export const createPopper = () => ({ update() {}, destroy() {} });
