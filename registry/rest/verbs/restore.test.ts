import { expect } from 'chai';
import type { Sent } from '../../testing/served.js';
import { inShop, pathOf, type Shop, userOf } from '../testing/library.js';
import { remove, written } from '../testing/past.js';

describe('a restore', () => {
  const TYPE = { apiVersion: 'history.svc.app/v1beta1', kind: 'Restore' };
  const restore = (shop: Shop, body: unknown = TYPE, sent: Sent = {}, name = 'top') =>
    shop.send('POST', pathOf(shop.kinds.shelf, name, 'restore'), { ...sent, body });

  it(
    'brings back a version of an object',
    inShop(async (shop) => {
      await written(shop);
      const { status, body } = await restore(shop, { ...TYPE, spec: { version: 1 } });
      const object = shop.get(shop.kinds.shelf, 'top');
      expect(status, body.message).to.equal(201);
      expect(object?.spec).to.deep.equal({ x: '1' });
      const { uid, resourceVersion } = object?.metadata ?? {};
      expect(body).to.deep.equal({
        ...TYPE,
        metadata: { name: 'top', namespace: 'default', uid, resourceVersion },
        spec: { version: 1 },
        status: {
          version: 4,
          objects: 1,
          restored: [{ apiVersion: 'library.svc.app/v1', kind: 'Shelf', name: 'top' }],
          leftOut: [],
        },
      });
    }),
  );

  it(
    'brings back a deleted object',
    inShop(async (shop) => {
      await written(shop);
      await remove(shop);
      const { status, body } = await restore(shop);
      expect(status, body.message).to.equal(201);
      expect(shop.get(shop.kinds.shelf, 'top')?.spec).to.deep.equal({ x: '3' });
    }),
  );

  it(
    'tells what does not come back with it',
    inShop(async (shop) => {
      const { shelf, book, writer } = shop.kinds;
      await shop.put(writer, 'w');
      await shop.put(shelf, 'top');
      await shop.put(book, 'by-w', { on: 'top', by: 'w' });
      await remove(shop);
      await shop.send('DELETE', pathOf(writer, 'w'));
      const { headers, body } = await restore(shop);
      const { leftOut } = body.status as { readonly leftOut: readonly string[] };
      expect(leftOut).to.have.length(1);
      expect(headers['warning']?.[0]).to.match(/^299 - "not restored: /);
    }),
  );

  it(
    'tells in a dry run what would come back',
    inShop(async (shop) => {
      const { shelf, book } = shop.kinds;
      await shop.put(shelf, 'top');
      await shop.put(book, 'one', { on: 'top' });
      await remove(shop);
      const { status, body } = await restore(shop, TYPE, { query: 'dryRun=All' });
      expect([status, body.status]).to.deep.equal([
        201,
        {
          version: 2,
          objects: 2,
          restored: [
            { apiVersion: 'library.svc.app/v1', kind: 'Shelf', name: 'top' },
            { apiVersion: 'library.svc.app/v1', kind: 'Book', name: 'one' },
          ],
          leftOut: [],
        },
      ]);
      expect(shop.get(shelf, 'top')).to.equal(undefined);
    }),
  );

  it(
    'checks the uid that the client names, what the client may do, and the body',
    inShop(async (shop) => {
      await written(shop);
      const wrong = { ...TYPE, metadata: { uid: 'other' }, spec: { version: 1 } };
      expect((await restore(shop, wrong)).status).to.equal(409);
      expect((await restore(shop, { ...TYPE, spec: { version: 1 } }, { user: userOf(shop) })).status).to.equal(403);
      expect((await restore(shop, { ...TYPE, spec: { version: 0 } })).status).to.equal(422);
      expect((await restore(shop, TYPE, {}, 'none')).status).to.equal(404);
      const { status } = await restore(shop, { ...TYPE, spec: { version: 1 } }, { query: 'dryRun=All' });
      expect(status).to.equal(201);
      expect(shop.get(shop.kinds.shelf, 'top')?.spec).to.deep.equal({ x: '3' });
      const extra = await restore(shop, { ...TYPE, spec: { version: 1, extra: 1 } });
      expect(extra.headers['warning']).to.deep.equal(['299 - "unknown field \\"spec.extra\\""']);
    }),
  );
});

describe('a deletion that cannot be taken back', () => {
  it(
    'comes with a warning, that of many objects with each warning once',
    inShop(
      async (shop) => {
        const { shelf, book } = shop.kinds;
        for (const name of ['a', 'b', 'c']) {
          await shop.put(shelf, name);
          await shop.put(book, `on-${name}`, { on: name });
        }
        const one = await remove(shop, 'a');
        expect([one.status, one.headers['warning']?.length]).to.deep.equal([200, 1]);
        expect(one.headers['warning']?.[0]).to.include('the deletion cannot be taken back');
        const all = await shop.send('DELETE', pathOf(shelf));
        expect([all.status, all.headers['content-type'], all.headers['warning']]).to.deep.equal([
          200,
          'application/json',
          one.headers['warning'],
        ]);
      },
      { retention: { maxObjects: 1 } },
    ),
  );
});
