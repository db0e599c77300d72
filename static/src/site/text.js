// Django's JavaScriptCatalog defines gettext and its kin on window. Without it (a page that carries no catalog)
// the English source texts are shown.

export function gettext(text) {
  return window.gettext ? window.gettext(text) : text;
}

export function ngettext(singular, plural, count) {
  return window.ngettext ? window.ngettext(singular, plural, count) : count === 1 ? singular : plural;
}

/** Fills %(name)s in a translated text from an object. */
export function interpolate(text, values) {
  return text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name] ?? ""));
}

const language = () => document.documentElement.lang || undefined;

// One set of digits on a page: the server writes 0 to 9 in every language, so the browser does too.
const numberingSystem = "latn";

export function clock(date) {
  return new Intl.DateTimeFormat(language(), { numberingSystem, hour: "2-digit", minute: "2-digit" }).format(date);
}

export function number(value) {
  return new Intl.NumberFormat(language(), { numberingSystem }).format(value);
}
