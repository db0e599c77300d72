// When a page counts time: in view, and near enough to a sign of life.
import assert from "node:assert/strict";
import test from "node:test";
import { Stretches } from "../../static/src/task_kit/stretches.js";

function ticking(idle = 60_000) {
  const stretches = new Stretches(idle);
  let now = 1_000_000;
  stretches.sign(now);
  stretches.tick(now, true);
  const pass = (seconds, { visible = true, sign = false } = {}) => {
    for (let second = 0; second < seconds; second += 1) {
      now += 1000;
      if (sign) stretches.sign(now);
      stretches.tick(now, visible);
    }
  };
  return { stretches, pass, jump: (milliseconds) => { now += milliseconds; stretches.tick(now, true); }, seconds: () => stretches.milliseconds / 1000 };
}

test("reading counts up to the pause after the last sign of life, and no longer", () => {
  const { pass, seconds } = ticking();
  pass(25);
  assert.equal(seconds(), 25);
  pass(300);
  assert.equal(seconds(), 60);
  pass(10, { sign: true });
  assert.equal(seconds(), 70);
});

test("time out of view does not count, and is no gap that is filled later", () => {
  const { stretches, pass, seconds } = ticking();
  pass(10);
  pass(20, { visible: false });
  pass(10, { sign: true });
  assert.equal(seconds(), 20);
  assert.equal(stretches.told.length, 2);
});

test("a laptop that slept brings no time with it, and a clock set back none either", () => {
  const { pass, jump, seconds } = ticking();
  pass(10);
  jump(3_600_000);
  assert.equal(seconds(), 10);
  jump(-7_200_000);
  assert.equal(seconds(), 10);
  pass(5, { sign: true });
  assert.equal(seconds(), 15);
});

test("what was told is left out, and what has begun before goes on from there", () => {
  const { stretches, pass, seconds } = ticking();
  pass(30);
  const until = stretches.told.at(-1)[1];
  pass(12);
  stretches.forget(until);
  assert.equal(seconds(), 12);
  assert.equal(stretches.told[0][0], until);
  pass(3);
  assert.equal(seconds(), 15);
  assert.equal(stretches.told.length, 1);
});

test("what an earlier page could not tell is told with the rest", () => {
  const stretches = new Stretches(60_000, [[1000, 4000]]);
  assert.equal(stretches.milliseconds, 3000);
});
