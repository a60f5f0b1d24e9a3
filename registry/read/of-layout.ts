import type { Reader } from './reader.js';

/**
 * Returns what follows from the layout of a resource, which `make` makes again when it has changed. Lists ask once for
 * each of thousands of objects, so the reader is asked for the layout only when it reads something else than before.
 */
export function ofLayout<T>(reader: Reader, resource: string, make: (layout: object) => T): () => T {
  let moment: object | undefined;
  let layout: object | undefined;
  let made: T;
  return () => {
    const now = reader.moment;
    if (now !== undefined && now === moment) return made;
    moment = now;
    const current = reader.layout(resource);
    if (current !== layout) [layout, made] = [current, make(current)];
    return made;
  };
}
