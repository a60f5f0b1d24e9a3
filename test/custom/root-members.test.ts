import { expect } from 'chai';
import type { Body } from '../harness/body.js';
import { bodyOf, expectStatus, type Resource } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { worldOf } from '../history/past.js';
import { define, type TestVersion } from './definition.js';

const OPEN = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const VERSION: TestVersion = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: OPEN } };

/** Members that stand before the metadata in the stored text, and look like it. */
const MEMBERS = {
  'without members': { data: { metadata: {} } },
  'with a version': { data: { metadata: { resourceVersion: '7' } } },
  'with a name': { data: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', uid: 'y' } }, a: [{ metadata: {} }] },
  'in texts': { data: '"metadata":{"resourceVersion":"8"}', b: { '"metadata":{': { metadata: { n: '\\"' } } } },
  'beside large numbers': { data: { metadata: { generation: 9007199254740992 }, n: 1 } },
} as const;

eachStore('custom objects whose members have metadata of their own', (server) => {
  const { versions, restore } = worldOf(server);
  let objects: Resource;

  before(async () => {
    const words = { history: 'true', trash: 'true' };
    const kind = await define(server, { plural: 'things', kind: 'Thing', words, versions: [VERSION] });
    objects = kind.objects;
  });

  for (const [i, [what, members]] of Object.entries(MEMBERS).entries()) {
    it(`keep them, and have the version in their own metadata (${what})`, async () => {
      const name = `t-${i}`;
      const body = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name }, ...members };
      const expectSame = (found: Body, more: object = {}): void => {
        expect(found).to.deep.include({ ...members, ...more });
        expect(Number(found.metadata.resourceVersion)).to.be.above(0);
      };
      const tried = bodyOf(await objects.create(body, { query: { dryRun: 'All' } }), 201);
      expect(tried).to.deep.include(members);
      const made = bodyOf(await objects.create(body), 201);
      expectSame(made);
      const frames = await objects.watch({ resourceVersion: made.metadata.resourceVersion ?? '' });
      expectSame(bodyOf(await objects.get(name), 200));
      const list = bodyOf(await objects.list(), 200);
      expectSame(list.items.find(({ metadata }) => metadata.name === name) as Body);
      expect(bodyOf(await objects.put(name, made), 200)).to.deep.equal(made);
      const changed = bodyOf(await objects.merge(name, { z: 1 }), 200);
      expectSame(changed, { z: 1 });
      expectStatus(await objects.put(name, made), 409, 'Conflict');
      bodyOf(await objects.remove(name), 200);
      const seen = await frames.take(2);
      expect(seen.map(({ type }) => type)).to.deep.equal(['MODIFIED', 'DELETED']);
      for (const { object } of seen) expectSame(object as Body, { z: 1 });
      bodyOf(await restore(objects, name), 201);
      expectSame(bodyOf(await objects.get(name), 200), { z: 1 });
      expect(await versions(objects, name)).to.have.lengthOf.above(1);
      bodyOf(await objects.remove(name), 200);
      await frames.close();
    });
  }
});
