// Fonts of scripts that only some pages show: fetched where a text on the page is in one of their languages. A page
// that knows beforehand links them itself (block "fonts"); then nothing is fetched twice.
const LANGUAGES = { korean: ["ko"], devanagari: ["hi", "mr", "ne"] };

/** `<meta name="fonts-korean" content="address of the stylesheet">` names what may be fetched. */
export function startTextFonts(root) {
  for (const [script, languages] of Object.entries(LANGUAGES)) {
    const href = document.querySelector(`meta[name="fonts-${script}"]`)?.content;
    const needed = languages.some((language) => root.querySelector(`[lang|="${language}"]`));
    if (!href || !needed || document.querySelector(`link[href="${href}"]`)) continue;
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    document.head.append(link);
  }
}
