// Fonts of scripts that only some pages show: fetched where a text on the page is in one of their languages. A page
// that knows beforehand links them itself (block "fonts"); then nothing is fetched twice.
const LANGUAGES = { korean: ["ko"], devanagari: ["hi", "mr", "ne", "bho", "mai", "sa"] };

/** `<meta name="fonts-korean" content="address of the stylesheet">` names what may be fetched. */
export function startTextFonts(root) {
  for (const [script, languages] of Object.entries(LANGUAGES)) {
    const href = document.querySelector(`meta[name="fonts-${script}"]`)?.content;
    // Not for the name of a language in the menu of every page: that is drawn in whatever face the device has.
    const needed = languages.some((language) => [...root.querySelectorAll(`[lang|="${language}"]`)].some((text) => text.closest("#main")));
    if (!href || !needed || document.querySelector(`link[href="${href}"]`)) continue;
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    document.head.append(link);
  }
}
