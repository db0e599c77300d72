const SERIES = 7;

/** Colours of the current theme, or of the theme that `element` is set to, from the tokens of the stylesheet. */
export function palette(element = document.documentElement) {
  const styles = getComputedStyle(element);
  const token = (name) => styles.getPropertyValue(`--mz-${name}`).trim();
  return {
    ink: token("ink"),
    muted: token("muted"),
    line: token("line"),
    lineStrong: token("line-strong"),
    paper: token("paper"),
    raised: token("raised"),
    sunken: token("sunken"),
    ceiling: token("chart-ceiling"),
    pattern: token("chart-pattern"),
    heatLow: token("chart-heat-low"),
    heatHigh: token("chart-heat-high"),
    series: Array.from({ length: SERIES }, (_, index) => token(`chart-${index + 1}`)),
  };
}

/** Colours for paper, whatever the theme of the screen: a downloaded chart goes into a document. */
export function paperPalette() {
  const probe = document.createElement("div");
  probe.dataset.bsTheme = "light";
  probe.hidden = true;
  document.body.append(probe);
  const colours = palette(probe);
  probe.remove();
  return { ...colours, paper: "#ffffff" };
}

function channels(colour) {
  const digits = colour.replace("#", "");
  return [0, 2, 4].map((start) => Number.parseInt(digits.slice(start, start + 2), 16));
}

/** The colour at `share` of the way between two six-digit colours. */
export function between(low, high, share) {
  const [from, to] = [channels(low), channels(high)];
  return `#${from.map((value, index) => Math.round(value + (to[index] - value) * share).toString(16).padStart(2, "0")).join("")}`;
}

function luminance(colour) {
  const [red, green, blue] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Black or white, whichever stands out more on the colour (contrast as WCAG 2 defines it). */
export function readableOn(colour) {
  const ground = luminance(colour);
  return (ground + 0.05) / 0.05 > 1.05 / (ground + 0.05) ? "#000000" : "#ffffff";
}
