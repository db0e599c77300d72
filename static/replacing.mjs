// Puts what was built in the place of what was there before: a page that is served meanwhile lacks none of its files.
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/** @param {string} folder @returns {Promise<string[]>} the paths of all files below it, relative to it */
async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)));
}

/**
 * Each file takes its place whole, by renaming; then what is built no longer goes. Both lie on one file system.
 * @param {string} built @param {string} place made where it is not there
 */
export async function putInPlace(built, place) {
  await mkdir(place, { recursive: true });
  const files = await filesBelow(built);
  for (const file of files) {
    await mkdir(dirname(join(place, file)), { recursive: true });
    await rename(join(built, file), join(place, file));
  }
  const kept = new Set(files);
  const others = (await filesBelow(place)).filter((file) => !kept.has(file));
  await Promise.all(others.map((file) => rm(join(place, file), { force: true })));
}
