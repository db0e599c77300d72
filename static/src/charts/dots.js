import { axisTitle, axisText, base, FONT, legend, rowTitleAt, TEXT, valueAxis, widthOf, wrapped } from "./frame.js";
import { MARKS, mark } from "./marks.js";
import { LINE_LABEL, referenceLines } from "./reference.js";
import { arrange, ascending, rowTitle, smallest, tick } from "./table.js";

const STEP = 20; // from one dot to the next of the same label
const GAP = 12; // between the dots of one label and those of the next
const APART = 18; // before what is of all of them
const LINE = 18;
const AXIS = 52; // ticks and title below the plot
const SIZE = 4.5; // half of a dot
const PLAIN = 400, BOLD = 600; // weights of a label, and of one that is of all the others

/**
 * Dots with their intervals, in ascending order, and each figure in words at the far end. What is of all the others
 * stands last, set apart by a line and by a ring around its dots. Places down the plot are pixels.
 */
export function dots(context) {
  const { table, measure, width, rtl, colours } = context;
  const shown = ascending(table, arrange(table, measure));
  const key = legend(shown.isNamed ? shown.series.map((one) => one.name) : [], { ...context, icons: MARKS });
  const labels = Math.min(Math.max(...shown.x.map((label, at) => widthOf(label, weightOf(shown.whole[at]))), widthOf(rowTitle(table))) + 16, width * 0.36, 280);
  const wordy = width >= 640;
  const figures = figuresWidth(shown, wordy);
  const rows = placed(shown, labels - 14);
  const plot = rows.at(-1).end;
  const top = key.height + LINE + shown.ceilings.length * LINE_LABEL + 10;
  const side = { [rtl ? "right" : "left"]: labels, [rtl ? "left" : "right"]: figures };
  const drawn = { ...context, wordy, rows };
  return {
    height: top + plot + AXIS,
    option: {
      ...base(context),
      legend: key.option,
      grid: { top, bottom: AXIS, ...side, outerBoundsMode: "none" },
      xAxis: {
        type: "value", inverse: rtl, scale: true, splitNumber: width < 480 ? 3 : 5, ...valueAxis(colours),
        ...axisTitle(shown.title, width - labels - figures, colours),
        axisLabel: { ...valueAxis(colours).axisLabel, formatter: (value) => tick(shown, value) },
      },
      yAxis: { type: "value", inverse: true, min: 0, max: plot, show: false },
      series: [
        rowLabels(rows, drawn),
        ...shown.series.map((one, at) => ofSeries(one, at, shown.series.length, drawn)),
        ...(smallest(shown) < 0 ? [zeroLine(plot, context)] : []),
        referenceLines(shown, context),
      ],
    },
  };
}

function weightOf(isWhole) {
  return isWhole ? BOLD : PLAIN;
}

/** Where each label stands, from the top of the plot: as high as its lines and its dots need. */
function placed({ x, series, whole }, room) {
  let end = 0;
  return x.map((label, at) => {
    const lines = wrapped(label, room, weightOf(whole[at]));
    const apart = whole[at] && at > 0 && !whole[at - 1] ? APART : 0;
    const height = Math.max(series.length * STEP + GAP, lines.length * LINE + 6);
    const begin = end + apart;
    end = begin + height;
    return { lines, isWhole: whole[at], middle: begin + height / 2, line: apart ? begin - apart / 2 : null, end };
  });
}

function words(point, wordy) {
  return wordy || point.figure.value === null ? point.text : point.text.split(" [")[0];
}

function figuresWidth(shown, wordy) {
  const points = shown.series.flatMap((one) => one.points).filter((point) => point && point.figure.value !== null);
  return Math.max(24, ...points.map((point) => widthOf(words(point, wordy)))) + 16;
}

/** Labels beside the plot, what they are above them, and the line before what is of all of them. */
function rowLabels(rows, { table, rtl, colours, width }) {
  const text = { fontFamily: FONT, fontSize: TEXT, lineHeight: LINE, fill: colours.ink, align: rtl ? "left" : "right" };
  return {
    type: "custom", name: "labels", silent: true, z: 2, clip: false, encode: { y: 0 }, data: rows.map((row) => [row.middle]),
    renderItem({ coordSys, dataIndex }) {
      const row = rows[dataIndex];
      const x = rtl ? coordSys.x + coordSys.width + 10 : coordSys.x - 10;
      const children = [{
        type: "text",
        style: { ...text, x, y: coordSys.y + row.middle, text: row.lines.join("\n"), verticalAlign: "middle", fontWeight: weightOf(row.isWhole) },
      }];
      if (!dataIndex) children.push({ type: "text", style: { ...text, ...rowTitleAt(rowTitle(table), { coordSys, x, rtl, width }), fill: colours.muted } });
      if (row.line !== null) {
        const y = coordSys.y + row.line;
        const shape = { x1: rtl ? coordSys.x : 0, y1: y, x2: rtl ? x + 1000 : coordSys.x + coordSys.width, y2: y };
        children.push({ type: "line", shape, style: { stroke: colours.lineStrong, lineWidth: 1 } });
      }
      return { type: "group", children };
    },
  };
}

function ofSeries(one, at, count, context) {
  const { table, rows, colours } = context;
  const colour = colours.series[at % colours.series.length];
  const y = (index) => rows[index].middle + (at - (count - 1) / 2) * STEP;
  const data = one.points.map((point, index) => {
    const { value, low, high } = point?.figure ?? {};
    return { value: [value ?? NaN, y(index), low ?? value ?? NaN, high ?? value ?? NaN], point };
  });
  return {
    type: "custom", name: one.name, z: 5, clip: false, itemStyle: { color: colour },
    cursor: table.links.some(Boolean) ? "pointer" : "default",
    // The axis reaches as far as the intervals do.
    encode: { x: [0, 2, 3], y: 1 }, data,
    renderItem({ coordSys, dataIndex }, api) {
      const point = one.points[dataIndex];
      if (!point) return null;
      const place = (value) => [api.coord([value, 0])[0], coordSys.y + y(dataIndex)];
      const band = { x: coordSys.x, y: coordSys.y + y(dataIndex) - STEP / 2, width: coordSys.width, height: STEP };
      // What answers to pointer and finger is the whole band, not the dot alone.
      const area = { type: "rect", shape: band, style: { fill: "transparent" } };
      const shape = { at, isAlone: count === 1, isWhole: rows[dataIndex].isWhole, colour };
      return { type: "group", children: [area, ...figure(point, place, shape, coordSys, context)] };
    },
  };
}

function figure(point, place, shape, coordSys, { rtl, colours, wordy }) {
  const text = { fontFamily: FONT, fontSize: TEXT - 1, verticalAlign: "middle" };
  const [begin, end] = rtl ? [coordSys.x + coordSys.width - 6, coordSys.x - 8] : [coordSys.x + 6, coordSys.x + coordSys.width + 8];
  const align = rtl ? "right" : "left";
  if (point.figure.value === null) {
    const [, y] = place(0);
    return [{ type: "text", style: { ...text, x: begin, y, text: point.text, fill: colours.muted, align } }];
  }
  const [x, y] = place(point.figure.value);
  const label = { type: "text", style: { ...text, x: end, y, text: words(point, wordy), fill: colours.ink, align } };
  return [...interval(point.figure, place, shape), ...mark(x, y, SIZE, shape, colours), label];
}

function interval({ low, high }, place, { colour }) {
  if (low === null || high === null) return [];
  const [from, y] = place(low);
  const [to] = place(high);
  const line = (x1, y1, x2, y2, lineWidth) => ({ type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: colour, lineWidth } });
  return [line(from, y, to, y, 2), line(from, y - 4, from, y + 4, 1.5), line(to, y - 4, to, y + 4, 1.5)];
}

/** Where figures go both ways, the line they start from. */
function zeroLine(plot, { colours }) {
  return {
    type: "custom", name: "zero", silent: true, z: 1, encode: { x: 0, y: 1 }, data: [[0, plot]],
    renderItem({ coordSys }, api) {
      const [at] = api.coord([0, 0]);
      return { type: "line", shape: { x1: at, y1: coordSys.y, x2: at, y2: coordSys.y + coordSys.height }, style: { stroke: colours.lineStrong, lineWidth: 1.5 } };
    },
  };
}
