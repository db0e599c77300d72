import { axisText, base, FONT, TEXT, widthOf, wrapped } from "./frame.js";
import { between, readableOn } from "./palette.js";
import { arrange, largest, rowTitle, smallest, tick, titled } from "./table.js";

const ROW = 40; // at least
const NARROWEST = 56; // of a cell; a field that needs more room than the page has is scrolled

/** A field of cells, each with its value printed: colour only repeats what the number says. */
export function heat(context) {
  const { table, measure, rtl, colours } = context;
  const shown = arrange(table, measure);
  // The longer list runs down the page, where there is room for it.
  const down = shown.x.length >= shown.series.length;
  const rows = down ? shown.x : shown.series.map((one) => one.name);
  const columns = down ? shown.series.map((one) => one.name) : shown.x;
  const cells = shown.series.flatMap((one, at) =>
    one.points.map((point, index) => ({ point, row: down ? index : at, column: down ? at : index })).filter(({ point }) => point));
  const labels = Math.min(Math.max(...rows.map((label) => widthOf(label))) + 12, context.width * 0.36, 260);
  const width = Math.max(context.width, labels + 8 + columns.length * NARROWEST);
  const cell = (width - labels - 8) / columns.length;
  const names = columns.map((label) => wrapped(label, cell - 8));
  const top = 18 + 12 + 18 * Math.max(...names.map((lines) => lines.length));
  const titles = rows.map((label) => wrapped(label, labels - 10));
  const row = Math.max(ROW, 8 + 18 * Math.max(...titles.map((lines) => lines.length)));
  const text = axisText(colours);
  const still = { axisTick: { show: false }, axisLine: { show: false }, splitLine: { show: false } };
  return {
    width,
    height: top + rows.length * row + 34,
    option: {
      ...base(context),
      legend: { show: false },
      grid: { top, bottom: 30, left: rtl ? 4 : labels, right: rtl ? labels : 4, outerBoundsMode: "none" },
      xAxis: { type: "category", data: names.map((lines) => lines.join("\n")), position: "top", inverse: rtl, ...still,
        axisLabel: { ...text, interval: 0 } },
      yAxis: { type: "category", data: titles.map((lines) => lines.join("\n")), inverse: true, position: rtl ? "right" : "left", ...still,
        axisLabel: { ...text, interval: 0 } },
      series: [field(cells, shown, context), axisTitles(shown, down, context)],
    },
  };
}

/** What columns and rows are, and below the field what its numbers are. */
function axisTitles(shown, down, { table, rtl, colours }) {
  const [ofRows, ofColumns] = down ? [rowTitle(table), titled(table.chart.series)] : [titled(table.chart.series), rowTitle(table)];
  return {
    type: "custom", name: "titles", silent: true, clip: false, encode: { x: 0, y: 1 }, data: shown.x.length ? [[0, 0]] : [],
    renderItem({ coordSys }) {
      const text = { fontFamily: FONT, fontSize: TEXT, fill: colours.muted };
      const edge = rtl ? coordSys.x + coordSys.width + 8 : coordSys.x - 8;
      const middle = coordSys.x + coordSys.width / 2;
      return {
        type: "group",
        children: [
          { type: "text", style: { ...text, x: edge, y: 4, text: ofRows, align: rtl ? "left" : "right", verticalAlign: "top" } },
          { type: "text", style: { ...text, x: middle, y: 4, text: ofColumns, align: "center", verticalAlign: "top" } },
          { type: "text", style: { ...text, x: middle, y: coordSys.y + coordSys.height + 10, text: shown.title, align: "center", verticalAlign: "top" } },
        ],
      };
    },
  };
}

function field(cells, shown, { table, colours }) {
  // Where values go both ways from zero, colour says how far they are from it.
  const end = Math.max(largest(shown), -smallest(shown));
  return {
    type: "custom", name: table.title, encode: { x: 0, y: 1 },
    data: cells.map(({ point, row, column }) => ({ value: [column, row, point.figure.value], point })),
    renderItem({ dataIndex }, api) {
      const { figure } = cells[dataIndex].point;
      const [x, y] = api.coord([cells[dataIndex].column, cells[dataIndex].row]);
      const [wide, high] = api.size([1, 1]);
      const known = figure.value !== null;
      const fill = known ? between(colours.heatLow, colours.heatHigh, end ? Math.abs(figure.value) / end : 0) : colours.sunken;
      const label = known ? tick(shown, figure.value) : "–";
      return {
        type: "group",
        children: [
          { type: "rect", shape: { x: x - wide / 2 + 1.5, y: y - high / 2 + 1.5, width: wide - 3, height: high - 3, r: 4 },
            style: { fill, stroke: known ? null : colours.lineStrong, lineDash: [3, 3] } },
          { type: "text", style: { x, y, text: label, align: "center", verticalAlign: "middle", fontFamily: FONT, fontSize: TEXT,
            fill: known ? readableOn(fill) : colours.muted } },
        ],
      };
    },
  };
}
