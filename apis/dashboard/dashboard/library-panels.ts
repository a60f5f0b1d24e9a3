/** The rule for names of library elements. Other texts are ignored. */
const ELEMENT_NAME = /^[a-zA-Z0-9_-]{1,40}$/;

/**
 * The names of the library elements in a dashboard, each once: `libraryPanel.uid` of its panels, and of the panels in
 * its rows.
 */
export function libraryElementsIn(spec: unknown): readonly string[] {
  const names = new Set<string>();
  for (const waiting = panelsOf(spec); waiting.length > 0; ) {
    const panel = waiting.pop();
    const name = member(member(panel, 'libraryPanel'), 'uid');
    if (typeof name === 'string' && ELEMENT_NAME.test(name)) names.add(name);
    for (const inner of panelsOf(panel)) waiting.push(inner);
  }
  return [...names];
}

function panelsOf(value: unknown): unknown[] {
  const panels = member(value, 'panels');
  return Array.isArray(panels) ? [...panels] : [];
}

/** A member of a value of any form. */
function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
