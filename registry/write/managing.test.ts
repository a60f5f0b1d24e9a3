import { expect } from 'chai';
import type { KubeObject, ManagedFieldsEntry } from '../../pkg/kube/meta/types.js';
import { inWorld, sentObject } from '../testing/world.js';

const entries = ({ metadata }: KubeObject) => metadata.managedFields ?? [];
const brief = (object: KubeObject) =>
  entries(object).map(({ manager, operation, subresource, fieldsV1 }) => [
    manager,
    operation,
    ...(subresource === undefined ? [] : [subresource]),
    fieldsV1,
  ]);
const WHOLE = { 'f:spec': { '.': {} } };

describe('the managers of an object', () => {
  it(
    'own the parts of a new object and not its members, unless it has no spec',
    inWorld(async ({ kinds: { book }, with: like }) => {
      const ann = like({ fieldManager: 'ann' });
      const labels = { labels: { a: 'b' } };
      const { object } = await ann.create(book, 'default', sentObject(book, 'a', { x: '1' }, labels));
      expect(brief(object)).to.deep.equal([['ann', 'Update', { 'f:metadata': { 'f:labels': {} }, ...WHOLE }]]);
      const { object: bare } = await ann.create(book, 'default', sentObject(book, 'b', {}, labels));
      expect(brief(bare)).to.deep.equal([
        ['ann', 'Update', { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } }, 'f:spec': {} }],
      ]);
    }),
  );

  it(
    'own nothing more after a write that changes nothing, and the one who changes metadata keeps the short entry',
    inWorld(async ({ kinds: { book }, with: like, get, clock }) => {
      const [ann, bob] = [like({ fieldManager: 'ann' }), like({ fieldManager: 'bob' })];
      await ann.create(book, 'default', sentObject(book, 'a', { x: '1' }));
      const before = get(book, 'a');
      clock.time += 60_000;
      await bob.update(book, 'default', 'a', (old) => old);
      expect(get(book, 'a')).to.equal(before);
      const labels = { a: 'b' };
      await ann.update(book, 'default', 'a', (old) => ({ ...old, metadata: { ...old.metadata, labels } }));
      expect(brief(get(book, 'a') as KubeObject)).to.deep.equal([
        ['ann', 'Update', { 'f:metadata': { 'f:labels': {} }, ...WHOLE }],
      ]);
    }),
  );

  it(
    'are first the one that has made it, with one short entry, which also stands for later writes of it',
    inWorld(async ({ kinds: { book }, with: like, clock }) => {
      const ann = like({ fieldManager: 'ann' });
      const { object } = await ann.create(book, 'default', sentObject(book, 'a', { x: '1' }));
      expect(entries(object)).to.deep.equal([
        {
          apiVersion: 'library.svc.app/v1',
          fieldsType: 'FieldsV1',
          fieldsV1: WHOLE,
          manager: 'ann',
          operation: 'Update',
          time: '2026-01-01T00:00:00Z',
        },
      ]);
      clock.time += 60_000;
      const next = await ann.update(book, 'default', 'a', (old) => ({ ...old, spec: { x: '2' } }));
      expect(brief(next.object)).to.deep.equal([['ann', 'Update', WHOLE]]);
      expect(entries(next.object)[0]?.time).to.equal('2026-01-01T00:01:00Z');
    }),
  );

  it(
    'own metadata that clients set, and not what the server sets',
    inWorld(async ({ kinds: { book }, with: like }) => {
      const ann = like({ fieldManager: 'ann' });
      const make = async (name: string, metadata: object) => {
        const sent = sentObject(book, name, { x: '1' }, metadata);
        return brief((await ann.create(book, 'default', sent)).object)[0]?.[2];
      };
      expect(await make('a', { labels: { a: 'b' } })).to.deep.equal({ 'f:metadata': { 'f:labels': {} }, ...WHOLE });
      expect(await make('b', { annotations: { a: 'b' }, finalizers: ['x/y'] })).to.deep.equal({
        'f:metadata': { 'f:annotations': {}, 'f:finalizers': {} },
        ...WHOLE,
      });
      expect(await make('c', { annotations: { 'svc.app/createdBy': 'x' }, labels: {} })).to.deep.equal(WHOLE);
      const owner = { apiVersion: 'v1', kind: 'X', name: 'x', uid: 'x' };
      expect(await make('d', { ownerReferences: [owner] })).to.deep.equal({
        'f:metadata': { 'f:ownerReferences': {} },
        ...WHOLE,
      });
    }),
  );

  it(
    'are several after a write of another one, each with its fields',
    inWorld(async ({ kinds: { book }, with: like, get }) => {
      const [ann, bob] = [like({ fieldManager: 'ann' }), like({ fieldManager: 'bob' })];
      await ann.create(book, 'default', sentObject(book, 'a', { x: '1', y: '1' }));
      await bob.update(book, 'default', 'a', (old) => ({ ...old, spec: { x: '2', y: '1' } }));
      expect(brief(get(book, 'a') as KubeObject)).to.deep.equal([
        ['ann', 'Update', { 'f:spec': { '.': {}, 'f:y': {} } }],
        ['bob', 'Update', { 'f:spec': { 'f:x': {} } }],
      ]);
      await bob.update(book, 'default', 'a', (old) => ({ ...old, status: { s: '1' } }), {
        name: 'status',
        verb: 'update',
      });
      expect(brief(get(book, 'a') as KubeObject)[2]).to.deep.equal([
        'bob',
        'Update',
        'status',
        { 'f:status': { '.': {}, 'f:s': {} } },
      ]);
    }),
  );

  it(
    'are the server for what it writes by itself, and none of internal kinds',
    inWorld(async ({ kinds: { book, lock }, put, change, registry }) => {
      expect(brief(await put(book, 'a', { x: '1' }))).to.deep.equal([['dashboard-apiserver', 'Update', WHOLE]]);
      expect(brief(await put(lock, 'l', { of: 'a' }))).to.deep.equal([]);
      expect(brief(await change(lock, 'l', { of: 'a', x: '2' }))).to.deep.equal([]);
      const { revision } = registry.reader;
      await change(book, 'a', { x: '1' });
      expect(registry.reader.revision).to.equal(revision);
    }),
  );

  it(
    'can be taken over or dropped by a client that sends the list',
    inWorld(async ({ kinds: { book }, with: like, get }) => {
      const [ann, bob] = [like({ fieldManager: 'ann' }), like({ fieldManager: 'bob' })];
      await ann.create(book, 'default', sentObject(book, 'a', { x: '1' }));
      const send = (managedFields: readonly ManagedFieldsEntry[]) =>
        bob.update(book, 'default', 'a', (old) => ({ ...old, metadata: { ...old.metadata, managedFields } }));
      await send([{ ...(entries(get(book, 'a') as KubeObject)[0] as ManagedFieldsEntry), manager: 'eve' }]);
      expect(brief(get(book, 'a') as KubeObject).map(([name]) => name)).to.deep.equal(['eve']);
      expect(get(book, 'a')?.metadata.generation, 'nothing else changes').to.equal(1);
      await send([]);
      expect(
        brief(get(book, 'a') as KubeObject).map(([name]) => name),
        'an empty list',
      ).to.deep.equal(['eve']);
      await send([{}] as readonly ManagedFieldsEntry[]);
      expect(brief(get(book, 'a') as KubeObject).map(([name]) => name)).to.not.include('eve');
    }),
  );

  it(
    'of a new object may be sent by the client',
    inWorld(async ({ kinds: { book }, with: like }) => {
      const entry = {
        apiVersion: book.apiVersion,
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:x': {} } },
        manager: 'eve',
        operation: 'Update',
        time: '2025-01-01T00:00:00Z',
      } as const;
      const sent = sentObject(book, 'a', { x: '1' }, { managedFields: [entry] });
      const { object } = await like({ fieldManager: 'ann' }).create(book, 'default', sent);
      expect(brief(object)).to.deep.equal([['ann', 'Update', { 'f:spec': { '.': {}, 'f:x': {} } }]]);
      const { object: empty } = await like({ fieldManager: 'ann' }).create(book, 'default', sentObject(book, 'b', {}));
      expect(brief(empty)).to.deep.equal([['ann', 'Update', { 'f:spec': {} }]]);
    }),
  );
});
