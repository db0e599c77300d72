// Font stylesheets, one per script, cut from the @fontsource packages: only WOFF2, only the weights the
// interface uses, each face with its unicode-range so that a page downloads no more than it shows.
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";

// A person on a slow line pays about 50 kB for each Arabic or Bengali weight, so these scripts come in one
// weight and browsers draw the bold of headings from it.
const stylesheets = [
  {
    name: "fonts-latin",
    faces: [
      { pkg: "noto-sans", weights: [400], subsets: ["latin", "latin-ext", "vietnamese", "cyrillic", "greek"] },
    ],
  },
  // Not on pages in a script that comes in one weight: beside it, the bold of Latin words is drawn likewise.
  { name: "fonts-latin-strong", faces: [{ pkg: "noto-sans", weights: [600], subsets: ["latin", "latin-ext"] }] },
  // Its range takes in the joiners of emoji and Arabic, so on other pages it would be fetched for nothing.
  { name: "fonts-devanagari", faces: [{ pkg: "noto-sans", weights: [400, 600], subsets: ["devanagari"] }] },
  { name: "fonts-arabic", faces: [{ pkg: "noto-sans-arabic", weights: [400], subsets: ["arabic"] }] },
  { name: "fonts-naskh", faces: [{ pkg: "noto-naskh-arabic", weights: [400], subsets: ["arabic"] }] },
  { name: "fonts-bengali", faces: [{ pkg: "noto-sans-bengali", weights: [400], subsets: ["bengali"] }] },
  {
    name: "fonts-korean",
    // Hangul comes in some 120 slices. Phones and most desktops have the family already: ask for it first.
    faces: [{ pkg: "noto-sans-kr", weights: [400], subsets: null, local: ["Noto Sans KR", "Noto Sans CJK KR"] }],
  },
];

const faceBlock = /\/\*\s*(?<label>[^*]+?)\s*\*\/\s*@font-face\s*\{(?<body>[^}]*)\}/g;

/** The faces of one weight as the package declares them: label, file name, unicode-range. */
async function declaredFaces(packages, pkg, weight) {
  const css = await readFile(join(packages, "@fontsource", pkg, `${weight}.css`), "utf8");
  return [...css.matchAll(faceBlock)].map(({ groups }) => ({
    subset: groups.label.slice(pkg.length + 1).replace(`-${weight}-normal`, ""),
    family: groups.body.match(/font-family:\s*'([^']+)'/)[1],
    file: groups.body.match(/url\(\.\/files\/([^)]+\.woff2)\)/)[1],
    range: groups.body.match(/unicode-range:\s*([^;]+)/)?.[1].trim(),
  }));
}

function rule(face, weight, local = []) {
  const sources = [...local.map((name) => `local("${name}")`), `url("fonts/${face.file}") format("woff2")`];
  const range = face.range ? `unicode-range:${face.range};` : "";
  return `@font-face{font-family:"${face.family}";font-style:normal;font-weight:${weight};` +
    `font-display:swap;src:${sources.join(",")};${range}}`;
}

/** @returns {Promise<{name: string, css: string, files: {from: string, to: string}[]}[]>} */
export async function fontStylesheets(packages) {
  return Promise.all(stylesheets.map(async ({ name, faces }) => {
    const rules = [];
    const files = [];
    for (const { pkg, weights, subsets, local } of faces) {
      for (const weight of weights) {
        const declared = await declaredFaces(packages, pkg, weight);
        for (const face of declared.filter(({ subset }) => !subsets || subsets.includes(subset))) {
          rules.push(rule(face, weight, local));
          files.push({ from: join(packages, "@fontsource", pkg, "files", face.file), to: basename(face.file) });
        }
      }
    }
    if (!rules.length) throw new Error(`${name}: the font packages declare none of the wanted subsets`);
    return { name, css: rules.join("\n") + "\n", files };
  }));
}
