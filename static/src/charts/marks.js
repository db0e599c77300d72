/** What tells the series of a chart apart beside colour; names as the engine has them for its legend. */
export const MARKS = ["circle", "rect", "triangle", "diamond", "emptyCircle", "emptyRect", "emptyTriangle"];

const outlines = {
  Rect: (x, y, half) => [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]],
  Triangle: (x, y, half) => [[x, y - half * 1.2], [x + half * 1.2, y + half], [x - half * 1.2, y + half]],
  Diamond: (x, y, half) => [[x, y - half * 1.4], [x + half * 1.4, y], [x, y + half * 1.4], [x - half * 1.4, y]],
};

/** The mark of a figure. What is of all has a ring around its own, or is a diamond where there is but one series. */
export function mark(x, y, half, { at, isAlone, isWhole, colour }, colours) {
  const name = isAlone && isWhole ? "diamond" : MARKS[at % MARKS.length];
  const isEmpty = name.startsWith("empty");
  const shape = isEmpty ? name.slice("empty".length) : name[0].toUpperCase() + name.slice(1);
  const fill = isAlone && isWhole ? colours.ink : colour;
  const style = isEmpty ? { fill: colours.paper, stroke: colour, lineWidth: 2 } : { fill, stroke: colours.paper, lineWidth: 1 };
  const points = outlines[shape]?.(x, y, half);
  const own = points ? { type: "polygon", shape: { points }, style } : { type: "circle", shape: { cx: x, cy: y, r: half }, style };
  if (!isWhole || isAlone) return [own];
  return [{ type: "circle", shape: { cx: x, cy: y, r: half + 4 }, style: { fill: "none", stroke: colours.ink, lineWidth: 1.5 } }, own];
}
