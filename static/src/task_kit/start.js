// The way every task screen begins: the task is read from the page, the screen drawn, its saving and its keys started.
import { startDrawer } from "./drawer.js";
import { addFind } from "./find.js";
import { listen, useOwnKeys } from "./keys.js";
import { keepByThemselves, RemarkTools } from "./remark-tools.js";
import { Remarks } from "./remarks.js";
import { startSaving } from "./saving.js";

/**
 * @param {object} of  `name`: the task stands in #<name>-task, the places of the page in #<name>-<place>; `build(task, slot)`
 *   makes the screen, whose `begin()`, where it has one, puts the focus on the text (else it is on the text that is shown); `saving(screen, task)` says what `startSaving` is to know beside task, screen and places; `tools(toolbar,
 *   screen, slot)` fills the toolbar; `commands(screen)` is the table of keys; `ready` is set on the page's `dataset` at the
 *   end; `publish(screen)` keeps it reachable for people who script their own tools, and for measuring.
 */
export async function startTask({ name, build, saving, tools, commands, ready, publish }) {
  const source = document.getElementById(`${name}-task`);
  if (!source) return;
  const task = JSON.parse(source.textContent);
  useOwnKeys(task.own_keys, task.urls.keys);
  const slot = (place) => document.getElementById(`${name}-${place}`);
  const screen = build(task, slot);
  const toolbar = slot("toolbar");
  const remarks = new Remarks(task.remarks);
  if (task.read_only) keepByThemselves(remarks, task, slot("notices"));
  else {
    const sync = await startSaving({ task, screen, remarks, notices: slot("notices"), toolbar, ...saving(screen, task) });
    screen.save = async () => {
      await sync.push();
      return !sync.unsent;
    };
  }
  const table = commands(screen);
  tools(toolbar, screen, table);
  const drawer = startDrawer(toolbar);
  addFind(screen, toolbar, slot("notices"), table);
  const remarkTools = new RemarkTools(remarks, screen);
  table.unshift(...remarkTools.commands());
  toolbar.append(remarkTools.root);
  toolbar.hidden = false;
  listen(table);
  if (screen.begin) screen.begin();
  else document.querySelector("[data-as-shown][tabindex]")?.focus({ preventScroll: true });
  drawer?.openPart(location.hash.slice(1)); // a link to the answer may ask for what stands beside it
  document.documentElement.dataset[ready] = "ready";
  publish(screen);
}
