// A wide table in a part that the page renews by itself stays where somebody has scrolled it to; htmx keeps focus alone.
const TABLES = ".table-wrap[id]";

export function startSideways(root) {
  let places = new Map();
  root.addEventListener("htmx:beforeSwap", ({ detail }) => {
    places = new Map([...detail.target.querySelectorAll(TABLES)].map((table) => [table.id, table.scrollLeft]));
  });
  root.addEventListener("htmx:afterSwap", () => {
    for (const [id, place] of places) if (place) document.getElementById(id)?.scrollTo({ left: place, behavior: "instant" });
  });
}
