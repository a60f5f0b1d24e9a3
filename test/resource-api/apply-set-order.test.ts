import { expect } from 'chai';
import fc from 'fast-check';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { appliedBy, applySets, folder, summary, team } from './apply-sets.js';

oneStore('the objects of an atomic apply', (server) => {
  const { apply, get, set } = applySets(server);

  it('become the same in any order as when they are applied one after another from the root', async () => {
    const tree = fc.array(fc.nat(), { minLength: 1, maxLength: 12 }).chain((parents) =>
      fc.record({
        parents: fc.constant(parents.map((parent, i) => (i === 0 || parent % 3 === 0 ? undefined : parent % i))),
        order: fc.shuffledSubarray(
          parents.map((_, i) => i),
          { minLength: parents.length, maxLength: parents.length },
        ),
      }),
    );
    await fc.assert(
      fc.asyncProperty(tree, async ({ parents, order }) => {
        const prefix = freshName('tree');
        const shallow = parents.map((parent) =>
          parent === undefined || parents[parent] !== undefined ? undefined : parent,
        );
        const objects = shallow.map((parent, i) =>
          folder(`${prefix}-${i}`, `${prefix} ${i}`, parent === undefined ? undefined : `${prefix}-${parent}`),
        );
        const { summary: counts } = appliedBy(
          await apply(
            prefix,
            order.flatMap((i) => objects[i] ?? []),
          ),
          201,
        );
        expect(counts).to.deep.equal(summary({ created: objects.length }));
        for (const one of objects) {
          const { metadata, spec } = bodyOf(await get('folders', one.metadata.name), 200);
          expect(spec).to.deep.equal(one.spec);
          const parent = 'annotations' in one.metadata ? one.metadata.annotations['svc.app/folder'] : undefined;
          expect(metadata.annotations?.['svc.app/folder']).to.equal(parent);
        }
        const again = await changingNothing(server(), () => apply(prefix, objects));
        expect(appliedBy(again, 200).summary).to.deep.equal(summary({ unchanged: objects.length }));
      }),
      { numRuns: 20 },
    );
  });

  it('can change places, and are refused in a circle', async () => {
    const [a, b, name] = [freshName(), freshName(), freshName('set')];
    await apply(name, [folder(a, `a ${a}`), folder(b, `b ${b}`, a)]);
    const turned = [folder(a, `a ${a}`, b), folder(b, `b ${b}`)];
    expect(appliedBy(await apply(name, turned), 200).summary).to.deep.equal(summary({ configured: 2 }));
    const circle = [folder(a, `a ${a}`, b), folder(b, `b ${b}`, a)];
    expectStatus(await changingNothing(server(), () => apply(name, circle)), 400, 'Invalid', 'Circular reference');
  });

  it('need their own permissions', async () => {
    const user: UserInfo = { name: 'nobody', uid: 'nobody', groups: ['system:authenticated'], extra: {} };
    const name = freshName('set');
    const attempt = () => apply(name, [folder(freshName(), 'x'), team(freshName())], { user });
    expectStatus(await changingNothing(server(), attempt), 403, 'Forbidden');
    expectStatus(await set(name), 404, 'NotFound');
  });

  it('must be of served kinds, named once, and in no other set', async () => {
    const one = folder(freshName(), 'x');
    const labels = { 'applyset.kubernetes.io/part-of': 'other' };
    const wrong: readonly (readonly [readonly unknown[], string])[] = [
      [[one, one], 'spec.objects[1] (Folder'],
      [[{ ...one, kind: 'Nothing' }], 'spec.objects[0]: no matches for kind "Nothing"'],
      [[{ ...one, metadata: {} }], 'spec.objects[0]: metadata.name'],
      [[{ ...one, metadata: { name: 'a/b' } }], 'spec.objects[0]'],
      [[null], 'spec.objects[0]'],
      [[{ ...one, metadata: { ...one.metadata, labels } }], 'names another set'],
      [[{ ...one, metadata: { ...one.metadata, namespace: 'nowhere' } }], 'namespaces "nowhere" not found'],
    ];
    for (const [objects, message] of wrong) {
      const body = (await changingNothing(server(), () => apply(freshName('set'), objects))).json();
      expect(body.status, message).to.equal('Failure');
      expect(body.code).to.be.lessThan(500);
      expect(body.message).to.include(message);
    }
  });
});
