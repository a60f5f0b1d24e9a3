import { expect } from 'chai';
import { Retry } from '../signals/retry.js';
import { inWorld } from '../testing/world.js';

describe('a write of a kind that is not defined any more as it was when the request was read', () => {
  it(
    'changes nothing, and who has read the request begins again',
    inWorld(async ({ kinds: { book }, put, admin, get, registry }) => {
      const old = await put(book, 'a', { title: 'A' });
      const created = { apiVersion: book.apiVersion, kind: book.kind, metadata: { name: 'b' }, spec: { title: 'B' } };
      Object.assign(registry, { hasKind: () => false });
      for (const write of [
        () => admin.create(book, 'default', created),
        () => admin.update(book, 'default', 'a', (object) => ({ ...object, spec: { title: 'C' } })),
        () => admin.delete(book, 'default', 'a'),
      ]) {
        const outcome = await write().then(
          () => 'written',
          (error: unknown) => error,
        );
        expect(outcome).to.be.instanceOf(Retry).with.property('ready', undefined);
      }
      expect([get(book, 'a'), get(book, 'b')]).to.deep.equal([old, undefined]);
    }),
  );
});
