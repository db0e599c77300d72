import { axisText, base, ceilingLabel, FONT, legend, TEXT, valueAxis, widthOf } from "./frame.js";
import { MARKS } from "./marks.js";
import { arrange, tick, titled } from "./table.js";

// Lines are told apart by mark and dash as well as by colour.
const DASHES = ["solid", [8, 4], [2, 3], [10, 3, 2, 3], "solid", [8, 4], [2, 3]];

/** Lines over a numeric or ordered axis, each with the band of its interval. */
export function lines(context) {
  const { table, measure, width, rtl, colours } = context;
  const shown = arrange(table, measure);
  const numeric = shown.x.every((label) => label !== "" && Number.isFinite(Number(label)));
  const key = legend(shown.isNamed ? shown.series.map((one) => one.name) : [], context);
  const top = key.height + 36; // the title of the upright axis stands above it
  const height = top + Math.min(320, Math.max(220, width * 0.45)) + 56;
  const at = (index) => (numeric ? Number(shown.x[index]) : index);
  const text = axisText(colours);
  return {
    height,
    option: {
      ...base(context),
      legend: key.option,
      grid: { top, bottom: 52, left: rtl ? 16 : 44, right: rtl ? 44 : 16, outerBoundsMode: "none" },
      xAxis: {
        type: numeric ? "value" : "category", data: numeric ? undefined : shown.x, inverse: rtl,
        name: titled(table.chart.x), nameLocation: "middle", nameGap: 32, nameTextStyle: { ...text, color: colours.muted },
        axisLabel: { ...text, hideOverlap: true }, splitLine: { show: false }, axisTick: { show: false },
        axisLine: { lineStyle: { color: colours.lineStrong } },
        min: numeric ? "dataMin" : undefined, max: numeric ? "dataMax" : undefined,
      },
      yAxis: {
        type: "value", position: rtl ? "right" : "left", ...valueAxis(colours),
        name: shown.title, nameLocation: "end", nameGap: 12,
        nameTextStyle: { ...text, color: colours.muted, align: rtl ? "right" : "left", padding: rtl ? [0, -40, 0, 0] : [0, 0, 0, -40] },
        axisLabel: { ...valueAxis(colours).axisLabel, formatter: (value) => tick(shown, value) },
      },
      series: [
        ...shown.series.map((one, index) => band(one, at, colours.series[index % colours.series.length])),
        ...shown.series.map((one, index) => ({
          type: "line", name: one.name, symbol: MARKS[index % MARKS.length], symbolSize: 8, showAllSymbol: true,
          lineStyle: { width: 2, type: DASHES[index % DASHES.length] }, connectNulls: false,
          itemStyle: { color: colours.series[index % colours.series.length] },
          data: one.points.map((point, place) => ({ value: [at(place), point?.figure.value ?? null], point })),
        })),
        ceilings(shown, context),
      ],
    },
  };
}

function band(one, at, colour) {
  const points = one.points
    .map((point, index) => ({ x: at(index), low: point?.figure.low, high: point?.figure.high }))
    .filter(({ low }) => Number.isFinite(low));
  return {
    type: "custom", name: `${one.name} `, silent: true, z: 1, encode: { x: 0, y: [1, 2] },
    data: points.length > 1 ? points.map(({ x, low, high }) => [x, low, high]) : [],
    renderItem({ dataIndex }, api) {
      if (dataIndex) return null; // the whole band is one shape
      const outline = [
        ...points.map(({ x, high }) => api.coord([x, high])),
        ...points.toReversed().map(({ x, low }) => api.coord([x, low])),
      ];
      return { type: "polygon", shape: { points: outline }, style: { fill: colour, opacity: 0.14 } };
    },
  };
}

function ceilings({ ceilings: found }, { table, rtl, colours }) {
  return {
    type: "custom", name: "ceilings", silent: true, z: 6, encode: { y: 0 }, clip: false,
    data: found.map((line) => [line.value]),
    renderItem({ coordSys, dataIndex }, api) {
      const line = found[dataIndex];
      const y = api.coord([api.value(0) * 0, line.value])[1];
      const text = ceilingLabel(line, found, table);
      const end = rtl ? coordSys.x + 4 : coordSys.x + coordSys.width - 4;
      const left = rtl ? end - 4 : end - widthOf(text) - 4;
      return {
        type: "group",
        children: [
          { type: "line", shape: { x1: coordSys.x, y1: y, x2: coordSys.x + coordSys.width, y2: y },
            style: { stroke: colours.ceiling, lineWidth: 2, lineDash: [6, 4] } },
          { type: "rect", shape: { x: left, y: y - 22, width: widthOf(text) + 8, height: 18 }, style: { fill: colours.paper, opacity: 0.85 } },
          { type: "text", style: { x: end, y: y - 13, text, align: rtl ? "left" : "right", verticalAlign: "middle",
            fill: colours.ceiling, fontFamily: FONT, fontSize: TEXT - 1, fontWeight: 600 } },
        ],
      };
    },
  };
}
