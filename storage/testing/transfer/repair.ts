import { expect } from 'chai';
import { write } from '../backend/fixture.js';
import { all, type Current, held, plainHeld, problemsOf, using } from './fixture.js';

const BEFORE = [held('a', 1, 'x'), held('b', 2, 'x', 'y'), held('c', 3)];
const AFTER = [held('a', 1, 'z'), held('b', 2), held('c', 3, 'x', 'z')];

export function repairSuite(current: Current): void {
  describe('repair', () => {
    beforeEach(() =>
      using(current().open(), (backend) =>
        write(
          backend,
          BEFORE.map(({ key, value, rows }) => ({ key, value, rows })),
        ),
      ),
    );

    it('has every object, and changes nothing of a store in which nothing is wrong', async () => {
      await using(current().repair(), async (repair) => {
        expect((await all(repair.objects())).map(plainHeld)).to.deep.equal(BEFORE.map(plainHeld));
        await repair.put([]);
        await repair.reindex();
      });
      await using(current().open(), async (backend) => {
        expect(await backend.end()).to.equal(3);
      });
    });

    it('writes the rows and counts of objects anew', async () => {
      await using(current().repair(), async (repair) => {
        await repair.put(AFTER);
        await repair.reindex();
        expect((await all(repair.objects())).map(plainHeld)).to.deep.equal(AFTER.map(plainHeld));
      });
      await using(current().snapshot(), async (snapshot) => {
        expect(await problemsOf(snapshot)).to.deep.equal([]);
      });
      await using(current().open(), async (backend) => {
        expect(await backend.end()).to.equal(3);
      });
    });
  });
}
