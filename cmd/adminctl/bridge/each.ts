/**
 * Does work for each item, for so many at one time. Items are taken only when one of these is done, so that few are in
 * memory. The first failure ends it when the running ones are done.
 */
export async function each<T>(
  items: Iterable<T> | AsyncIterable<T>,
  parallel: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    while (failures.length === 0) {
      try {
        const { done, value } = await iterator.next();
        if (done === true) return;
        await work(value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  if (failures.length > 0) throw failures[0];
}
