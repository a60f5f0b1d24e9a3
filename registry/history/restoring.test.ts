import { expect } from 'chai';
import type { Client } from '../client/client.js';
import type { Kind } from '../kinds/kind.js';
import { inWorld, refusal } from '../testing/world.js';
import { type RestoreRequest, restore } from './restore.js';
import { tree } from './testing/tree.js';

const MINUTE = 60_000;
const back = (client: Client, kind: Kind, name: string, more: Partial<RestoreRequest> = {}) =>
  restore(client, { kind, namespace: 'default', name, ...more });

describe('a deleted object', () => {
  it(
    'comes back as it was, with a new uid, as its next version',
    inWorld(async (world) => {
      const { kinds, put, admin, get, clock } = world;
      const before = await put(kinds.shelf, 'a', { x: '1' }, { labels: { a: 'b' }, annotations: { c: 'd' } });
      await admin.delete(kinds.shelf, 'default', 'a');
      clock.time += MINUTE;
      const restored = await back(
        world.with({ user: world.as().options.user, isTrusted: true }),
        kinds.shelf,
        'a',
      ).catch(() => back(admin, kinds.shelf, 'a'));
      expect([restored.written.length, restored.version, restored.leftOut]).to.deep.equal([1, 1, []]);
      const now = get(kinds.shelf, 'a');
      expect(restored.object).to.deep.equal(now);
      expect([now?.spec, now?.metadata.labels, now?.metadata.generation]).to.deep.equal([{ x: '1' }, { a: 'b' }, 2]);
      expect(now?.metadata.uid).to.be.a('string').and.not.equal(before.metadata.uid);
      expect(now?.metadata.creationTimestamp).to.equal(before.metadata.creationTimestamp);
      expect(now?.metadata).to.not.have.any.keys('deletionTimestamp', 'deletionGracePeriodSeconds', 'ownerReferences');
      expect(now?.metadata.annotations).to.deep.equal({
        c: 'd',
        'svc.app/createdBy': 'user:admins',
        'svc.app/updatedBy': 'user:admins',
        'svc.app/updatedTimestamp': '2026-01-01T00:01:00Z',
        'svc.app/message': 'Restored from version 1',
        'svc.app/originUID': before.metadata.uid,
      });
      await admin.delete(kinds.shelf, 'default', 'a');
      await back(admin, kinds.shelf, 'a');
      expect(get(kinds.shelf, 'a')?.metadata.annotations?.['svc.app/originUID']).to.equal(before.metadata.uid);
      expect(get(kinds.shelf, 'a')?.metadata.generation).to.equal(3);
    }),
  );

  it(
    'comes back with all that was deleted with it',
    inWorld(async (world) => {
      const { kinds, admin, names, get } = world;
      await tree(world);
      await admin.delete(kinds.shelf, 'default', 'top');
      const restored = await back(admin, kinds.shelf, 'top');
      expect([restored.written.length, restored.leftOut, restored.object.metadata.name]).to.deep.equal([5, [], 'top']);
      expect(await names(kinds.shelf)).to.deep.equal(['low', 'top']);
      expect(await names(kinds.book)).to.deep.equal(['likes', 'on-low', 'sequel']);
      expect(get(kinds.book, 'on-low')?.spec).to.deep.equal({ on: 'low' });
      expect(get(kinds.shelf, 'top')?.metadata.labels).to.deep.equal({ a: 'b' });
    }),
  );

  it(
    'that was deleted with another one comes back with what depends on it only',
    inWorld(async (world) => {
      const { kinds, put, admin, names } = world;
      await tree(world);
      await put(kinds.shelf, 'side', { on: 'top' });
      await admin.delete(kinds.shelf, 'default', 'top');
      expect(await refusal(back(admin, kinds.shelf, 'low'))).to.match(
        /^409 Conflict .*the deletion cannot be taken back: shelves\.library\.svc\.app "low" cannot come back: .*"top"/,
      );
      await put(kinds.shelf, 'top');
      const restored = await back(admin, kinds.shelf, 'low');
      expect(restored.written.length).to.equal(4);
      expect(await names(kinds.shelf)).to.deep.equal(['low', 'top']);
    }),
  );

  it(
    'comes back without what belongs to objects that are gone since, and tells why',
    inWorld(async (world) => {
      const { kinds, put, admin, change, names } = world;
      await put(kinds.writer, 'w');
      await tree(world);
      await put(kinds.book, 'by-w', { on: 'low', by: 'w' });
      await put(kinds.book, 'after-by-w', { after: 'by-w' });
      await change(kinds.book, 'likes', { on: 'low', like: 'by-w' });
      await admin.delete(kinds.shelf, 'default', 'top');
      await admin.delete(kinds.writer, '', 'w');
      const restored = await back(admin, kinds.shelf, 'top');
      expect(restored.leftOut.toSorted()).to.deep.equal([
        'books.library.svc.app "after-by-w": what it belongs to does not come back',
        'books.library.svc.app "by-w": there is no "w" in writers.library.svc.app any more',
        'books.library.svc.app "likes": what it belongs to does not come back',
      ]);
      expect([restored.written.length, await names(kinds.book)]).to.deep.equal([4, ['on-low', 'sequel']]);
    }),
  );

  it(
    'comes back although something that need not exist does not',
    inWorld(async ({ kinds, put, admin, names }) => {
      await put(kinds.shelf, 's');
      await put(kinds.book, 'b', { on: 's', like: 'ghost' });
      await admin.delete(kinds.shelf, 'default', 's');
      expect((await back(admin, kinds.shelf, 's')).leftOut).to.deep.equal([]);
      expect(await names(kinds.book)).to.deep.equal(['b']);
    }),
  );

  it(
    'stays away if it references what is gone since',
    inWorld(
      async ({ kinds, put, admin }) => {
        await put(kinds.writer, 'w');
        await put(kinds.book, 'b', { by: 'w' });
        await admin.delete(kinds.book, 'default', 'b');
        await admin.delete(kinds.writer, '', 'w');
        const refused = await refusal(back(admin, kinds.book, 'b'));
        expect(refused).to.match(/^409 Conflict .*books\.library\.svc\.app "b" cannot come back: .*"w"/);
        expect(refused).to.not.include('A caller who may create');
      },
      { kinds: { book: { trash: true } } },
    ),
  );

  it(
    'stays away, with all others, if the name of one of them is taken',
    inWorld(async ({ kinds, put, admin, get, names }) => {
      await put(kinds.shelf, 's');
      await put(kinds.book, 'b', { on: 's' });
      await admin.delete(kinds.shelf, 'default', 's');
      const other = await put(kinds.book, 'b', { title: 'another' });
      expect(await refusal(back(admin, kinds.shelf, 's'))).to.match(
        /^409 Conflict .*"b" cannot come back: .*"b" already exists/,
      );
      expect([get(kinds.book, 'b'), await names(kinds.shelf)]).to.deep.equal([other, []]);
    }),
  );

  it(
    'has the owners that exist, also such as came back with it under a new uid',
    inWorld(async (world) => {
      const { kinds, put, admin, get } = world;
      const ref = (kind: string, name: string, uid = '') => ({ apiVersion: 'library.svc.app/v1', kind, name, uid });
      const { metadata } = await put(kinds.writer, 'w');
      const shelf = await put(kinds.shelf, 's');
      const owners = [
        ref('Writer', 'w', metadata.uid),
        ref('Writer', 'w', 'another'),
        ref('Shelf', 's', shelf.metadata.uid),
        ref('Unknown', 'x', 'x'),
      ];
      await put(kinds.book, 'b', { on: 's' }, { ownerReferences: owners });
      await admin.delete(kinds.shelf, 'default', 's');
      await back(admin, kinds.shelf, 's');
      expect(get(kinds.book, 'b')?.metadata.ownerReferences).to.deep.equal([
        ref('Writer', 'w', metadata.uid),
        ref('Shelf', 's', get(kinds.shelf, 's')?.metadata.uid),
        ref('Unknown', 'x', 'x'),
      ]);
    }),
  );

  it(
    'stays away if its name is taken, if it has expired, or if it is not in the trash',
    inWorld(
      async (world) => {
        const { kinds, put, admin, clock } = world;
        await put(kinds.shelf, 'a');
        await admin.delete(kinds.shelf, 'default', 'a');
        clock.time += MINUTE - 1;
        const { uid } = await put(kinds.shelf, 'a').then(({ metadata }) => metadata);
        expect(await refusal(back(admin, kinds.shelf, 'a'))).to.match(/^422 .*the object exists/);
        await admin.delete(kinds.shelf, 'default', 'a', { preconditions: { uid: uid ?? '' }, parameters: new Map() });
        clock.time += MINUTE;
        expect(await refusal(back(admin, kinds.shelf, 'a'))).to.match(/^404/);
        await put(kinds.book, 'b', { x: '1' });
        await world.change(kinds.book, 'b', { x: '2' });
        await admin.delete(kinds.book, 'default', 'b');
        expect(await refusal(back(admin, kinds.book, 'b'))).to.match(/^409 Conflict .*it is not in the trash/);
      },
      { retention: { trash: MINUTE } },
    ),
  );

  it(
    'comes back in its last version only, and only if it is the expected one',
    inWorld(async (world) => {
      const { kinds, put, admin, names } = world;
      await put(kinds.shelf, 'a', { x: '1' });
      await world.change(kinds.shelf, 'a', { x: '2' });
      await admin.delete(kinds.shelf, 'default', 'a');
      expect(await refusal(back(admin, kinds.shelf, 'a', { version: 1 }))).to.match(
        /^422 .*only its last version \(2\)/,
      );
      expect(await refusal(back(admin, kinds.shelf, 'a', { preconditions: { uid: 'x' } }))).to.match(/^409/);
      expect(await names(kinds.shelf)).to.deep.equal([]);
      expect((await back(admin, kinds.shelf, 'a', { version: 2 })).version).to.equal(2);
    }),
  );

  it(
    'comes back by a caller who may create all of it, and who may view it',
    inWorld(async (world) => {
      const { kinds, admin, as, names } = world;
      await tree(world);
      await admin.delete(kinds.shelf, 'default', 'low');
      const by = (...permissions: readonly string[]) => refusal(back(as(...permissions), kinds.shelf, 'low'));
      expect(await by('shelves:create *')).to.match(/^403/);
      expect(await by('shelves:read *')).to.match(/^403/);
      const hidden = await by('shelves:* *');
      expect(hidden).to.match(
        /^403 Forbidden .*an object that was deleted with it cannot come back, and you may not view/,
      );
      expect(hidden).not.to.contain('on-low');
      expect(await by('shelves:* *', 'books:read *')).to.match(
        /^403 Forbidden .*books\.library\.svc\.app "on-low" cannot come back: .*A caller who may create all that was deleted can bring it back$/,
      );
      expect(await names(kinds.shelf)).to.deep.equal(['top']);
      expect(await by('shelves:* *', 'books:create *')).to.equal('');
    }),
  );

  it(
    'is refused by the rules of its kind with their reasons',
    inWorld(
      async (world) => {
        const { kinds, put, admin } = world;
        await put(kinds.shelf, 'a');
        await admin.delete(kinds.shelf, 'default', 'a');
        const error = await back(admin, kinds.shelf, 'a').catch((thrown: unknown) => thrown);
        expect(error).to.include({ code: 409, reason: 'Conflict' });
        expect((error as { details?: { causes?: unknown } }).details?.causes).to.deep.equal([
          { reason: 'FieldValueInvalid', message: 'no', field: 'spec.x' },
        ]);
      },
      {
        kinds: {
          shelf: {
            strategy: {
              validate: ({ metadata }) =>
                (metadata.generation ?? 1) > 1 ? [{ reason: 'FieldValueInvalid', message: 'no', field: 'spec.x' }] : [],
            },
          },
        },
      },
    ),
  );

  it(
    'comes back with a thousand others',
    inWorld(async (world) => {
      const { kinds, put, admin, names } = world;
      await put(kinds.shelf, 's');
      await admin.transact((transaction) => {
        for (let i = 0; i < 600; i++)
          transaction.create(kinds.book, 'default', {
            apiVersion: kinds.book.apiVersion,
            kind: 'Book',
            metadata: { name: `b${i}`, namespace: 'default' },
            spec: { on: 's' },
          });
      });
      await admin.delete(kinds.shelf, 'default', 's');
      expect((await back(admin, kinds.shelf, 's')).written.length).to.equal(601);
      expect(await names(kinds.book)).to.have.length(600);
    }),
  );

  it(
    'stays away with 401 if the credential ends meanwhile',
    inWorld(async (world) => {
      const { kinds, put, admin, names, as, with: like } = world;
      await put(kinds.shelf, 'a');
      await admin.delete(kinds.shelf, 'default', 'a');
      const user = { ...as('shelves:* *').options.user, stillValid: () => false };
      expect(await refusal(back(like({ user }), kinds.shelf, 'a'))).to.match(/^401/);
      expect(await names(kinds.shelf)).to.deep.equal([]);
    }),
  );

  it(
    'keeps its integer id',
    inWorld(
      async (world) => {
        const { kinds, put, admin, get } = world;
        await put(kinds.shelf, 'other');
        await put(kinds.shelf, 'a');
        await admin.delete(kinds.shelf, 'default', 'a');
        await back(admin, kinds.shelf, 'a');
        expect(get(kinds.shelf, 'a')?.metadata.labels).to.deep.equal({ 'svc.app/deprecatedInternalID': '2' });
      },
      { kinds: { shelf: { internalId: true } } },
    ),
  );
});
