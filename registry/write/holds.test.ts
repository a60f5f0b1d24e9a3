import { expect } from 'chai';
import type { ObjectMeta, OwnerReference } from '../../pkg/kube/meta/types.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import type { Client } from '../client/client.js';
import type { Kind } from '../kinds/kind.js';
import { inWorld, refusal, sentObject, type World } from '../testing/world.js';

const ref = (kind: string, name: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'library.svc.app/v1',
  kind,
  name,
  uid: `${name}-uid`,
  ...more,
});
const blocking = (kind: string, name: string): OwnerReference => ref(kind, name, { blockOwnerDeletion: true });

const create = (client: Client, kind: Kind, name: string, metadata: Partial<ObjectMeta>) =>
  refusal(client.create(kind, 'default', sentObject(kind, name, {}, metadata)));
const change = (client: Client, kind: Kind, name: string, metadata: Partial<ObjectMeta>) =>
  refusal(client.update(kind, 'default', name, (old) => ({ ...old, metadata: { ...old.metadata, ...metadata } })));

const OWN = {
  get: ['books:read'],
  create: ['books:create'],
  update: ['books:write'],
  delete: ['books:delete'],
  scopes: ({ metadata }: { metadata: { name: string } }) => [`books:uid:${metadata.name}`],
  allowSelf: ({ metadata }: { metadata: { name: string } }, { uid }: { uid: string }) => metadata.name === uid,
};

describe('who may hold other objects', () => {
  it(
    'are callers who may update an owner, if its deletion is to be blocked',
    inWorld(async ({ kinds: { book, writer }, put, as }: World) => {
      await put(writer, 'w');
      const may = (owner: OwnerReference, ...permissions: readonly string[]) =>
        create(as('books:create *', ...permissions), book, `b${Math.random()}`, { ownerReferences: [owner] });
      expect(await may(ref('Writer', 'w'))).to.equal('');
      expect(await may(ref('Writer', 'w', { blockOwnerDeletion: false }))).to.equal('');
      expect(await may(blocking('Unknown', 'w'))).to.equal('');
      expect(await may(blocking('Writer', 'w'), 'writers:write writers:uid:w')).to.equal('');
      expect(await may(blocking('Writer', 'w'), 'writers:write writers:uid:x')).to.match(
        /^403 Forbidden books\.library\.svc\.app .*only a caller who may update an object may block.*writers:write/,
      );
      expect(await may(blocking('Slip', 's'), 'slips:write *')).to.equal('');
      expect(await may(blocking('Slip', 's'))).to.match(/^403/);
    }),
  );

  it(
    'are told the actions that they lack',
    inWorld(async ({ kinds: { book, writer }, put, as }) => {
      await put(writer, 'w');
      const sent = sentObject(book, 'b', {}, { ownerReferences: [blocking('Writer', 'w')] });
      const error = await as('books:create *')
        .create(book, 'default', sent)
        .catch((thrown: unknown) => thrown);
      if (!(error instanceof ApiError)) throw error;
      expect(JSON.stringify(error.details)).to.include('"name":"b"').and.include('writers:write');
    }),
  );

  it(
    'need no more for what the object blocked already',
    inWorld(async ({ kinds: { book, writer }, put, as }) => {
      await put(writer, 'w');
      await put(writer, 'v');
      await put(book, 'b', {}, { ownerReferences: [blocking('Writer', 'w'), ref('Writer', 'v')] });
      const client = as('books:write *', 'books:delete *');
      const extra = ref('Shelf', 'x');
      expect(
        await change(client, book, 'b', { ownerReferences: [blocking('Writer', 'w'), blocking('Writer', 'v')] }),
      ).to.match(/^403/);
      expect(await change(client, book, 'b', { ownerReferences: [blocking('Writer', 'w'), extra] })).to.equal('');
      const other = { ...blocking('Writer', 'w'), uid: 'another' };
      expect(await change(client, book, 'b', { ownerReferences: [other] })).to.match(/^403/);
    }),
  );

  it(
    'may change owners only of what they may delete, and finalizers of what they may update',
    inWorld(async ({ kinds: { book }, put, as, admin }) => {
      await put(book, 'b');
      const client = as('books:write *');
      const owners = { ownerReferences: [ref('Writer', 'w')] };
      expect(await change(client, book, 'b', owners)).to.match(/^403 Forbidden .*books:delete/);
      expect(await change(as('books:write *', 'books:delete books:uid:b'), book, 'b', owners)).to.equal('');
      expect(await change(client, book, 'b', { finalizers: ['x/y'] })).to.equal('');
      expect(await change(client, book, 'b', { labels: { a: 'b' } })).to.equal('');
      expect(await change(client, book, 'b', { ownerReferences: [] })).to.match(/^403 Forbidden .*books:delete/);
      expect(await change(admin, book, 'b', { ownerReferences: [] })).to.equal('');
      expect(await change(client, book, 'b', { finalizers: [] })).to.equal('');
    }),
  );

  it(
    'are not those who write an object only because it is their own',
    inWorld(
      async ({ kinds: { book }, as, admin, put }) => {
        const own = as();
        expect(await create(own, book, 'anns', { finalizers: ['x/y'] })).to.match(
          /^403 Forbidden .*User "ann" may write this object only because it is their own/,
        );
        expect(await create(own, book, 'anns', { ownerReferences: [ref('Writer', 'w')] })).to.match(/^403/);
        expect(await create(own, book, 'anns', {})).to.equal('');
        expect(await change(own, book, 'anns', { finalizers: ['x/y'] })).to.match(/^403 .*their own/);
        expect(await change(own, book, 'anns', { labels: { a: 'b' } })).to.equal('');
        expect(await change(as('books:write *'), book, 'anns', { finalizers: ['x/y'] })).to.equal('');
        expect(await change(own, book, 'anns', { finalizers: [] })).to.match(/^403 .*their own/);
        const status = { name: 'status', verb: 'update' };
        const viaStatus = own.update(book, 'default', 'anns', (old) => ({ ...old, status: { a: 'b' } }), status);
        expect(await refusal(viaStatus)).to.equal('');
        expect(await create(as('books:create *'), book, 'bobs', { finalizers: ['x/y'] })).to.equal('');
        expect(await create(admin, book, 'eves', { finalizers: ['x/y'] })).to.equal('');
        await put(book, 'free');
      },
      { kinds: { book: { permissions: OWN } } },
    ),
  );
});
