import { expect } from 'chai';
import { changingNothing } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { type Json, legacyOf } from './legacy.js';

const DATA_BAD = { message: 'bad request data' };
const T = 1_700_000_000_000;

oneStore('events in the legacy API', (server) => {
  const { ask, call, refused } = legacyOf(server);
  const read = (id: number): Promise<Json> => ask(200, 'GET', `/annotations/${id}`);

  for (const path of ['/annotations/evt', '/annotations/graphite']) {
    describe(`POST /api${path}`, () => {
      const send = async (body: Json): Promise<Json> => {
        const answer = await ask(200, 'POST', path, body);
        expect(answer).to.deep.equal({ message: 'Graphite annotation added', id: answer.id });
        return read(answer.id);
      };

      // Promise: specification 4.5
      it('creates an annotation of the organization', async () => {
        const item = await send({ what: 'Deploy', data: 'v2', tags: ['a', 'b'], when: T / 1000 });
        expect(item).to.deep.include({ text: 'Deploy\nv2', tags: ['a', 'b'], time: T, timeEnd: T });
        expect(item).to.not.have.property('dashboardUID');
        expect(await send({ what: 'Deploy', tags: 'a  b a' })).to.deep.include({ text: 'Deploy', tags: ['a', 'b'] });
      });

      // Promise: specification 4.5
      it('takes seconds, milliseconds beyond the year 5000 in seconds, and now', async () => {
        expect((await send({ what: 'x', tags: '', when: T })).time).to.equal(T);
        const before = Date.now();
        for (const when of [undefined, 0, null])
          expect((await send({ what: 'x', tags: [], when })).time).to.be.within(before, Date.now());
      });

      // Promise: specification 4.5
      it('refuses bad input with 400, and changes nothing', async () => {
        const failed = { message: 'Failed to save Graphite annotation' };
        for (const body of [
          {},
          { what: '', tags: '' },
          { what: 'x' },
          { what: 'x', tags: 7 },
          { what: 'x', tags: [7] },
        ])
          await changingNothing(server(), () => refused(400, failed, 'POST', path, body));
        for (const body of [{ what: 7, tags: '' }, { what: 'x', tags: '', when: 'now' }, '{'])
          await changingNothing(server(), () => refused(400, DATA_BAD, 'POST', path, body));
        for (const when of [-1, 1e300])
          await changingNothing(server(), async () =>
            expect((await call('POST', path, { body: { what: 'x', tags: '', when } })).status).to.equal(400),
          );
      });
    });
  }
});
