// How answers to parts are shown where two versions are to be chosen between.
import { element } from "../site/dom.js";

/** What was answered, a line for each part; `classOf(key)` tells how. */
export function answersGiven({ questions, sides = [] }, answers, classOf = () => null) {
  const named = new Map(questions.map(({ slug, name }) => [slug, name]));
  const words = (value) => {
    if (Array.isArray(value)) return value.join(" · ");
    if (typeof value !== "object") return String(value);
    return sides.map((name, place) => `${"ABCDEFGHIJKL"[place]} ${value[name] ?? "–"}`).join(", ");
  };
  return element("ol", {}, ...Object.entries(answers).map(([key, value]) => element("li", { class: classOf(key) },
    element("bdi", { text: `${named.get(key) ?? key}: ` }), element("bdi", { text: words(value) }))));
}
