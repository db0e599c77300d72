// A table of figures as the server wrote it, taken apart for drawing.

const PLACES = { share: 2, count: 0, "per response": 1, points: 0, minutes: 0, percent: 0, pp: 0, rate: 0, logits: 1, grade: 1, p: 3, usd: 2, seconds: 1, "per second": 0, length: 0 };

/** Names of columns stand in lower case in running text; at the head of something they begin with a capital. */
export function titled(term) {
  return term.charAt(0).toLocaleUpperCase() + term.slice(1);
}

/** Right-to-left words beside numbers keep their order when each is isolated from its surroundings. */
export function isolated(text) {
  return /[\u0590-\u08ff]/.test(text) ? `\u2068${text}\u2069` : text;
}

/** A value of an axis. `unit` is that of the arrangement's measures. */
export function tick({ unit }, value) {
  return value.toFixed(PLACES[unit] ?? 2).replace("-", "\u2212");
}

const MAX_MEASURES = 3; // side by side; more than that are shown one at a time

/** True where each chart shows one measure at a time: colour already tells something else, or units differ. */
export function choosesMeasure(table) {
  if (["boxes", "scatter"].includes(table.chart.kind)) return false; // made of several measures at once
  const severalUnits = new Set(table.units).size > 1;
  return table.measures.length > 1 && (table.dimensions.includes(table.chart.series) || table.measures.length > MAX_MEASURES || severalUnits);
}

/** What sums the others up stands last among those that people are compared on, or on a line; else it stands first. */
export function firstMeasure(table) {
  const compared = table.measures.filter((measure) => measure in table.ceilings);
  return compared.at(-1) ?? table.measures.at(table.chart.kind === "lines" ? -1 : 0);
}

/**
 * Points in rows and columns: `x` holds the labels of the axis, `series` one entry per colour with a point (or
 * null) for each x. A point is {figure, text, x, series, row}. Dimensions that are neither go into the x label.
 * `isNamed`: what the series are is to be said, even of a single one.
 */
export function arrange(table, measure) {
  const seriesAt = table.dimensions.indexOf(table.chart.series);
  const measures = choosesMeasure(table) ? [measure] : table.measures;
  const xAt = Math.max(table.dimensions.indexOf(table.chart.x), -1);
  const labelOf = (row) => {
    const rest = row.labels.filter((_, at) => at !== seriesAt && at !== xAt);
    const own = xAt >= 0 ? [row.labels[xAt]] : [];
    return [...own, ...rest].filter(Boolean).map(isolated).join(" · ") || titled(table.measures[0]);
  };
  const x = [...new Set(table.rows.map(labelOf))];
  const keys = seriesAt >= 0 ? [...new Set(table.rows.map((row) => row.labels[seriesAt]))] : measures;
  const series = keys.map((key) => ({ key, name: isolated(seriesAt >= 0 ? key : titled(key)), points: x.map(() => null) }));
  table.rows.forEach((row, index) => {
    for (const of of measures) {
      const at = table.measures.indexOf(of);
      const place = series[keys.indexOf(seriesAt >= 0 ? row.labels[seriesAt] : of)];
      const label = labelOf(row);
      place.points[x.indexOf(label)] = {
        figure: row.figures[at], text: table.texts[index][at], x: label, series: place.name, row: index,
      };
    }
  });
  const unit = table.units[table.measures.indexOf(measures[0])];
  return { x, series, unit, title: title(table, measures), isNamed: seriesAt >= 0 || series.length > 1, ceilings: ceilings(table, measures) };
}

/** Of the axis that figures stand on: the measure with its unit, or the unit of several, or their names. */
function title(table, measures) {
  const first = table.measures.indexOf(measures[0]);
  if (measures.length === 1) return table.axes[first];
  return titled(table.unitNames[first] || measures.join(", "));
}

/** What the rows of a chart are: all dimensions but the coloured one. */
export function rowTitle(table) {
  const own = table.dimensions.filter((name) => name !== table.chart.series);
  const x = own.filter((name) => name === table.chart.x);
  return titled([...x, ...own.filter((name) => name !== table.chart.x)].join(" · "));
}

/** Human ceilings of the measures on show; equal ones are one line. */
function ceilings(table, measures) {
  const lines = new Map();
  for (const measure of measures) {
    const value = table.ceilings[measure]?.value;
    if (value === undefined || value === null) continue;
    const key = value.toFixed(3);
    lines.set(key, { value, of: [...(lines.get(key)?.of ?? []), measure] });
  }
  return [...lines.values()].sort((a, b) => a.value - b.value);
}

/** Labels whose rows are narrowed by less than those of the others are of all of these together. */
function wholes(table, { x, series }) {
  const narrowed = x.map((_, at) => Math.max(0, ...series.map((one) => Object.keys(table.rows[one.points[at]?.row]?.drill ?? {}).length)));
  return narrowed.map((count) => count < Math.max(...narrowed));
}

/** The same arrangement with x in ascending order of its mean value: undefined ones first, what is of all last. */
export function ascending(table, { x, series, ...rest }) {
  const whole = wholes(table, { x, series });
  const mean = x.map((_, at) => {
    const values = series.map((one) => one.points[at]?.figure.value).filter((value) => value !== null && value !== undefined);
    return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : -Infinity;
  });
  const order = x.map((_, at) => at).sort((a, b) => whole[a] - whole[b] || mean[a] - mean[b] || a - b);
  return {
    ...rest,
    whole: order.map((at) => whole[at]),
    x: order.map((at) => x[at]),
    series: series.map((one) => ({ ...one, points: order.map((at) => one.points[at]) })),
  };
}

export function largest({ series, ceilings: lines }) {
  const values = series.flatMap((one) => one.points.filter(Boolean).flatMap(({ figure }) => [figure.value, figure.high]));
  return Math.max(0, ...values.filter(Number.isFinite), ...lines.map((line) => line.value));
}

export function smallest({ series }) {
  const values = series.flatMap((one) => one.points.filter(Boolean).flatMap(({ figure }) => [figure.value, figure.low]));
  return Math.min(0, ...values.filter(Number.isFinite));
}
