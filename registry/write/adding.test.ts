import { expect } from 'chai';
import { ApiError } from '../../pkg/kube/status/status.js';
import type { Strategy } from '../kinds/strategy.js';
import { BOOKS, WRITERS } from '../testing/library.js';
import { inWorld, refusal, sentObject } from '../testing/world.js';

describe('what a kind adds to the create of an object', () => {
  const no = (message: string) => new ApiError({ code: 409, reason: 'Conflict', message });
  const places: string[] = [];
  /** Notes in which namespace an object was sent. */
  const placed: Strategy = {
    alsoCreate: (_object, { metadata }) => {
      if (metadata.name !== 'last') places.push(`${metadata.name}: ${metadata.namespace ?? 'none'}`);
      return [];
    },
  };
  const strategy: Strategy = {
    prepareForCreate: (object) => ({ ...object, spec: { on: 'b', ...(object.spec as object) } }),
    alsoCreate: ({ metadata: { name } }, sent) => [
      { resource: WRITERS, name: `of-${name}`, spec: { sent: JSON.stringify(sent.spec) } },
      { resource: BOOKS, name: `about-${name}`, spec: {} },
    ],
    alsoWrite: ({ metadata: { name } }, sent, old) =>
      old === undefined ? [{ resource: WRITERS, name: 'last', spec: { name, sent: JSON.stringify(sent.spec) } }] : [],
  };

  it(
    'is written with the rights of the server, in the same commit, with what was sent',
    inWorld(
      async ({ kinds: { shelf, book, writer }, put, as, get, all, names }) => {
        await put(shelf, 'b');
        await put(shelf, 'c');
        places.length = 0;
        await as('shelves:create *').create(shelf, 'default', sentObject(shelf, 'x'));
        expect(get(writer, 'of-x')?.spec).to.deep.equal({ sent: '{}' });
        expect(get(writer, 'of-x')?.metadata).to.not.have.property('namespace');
        expect(get(book, 'about-x')?.metadata.namespace).to.equal('default');
        expect(places).to.deep.equal(['of-x: none', 'about-x: default']);
        expect(get(writer, 'last')?.spec).to.deep.equal({ name: 'x', sent: '{}' });
        expect(get(writer, 'last')?.metadata.generation).to.equal(3);
        expect(get(writer, 'of-x')?.metadata.annotations?.['svc.app/createdBy']).to.equal('user:anns');
        expect(await names(writer)).to.include('last');
        expect((await all(shelf)).find(({ metadata }) => metadata.name === 'x')?.spec).to.deep.equal({ on: 'b' });
      },
      {
        kinds: {
          shelf: { strategy, containment: undefined as never },
          book: { strategy: placed },
          writer: { strategy: placed },
        },
      },
    ),
  );

  it(
    'may move it, and then the caller needs the permission on the new place',
    inWorld(
      async ({ kinds: { shelf, book }, put, as, names }) => {
        await put(shelf, 'a');
        await put(shelf, 'b');
        const create = (name: string, spec: object, ...permissions: readonly string[]) =>
          refusal(as(...permissions).create(book, 'default', sentObject(book, name, spec)));
        expect(await create('x', { on: 'a' }, 'books:create shelves:uid:a')).to.match(/^403/);
        expect(await create('x', { on: 'b' }, 'books:create shelves:uid:b')).to.equal('');
        expect(await create('y', { on: 'a' }, 'books:create *')).to.equal('');
        expect(await names(book)).to.deep.equal(['x', 'y']);
      },
      { kinds: { book: { strategy: { prepareForCreate: (one) => ({ ...one, spec: { on: 'b' } }) } } } },
    ),
  );

  it(
    'is nothing if it is refused, and neither is the object',
    inWorld(
      async ({ kinds: { writer, book }, put, names }) => {
        expect(await refusal(put(writer, 'w'))).to.equal('409 Conflict no such book');
        expect([await names(writer), await names(book)]).to.deep.equal([[], []]);
      },
      {
        kinds: {
          writer: { strategy: { alsoCreate: () => [{ resource: BOOKS, name: 'x', spec: {} }] } },
          book: {
            strategy: {
              validate: () => {
                throw no('no such book');
              },
            },
          },
        },
      },
    ),
  );
});
