// Where one is next, and where one is back, among what an item asks.
import assert from "node:assert/strict";
import test from "node:test";
import { Flow, firstOpen, neighbour, nextOpen } from "../../static/src/task_kit/flow.js";

/** A screen that asks `count` things, answered by `press(verdict)` as a key does. */
function asking(count, { decided = [] } = {}) {
  const order = Array.from({ length: count }, (_, place) => `c${place + 1}`);
  const verdicts = new Map(decided.map((key) => [key, "earlier"]));
  const screen = { at: firstOpen(order, (key) => !verdicts.has(key)), went: [] };
  const flow = new Flow({
    order: () => order, isOpen: (key) => !verdicts.has(key), current: () => screen.at,
    go(key, said) { screen.at = key; screen.went.push([key, said ?? null]); },
  });
  const press = (verdict) => flow.decide(() => {
    if (verdict === "no key") return null;
    if (verdict !== "half") verdicts.set(screen.at, verdict);
    return verdict;
  });
  return Object.assign(screen, { flow, press, verdicts });
}

test("four verdicts are four keys", () => {
  const screen = asking(4);
  for (const verdict of ["P", "P", "F", "P"]) screen.press(verdict);
  assert.deepEqual([...screen.verdicts], [["c1", "P"], ["c2", "P"], ["c3", "F"], ["c4", "P"]]);
  assert.equal(screen.at, "c4", "never past the end");
});

test("work goes on at the first that is open, and passes over what is decided", () => {
  const screen = asking(5, { decided: ["c1", "c3"] });
  assert.equal(screen.at, "c2");
  assert.deepEqual(screen.press("P"), { said: "P", moved: true });
  assert.deepEqual(screen.went, [["c4", "P"]]);
});

test("a changed verdict stays where it is, however often it is changed", () => {
  const screen = asking(3);
  screen.press("P");
  screen.flow.step(-1);
  assert.equal(screen.at, "c1");
  assert.deepEqual(screen.press("F"), { said: "F", moved: false });
  assert.deepEqual(screen.press("P"), { said: "P", moved: false });
  assert.equal(screen.at, "c1");
  screen.flow.nextUndecided();
  assert.equal(screen.at, "c2");
});

test("a verdict that asks for more stays until it is whole; a key that stands on nothing does nothing", () => {
  const screen = asking(2);
  assert.deepEqual(screen.press("half"), { said: "half", moved: false });
  assert.deepEqual(screen.press("no key"), { said: null, moved: false });
  assert.equal(screen.at, "c1");
});

test("deciding goes on only; looking for what is left goes round", () => {
  const order = ["a", "b", "c"];
  const isOpen = (key) => key === "a";
  assert.equal(nextOpen(order, "b", isOpen), null);
  assert.equal(nextOpen(order, "b", isOpen, { around: true }), "a");
  const screen = asking(3, { decided: ["c2"] });
  screen.at = "c3";
  assert.deepEqual(screen.press("P"), { said: "P", moved: false });
});

test("back and on end at the ends", () => {
  const order = ["a", "b"];
  assert.deepEqual([neighbour(order, "a", -1), neighbour(order, "b", 1), neighbour(order, "b", -1)], ["a", "b", "a"]);
  assert.deepEqual([neighbour(order, null, 1), neighbour(order, null, -1), neighbour([], null, 1)], ["a", "b", null]);
  assert.equal(firstOpen([], () => true), null);
  assert.equal(firstOpen(order, () => false), "a", "what is all decided begins at its start");
});
