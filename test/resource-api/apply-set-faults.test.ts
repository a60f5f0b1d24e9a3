import { expect } from 'chai';
import { type Fault, faulty } from '../../storage/testing/engine/around.js';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { openServer } from '../harness/server.js';
import { onOneStore } from '../harness/stores.js';
import { appliedBy, applySets, folder, summary } from './apply-sets.js';

const faults: Fault[] = [];

onOneStore(
  'an atomic apply on a store that fails',
  (backend) => openServer(faulty(backend, faults)),
  (server) => {
    const { apply, get, set } = applySets(server);
    const tree = () => {
      const [box, one] = [freshName(), freshName()];
      return [folder(one, `one ${one}`, box), folder(box, `box ${box}`)] as const;
    };

    it('changes nothing if nothing was written, and works when the store is back', async () => {
      const name = freshName('set');
      const objects = tree();
      faults.push({ code: 'unavailable' });
      const answer = await changingNothing(server(), () => apply(name, objects));
      expectStatus(answer, 503, 'ServiceUnavailable');
      expect(answer.headers['retry-after']).to.equal('2');
      for (const { metadata } of objects) expectStatus(await get('folders', metadata.name), 404, 'NotFound');
      expectStatus(await set(name), 404, 'NotFound');
      expect(appliedBy(await apply(name, objects), 201).summary).to.deep.equal(summary({ created: 2 }));
    });

    it('is applied again as a whole if another server wrote first', async () => {
      const objects = tree();
      faults.push({ code: 'behind' }, { code: 'behind' });
      expect(appliedBy(await apply(freshName('set'), objects), 201).summary).to.deep.equal(summary({ created: 2 }));
    });

    it('changes nothing if the store cannot commit so much at once', async () => {
      const name = freshName('set');
      const objects = tree();
      bodyOf(await apply(name, objects), 201);
      faults.push({ code: 'too-large' });
      const answer = await changingNothing(server(), () => apply(name, [], { prune: { enabled: true } }));
      expectStatus(answer, 413, 'RequestEntityTooLarge');
      expect(bodyOf(await set(name), 200).status).to.include({ members: 2, drifted: 0 });
    });

    for (const written of [true, false]) {
      it(`can be repeated if the answer of the store was lost (${written ? 'it happened' : 'it did not happen'})`, async () => {
        const name = freshName('set');
        const objects = tree();
        faults.push({ code: 'unknown', written });
        expect((await apply(name, objects)).status).to.be.oneOf([500, 503, 504]);
        const { summary: counts } = appliedBy(await apply(name, objects), written ? 200 : 201);
        expect(counts).to.deep.equal(summary(written ? { unchanged: 2 } : { created: 2 }));
        expect(bodyOf(await set(name), 200).status).to.include({ members: 2, drifted: 0 });
      });
    }
  },
);
