import { expect } from 'chai';
import { z } from 'zod';
import { withTurns } from '../../storage/testing/passed-turns.js';
import { Client } from '../client/client.js';
import { parsedAhead } from '../read/reader.js';
import { create, HOUSE, kindOf, ROOM } from '../testing/house.js';
import { ROOT, type Served, serve } from '../testing/served.js';

const BOOK = kindOf('Book', {
  identity: {
    resource: 'books',
    singular: 'book',
    scope: 'Namespaced',
    spec: z.looseObject({ title: z.string() }),
  },
});
const BOOKS = '/apis/house.svc.app/v1/namespaces/hall/books';
const spec = {
  title: 'long',
  pages: Array.from({ length: 60_000 }, (_, id) => ({ id, text: `page ${id}` })),
};

describe('a large object that is deleted', function suite() {
  this.timeout(60_000);
  let served: Served;
  before(async () => {
    served = await serve([...HOUSE, BOOK]);
    await create(served, ROOM, 'hall');
    const client = new Client(served.registry, { user: ROOT });
    const metadata = { name: 'a', finalizers: ['x.io/y'] };
    await client.create(BOOK, 'hall', { apiVersion: BOOK.apiVersion, kind: 'Book', metadata, spec });
  });
  after(() => served.close());

  /** The status of the answer, and the turns of others. The object is parsed before. */
  async function sent(
    method: string,
    more: { readonly headers?: Record<string, string>; readonly body?: unknown } = {},
  ) {
    const entry = served.registry.reader.entry('books.house.svc.app', 'hall', 'a');
    await parsedAhead(entry);
    return withTurns(() => served.send(method, `${BOOKS}/a`, more));
  }

  it('lets others have their turns while it becomes terminating', async () => {
    const [answer, turns] = await sent('DELETE');
    expect([answer.status, answer.body.spec]).to.deep.equal([200, spec]);
    expect(answer.body.metadata).to.have.property('deletionTimestamp');
    expect(answer.body.metadata.resourceVersion).to.equal(String(served.registry.reader.revision));
    expect(turns).to.be.greaterThan(40);
  });

  it('lets others have their turns while its last finalizer is removed', async () => {
    const headers = { 'content-type': 'application/merge-patch+json' };
    const [answer, turns] = await sent('PATCH', { headers, body: { metadata: { finalizers: null } } });
    expect([answer.status, answer.body.spec]).to.deep.equal([200, spec]);
    expect((await served.send('GET', `${BOOKS}/a`)).status).to.equal(404);
    expect(turns).to.be.greaterThan(40);
  });
});
