import { axisText, base, FONT, legend, TEXT, valueAxis, widthOf, wrapped } from "./frame.js";
import { LINE_LABEL, referenceLines } from "./reference.js";
import { arrange, ascending, largest, smallest, tick } from "./table.js";

const BAR = 14;
const GAP = 12; // between the bars of one label and those of the next

/** Lying bars in ascending order, each with its interval and its figure in words at the far end. */
export function bars(context) {
  const { table, measure, width, rtl, colours } = context;
  const shown = ascending(table, arrange(table, measure));
  const several = shown.series.length > 1;
  const key = legend(shown.isNamed ? shown.series.map((one) => one.name) : [], context);
  const band = shown.series.length * BAR + GAP;
  const labels = Math.min(Math.max(...shown.x.map(widthOf)) + 12, width * 0.34, 240);
  const names = shown.x.map((label) => wrapped(label, labels - 10).join("\n"));
  const wordy = width >= 640;
  const figures = figuresWidth(shown, wordy);
  const top = key.height + shown.ceilings.length * LINE_LABEL + 8;
  const lines = Math.max(...names.map((label) => label.split("\n").length));
  const height = top + shown.x.length * Math.max(band, lines * 18 + 6) + 32;
  return {
    height,
    option: {
      ...base({ ...context, patterned: several }),
      legend: key.option,
      grid: { top, bottom: 28, left: rtl ? figures : labels, right: rtl ? labels : figures, outerBoundsMode: "none" },
      xAxis: { type: "value", inverse: rtl, max: niceEnd(shown), splitNumber: width < 480 ? 3 : 5, ...valueAxis(colours),
        axisLabel: { ...valueAxis(colours).axisLabel, formatter: (value) => tick(shown, value) } },
      yAxis: {
        type: "category", data: names, inverse: true, position: rtl ? "right" : "left",
        // Labels stay at the edge where bars go both ways from zero.
        axisTick: { show: false }, axisLine: { onZero: false, show: smallest(shown) >= 0, lineStyle: { color: colours.lineStrong } },
        axisLabel: { ...axisText(colours), interval: 0 },
      },
      series: [
        ...shown.series.map((one) => ({
          type: "bar", name: one.name, barWidth: BAR, barGap: "0%", cursor: table.links.some(Boolean) ? "pointer" : "default",
          data: one.points.map((point) => ({ value: point?.figure.value ?? null, point })),
        })),
        ...shown.series.map((one, at) => intervals(one, at, shown.series.length, { ...context, wordy })),
        ...(smallest(shown) < 0 ? [zeroLine(shown, context)] : []),
        referenceLines(shown, context),
      ],
    },
  };
}

function words(point, wordy) {
  return wordy || point.figure.value === null ? point.text : point.text.split(" [")[0];
}

function figuresWidth(shown, wordy) {
  const points = shown.series.flatMap((one) => one.points).filter((point) => point && point.figure.value !== null);
  return Math.max(24, ...points.map((point) => widthOf(words(point, wordy)))) + 16;
}

/** A little beyond the largest value, so that no whisker ends on the edge. */
function niceEnd(shown) {
  const end = largest(shown);
  return end > 0.85 && end <= 1 ? 1 : undefined;
}

function intervals(one, at, count, { rtl, colours, wordy }) {
  return {
    type: "custom", name: `${one.name} `, silent: true, z: 5,
    // The axis reaches as far as the intervals do.
    encode: { x: [0, 2, 3], y: 1 },
    data: one.points.map((point, index) => {
      const { value = 0, low, high } = point?.figure ?? {};
      return [value ?? 0, index, low ?? value ?? 0, high ?? value ?? 0];
    }),
    renderItem({ coordSys, dataIndex }, api) {
      const point = one.points[dataIndex];
      if (!point) return null;
      const offset = (at - (count - 1) / 2) * BAR;
      const place = (value) => {
        const [x, y] = api.coord([value, dataIndex]);
        return [x, y + offset];
      };
      const text = { fontFamily: FONT, fontSize: TEXT - 1, verticalAlign: "middle" };
      if (point.figure.value === null) {
        const [x, y] = place(0);
        return { type: "text", style: { ...text, x: x + (rtl ? -6 : 6), y, text: point.text, fill: colours.muted, align: rtl ? "right" : "left" } };
      }
      const [, y] = place(point.figure.value);
      const end = rtl ? coordSys.x - 8 : coordSys.x + coordSys.width + 8;
      const label = { type: "text", style: { ...text, x: end, y, text: words(point, wordy), fill: colours.ink, align: rtl ? "right" : "left" } };
      return { type: "group", children: [...whisker(point.figure, place, colours), label] };
    },
  };
}

function whisker({ low, high }, place, colours) {
  if (low === null) return [];
  const [from, y] = place(low);
  const [to] = place(high);
  const line = (x1, y1, x2, y2, style) => ({ type: "line", shape: { x1, y1, x2, y2 }, style });
  const dark = { stroke: colours.ink, lineWidth: 1.5 };
  // A light edge keeps the whisker visible inside the bar as well as beyond it.
  return [
    line(from, y, to, y, { stroke: colours.paper, lineWidth: 3.5 }),
    line(from, y, to, y, dark),
    line(from, y - 3.5, from, y + 3.5, dark),
    line(to, y - 3.5, to, y + 3.5, dark),
  ];
}

/** Where bars go both ways, the line they start from. */
function zeroLine({ x }, { colours }) {
  return {
    type: "custom", name: "zero", silent: true, z: 4, encode: { x: 0, y: 1 }, data: x.length ? [[0, 0]] : [],
    renderItem({ coordSys }, api) {
      const [at] = api.coord([0, 0]);
      return { type: "line", shape: { x1: at, y1: coordSys.y, x2: at, y2: coordSys.y + coordSys.height }, style: { stroke: colours.lineStrong, lineWidth: 1.5 } };
    },
  };
}
