// Working time on a page that is no item: the questions of a quiz, the guidelines.
import { WorkingTime } from "../task_kit/working-time.js";

const page = document.getElementById("reading-time")?.dataset;
const owner = document.querySelector('meta[name="person"]')?.content;
if (page && owner) {
  const client = crypto.randomUUID?.() ?? String(Math.random());
  new WorkingTime({ owner, assignment: page.activity, idle_seconds: Number(page.idle), urls: { signs: page.url } }, client);
}
document.documentElement.dataset.readingTime = "ready";
