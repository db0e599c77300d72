// Which elements are in the window or within its height above and below it. Until the browser has said so, and while the
// page is printed, all are.

export class Nearby {
  /** @param {(element: Element) => void} changed called for each that has come near or gone */
  constructor(changed) {
    this.changed = changed;
    this.far = new Set();
    this.isPrinting = false;
    this.observer = globalThis.IntersectionObserver ? new IntersectionObserver((entries) => this.#seen(entries), { rootMargin: "100% 0px" }) : null;
    window.addEventListener("beforeprint", () => this.#print(true));
    window.addEventListener("afterprint", () => this.#print(false));
  }

  /** From now on these elements instead of others; none of them is called far yet. @param {Element[]} elements */
  watch(elements) {
    this.observer?.disconnect();
    this.far.clear();
    for (const element of new Set(elements)) this.observer?.observe(element);
  }

  has(element) {
    return this.isPrinting || !this.far.has(element);
  }

  #seen(entries) {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting !== this.far.has(target)) continue;
      if (isIntersecting) this.far.delete(target);
      else this.far.add(target);
      this.changed(target);
    }
  }

  #print(isPrinting) {
    this.isPrinting = isPrinting;
    for (const element of this.far) this.changed(element);
  }
}
