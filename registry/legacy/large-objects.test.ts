import { expect } from 'chai';
import { z } from 'zod';
import type { ApiResponse } from '../../pkg/http/handler.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { withTurns } from '../../storage/testing/passed-turns.js';
import { create, HOUSE, kindOf, ROOM } from '../testing/house.js';
import { type Served, serve } from '../testing/served.js';
import { ok, okInSteps } from './respond.js';
import { legacyRouter, routes } from './router.js';
import { sendTo, servicesOf } from './testing/routed.js';

const bodyOf = ({ body }: ApiResponse): Uint8Array => body as Uint8Array;

interface BookSpec {
  readonly title: string;
  readonly pages: readonly unknown[];
}
const BOOK = kindOf<BookSpec>('Book', {
  identity: {
    resource: 'books',
    singular: 'book',
    scope: 'Namespaced',
    spec: z.looseObject({ title: z.string() }) as unknown as z.ZodType<BookSpec>,
  },
  storage: { internalId: true },
});
const spec = (title: string): BookSpec => ({
  title,
  pages: Array.from({ length: 60_000 }, (_, id) => ({ id, text: `page ${id}` })),
});

describe('a large object in the legacy API', function suite() {
  this.timeout(60_000);
  let served: Served;
  before(async () => {
    served = await serve([...HOUSE, BOOK]);
    await create(served, ROOM, 'hall');
  });
  after(() => served.close());

  const titleOf = (book: KubeObject<BookSpec> | undefined): string | undefined => book?.spec?.title;
  const send = (method: string, path: string) =>
    sendTo(
      legacyRouter(
        servicesOf(served),
        routes(
          {},
          {
            'GET /books/:name': {
              summary: 'Reads it',
              handle: (call) => ok(titleOf(call.objects<BookSpec>('house/Book').get(call.param('name')))),
            },
            'GET /books/id/:id': {
              summary: 'Reads it',
              handle: (call) => ok(titleOf(call.objects<BookSpec>('house/Book').findById(call.id('id')))),
            },
            'POST /books/:name': {
              summary: 'Creates it',
              handle: async (call) => {
                const made = await call.transactInSteps((transaction) =>
                  transaction
                    .objects<BookSpec>('house/Book')
                    .createSteps({ metadata: { name: call.param('name') }, spec: spec('new') }),
                );
                return ok(call.objects('house/Book').idOf(made));
              },
            },
            'PUT /books/:name': {
              summary: 'Changes it',
              handle: async (call) => {
                await call.objects('house/Book').parseAhead(call.param('name'));
                const changed = await call.transactInSteps((transaction) =>
                  transaction
                    .objects<BookSpec>('house/Book')
                    .updateSteps(call.param('name'), (old) => ({ ...old, spec: spec('changed') })),
                );
                return ok(titleOf(changed));
              },
            },
          },
        ),
      ),
      method,
      path,
    );

  it('lets others have their turns while it is written and read', async () => {
    const [made, whileMade] = await withTurns(() => send('POST', '/books/a'));
    expect(made.status).to.equal(200);
    expect(whileMade, 'create').to.be.greaterThan(40);
    const [read, whileRead] = await withTurns(() => send('GET', '/books/a'));
    expect(read.body).to.equal('new');
    expect(whileRead, 'read').to.be.greaterThan(40);
    const [changed, whileChanged] = await withTurns(() => send('PUT', '/books/a'));
    expect(changed.body).to.equal('changed');
    expect(whileChanged, 'update').to.be.greaterThan(40);
    const [found, whileFound] = await withTurns(() => send('GET', `/books/id/${made.body}`));
    expect(found.body).to.equal('changed');
    expect(whileFound, 'read by number').to.be.greaterThan(40);
  });

  it('lets others have their turns while its answer is written', async () => {
    const [answer, turns] = await withTurns(() => okInSteps(spec('x')));
    expect(Buffer.compare(bodyOf(answer), bodyOf(ok(spec('x'))))).to.equal(0);
    expect(turns).to.be.greaterThan(40);
  });
});
