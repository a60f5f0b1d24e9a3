import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Kind } from '../kinds/kind.js';
import { BOOKS } from '../testing/library.js';
import { inWorld, refusal, sentObject } from '../testing/world.js';
import { createSteps } from './create.js';
import type { WriteResult } from './write.js';

const ID = 'svc.app/deprecatedInternalID';
const parsed = ({ value }: WriteResult) => JSON.parse(Buffer.from(value).toString());
const idOf = ({ metadata }: KubeObject) => metadata.labels?.[ID];

describe('a create', () => {
  it(
    'stores the object, and answers with what is stored',
    inWorld(async ({ kinds: { book }, admin, get }) => {
      const written = await admin.create(book, 'default', {
        ...sentObject(book, 'a', { title: 'A' }),
        status: { x: 'y' },
      });
      expect([written.isGone, written.warnings, written.isSame]).to.deep.equal([false, undefined, undefined]);
      expect(parsed(written)).to.deep.equal(written.object);
      expect(get(book, 'a')).to.deep.equal(written.object);
      expect([written.object.spec, written.object.metadata.resourceVersion]).to.deep.equal([{ title: 'A' }, '1']);
      expect(written.object).to.not.have.property('status');
    }),
  );

  it(
    'stores nothing in a dry run, whose answer has no version',
    inWorld(async (world) => {
      const { book } = world.kinds;
      const written = await world
        .with({ isDryRun: true })
        .create(book, 'default', sentObject(book, 'a', { by: 'none' }));
      expect(parsed(written)).to.deep.equal(written.object);
      expect(written.object.metadata).to.not.have.property('resourceVersion');
      expect(written.warnings?.join()).to.match(/^spec.by: Not found/);
      expect(await world.names(book)).to.deep.equal([]);
      expect(await refusal(world.put(book, 'a', { by: 'none' }))).to.match(/^422 Invalid .*spec.by/);
    }),
  );

  it(
    'is refused if the name is taken, is not allowed, or is absent',
    inWorld(
      async ({ kinds: { book }, put, admin }) => {
        await put(book, 'a-1');
        expect(await refusal(put(book, 'a-1'))).to.match(/^409 AlreadyExists .*"a-1" already exists/);
        expect(await refusal(put(book, 'A'))).to.match(/^422 Invalid .*metadata.name: Invalid value: "A"/);
        expect(await refusal(put(book, 'a'.repeat(9)))).to.match(/^422 Invalid .*must be no more than 8/);
        expect(await refusal(put(book, 'b'.repeat(400))))
          .to.not.match(/b{301}/)
          .and.not.match(/Invalid value: "b{101}/);
        expect(await refusal(put(book, ''))).to.match(
          /^422 Invalid .*metadata.name: Required value: name or generateName is required/,
        );
        const base = { ...sentObject(book, ''), metadata: { name: '', generateName: 'B-' } };
        expect(await refusal(admin.create(book, 'default', base))).to.match(/^422 Invalid .*metadata.generateName/);
      },
      { kinds: { book: { names: { maxLength: 8 } } } },
    ),
  );

  it(
    'makes a free name from a base, and gives up if all that it tries are taken',
    inWorld(async ({ kinds: { book, slip }, admin, put, get }) => {
      for (const kind of [book, slip]) {
        const sent = { ...sentObject(kind, ''), metadata: { name: '', generateName: 'b-' } };
        const made = [await admin.create(kind, 'default', sent), await admin.create(kind, 'default', sent)];
        const names = made.map(({ object }) => object.metadata.name);
        for (const name of names) expect(name).to.match(/^b-[a-z0-9]{5}$/);
        expect(new Set(names).size).to.equal(2);
      }
      await put(book, 'c-1');
      const sent = { ...sentObject(book, ''), metadata: { name: '', generateName: 'c-' } };
      const createOf = (...names: readonly string[]) =>
        admin.collect(book, 'default', '', function* create(transaction, target) {
          yield* createSteps(
            transaction.with({ entropy: { ...transaction.entropy, names: () => names } }),
            target,
            sent,
          );
        });
      const error = await createOf('c-1', 'c-1').catch((thrown: unknown) => thrown);
      expect(error).to.include({ code: 409, reason: 'AlreadyExists' });
      expect(error)
        .to.have.property('message')
        .that.matches(/"c-1" already exists, the server was not able to generate a unique name/);
      expect(error).to.have.property('details').that.includes({ name: 'c-1', retryAfterSeconds: 1 });
      await createOf('c-1', 'c-2');
      expect(get(book, 'c-2')?.metadata.generateName).to.equal('c-');
    }),
  );

  it(
    'is refused in a namespace that does not exist, and not for what is in none',
    inWorld(
      async ({ kinds: { book, writer, namespace }, put }) => {
        expect(await refusal(put(book, 'a'))).to.match(/^404 NotFound namespaces "default" not found/);
        await put(writer, 'w');
        await put(namespace, 'default');
        expect(await refusal(put(book, 'a'))).to.equal('');
      },
      { withNamespaces: true },
    ),
  );

  it(
    'takes the permission on the place of the new object',
    inWorld(async ({ kinds: { shelf, book }, put, as }) => {
      for (const name of ['a', 'b']) await put(shelf, name);
      const client = as('books:create shelves:uid:a');
      expect(await refusal(client.create(book, 'default', sentObject(book, 'x', { on: 'b' })))).to.match(/^403/);
      const { namespace: _, ...metadata } = sentObject(book, 'x').metadata;
      const { object } = await client.create(book, 'default', { ...sentObject(book, 'x', { on: 'a' }), metadata });
      expect([object.metadata.namespace, object.metadata.annotations?.['svc.app/createdBy']]).to.deep.equal([
        'default',
        'user:anns',
      ]);
      const expired = as('books:create *').options.user;
      expect(expired.stillValid).to.equal(undefined);
    }),
  );

  it(
    'takes the permission on scopes that depend on the namespace, also if the client did not send it',
    inWorld(
      async ({ kinds: { book }, as }) => {
        const { namespace: _, ...metadata } = sentObject(book, 'x').metadata;
        const create = (...permissions: readonly string[]) =>
          refusal(as(...permissions).create(book, 'default', { ...sentObject(book, 'x'), metadata }));
        expect(await create('books:create books:in:other')).to.match(/^403/);
        expect(await create('books:create books:in:default')).to.equal('');
      },
      {
        kinds: {
          book: {
            permissions: {
              get: ['books:read'],
              create: ['books:create'],
              update: ['books:write'],
              delete: ['books:delete'],
              scopes: ({ metadata }) => [`books:in:${metadata.namespace}`],
            },
          },
        },
      },
    ),
  );

  it(
    'takes the permission on scopes of what is stored, not of what the client may not set',
    inWorld(
      async ({ kinds: { book }, as }) => {
        const sent = sentObject(book, 'x', {}, { labels: { [ID]: '7' } });
        const create = (...permissions: readonly string[]) => refusal(as(...permissions).create(book, 'default', sent));
        expect(await create('books:create books:id:7')).to.match(/^403/);
        expect(await create('books:create books:uid:x')).to.equal('');
      },
      {
        kinds: {
          book: {
            internalId: true,
            permissions: {
              get: ['books:read'],
              create: ['books:create'],
              update: ['books:write'],
              delete: ['books:delete'],
              scopes: ({ metadata: { name, labels } }) => [`books:uid:${name}`, `books:id:${labels?.[ID]}`],
            },
          },
        },
      },
    ),
  );

  it(
    'takes no permission for internal kinds, unless they have permissions',
    inWorld(async ({ kinds: { lock, records, book }, put, as }) => {
      await put(book, 'a');
      const create = (kind: Kind, ...permissions: readonly string[]) =>
        refusal(as(...permissions).create(kind, 'default', sentObject(kind, 'x', { set: 'x', members: {} })));
      expect(await create(lock)).to.match(/^403/);
      expect(await create(lock, 'locks:create *')).to.equal('');
      expect(await create({ ...records, references: () => [] } as unknown as Kind)).to.equal('');
    }),
  );

  it(
    'is refused with 401 if the credential is no longer valid, also to those who may do everything',
    inWorld(async ({ kinds: { book }, admin, with: like, put, as }) => {
      await put(book, 'b');
      for (const { options } of [admin, as('books:* *')]) {
        const client = like({ user: { ...options.user, stillValid: () => false } });
        expect(await refusal(client.create(book, 'default', sentObject(book, 'a')))).to.match(/^401/);
        expect(await refusal(client.delete(book, 'default', 'b'))).to.match(/^401/);
        expect(await refusal(client.update(book, 'default', 'b', (old) => old))).to.match(/^401/);
      }
    }),
  );
});

describe('integer ids', () => {
  it(
    'are the next ones of their sequence, and a dry run takes none',
    inWorld(
      async (world) => {
        const { book, shelf, writer } = world.kinds;
        expect(idOf(await world.put(book, 'a'))).to.equal('1');
        const dry = await world.with({ isDryRun: true }).create(book, 'default', sentObject(book, 'x'));
        expect(idOf(dry.object)).to.equal(undefined);
        expect([await world.put(book, 'b'), await world.put(shelf, 's')].map(idOf)).to.deep.equal(['2', '3']);
        expect(idOf(await world.put(writer, 'w'))).to.equal(undefined);
      },
      { kinds: { book: { internalId: true }, shelf: { internalId: true, idSequence: BOOKS } } },
    ),
  );

  it(
    'may give the name, unless a client has taken it',
    inWorld(
      async ({ kinds: { book }, put, admin }) => {
        await put(book, 'book-2');
        const names: string[] = [];
        for (let i = 0; i < 2; i++)
          names.push((await admin.create(book, 'default', sentObject(book, ''))).object.metadata.name);
        expect(names).to.deep.equal(['book-3', 'book-4']);
        const sent = { ...sentObject(book, ''), metadata: { name: '', generateName: 'x-' } };
        expect((await admin.create(book, 'default', sent)).object.metadata.name).to.match(/^x-/);
      },
      { kinds: { book: { internalId: true, nameOf: (id) => `book-${id}` } } },
    ),
  );

  it(
    'that a client has taken as a name are left out',
    inWorld(
      async ({ kinds: { book }, put, admin }) => {
        await put(book, 'book-2');
        await put(book, 'book-3');
        const { object } = await admin.create(book, 'default', sentObject(book, ''));
        expect([object.metadata.name, idOf(object)]).to.deep.equal(['book-1', '1']);
        expect((await admin.create(book, 'default', sentObject(book, ''))).object.metadata.name).to.equal('book-4');
      },
      { kinds: { book: { nameOf: (id) => `book-${id}`, internalId: false } } },
    ),
  );
});
