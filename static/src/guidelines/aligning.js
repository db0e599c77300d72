// Two texts side by side that have the same headings: where one is scrolled, the other shows the same section. What has
// more headings goes on by itself behind those that the other has as well.

const MIRRORED = ["font", "letterSpacing", "lineHeight", "paddingInline", "paddingBlock", "borderInlineWidth", "direction", "tabSize"];

/** Where the headings of a Markdown text begin, in UTF-16 units; none within fenced code. */
export function headingsOf(text) {
  const found = [];
  let at = 0;
  let fence = "";
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1];
    if (mark && !fence) fence = mark;
    else if (mark && mark[0] === fence[0] && mark.length >= fence.length) fence = "";
    else if (!fence && /^ {0,3}#{1,6}(\s|$)/.test(line)) found.push(at);
    at += line.length + 1;
  }
  return found;
}

/**
 * The place in the other text: of a scrolled place, given where the sections of both begin and end.
 * `here` and `there` ascend from 0 to the height of the whole; the last of each stands for the end.
 */
export function placeBeside(place, here, there) {
  const shared = Math.min(here.length, there.length) - 1;
  const starts = [...here.slice(0, shared), here.at(-1)];
  const others = [...there.slice(0, shared), there.at(-1)];
  let section = 0;
  while (section < shared - 1 && starts[section + 1] <= place) section += 1;
  const long = starts[section + 1] - starts[section];
  const share = long > 0 ? Math.min(1, (place - starts[section]) / long) : 0;
  return others[section] + share * (others[section + 1] - others[section]);
}

/** Where each section of a field begins in pixels, from 0, and where the text ends. */
function heights(field) {
  const mirror = document.createElement("div");
  const style = getComputedStyle(field);
  mirror.className = "guidelines__mirror";
  for (const name of MIRRORED) mirror.style[name] = style[name];
  mirror.style.inlineSize = `${field.clientWidth}px`;
  const marks = headingsOf(field.value);
  let at = 0;
  const anchors = marks.map((start) => {
    const anchor = document.createElement("span");
    mirror.append(field.value.slice(at, start), anchor);
    at = start;
    return anchor;
  });
  mirror.append(field.value.slice(at));
  document.body.append(mirror);
  const places = anchors.map((anchor) => anchor.offsetTop);
  const end = mirror.scrollHeight;
  mirror.remove();
  return [0, ...places.filter((place) => place > 0), Math.max(end, field.scrollHeight)];
}

export function alignSheets(one, other) {
  let known = null;
  let led = null;
  const measure = () => { known ??= new Map([[one, heights(one)], [other, heights(other)]]); };
  for (const [field, beside] of [[one, other], [other, one]]) {
    field.addEventListener("input", () => { known = null; });
    field.addEventListener("scroll", () => {
      if (led === field) { led = null; return; }
      measure();
      const place = Math.round(placeBeside(field.scrollTop, known.get(field), known.get(beside)));
      if (Math.abs(beside.scrollTop - place) < 2) return;
      const before = beside.scrollTop;
      beside.scrollTop = place;
      if (beside.scrollTop !== before) led = beside; // its own scroll event follows, and leads nobody
    });
  }
  new ResizeObserver(() => { known = null; }).observe(one);
}
