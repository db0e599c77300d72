// The words of the project for errors: how they are called and how they look. A word that is no longer offered is known
// still, for answers hold it.

/** @typedef {{value: string, label: string, look?: string, covers?: string[], definition?: string}} Word */

const known = ({ types, criticalities, retired = [] }) => new Map([...types, ...criticalities, ...retired].map((word) => [word.value, word]));

/** @returns {(value: string) => string} how a type or a criticality is drawn; the shipped words are named for it */
export function looksOf(task) {
  const words = known(task);
  return (value) => words.get(value)?.look ?? value;
}

/** @returns {(value: string) => string} */
export function namesOf(task) {
  const words = known(task);
  return (value) => words.get(value)?.label ?? value;
}

/** The types that one stands for, and itself. */
export function coveredBy(task, type) {
  return [type, ...(task.types.find(({ value }) => value === type)?.covers ?? [])];
}
