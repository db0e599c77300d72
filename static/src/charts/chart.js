import { gettext } from "../site/text.js";
import { boxes } from "./boxes.js";
import { dots } from "./dots.js";
import { init } from "./engine.js";
import { FONT, wrapped } from "./frame.js";
import { heat } from "./heat.js";
import { lines } from "./lines.js";
import { palette, paperPalette } from "./palette.js";
import { scatter } from "./scatter.js";
import { choosesMeasure, firstMeasure, titled } from "./table.js";

// Tables call a chart of one figure beside the other "bars".
const KINDS = { bars: dots, boxes, lines, heat, scatter };
const PAPER_WIDTH = 900;
const TITLE_LINE = 24;

/** One chart on the page: drawn again when its width, the theme or the chosen measure changes. */
export class Chart {
  constructor(place, table) {
    this.place = place;
    this.table = table;
    this.measure = firstMeasure(table);
    this.rtl = document.documentElement.dir === "rtl";
    this.engine = init(place, null, { renderer: "svg", width: place.clientWidth, height: 200 });
    this.engine.on("click", ({ data }) => this.open(data?.point));
    if (choosesMeasure(table)) place.before(this.picker());
  }

  drawing(width, colours) {
    return KINDS[this.table.chart.kind]({ table: this.table, measure: this.measure, rtl: this.rtl, width, colours });
  }

  /** `colours` are those of the theme, or of paper while the page is printed. */
  draw(colours = palette()) {
    const room = this.place.clientWidth;
    if (!room) return; // not on show; drawn when it gets its width
    const { option, height, width = room } = this.drawing(room, colours);
    this.place.classList.toggle("chart--scrolls", width > room);
    // What scrolls must be reached by the keyboard.
    if (width > room) this.place.tabIndex = 0;
    else this.place.removeAttribute("tabindex");
    this.place.style.blockSize = `${height}px`;
    this.engine.resize({ width, height });
    this.engine.setOption(option, { notMerge: true });
    // On paper the drawing is as wide as the page, whatever the screen was.
    this.place.querySelector("svg")?.setAttribute("viewBox", `0 0 ${width} ${height}`);
  }

  /** The chart as SVG text for a document: on white, in a fixed width, with its title, whatever the screen shows. */
  svg() {
    const colours = paperPalette();
    const { option, height, width = PAPER_WIDTH } = this.drawing(PAPER_WIDTH, colours);
    const engine = init(null, null, { renderer: "svg", ssr: true, width, height });
    engine.setOption({ ...option, backgroundColor: colours.paper, tooltip: { show: false } });
    const text = engine.renderToSVGString();
    engine.dispose();
    return titledSvg(text, this.table.title, width, height, colours, this.rtl);
  }

  open(point) {
    const link = point && this.table.links[point.row];
    if (link) window.location.assign(link);
  }

  picker() {
    const label = document.createElement("label");
    label.className = "chart-measure";
    label.textContent = gettext("Measure");
    const select = document.createElement("select");
    select.className = "form-select form-select-sm";
    for (const measure of this.table.measures) {
      select.add(new Option(titled(measure), measure, false, measure === this.measure));
    }
    select.addEventListener("change", () => {
      this.measure = select.value;
      this.draw();
    });
    label.append(select);
    return label;
  }
}

/** The drawing below its title, as one document. */
function titledSvg(drawing, title, width, height, colours, rtl) {
  const lines = wrapped(title, (width - 32) / 1.3);
  const above = lines.length * TITLE_LINE + 20;
  const escaped = (words) => words.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign]);
  const [x, anchor] = rtl ? [width - 16, "end"] : [16, "start"];
  const heading = lines.map((line, at) =>
    `<text x="${x}" y="${TITLE_LINE * (at + 1)}" text-anchor="${anchor}" font-family="${FONT}" font-size="17" font-weight="600" fill="${colours.ink}">${escaped(line)}</text>`).join("");
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height + above}" viewBox="0 0 ${width} ${height + above}">`
    + `<rect width="100%" height="100%" fill="${colours.paper}"/>${heading}${drawing.replace("<svg", `<svg y="${above}"`)}</svg>`;
  return { text, width, height: height + above };
}
