// What all kinds of charts share: fonts, legend, tooltip, axes, and how a page that runs right to left turns them.
import { gettext, interpolate } from "../site/text.js";

export const FONT = "Noto Sans, Noto Sans Arabic, Noto Sans Bengali, Noto Sans KR, sans-serif";
export const TEXT = 13;
const LINE = 18;
const MARK = 28; // the legend's mark and the room beside it
const ITEM_GAP = 14;
let ruler;

/** Width of a text in the chart's font, in pixels. */
export function widthOf(text, weight = 400) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = `${weight} ${TEXT}px ${FONT}`;
  return ruler.measureText(text).width;
}

/** The legend and how high it will stand, so that the plot begins below it. */
export function legend(names, { width, rtl, colours, icons }) {
  if (!names.length) return { option: { show: false }, height: 0 };
  const words = new Map(names.map((name) => [name, wrapped(name, width - MARK - ITEM_GAP)]));
  const fitting = legendRows(words, width);
  // Where marks stand on the right, the engine aligns a single row or a single column, but not several rows.
  const rows = rtl && fitting.length > 1 ? names.map((name) => [name]) : fitting;
  const upright = rtl && rows.length > 1;
  const item = (name) => (icons ? { name, icon: icons[names.indexOf(name) % icons.length] } : name);
  const data = upright ? names.map(item) : rows.flatMap((row) => ["", ...(rtl ? row.toReversed() : row).map(item)]).slice(1);
  const option = {
    data, top: 0, [rtl ? "right" : "left"]: 0, width: 10 * width * names.length, align: rtl ? "right" : "left",
    orient: upright ? "vertical" : "horizontal",
    itemGap: ITEM_GAP, itemWidth: icons ? 12 : 22, itemHeight: 12, padding: [4, 0], selectedMode: false,
    formatter: (name) => words.get(name).join("\n"),
    textStyle: { color: colours.ink, fontFamily: FONT, fontSize: TEXT, lineHeight: LINE },
  };
  const heights = rows.map((row) => Math.max(...row.map((name) => words.get(name).length)) * LINE + ITEM_GAP);
  return { option, height: heights.reduce((sum, height) => sum + height, 0) };
}

/** Names in rows that fit the width. */
function legendRows(words, width) {
  const rows = [[]];
  let used = 0;
  for (const [name, lines] of words) {
    const item = Math.max(...lines.map((line) => widthOf(line))) + MARK + ITEM_GAP;
    if (used && used + item > width) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1).push(name);
    used += item;
  }
  return rows;
}

/** What goes around every chart. Rich text rather than HTML in the tooltip: the page allows no style attributes. */
export function base({ table, rtl, colours }) {
  return {
    animation: false,
    backgroundColor: "transparent",
    color: colours.series,
    textStyle: { fontFamily: FONT, fontSize: TEXT, color: colours.ink },
    aria: {
      enabled: true,
      label: { description: `${table.title}. ${table.summary}` },
    },
    tooltip: {
      renderMode: "richText", trigger: "item", confine: true, transitionDuration: 0,
      backgroundColor: colours.raised, borderColor: colours.lineStrong, borderWidth: 1, padding: [8, 12],
      textStyle: { color: colours.ink, fontFamily: FONT, fontSize: TEXT, lineHeight: LINE, align: rtl ? "right" : "left" },
      formatter: ({ data }) => (data?.point ? tooltip(data.point) : ""),
    },
  };
}

function tooltip({ x, series, text, figure }) {
  const n = interpolate(gettext("n = %(n)s"), { n: figure.n });
  return [x, x === series ? null : series, text, n].filter(Boolean).join("\n");
}

/** `all` are the lines on show: which measure one is of is said only where there are several human ceilings. */
export function ceilingLabel(line, all, table) {
  if (table.chart.line) return `${table.chart.line} ${line.value.toFixed(2)}`.replace("-", "\u2212");
  const people = all.length > 1 ? interpolate(gettext("People: %(measure)s"), { measure: line.of.join(", ") }) : gettext("People");
  return `${people} ${line.value.toFixed(2)}`;
}

/** Lines of at most `width` pixels, broken between words; a word that is longer stays whole unless it must break. */
export function wrapped(text, width, weight = 400) {
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && widthOf(longer, weight) <= width) lines[lines.length - 1] = longer;
    else lines.push(...broken(word, width, weight));
  }
  return lines;
}

function broken(word, width, weight) {
  const letters = [...new Intl.Segmenter().segment(word)].map(({ segment }) => segment);
  const pieces = [""];
  for (const letter of letters) {
    if (pieces.at(-1) && widthOf(pieces.at(-1) + letter, weight) > width) pieces.push("");
    pieces[pieces.length - 1] += letter;
  }
  return pieces;
}

export function axisText(colours) {
  return { color: colours.ink, fontFamily: FONT, fontSize: TEXT, lineHeight: LINE };
}

/** Where the title of the rows' labels stands: at the end of them by the plot, or, where it is wider than they are, from
 * the edge of the chart over the plot. */
export function rowTitleAt(title, { coordSys, x, rtl, width }) {
  const room = rtl ? width - x : x;
  const text = { text: title, y: coordSys.y - 10, verticalAlign: "bottom" };
  if (widthOf(title) <= room) return { ...text, x, align: rtl ? "left" : "right" };
  return { ...text, x: rtl ? width : 0, align: rtl ? "right" : "left" };
}

/** The title of an axis that lies below a plot of this width: all of it, in as many lines as it needs. */
export function axisTitle(title, width, colours) {
  const name = wrapped(title, Math.max(width, 160)).join("\n");
  return { name, nameLocation: "middle", nameGap: 30, nameTextStyle: { ...axisText(colours), color: colours.muted, verticalAlign: "top" } };
}

export function valueAxis(colours) {
  return {
    axisLabel: { ...axisText(colours), color: colours.muted, hideOverlap: true },
    splitLine: { lineStyle: { color: colours.line } },
    axisLine: { show: false },
    axisTick: { show: false },
  };
}
