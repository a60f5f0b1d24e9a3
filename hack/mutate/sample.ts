import { generator } from '../random.js';

/** `count` of the items at random. The same seed gives the same items. */
export function sample<Item>(items: readonly Item[], count: number, seed: number): readonly Item[] {
  const random = generator(seed);
  return items
    .map((item) => ({ item, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ item }) => item);
}
