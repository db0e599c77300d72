import { axisText, axisTitle, base, FONT, rowTitleAt, TEXT, valueAxis, widthOf, wrapped } from "./frame.js";
import { LINE_LABEL, referenceLines } from "./reference.js";
import { arrange, rowTitle, tick } from "./table.js";

const BOX = 22;
const ROW = 44;
const AXIS = 52; // ticks and title below the plot
const MEAN = 5; // half of the diamond that stands for the mean

/**
 * Lying boxes, one per row. The table's measures are, in order: lower whisker, lower quartile, median, upper quartile,
 * upper whisker, mean; the values beyond the whiskers stand in the detail of the upper one.
 */
export function boxes(context) {
  const { table, width, rtl, colours } = context;
  const shown = arrange(table);
  const rows = shown.x.map((label, at) => ({ label, points: shown.series.map((one) => one.points[at]) }));
  const labels = Math.min(Math.max(...shown.x.map((label) => widthOf(label)), widthOf(rowTitle(table))) + 12, width * 0.34, 240);
  const names = shown.x.map((label) => wrapped(label, labels - 10).join("\n"));
  const lines = Math.max(...names.map((name) => name.split("\n").length));
  const top = 18 + shown.ceilings.length * LINE_LABEL + 12;
  const text = axisText(colours);
  return {
    height: top + rows.length * Math.max(ROW, lines * 18 + 8) + AXIS,
    option: {
      ...base(context),
      legend: { show: false },
      grid: { top, bottom: AXIS, left: rtl ? 16 : labels, right: rtl ? labels : 16, outerBoundsMode: "none" },
      xAxis: {
        type: "value", inverse: rtl, scale: true, splitNumber: width < 480 ? 3 : 6, ...valueAxis(colours),
        ...axisTitle(shown.title, width - labels - 16, colours),
        axisLabel: { ...valueAxis(colours).axisLabel, formatter: (value) => tick(shown, value) },
      },
      yAxis: {
        type: "category", data: names, inverse: true, position: rtl ? "right" : "left",
        axisTick: { show: false }, axisLine: { onZero: false, lineStyle: { color: colours.lineStrong } },
        axisLabel: { ...text, interval: 0 },
      },
      series: [
        {
          type: "boxplot", name: table.title, boxWidth: [BOX, BOX],
          cursor: table.links.some(Boolean) ? "pointer" : "default",
          itemStyle: { color: colours.sunken, borderColor: colours.series[0], borderWidth: 2 },
          data: rows.map(({ label, points }) => ({
            value: points.slice(0, 5).map((point) => point?.figure.value ?? null), point: described(label, points, table),
          })),
        },
        beyond(rows, colours),
        means(rows, colours),
        heading(rows, context),
        referenceLines(shown, context),
      ],
    },
  };
}

/** What the boxes are of, above their labels. */
function heading(rows, { table, rtl, colours, width }) {
  return {
    type: "custom", name: "heading", silent: true, clip: false, encode: { y: 0 }, data: rows.length ? [[0]] : [],
    renderItem({ coordSys }) {
      const x = rtl ? coordSys.x + coordSys.width + 8 : coordSys.x - 8;
      const style = { ...rowTitleAt(rowTitle(table), { coordSys, x, rtl, width }), fill: colours.muted, fontFamily: FONT, fontSize: TEXT };
      return { type: "text", style };
    },
  };
}

/** What the tooltip says of a box, and the row that a click opens. */
function described(label, points, table) {
  const [first] = points;
  const words = points.map((point, at) => `${table.measures[at]}: ${point.text}`).join("\n");
  return { ...first, x: label, series: label, text: words };
}

function beyond(rows, colours) {
  const data = rows.flatMap(({ points }, row) => (points[4]?.figure.detail.outliers ?? []).map((value) => [value, row]));
  return {
    type: "custom", name: "beyond", silent: true, z: 4, encode: { x: 0, y: 1 }, data,
    renderItem({ dataIndex }, api) {
      const [cx, cy] = api.coord(data[dataIndex]);
      return { type: "circle", shape: { cx, cy, r: 3 }, style: { fill: "none", stroke: colours.series[0], lineWidth: 1.5 } };
    },
  };
}

function means(rows, colours) {
  const data = rows.map(({ points }, row) => [points[5]?.figure.value ?? null, row]);
  return {
    type: "custom", name: "means", silent: true, z: 5, encode: { x: 0, y: 1 }, data,
    renderItem({ dataIndex }, api) {
      if (data[dataIndex][0] === null) return null;
      const [x, y] = api.coord(data[dataIndex]);
      const points = [[x, y - MEAN], [x + MEAN, y], [x, y + MEAN], [x - MEAN, y]];
      return { type: "polygon", shape: { points }, style: { fill: colours.series[1], stroke: colours.paper, lineWidth: 1 } };
    },
  };
}
