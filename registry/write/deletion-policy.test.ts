import { expect } from 'chai';
import { inWorld, refusal } from '../testing/world.js';
import { HELD, options, withoutFinalizers } from './testing/deletions.js';

describe('the policy of a deletion', () => {
  const owner = (uid: string | undefined) => ({
    ownerReferences: [{ apiVersion: 'library.svc.app/v1', kind: 'Writer', name: 'w', uid: uid ?? '' }],
  });

  it(
    'holds an object that owns others of any kind, and no other',
    inWorld(async ({ kinds: { writer, book, slip }, put, admin, get }) => {
      for (const owned of [book, slip]) {
        for (const [propagation, finalizer] of [
          ['Foreground', 'foregroundDeletion'],
          ['Orphan', 'orphan'],
        ] as const) {
          const { metadata } = await put(writer, 'w');
          await put(owned, 'o', {}, owner(metadata.uid));
          await admin.delete(writer, '', 'w', options({ propagation }));
          expect(get(writer, 'w')?.metadata.finalizers, `${owned.kind} ${propagation}`).to.deep.equal([finalizer]);
          await admin.delete(owned, 'default', 'o');
          await admin.update(writer, '', 'w', (old) => withoutFinalizers(old));
        }
      }
      await put(writer, 'w');
      expect((await admin.delete(writer, '', 'w', options({ propagation: 'Foreground' }))).isGone).to.equal(true);
    }),
  );

  it(
    'is added to an object that terminates already',
    inWorld(async ({ kinds: { writer, book }, put, admin, get }) => {
      const { metadata } = await put(writer, 'w', {}, HELD);
      await put(book, 'o', {}, owner(metadata.uid));
      await admin.update(writer, '', 'w', (old) => ({ ...old, spec: { x: '1' } }));
      await admin.delete(writer, '', 'w');
      await admin.delete(writer, '', 'w', options({ propagation: 'Foreground' }));
      expect(get(writer, 'w')?.metadata.finalizers).to.deep.equal(['x/y', 'foregroundDeletion']);
      expect(get(writer, 'w')?.metadata.generation, 'one more than before the deletion').to.equal(3);
    }),
  );

  it(
    'cannot leave contents behind',
    inWorld(async ({ kinds: { shelf, writer }, put, admin }) => {
      await put(shelf, 'a');
      await put(writer, 'w');
      const orphan = options({ propagation: 'Orphan' });
      expect(await refusal(admin.delete(shelf, 'default', 'a', orphan))).to.match(/^422 Invalid .*propagationPolicy/);
      expect(await refusal(admin.delete(writer, '', 'w', orphan))).to.equal('');
    }),
  );
});
