// What is told of working time, and in how many calls.
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document ??= { cookie: "", querySelector: () => null };
const { tell } = await import("../../static/src/site/untold-time.js");

const stretches = (count) => Array.from({ length: count }, (_, at) => [at * 100_000, at * 100_000 + 60_000]);

test("the stretches of days offline go in several calls, each of which the server takes and a page that ends may send", async () => {
  const bodies = [];
  globalThis.fetch = async (_url, { body }) => {
    bodies.push(body);
    return { ok: true, status: 200, json: async () => ({ seconds: 1 }) };
  };
  assert.equal(await tell("/signs", stretches(4500)), true);
  assert.deepEqual(bodies.map((body) => JSON.parse(body).signs.length), [1000, 1000, 1000, 1000, 500]);
  assert.ok(bodies.every((body) => body.length < 64_000));
  assert.deepEqual(bodies.flatMap((body) => JSON.parse(body).signs), stretches(4500));
});

test("where one of the calls has no answer, all is told again", async () => {
  let calls = 0;
  globalThis.fetch = async () => {
    calls += 1;
    if (calls === 2) throw new TypeError("offline");
    return { ok: true, status: 200, json: async () => ({ seconds: 1 }) };
  };
  assert.equal(await tell("/signs", stretches(2500)), false);
  assert.equal(calls, 2);
});

test("an answer that is not the server's tells nothing", async () => {
  for (const [status, told] of [[200, { login: "https://portal.example/" }], [404, {}]]) {
    globalThis.fetch = async () => ({ ok: status === 200, status, json: async () => told });
    assert.equal(await tell("/signs", stretches(1)), false);
  }
  globalThis.fetch = async () => new Response("<h1>Welcome</h1>", { status: 200 });
  assert.equal(await tell("/signs", stretches(1)), false);
});
