import { setFlagsFromString } from 'node:v8';

/**
 * V8 collects old objects again when the heap has grown by this much since the last time. By itself it waits for up to
 * four times as much, so that most of a large heap is garbage. The flag can be set while a program runs: V8 reads it
 * after each collection.
 */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
