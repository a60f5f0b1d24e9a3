import { Stretches } from '../../storage/stretch.js';

/** The number of objects that are read and handled at once. The engine commits their writes together, and other writes in between. */
const PAGE = 200;

export function* inPages<T>(all: Iterable<T>): Generator<readonly T[], void> {
  let page: T[] = [];
  for (const one of all) {
    if (page.push(one) < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** Pages of those items of many that a test selects. Others get their turns in between, also where nothing is selected. */
export async function* selectedPages<T>(
  all: Iterable<T>,
  isSelected: (one: T) => boolean,
  size = PAGE,
): AsyncGenerator<readonly T[], void> {
  let page: T[] = [];
  for await (const one of inTurns(all)) {
    if (!isSelected(one) || page.push(one) < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** The same objects one after another. Others get their turns in between. */
export async function* inTurns<T>(all: Iterable<T>): AsyncGenerator<T, void, undefined> {
  const stretches = new Stretches();
  for (const one of all) {
    yield one;
    if (stretches.isOver) await stretches.rest();
  }
}

/** Does all steps of work, in stretches between which others get their turns. */
export async function finishedInTurns<Result>(work: Iterator<unknown, Result>): Promise<Result> {
  const stretches = new Stretches();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (stretches.isOver) await stretches.rest();
  }
}
