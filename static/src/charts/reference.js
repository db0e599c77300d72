import { ceilingLabel, FONT, TEXT, widthOf } from "./frame.js";

export const LINE_LABEL = 18; // height of a line's label above the plot

/** Vertical lines that lying bars and boxes are read against: the human ceiling, or what else the table names. */
export function referenceLines({ ceilings: lines, x, series }, { table, colours, width }) {
  return {
    type: "custom", name: "reference", silent: true, z: 6, clip: false, encode: { x: 0, y: 1 },
    data: x.length && series.length ? lines.map((line) => [line.value, 0]) : [],
    renderItem({ coordSys, dataIndex }, api) {
      const [at] = api.coord([lines[dataIndex].value, 0]);
      const top = coordSys.y - 6 - (lines.length - 1 - dataIndex) * LINE_LABEL;
      const text = ceilingLabel(lines[dataIndex], lines, table);
      const half = widthOf(text) / 2 + 4;
      return {
        type: "group",
        children: [
          { type: "line", shape: { x1: at, y1: top, x2: at, y2: coordSys.y + coordSys.height },
            style: { stroke: colours.ceiling, lineWidth: 2, lineDash: [6, 4] } },
          { type: "text", style: { x: Math.min(Math.max(at, half), width - half), y: top - 2, text, align: "center", verticalAlign: "bottom",
            fill: colours.ceiling, fontFamily: FONT, fontSize: TEXT - 1, fontWeight: 600 } },
        ],
      };
    },
  };
}
