// A menu, or the strip of one's items, that is wider than the screen scrolls sideways; it opens where one is.
const BESIDE = 56; // px: the fade at the edge of a menu, and the beginning of the next entry

export function showWhereOneIs(root) {
  for (const menu of root.querySelectorAll(".project-bar .topbar__nav")) {
    showCurrent(menu, BESIDE);
    const tell = () => tellOfMore(menu);
    menu.addEventListener("scroll", tell, { passive: true });
    new ResizeObserver(tell).observe(menu);
  }
  for (const strip of root.querySelectorAll(".strip__items")) showCurrent(strip, strip.clientWidth / 2);
}

/** Scrolls no further than it takes to have the current entry in sight, `beside` px from the edge. */
function showCurrent(list, beside) {
  const current = list.querySelector("[aria-current]");
  if (!current || list.scrollWidth <= list.clientWidth) return;
  const [inner, outer] = [current.getBoundingClientRect(), list.getBoundingClientRect()];
  const room = Math.min(beside, (outer.width - inner.width) / 2);
  if (inner.left < outer.left + room) list.scrollLeft += inner.left - outer.left - room;
  else if (inner.right > outer.right - room) list.scrollLeft += inner.right - outer.right + room;
}

/** Entries out of sight before and after those that are seen, in the order of reading. */
function tellOfMore(menu) {
  const before = Math.abs(menu.scrollLeft); // below 0 from right to left
  menu.classList.toggle("has-more-before", before > 1);
  menu.classList.toggle("has-more-after", menu.scrollWidth - menu.clientWidth - before > 1);
}
