// The few signs on buttons, as paths of a 24 by 24 field; a screen is sent those that it shows.
export const UP = "m6 14 6-6 6 6";
export const DOWN = "m6 10 6 6 6-6";
export const DELETE = "M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12M10.5 11v5M13.5 11v5";
export const GRIP = "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01";
export const UNDO = "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6";
export const BESIDE = "M4 5h16v14H4zM10 5v14";
export const REDO = "m15 7 5 5-5 5M20 12H10a6 6 0 0 0-6 6";
export const BOOKMARK = "M7 4h10v16l-5-4-5 4z";
export const UNSURE = "M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.1-1.5 2.3M12 18.5h.01";
export const TEXT_SIZE = "M3 19 8.5 5 14 19M5 14.5h7M15 19l3.2-8 3.3 8M16 16h4.4";
export const NOTE = "M5 19h3.5L19 8.5 15.5 5 5 15.5zM13 7.5l3.5 3.5";

const SVG = "http://www.w3.org/2000/svg";
const LOOK = { viewBox: "0 0 24 24", width: 20, height: 20, fill: "none", stroke: "currentColor", "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": true };

export function icon(path, strokeWidth = 2) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [attribute, value] of Object.entries({ ...LOOK, "stroke-width": strokeWidth })) svg.setAttribute(attribute, value);
  const shape = document.createElementNS(SVG, "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}
