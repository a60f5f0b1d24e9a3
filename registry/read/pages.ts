import { yielding } from '../../pkg/system/yielding/yielding.js';

/**
 * The number of objects that are read and handled at once. The engine commits their writes together, and other writes
 * in between.
 */
const PAGE = 200;

export function* inPages<T>(all: Iterable<T>): Generator<readonly T[], void> {
  let page: T[] = [];
  for (const item of all) {
    if (page.push(item) < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/**
 * Pages of those items of many that a test selects. Others get their turns in between, also where nothing is selected.
 */
export async function* selectedPages<T>(
  all: Iterable<T>,
  isSelected: (one: T) => boolean,
  size = PAGE,
): AsyncGenerator<readonly T[], void> {
  let page: T[] = [];
  for await (const item of yielding(all)) {
    if (!isSelected(item) || page.push(item) < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
