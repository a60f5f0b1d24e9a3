import { expect } from 'chai';
import type { KubeObject, OwnerReference } from '../../pkg/kube/meta/types.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import type { Client } from '../client/client.js';
import type { Kind } from '../kinds/kind.js';
import { inWorld, refusal, sentObject } from '../testing/world.js';
import type { Configuration } from './apply.js';
import type { WriteResult } from './write.js';

const STATUS = { name: 'status', verb: 'patch' };
const parsed = ({ value }: WriteResult) => JSON.parse(Buffer.from(value).toString());

function config(kind: Kind, name: string, spec: object = {}, more: Partial<Configuration> = {}): Configuration {
  return { object: sentObject(kind, name, spec), preconditions: {}, force: false, ...more };
}

const apply = (client: Client, kind: Kind, name: string, spec: object, more: Partial<Configuration> = {}) =>
  client.apply(kind, kind.scope === 'Cluster' ? '' : 'default', config(kind, name, spec, more));

const managers = ({ metadata }: KubeObject) =>
  (metadata.managedFields ?? []).map(({ manager, operation, fieldsV1 }) => [manager, operation, fieldsV1]);

describe('an apply', () => {
  it(
    'creates the object, and then changes the fields of its manager only',
    inWorld(async (world) => {
      const { book } = world.kinds;
      const [ann, bob] = ['ann', 'bob'].map((fieldManager) => world.with({ fieldManager }));
      if (ann === undefined || bob === undefined) return;
      const made = await apply(ann, book, 'a', { title: 'A', tone: 'low' });
      expect([made.isNew, parsed(made), world.get(book, 'a')]).to.deep.equal([true, made.object, made.object]);
      const more = await apply(bob, book, 'a', { pages: '9' });
      expect([more.isNew, more.object.spec]).to.deep.equal([false, { title: 'A', tone: 'low', pages: '9' }]);
      const less = await apply(ann, book, 'a', { title: 'B' });
      expect(less.object.spec).to.deep.equal({ title: 'B', pages: '9' });
      expect(managers(less.object)).to.deep.equal([
        ['ann', 'Apply', { 'f:spec': { 'f:title': {} } }],
        ['bob', 'Apply', { 'f:spec': { 'f:pages': {} } }],
      ]);
      const same = await apply(ann, book, 'a', { title: 'B' });
      expect([same.isSame, same.object]).to.deep.equal([true, less.object]);
    }),
  );

  it(
    'of the field of another manager is refused with the field, unless it is forced',
    inWorld(async (world) => {
      const { book } = world.kinds;
      await apply(world.with({ fieldManager: 'ann' }), book, 'a', { title: 'A' });
      const bob = world.with({ fieldManager: 'bob' });
      const error = await apply(bob, book, 'a', { title: 'B' }).catch((thrown: unknown) => thrown);
      if (!(error instanceof ApiError)) throw error;
      expect([error.code, error.reason, error.details?.causes?.map(({ field }) => field)]).to.deep.equal([
        409,
        'Conflict',
        ['.spec.title'],
      ]);
      expect(world.get(book, 'a')?.spec).to.deep.equal({ title: 'A' });
      const forced = await apply(bob, book, 'a', { title: 'B' }, { force: true });
      expect(managers(forced.object)).to.deep.equal([['bob', 'Apply', { 'f:spec': { 'f:title': {} } }]]);
    }),
  );

  it(
    'expects the version and the uid that it names',
    inWorld(async ({ kinds: { book }, admin }) => {
      const wants = (preconditions: object, name = 'a') =>
        refusal(apply(admin, book, name, { x: '1' }, { preconditions }));
      expect(await wants({ uid: 'u'.repeat(200) })).to.match(/^409 Conflict .*specified uid u{100}, and no existing/);
      expect(await wants({ resourceVersion: '1' })).to.match(/^409 Conflict/);
      const { object } = await apply(admin, book, 'a', { x: '1' });
      const { uid, resourceVersion } = object.metadata;
      expect(await wants({ uid: 'other' })).to.match(/^409 Conflict/);
      expect(await wants({ resourceVersion: '0' })).to.match(/^409 Conflict/);
      expect(await wants({ uid, resourceVersion })).to.equal('');
    }),
  );

  it(
    'takes the permission to create or to update, and says nothing of an object that the caller may not view',
    inWorld(async ({ kinds: { book }, put, as, get }) => {
      const may = (name: string, ...permissions: readonly string[]) =>
        refusal(apply(as(...permissions), book, name, { x: '1' }));
      expect(await may('new', 'books:write *')).to.match(/^403 Forbidden .*books:create/);
      expect(await may('new', 'books:create *')).to.equal('');
      await put(book, 'old');
      const unseen = await may('old', 'books:write books:uid:x');
      expect(unseen).to.match(/^403 Forbidden .*books:create/);
      expect(unseen).to.equal((await may('none', 'books:write books:uid:x')).replaceAll('none', 'old'));
      expect(await may('old', 'books:create *')).to.match(/^403 Forbidden .*books:write/);
      expect(await may('old', 'books:read *')).to.match(/^403 Forbidden .*books:write/);
      expect(get(book, 'old')?.spec).to.deep.equal({});
      expect(await may('old', 'books:write books:uid:old')).to.equal('');
    }),
  );

  it(
    'of a status changes the status of an object that exists',
    inWorld(async ({ kinds: { book }, put, with: like, as, get }) => {
      const ann = like({ fieldManager: 'ann' });
      const sent = {
        object: { ...sentObject(book, 'a', { x: '1' }), status: { read: 'yes' } },
        preconditions: {},
        force: true,
      };
      expect(await refusal(ann.apply(book, 'default', sent, STATUS))).to.match(/^404 NotFound/);
      await put(book, 'a', { x: '0' });
      const refused = refusal(as('books:create *').apply(book, 'default', sent, STATUS));
      expect(await refused).to.match(/^403 Forbidden .*books:write/);
      expect(await refusal(as().apply(book, 'default', sent, STATUS))).to.match(/^403 Forbidden .*books:write/);
      const wrong = { ...sent, object: { ...sent.object, spec: { x: 1 } as object, status: { read: 'yes' } } };
      expect(await refusal(ann.apply(book, 'default', wrong, STATUS))).to.equal('');
      const worse = { ...sent, object: { ...sent.object, status: { read: 1 } } };
      expect(await refusal(ann.apply(book, 'default', worse, STATUS))).to.match(/^422 Invalid .*status\.read/);
      await ann.apply(book, 'default', sent, STATUS);
      expect(get(book, 'a')).to.deep.include({ spec: { x: '0' }, status: { read: 'yes' } });
    }),
  );

  it(
    'is refused with 400 for what no schema can have, and with 422 for wrong values',
    inWorld(async ({ kinds: { book }, admin }) => {
      const object = { ...sentObject(book, 'a'), spec: { x: 1 } } as unknown as KubeObject;
      expect(await refusal(admin.apply(book, 'default', { object, preconditions: {}, force: false }))).to.match(/^422/);
      const owner = { apiVersion: 'v1', kind: 'X', name: 'x' } as unknown as OwnerReference;
      const ownerless = {
        ...sentObject(book, 'a'),
        metadata: { name: 'a', namespace: 'default', ownerReferences: [owner] },
      };
      const sent = { object: ownerless, preconditions: {}, force: false };
      expect(await refusal(admin.apply(book, 'default', sent))).to.match(
        /^400 BadRequest .*failed to create typed patch/,
      );
    }),
  );

  it(
    'is noted for the audit log as the create or the update that it is',
    inWorld(async ({ kinds: { book }, with: like }) => {
      const noted: unknown[] = [];
      const audit = {
        changed: (all: readonly { verb: string; metadata: { name: string } }[]) =>
          void noted.push(...all.map(({ verb, metadata }) => [verb, metadata.name])),
      };
      const client = like({ audit });
      await apply(client, book, 'a', { x: '1' });
      await apply(client, book, 'a', { x: '2' });
      await client.update(book, 'default', 'a', (old) => old);
      await client.create(book, 'default', sentObject(book, 'b'));
      await client.delete(book, 'default', 'b');
      expect(noted).to.deep.equal([
        ['create', 'a'],
        ['update', 'a'],
        ['update', 'a'],
        ['create', 'b'],
        ['delete', 'b'],
      ]);
    }),
  );
});

describe('what people are told', () => {
  const reports = {
    written: ({
      verb,
      object,
      by,
      took,
    }: {
      verb: string;
      object: KubeObject;
      by: string;
      took: ReadonlyMap<string, number>;
    }) => ({
      reason: verb,
      type: 'Normal' as const,
      message: `${object.metadata.name} ${by} ${[...took].join()}`,
    }),
    refused: ({ code }: ApiError) => ({ reason: 'refused', type: 'Warning' as const, message: `${code}` }),
  };

  it(
    'are the writes that change something, and those that are refused, but no dry runs',
    inWorld(
      async (world) => {
        const { kinds, put, admin, told, change } = world;
        const lines = () => told.splice(0).map(({ reason, message, about }) => `${reason} ${message} ${about.name}`);
        await put(kinds.shelf, 'a', { x: '1' });
        await change(kinds.shelf, 'a', { x: '1' });
        await change(kinds.shelf, 'a', { x: '2' });
        await put(kinds.shelf, 'b', { on: 'a' });
        expect(lines()).to.deep.equal(['create a admin  a', 'update a admin  a', 'create b admin  b']);
        const dry = world.with({ isDryRun: true });
        await dry.update(kinds.shelf, 'default', 'a', (old) => ({ ...old, spec: {} }));
        await refusal(dry.create(kinds.shelf, 'default', sentObject(kinds.shelf, 'a')));
        await refusal(put(kinds.book, 'x', { by: 'none' }));
        expect(lines()).to.deep.equal([]);
        await refusal(put(kinds.shelf, 'a'));
        await refusal(change(kinds.shelf, 'a', { on: 'none' }));
        expect(lines()).to.deep.equal(['refused 409 a', 'refused 422 a']);
        await admin.delete(kinds.shelf, 'default', 'a');
        expect(lines()).to.deep.equal(['delete a admin Shelf,1 a']);
      },
      { kinds: { shelf: { reports } } },
    ),
  );
});
