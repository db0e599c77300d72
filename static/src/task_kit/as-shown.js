// Whether the page still shows the words that are judged. A browser that translates a page puts its own words in their
// place, and whoever marks or grades these judges a machine's translation.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";

const SPACE = /[\t-\r \u0085\u00a0\u2028\u2029]+/gu;
/** What Chrome and Edge leave on a page that they have translated. */
const TRANSLATED = ["translated-ltr", "translated-rtl"];
/** Places whose words a save vouches for (judged_words of workflow/task_types.py); of others it is noticed alone. */
const HASHED = ["text", "side", "answer", "original", "question"];
const REPLACED = "font, [_msttexthash], [_istranslated]";

export class AsShown extends EventTarget {
  /** @param {Iterable<HTMLElement>} places that hold judged words, as they stand now */
  constructor(places) {
    super();
    this.root = document.documentElement;
    this.lang = this.root.lang;
    this.places = Array.from(places, (place) => ({ place, words: bare(place.textContent) }));
    this.isTranslated = false;
    const watch = new MutationObserver(() => this.check());
    watch.observe(this.root, { attributes: true, attributeFilter: ["class", "lang"] });
    for (const { place } of this.places) watch.observe(place, { childList: true, characterData: true, subtree: true });
    this.check();
  }

  /** Looks again; says "changed" where it is otherwise than before. */
  check() {
    const isTranslated = this.#hasTraces() || this.places.some(({ place, words }) => bare(place.textContent) !== words);
    if (isTranslated !== this.isTranslated) {
      this.isTranslated = isTranslated;
      this.dispatchEvent(new Event("changed"));
    }
    return isTranslated;
  }

  #hasTraces() {
    return TRANSLATED.some((name) => this.root.classList.contains(name)) || this.root.lang !== this.lang
      || this.places.some(({ place }) => place.querySelector(REPLACED) !== null);
  }

  /** SHA-256 of the words that are judged, a line for each place, without what is blank in them; null on a page without
   *  such a place, or from an address to which browsers give no cryptography. */
  async hash() {
    const judged = this.places.filter(({ place }) => HASHED.includes(place.dataset.asShown));
    if (!judged.length || !globalThis.crypto?.subtle) return null;
    const words = new TextEncoder().encode(judged.map(({ place }) => bare(place.textContent)).join("\n"));
    const digest = await crypto.subtle.digest("SHA-256", words);
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }
}

function bare(words) {
  return words.replace(SPACE, "");
}

export function translatedNotice() {
  return element("p", {
    class: "notice notice--error", role: "alert",
    text: gettext("Your browser has translated this page: what it shows is not the text that is judged. Nothing is lost, and nothing can be changed until the page is shown in its own language again."),
  });
}
