import { gettext } from "../site/text.js";
import { bars } from "./bars.js";
import { boxes } from "./boxes.js";
import { init } from "./engine.js";
import { heat } from "./heat.js";
import { lines } from "./lines.js";
import { palette, paperPalette } from "./palette.js";
import { choosesMeasure, firstMeasure, titled } from "./table.js";

const KINDS = { bars, boxes, lines, heat };
const PAPER_WIDTH = 900;

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

  draw() {
    const room = this.place.clientWidth;
    if (!room) return; // not on show; drawn when it gets its width
    const { option, height, width = room } = this.drawing(room, palette());
    this.place.classList.toggle("chart--scrolls", width > room);
    // What scrolls must be reached by the keyboard.
    if (width > room) this.place.tabIndex = 0;
    else this.place.removeAttribute("tabindex");
    this.place.style.blockSize = `${height}px`;
    this.engine.resize({ width, height });
    this.engine.setOption(option, { notMerge: true });
  }

  /** The chart as SVG text for a document: on white, in a fixed width, whatever the screen shows. */
  svg() {
    const colours = paperPalette();
    const { option, height, width = PAPER_WIDTH } = this.drawing(PAPER_WIDTH, colours);
    const engine = init(null, null, { renderer: "svg", ssr: true, width, height });
    engine.setOption({ ...option, backgroundColor: colours.paper, tooltip: { show: false } });
    const text = engine.renderToSVGString();
    engine.dispose();
    return { text, width, height };
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
