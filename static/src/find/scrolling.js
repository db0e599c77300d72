// Bringing a range into view, through whatever scrolls around it: a table, one of two responses, the window.

/**
 * @param {HTMLElement} root the text @param {() => DOMRect[]} boxes of the range, measured anew after each step
 * @param {number} ceiling the lowest edge of what covers the top of the window, in pixels
 */
export function bringIntoView(root, boxes, ceiling) {
  const [first] = boxes();
  if (!first) return;
  for (const scroller of scrollersOf(root, boxes)) {
    const [box] = boxes();
    const edge = scroller.getBoundingClientRect();
    if (box.top < edge.top || box.bottom > edge.bottom) scroller.scrollTop += box.top - edge.top - scroller.clientHeight / 3;
    if (box.left < edge.left) scroller.scrollLeft += box.left - edge.left - 8;
    else if (box.right > edge.right) scroller.scrollLeft += box.right - edge.right + 8;
  }
  // What a keyboard on the screen leaves free, and a sheet below the text.
  const floor = Math.min(window.visualViewport?.height ?? window.innerHeight, ...[...document.querySelectorAll(".panel-sheet")].map((sheet) => sheet.getBoundingClientRect().top || Infinity)) - 24;
  const [box] = boxes();
  if (box.top >= ceiling + 8 && box.bottom <= floor) return;
  window.scrollBy({ top: box.top - ceiling - (floor - ceiling) / 3, behavior: "instant" });
}

/** Elements around the range that scroll by themselves, the innermost first. */
function scrollersOf(root, boxes) {
  const [box] = boxes();
  const found = [...root.querySelectorAll(".reading__table")].filter((table) => {
    const { top, bottom } = table.getBoundingClientRect();
    return box.top >= top - 1 && box.bottom <= bottom + 1;
  });
  for (let each = root; each && each !== document.body; each = each.parentElement) {
    const overflows = each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1;
    if (overflows && /auto|scroll/.test(getComputedStyle(each).overflow)) found.push(each);
  }
  return found;
}
