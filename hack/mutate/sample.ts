import { generator } from '../random.js';

/** Some of the items, at random, the same for a seed and independent of where the others are. */
export function sample<Item>(items: readonly Item[], count: number, seed: number): readonly Item[] {
  const random = generator(seed);
  return items
    .map((item) => ({ item, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ item }) => item);
}
