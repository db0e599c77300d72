const STEP = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

/**
 * The words of a sample are check boxes. One of them is in the order of tabs, the arrows move among them, and Shift
 * with a click or with an arrow chooses all up to there. As in the work it trains for, dragging over words chooses them.
 */
export function startWords(group) {
  const boxes = [...group.querySelectorAll("input")];
  const none = group.parentElement.querySelector("[data-none]");
  let current = 0;

  const focus = (index, { extend = false } = {}) => {
    const next = Math.min(Math.max(index, 0), boxes.length - 1);
    if (extend) choose(current, next, true);
    boxes[current].tabIndex = -1;
    boxes[next].tabIndex = 0;
    boxes[next].focus();
    current = next;
  };
  const choose = (from, to, isChosen) => {
    for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1) boxes[index].checked = isChosen;
    boxes[to].dispatchEvent(new Event("change", { bubbles: true }));
  };

  boxes.forEach((box, index) => { box.tabIndex = index === 0 ? 0 : -1; });
  group.addEventListener("keydown", (event) => {
    const isRightToLeft = getComputedStyle(group).direction === "rtl";
    const forward = isRightToLeft ? "ArrowLeft" : "ArrowRight";
    const backward = isRightToLeft ? "ArrowRight" : "ArrowLeft";
    const step = event.key === forward ? 1 : event.key === backward ? -1 : STEP[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    focus(current + step, { extend: event.shiftKey && Number.isFinite(step) });
  });
  group.addEventListener("click", (event) => {
    const index = boxes.indexOf(event.target);
    if (index < 0) return;
    if (event.shiftKey) choose(current, index, true);
    boxes[current].tabIndex = -1;
    boxes[index].tabIndex = 0;
    current = index;
  });
  const wordAt = (target) => boxes.indexOf(target.closest?.(".quiz-word")?.querySelector("input"));
  let drag = null; // {from, to}: the word it began on, and the one it was over last
  group.addEventListener("pointerdown", (event) => {
    const from = event.pointerType === "mouse" && event.button === 0 && !event.shiftKey ? wordAt(event.target) : -1;
    drag = from < 0 ? null : { from, to: from };
  });
  group.addEventListener("pointerover", (event) => {
    const to = wordAt(event.target);
    if (drag && to >= 0) drag.to = to;
  });
  // Released on another word it is no click on either; beside the words, it ends at the last one.
  document.addEventListener("pointerup", () => {
    const ended = drag;
    drag = null;
    if (!ended || ended.from === ended.to) return;
    choose(ended.from, ended.to, true);
    getSelection()?.removeAllRanges();
    focus(ended.to);
  });
  document.addEventListener("pointercancel", () => { drag = null; });
  // What contradicts itself cannot be answered: a mark takes "no errors" back, and the other way round.
  group.addEventListener("change", () => {
    if (none && boxes.some((box) => box.checked)) none.checked = false;
  });
  none?.addEventListener("change", () => {
    if (none.checked) for (const box of boxes) box.checked = false;
  });
}
