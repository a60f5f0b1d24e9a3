import { expect } from 'chai';
import { Ranking } from './ranking.js';

describe('Ranking', () => {
  it('knows a key with the largest count, after any additions and removals', () => {
    const ranking = new Ranking();
    const counts = new Map<string, number>();
    const keys = ['a', 'b', 'c', 'd', 'e'];
    // A generator of the same numbers in each run.
    let seed = 7;
    const below = (bound: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % bound;
    };
    for (let i = 0; i < 5_000; i++) {
      const key = keys[below(keys.length)] ?? '';
      const count = counts.get(key) ?? 0;
      if (below(2) === 0) {
        ranking.add(key);
        counts.set(key, count + 1);
      } else {
        ranking.remove(key);
        counts.set(key, Math.max(0, count - 1));
      }
      const largest = Math.max(...counts.values());
      expect(ranking.countOf(ranking.largest ?? '')).to.equal(largest);
      for (const [name, number] of counts) expect(ranking.countOf(name)).to.equal(number);
    }
  });

  it('names the key first that has had the largest count for the longest time', () => {
    const ranking = new Ranking();
    expect(ranking.largest).to.equal(undefined);
    for (const key of ['a', 'b', 'c']) ranking.add(key);
    expect(ranking.largest).to.equal('a');
    ranking.remove('a');
    ranking.add('a');
    expect(ranking.largest).to.equal('b');
  });
});
