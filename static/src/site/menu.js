// A menu, or the strip of one's items, that is wider than the screen scrolls sideways; it opens where one is.
export function showWhereOneIs(root) {
  for (const menu of root.querySelectorAll(".project-bar .topbar__nav, .strip__items")) {
    const current = menu.querySelector("[aria-current]");
    if (!current || menu.scrollWidth <= menu.clientWidth) continue;
    const [inner, outer] = [current.getBoundingClientRect(), menu.getBoundingClientRect()];
    menu.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
  }
}
