// The look of a mark, written out as ::highlight() rules. A highlight takes all its decorations from one rule, so
// type (underline style), criticality (weight and colour) and lane (distance from the text, which keeps overlapping
// marks apart) are multiplied out here, at build time, instead of by hand in the stylesheet.

export const LANES = 3;
const styles = { cultural: "solid", linguistic: "wavy", both: "double", logical: "dashed", unset: "dotted" };
// Wavy and double lines look heavier than their nominal weight; they get less of it.
const weights = {
  high: { solid: 4, dashed: 4, dotted: 4, double: 2.5, wavy: 2.25 },
  medium: { solid: 2.5, dashed: 2.5, dotted: 3, double: 1.5, wavy: 1.5 },
  low: { solid: 1.25, dashed: 1.25, dotted: 2, double: 1, wavy: 1 },
  unset: { solid: 2, dashed: 2, dotted: 2, double: 1, wavy: 1 },
};
const offsets = ["0.22em", "0.52em", "0.82em"];
// Custom properties do not reach highlights in every browser that has the API, so colours are literal.
const colours = {
  light: { high: "#b3261e", medium: "#9a5b00", low: "#2f6690", unset: "#5b6675" },
  dark: { high: "#ff8f85", medium: "#f2b95c", low: "#8cbfe8", unset: "#a3adb8" },
};
const tints = {
  light: { high: "rgb(179 38 30 / 0.11)", medium: "rgb(214 138 0 / 0.13)", low: "rgb(47 102 144 / 0.10)", unset: "rgb(91 102 117 / 0.12)" },
  dark: { high: "rgb(255 143 133 / 0.16)", medium: "rgb(242 185 92 / 0.15)", low: "rgb(140 191 232 / 0.15)", unset: "rgb(163 173 184 / 0.16)" },
};

/** Name of the highlight a mark belongs to; an unknown or empty type or criticality counts as not yet chosen. */
export function highlightName(type, criticality, lane) {
  const kind = Object.hasOwn(styles, type) ? type : "unset";
  const weight = Object.hasOwn(weights, criticality) ? criticality : "unset";
  return `mark-${kind}-${weight}-${lane}`;
}

/** Every name highlightName can return. */
export function highlightNames() {
  return Object.keys(styles).flatMap((type) =>
    Object.keys(weights).flatMap((criticality) =>
      Array.from({ length: LANES }, (_, lane) => highlightName(type, criticality, lane))));
}

// A highlight's look is the text's own and its elements inherit it, which costs a fraction of a rule for each of them.
// Where a browser does not inherit it, the script says so (highlight.js), and each element is given it.
function selector(name, scope = "") {
  return [".reading", ".reading--each *"].map((place) => `${scope}${place}::highlight(${name})`).join(",");
}

function colourRule(theme, type, criticality) {
  const scope = theme === "dark" ? '[data-bs-theme="dark"] ' : "";
  const selectors = Array.from({ length: LANES }, (_, lane) =>
    selector(highlightName(type, criticality, lane), scope));
  return `${selectors.join(",")}{text-decoration-color:${colours[theme][criticality]};` +
    `background-color:${tints[theme][criticality]}}`;
}

function shapeRule(type, criticality, lane) {
  const style = styles[type];
  return `${selector(highlightName(type, criticality, lane))}{text-decoration-line:underline;` +
    `text-decoration-style:${style};text-decoration-thickness:${weights[criticality][style]}px;` +
    `text-underline-offset:${offsets[lane]};text-decoration-skip-ink:none}`;
}

/** The stylesheet text: shapes once, colours for each theme. */
export function highlightRules() {
  const rules = [];
  for (const type of Object.keys(styles)) {
    for (const criticality of Object.keys(weights)) {
      for (let lane = 0; lane < LANES; lane += 1) rules.push(shapeRule(type, criticality, lane));
      for (const theme of ["light", "dark"]) rules.push(colourRule(theme, type, criticality));
    }
  }
  return rules.join("\n");
}
