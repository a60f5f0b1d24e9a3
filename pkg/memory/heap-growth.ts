import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** Bytes. The heap of a server with about 90,000 objects. */
const LARGE = 192 * 2 ** 20;
/** Per cent of the growth that `limitHeapGrowth` allows. */
const EARLY = 20;
const EVERY = 10_000;

/**
 * V8 collects old objects again when the heap has grown by this much since the last time. By itself it waits for up to four times as much, so that
 * most of a large heap is garbage. The flag can be set while a program runs: V8 reads it after each collection.
 */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/**
 * Lets V8 begin to look for garbage early while the heap is large, for as long as the process runs. It looks beside the program, and does not wait for the limit of the
 * last collection, which after a load is twice of what the objects take. A small heap is not collected earlier: a list makes as much garbage as a
 * fifth of its growth, so this would make lists twice as expensive (docs/adr/0034).
 */
export function collectLargeHeapEarly(): void {
  let isEarly = false;
  const adjust = (): void => {
    const isLarge = getHeapStatistics().used_heap_size > LARGE;
    if (isLarge !== isEarly) setFlagsFromString(`--incremental-marking-soft-trigger=${isLarge ? EARLY : 0}`);
    isEarly = isLarge;
  };
  adjust();
  setInterval(adjust, EVERY).unref();
}
