import { axisText, axisTitle, base, FONT, legend, TEXT, valueAxis, widthOf, wrapped } from "./frame.js";
import { MARKS, mark } from "./marks.js";
import { isolated, tick, titled } from "./table.js";

const PLOT = 340;
const AXIS = 52; // ticks and title below the plot
const SIDE = 56; // ticks beside it
const SIZE = 5; // half of a mark
const NAMED = 12; // with more marks their names stand in the tooltip alone

/**
 * A mark for each row: the last measure but one across, the last one up, with the interval of that. Rows that sum others
 * up have a ring.
 */
export function scatter(context) {
  const { table, width, rtl, colours } = context;
  const series = pointsOf(table);
  const key = legend(series.length > 1 ? series.map((one) => one.name) : [], { ...context, icons: MARKS });
  const [across, up] = [-2, -1].map((at) => ({ title: table.axes.at(at), unit: table.units.at(at) }));
  const title = wrapped(up.title, width - 16);
  const top = key.height + title.length * 18 + 14;
  const side = { [rtl ? "right" : "left"]: SIDE, [rtl ? "left" : "right"]: 24 };
  const isNamed = series.reduce((sum, one) => sum + one.points.length, 0) <= NAMED;
  return {
    height: top + PLOT + AXIS,
    option: {
      ...base(context),
      legend: key.option,
      grid: { top, bottom: AXIS, ...side, outerBoundsMode: "none" },
      xAxis: {
        type: "value", inverse: rtl, scale: true, splitNumber: width < 480 ? 3 : 5, ...valueAxis(colours),
        ...axisTitle(across.title, width - SIDE - 24, colours),
        axisLabel: { ...valueAxis(colours).axisLabel, formatter: (value) => tick(across, value) },
      },
      yAxis: {
        type: "value", scale: true, position: rtl ? "right" : "left", ...valueAxis(colours),
        axisLabel: { ...valueAxis(colours).axisLabel, formatter: (value) => tick(up, value) },
        name: title.join("\n"), nameLocation: "end", nameGap: 12,
        nameTextStyle: { ...axisText(colours), color: colours.muted, align: rtl ? "right" : "left", verticalAlign: "bottom", padding: rtl ? [0, -SIDE, 0, 0] : [0, 0, 0, -SIDE] },
      },
      series: series.map((one, at) => drawn(one, at, { ...context, isAlone: series.length === 1, isNamed })),
    },
  };
}

/** By colour, the rows with a value of both measures. */
function pointsOf(table) {
  const seriesAt = table.dimensions.indexOf(table.chart.series);
  const most = Math.max(...table.rows.map((row) => Object.keys(row.drill).length));
  const named = new Map();
  table.rows.forEach((row, index) => {
    const [x, y] = row.figures.slice(-2);
    if (x.value === null || y.value === null) return;
    const name = isolated(seriesAt >= 0 ? row.labels[seriesAt] : titled(table.measures.at(-1)));
    const label = row.labels.filter((_, at) => at !== seriesAt).map(isolated).join(" · ");
    if (!named.has(name)) named.set(name, { name, points: [] });
    named.get(name).points.push({ x: label, series: name, text: table.texts[index].slice(-2).join("\n"), figure: y, row: index, at: [x.value, y.value], drills: Object.keys(row.drill).length });
  });
  const series = [...named.values()];
  for (const one of series) {
    const own = Math.max(...one.points.map((point) => point.drills));
    for (const point of one.points) point.isWhole = most > 0 && point.drills < own;
  }
  return series;
}

function drawn(one, at, { table, rtl, width, colours, isAlone, isNamed }) {
  const colour = colours.series[at % colours.series.length];
  const text = { fontFamily: FONT, fontSize: TEXT - 1, fill: colours.ink, verticalAlign: "middle" };
  return {
    type: "custom", name: one.name, z: 5, clip: false, itemStyle: { color: colour },
    cursor: table.links.some(Boolean) ? "pointer" : "default",
    // The axis reaches as far as the intervals do.
    encode: { x: 0, y: [1, 2, 3] },
    data: one.points.map((point) => ({ value: [...point.at, point.figure.low ?? point.at[1], point.figure.high ?? point.at[1]], point })),
    renderItem(_params, api) {
      const point = one.points[_params.dataIndex];
      const [x, y] = api.coord(point.at);
      const children = [...interval(point, api, colour), ...mark(x, y, SIZE, { at, isAlone, isWhole: point.isWhole, colour }, colours)];
      if (isNamed) {
        const room = widthOf(point.x) + 12;
        const isBefore = rtl ? x - room > 0 : x + room > width;
        children.push({ type: "text", style: { ...text, x: isBefore ? x - 10 : x + 10, y, text: point.x, align: isBefore ? "right" : "left" } });
      }
      return { type: "group", children };
    },
  };
}

function interval(point, api, colour) {
  const { low, high } = point.figure;
  if (low === null || high === null) return [];
  const [[x, from], [, to]] = [low, high].map((value) => api.coord([point.at[0], value]));
  return [{ type: "line", shape: { x1: x, y1: from, x2: x, y2: to }, style: { stroke: colour, lineWidth: 1.5 } }];
}
