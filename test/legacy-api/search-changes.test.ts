import { expect } from 'chai';
import fc from 'fast-check';
import { oneStore } from '../harness/stores.js';
import { fresh, type Json, legacyOf } from './legacy.js';

/** A change of one of the dashboards. */
interface Step {
  readonly number: number;
  readonly title: string;
  readonly isGone: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  number: fc.nat(5),
  title: fc.constantFrom('alpha', 'beta', 'gamma', 'alpha beta'),
  isGone: fc.boolean(),
});

oneStore('a search right after changes', (server) => {
  const { ask } = legacyOf(server);

  it('finds each dashboard once, under its newest title, in order', async function many() {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const mark = fresh('mark');
        const titles = new Map<string, string>();
        for (const { number, title, isGone } of steps) {
          const uid = `${mark}-${number}`;
          if (!isGone) {
            titles.set(uid, `${mark} ${title} ${number}`);
            const dashboard = { uid, title: titles.get(uid) };
            await ask(200, 'POST', '/dashboards/db', { dashboard, overwrite: true });
          } else if (titles.delete(uid)) await ask(200, 'DELETE', `/dashboards/uid/${uid}`);
          const found = async (query: string): Promise<Json> =>
            (await ask(200, 'GET', `/search?query=${mark}${query}`)).map((one: Json) => one.title);
          const all = [...titles.values()].sort();
          expect(await found('')).to.deep.equal(all);
          expect(await found('&sort=alpha-desc')).to.deep.equal([...all].reverse());
          expect(await found('+beta')).to.deep.equal(all.filter((one) => one.includes('beta')));
        }
      }),
      { numRuns: 15 },
    );
  });
});
