// Bundles the interface into static/dist/: scripts, a stylesheet per writing direction, and a font stylesheet
// per script. Names carry no hash: Django's manifest storage adds it when it collects the files.
import { build } from "esbuild";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile, copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fontStylesheets } from "./fonts.mjs";
import { putInPlace } from "./replacing.mjs";
import { wordsIn, withoutUnreferenced, withoutUnused } from "./unused.mjs";
import { textsOf } from "./texts.mjs";
import { highlightRules } from "./src/spans/highlight-rules.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, "src");
const place = join(here, "dist");
const output = await mkdtemp(join(here, ".making-")); // beside it, so that source maps find their sources
const root = join(here, "..");
const packages = join(root, "node_modules");

const browsers = ["chrome105", "firefox115", "safari16"]; // the oldest ones whose styles are written for
const scripts = {
  "theme": "site/theme.js",
  "app": "site/app.js",
  "forms": "site/forms.js",
  "signed-in": "site/signed-in.js",
  "reading-time": "site/reading-time.js",
  "spans": "spans/index.js",
  "spans-with-answers": "spans/with-answers.js",
  "reviews": "reviews/index.js",
  "authoring": "authoring/index.js",
  "scoring": "scoring/index.js",
  "ratings": "ratings/index.js",
  "questionnaires": "questionnaires/index.js",
  "answer_scoring": "answer_scoring/index.js",
  "localising": "localising/index.js",
  "question-check": "question_check/index.js",
  "refine": "refine/index.js",
  "quiz": "quiz/index.js",
  "quiz-samples": "quiz/with-samples.js",
  "own-keys": "own_keys/index.js",
  "reading_page": "reading_page/index.js",
  "prompts": "prompts/index.js",
  "guidelines": "guidelines/index.js",
  "charts": "charts/index.js",
  "find": "find/index.js",
};

/** Entries whose source exists: rooms of the interface are added and removed by adding and removing a folder. */
function presentScripts() {
  return Object.fromEntries(
    Object.entries(scripts)
      .map(([name, path]) => [name, join(source, path)])
      .filter(([, path]) => existsSync(path)),
  );
}

async function buildScripts() {
  const { metafile } = await build({
    metafile: true,
    entryPoints: presentScripts(),
    outdir: output,
    bundle: true,
    alias: { "@popperjs/core": join(source, "site/placed-by-style.js") },
    // Classic scripts rather than modules: each entry is self-contained and may be loaded with `defer`.
    format: "iife",
    target: ["es2022"],
    minify: true,
    sourcemap: "linked",
    legalComments: "none",
    logLevel: "warning",
  });
  await writeFile(join(output, "texts.json"), JSON.stringify(await textsOf(metafile), null, 1));
}

/** Lets a stylesheet import text that is in no file. */
function virtualStylesheet(name, contents) {
  return {
    name,
    setup(building) {
      building.onResolve({ filter: new RegExp(`^${name}$`) }, ({ path }) => ({ path, namespace: "made" }));
      building.onLoad({ filter: /.*/, namespace: "made" }, () => ({ contents, loader: "css" }));
    },
  };
}

async function buildStylesheets() {
  const own = ["tokens", "layout", "forms", "project", "spans", "reading"];
  const words = await wordsIn(root, join(packages, "bootstrap", "js", "src"));
  const styles = join(source, "styles");
  const ours = await Promise.all((await readdir(styles)).map((name) => readFile(join(styles, name), "utf8")));
  for (const direction of ["ltr", "rtl"]) {
    const bootstrap = direction === "rtl" ? "bootstrap.rtl.css" : "bootstrap.css";
    // "Whatever follows a legend" makes a browser style all that stands after an element anew wherever one comes or goes.
    const framework = (await readFile(join(packages, "bootstrap", "dist", "css", bootstrap), "utf8"))
      .replace("legend + *", "fieldset > :not(legend)");
    const imports = own.map((name) => `@import "./styles/${name}.css";`);
    await build({
      stdin: {
        contents: `@import "bootstrap-in-use";\n${imports.join("\n")}\n${highlightRules()}`,
        resolveDir: source,
        sourcefile: `app.${direction}.css`,
        loader: "css",
      },
      outfile: join(output, `app.${direction}.css`),
      bundle: true,
      plugins: [virtualStylesheet("bootstrap-in-use", withoutUnreferenced(withoutUnused(framework, words), ours, words))],
      minify: true,
      sourcemap: "linked",
      legalComments: "none",
      logLevel: "warning",
      // Bootstrap's icons are data: images already; nothing else is referenced from a stylesheet but fonts.
      loader: { ".svg": "dataurl" },
      target: browsers,
    });
  }
}

/** Stylesheets that one kind of page alone links, beside the one of every page; the same in both directions. */
async function buildOwnStylesheets() {
  await build({
    entryPoints: ["pages", "reports", "reviews", "rubrics", "scoring", "ratings", "localising", "screening", "prompts", "guidelines", "findings", "board", "find"].map((name) => join(source, "styles", `${name}.css`)),
    outdir: output,
    bundle: true, // the sheet below a text (sheet.css) is part of those whose screens have one
    minify: true,
    sourcemap: "linked",
    legalComments: "none",
    logLevel: "warning",
    target: browsers,
  });
}

async function buildFonts() {
  await mkdir(join(output, "fonts"), { recursive: true });
  for (const { name, css, files } of await fontStylesheets(packages)) {
    await writeFile(join(output, `${name}.css`), css);
    await Promise.all(files.map((file) => copyFile(file.from, join(output, "fonts", file.to))));
  }
}

async function sizes() {
  const { brotliCompressSync } = await import("node:zlib");
  const names = ["app.ltr.css", "app.rtl.css", "rubrics.css", "scoring.css", "ratings.css", "localising.css", "screening.css", "findings.css", "board.css", "find.css", ...Object.keys(presentScripts()).map((name) => `${name}.js`)];
  for (const name of names) {
    const bytes = await readFile(join(output, name));
    const compressed = brotliCompressSync(bytes).length;
    console.log(`${name.padEnd(14)} ${(bytes.length / 1024).toFixed(1).padStart(7)} kB` +
      ` ${(compressed / 1024).toFixed(1).padStart(7)} kB compressed`);
  }
}

try {
  await Promise.all([buildScripts(), buildStylesheets(), buildOwnStylesheets(), buildFonts(), copyFile(join(source, "icon.svg"), join(output, "icon.svg"))]);
  if (process.argv.includes("--sizes")) await sizes();
  // What these files were built from is said of all of them or of none (deploy/preparation.py).
  await rm(join(place, ".built-from"), { force: true });
  await putInPlace(output, place);
} finally {
  await rm(output, { recursive: true, force: true });
}
