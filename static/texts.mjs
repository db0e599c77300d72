// Which texts each script shows, so that a page is sent the translations of its own scripts and no others.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";

// The first argument of gettext and ngettext, which is what catalogues know a text by; `static/src` writes it out.
const SHOWN = /\bn?gettext\(\s*("(?:[^"\\]|\\.)*")/g;

/** @param {string} source @returns {string[]} the texts that a file shows */
export function textsIn(source) {
  return [...source.matchAll(SHOWN)].map(([, literal]) => JSON.parse(literal));
}

/** @param {object} metafile esbuild's @returns {Promise<Object<string, string[]>>} by the name of the script, in order */
export async function textsOf(metafile) {
  const texts = {};
  for (const [output, { entryPoint, inputs }] of Object.entries(metafile.outputs)) {
    if (!entryPoint) continue;
    const sources = await Promise.all(Object.keys(inputs).map((path) => readFile(path, "utf8")));
    texts[basename(output, ".js")] = [...new Set(sources.flatMap(textsIn))].sort();
  }
  return texts;
}
