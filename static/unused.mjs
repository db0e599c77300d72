// Leaves out of Bootstrap's stylesheet the rules for classes that occur nowhere in our templates and scripts: about
// half of it, a second and a half on a slow phone line. A class must therefore be written out in full somewhere
// (never put together from pieces), or be one of Bootstrap's own scripts' classes.
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";

const READ = new Set([".html", ".js", ".mjs", ".py"]);
// `staticfiles` is where `make run` collects all scripts, those of the API documentation too.
const SKIPPED = new Set(["node_modules", "dist", "staticfiles", "migrations", "tests", "speed", "__pycache__"]);

async function* sources(folder) {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name.startsWith(".") || SKIPPED.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (READ.has(extname(entry.name))) yield path;
  }
}

/** Every word of every source, class names among them. */
export async function wordsIn(...folders) {
  const words = new Set();
  for (const folder of folders) {
    for await (const path of sources(folder)) {
      // A page that stands alone as a file brings its own rules: what they are called is no class of the product's.
      const text = (await readFile(path, "utf8")).replace(/<style>.*?<\/style>/gs, "");
      for (const word of text.match(/[A-Za-z][\w-]*/g) ?? []) words.add(word);
    }
  }
  return words;
}

/** Splits a stylesheet into its top-level statements: [prelude, body or null]. */
function* statements(css) {
  let at = 0;
  while (at < css.length) {
    const brace = css.indexOf("{", at);
    const semicolon = css.indexOf(";", at);
    if (brace < 0 || (semicolon >= 0 && semicolon < brace)) {
      const end = semicolon < 0 ? css.length : semicolon + 1;
      if (css.slice(at, end).trim()) yield [css.slice(at, end).trim(), null];
      at = end;
      continue;
    }
    let depth = 1;
    let end = brace + 1;
    while (depth && end < css.length) {
      if (css[end] === "{") depth += 1;
      else if (css[end] === "}") depth -= 1;
      end += 1;
    }
    yield [css.slice(at, brace).trim(), css.slice(brace + 1, end - 1)];
    at = end;
  }
}

function isUsed(selector, words) {
  // What :not() excludes need not occur for the rule to apply.
  const classes = selector.replace(/:not\([^)]*\)/g, "").match(/\.-?[A-Za-z_][\w-]*/g) ?? [];
  return classes.every((name) => words.has(name.slice(1)));
}

/** The stylesheet without rules that can match nothing. */
export function withoutUnused(css, words) {
  const kept = [];
  for (const [prelude, body] of statements(css.replace(/\/\*[\s\S]*?\*\//g, ""))) {
    if (body === null || prelude.startsWith("@keyframes") || prelude.startsWith("@font-face")) {
      kept.push(body === null ? prelude : `${prelude}{${body}}`);
    } else if (prelude.startsWith("@")) {
      const inner = withoutUnused(body, words);
      if (inner) kept.push(`${prelude}{${inner}}`);
    } else {
      const selectors = prelude.split(/,(?![^(]*\))/).filter((selector) => isUsed(selector, words));
      if (selectors.length) kept.push(`${selectors.join(",")}{${body}}`);
    }
  }
  return kept.join("\n");
}

/**
 * The stylesheet without Bootstrap's own properties that nothing asks for: neither a rule of it, nor `others` (other
 * stylesheets), nor a script or template, whose `words` are given. One may be asked for by another alone.
 */
export function withoutUnreferenced(css, others, words) {
  for (;;) {
    const asked = new Set([css, ...others].flatMap((text) => text.match(/(?<=var\(\s*--)[\w-]+/g) ?? []));
    const left = css.replace(/(?<=[{;]\s*)--(bs-[\w-]+)\s*:[^;{}]*(?:;|(?=\}))/g, (declaration, name) =>
      asked.has(name) || words.has(name) ? declaration : "");
    if (left === css) return css;
    css = left;
  }
}
