// Whether a value says nothing yet. Pure.

export function isOpen(value) {
  if (value === null || value === undefined) return true;
  if (typeof value === "string") return !value.trim();
  return typeof value === "object" && Object.keys(value).length === 0;
}
