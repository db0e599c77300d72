// The few signs on buttons, as paths of a 24 by 24 field.
const PATHS = {
  up: "m6 14 6-6 6 6",
  down: "m6 10 6 6 6-6",
  delete: "M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12M10.5 11v5M13.5 11v5",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  redo: "m15 7 5 5-5 5M20 12H10a6 6 0 0 0-6 6",
};
const LOOK = { viewBox: "0 0 24 24", width: "20", height: "20", fill: "none", stroke: "currentColor", "stroke-width": "2", "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" };

export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  for (const [attribute, value] of Object.entries(name === "grip" ? { ...LOOK, "stroke-width": "3" } : LOOK)) svg.setAttribute(attribute, value);
  const shape = document.createElementNS(space, "path");
  shape.setAttribute("d", PATHS[name]);
  svg.append(shape);
  return svg;
}
