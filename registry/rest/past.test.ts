import { expect } from 'chai';
import type { KubeObject } from '../../pkg/meta/types.js';
import type { Received, Sent } from '../testing/served.js';
import { inShop, pathOf, type Shop, userOf } from './testing/library.js';

interface Version {
  readonly version: number;
  readonly isCurrent: boolean;
  readonly object?: KubeObject;
  readonly deleted?: object;
}

/** A shelf that was written three times. */
const written = async (shop: Shop): Promise<void> => {
  const { shelf } = shop.kinds;
  await shop.put(shelf, 'top', { x: '1' });
  for (const x of ['2', '3']) await shop.change(shelf, 'top', { x });
};
const remove = (shop: Shop, name = 'top') => shop.send('DELETE', pathOf(shop.kinds.shelf, name));
const failure = async (answer: Promise<Received>): Promise<readonly unknown[]> => {
  const { status, body } = await answer;
  return [status, body.message];
};
const TABLE = { headers: { accept: 'text/html' } };

describe('the history of an object', () => {
  const get = (shop: Shop, query = '', sent: Sent = {}, name = 'top') =>
    shop.send('GET', pathOf(shop.kinds.shelf, name, 'history'), { ...sent, query });
  const versionsOf = ({ status, body }: Received) => {
    expect(status, body.message).to.equal(200);
    return body as unknown as { readonly versions: readonly Version[]; readonly continue?: string };
  };
  const numbers = (answer: Received) => versionsOf(answer).versions.map(({ version }) => version);

  it(
    'has its versions, the newest first, without the objects',
    inShop(async (shop) => {
      await written(shop);
      const answer = await get(shop);
      expect(answer.body).to.deep.include({
        kind: 'History',
        apiVersion: 'history.svc.app/v1beta1',
        metadata: { name: 'top', namespace: 'default' },
      });
      expect(numbers(answer)).to.deep.equal([3, 2, 1]);
      const { versions, ...more } = versionsOf(answer);
      expect(versions.map(({ isCurrent }) => isCurrent)).to.deep.equal([true, false, false]);
      for (const one of versions) expect(one).to.not.have.property('object');
      expect(more).to.not.have.property('continue');
    }),
  );

  it(
    'has one version as a whole',
    inShop(async (shop) => {
      await written(shop);
      const { versions } = versionsOf(await get(shop, 'version=2'));
      expect(versions.map(({ version, object }) => [version, object?.spec])).to.deep.equal([[2, { x: '2' }]]);
      expect((await get(shop, 'version=9')).status).to.equal(404);
      expect((await get(shop, 'version=x')).status).to.equal(400);
    }),
  );

  it(
    'has pages of at most as many versions as the client asks for',
    inShop(async (shop) => {
      await written(shop);
      const first = await get(shop, 'limit=2');
      expect(numbers(first)).to.deep.equal([3, 2]);
      const token = versionsOf(first).continue;
      const rest = await get(shop, `limit=2&continue=${token}`);
      expect([numbers(rest), versionsOf(rest).continue]).to.deep.equal([[1], undefined]);
      for (const query of ['limit=0', 'limit=1000']) expect(numbers(await get(shop, query))).to.deep.equal([3, 2, 1]);
      expect(await failure(get(shop, `version=1&continue=${token}`))).to.deep.equal([
        400,
        'the query parameters version and continue exclude each other',
      ]);
      await shop.put(shop.kinds.shelf, 'low');
      expect((await get(shop, `continue=${token}`, {}, 'low')).status).to.equal(400);
      const ann = userOf(shop, 'shelves:read *', 'shelves:write *');
      expect((await get(shop, `continue=${token}`, { user: ann })).status).to.equal(400);
    }),
  );

  it(
    'has at most 50 versions on a page if the client does not say how many, and at most 100',
    inShop(
      async (shop) => {
        await shop.put(shop.kinds.shelf, 'top', { x: '0' });
        for (let x = 1; x < 110; x++) await shop.change(shop.kinds.shelf, 'top', { x: String(x) });
        expect(numbers(await get(shop))).to.have.length(50);
        expect(numbers(await get(shop, 'limit=0'))).to.have.length(50);
        expect(numbers(await get(shop, 'limit=1000'))).to.have.length(100);
      },
      { retention: { versions: 1000 } },
    ),
  );

  it(
    'is there after a deletion, for those who could view the object',
    inShop(async (shop) => {
      await written(shop);
      await remove(shop);
      const { versions } = versionsOf(await get(shop));
      expect(versions[0]).to.have.property('deleted');
      expect((await get(shop, '', { user: userOf(shop) })).status).to.equal(403);
      expect((await get(shop, '', {}, 'none')).status).to.equal(404);
      expect((await get(shop, '', TABLE)).status).to.equal(406);
    }),
  );
});

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

describe('the trash', () => {
  const SELECTED = 'labelSelector=svc.app/get-trash=true';
  const list = (shop: Shop, query = SELECTED, sent: Sent = {}, path = pathOf(shop.kinds.shelf)) =>
    shop.send('GET', path, { ...sent, query });
  const names = ({ status, body }: Received) => {
    expect(status, body.message).to.equal(200);
    return body.items.map(({ metadata }) => metadata.name);
  };
  const trashed = async (shop: Shop): Promise<void> => {
    for (const name of ['a', 'b', 'c']) {
      await shop.put(shop.kinds.shelf, name, {}, { labels: { at: name } });
      await remove(shop, name);
      shop.clock.time += 1000;
    }
    await shop.put(shop.kinds.shelf, 'here');
  };

  it(
    'is listed by a label, the last deleted object first',
    inShop(async (shop) => {
      await trashed(shop);
      const answer = await list(shop);
      expect(names(answer)).to.deep.equal(['c', 'b', 'a']);
      expect(answer.body.kind).to.equal('ShelfList');
      expect(answer.body.metadata).to.deep.equal({ resourceVersion: String(shop.registry.cacher.state.revision) });
      for (const query of ['labelSelector=svc.app/get-trash in (true)', `${SELECTED.replace('=true', '==true')}`])
        expect(names(await list(shop, query)), query).to.deep.equal(['c', 'b', 'a']);
      expect(names(await list(shop, `${SELECTED},at=b`))).to.deep.equal(['b']);
      expect(names(await list(shop, `${SELECTED}&fieldSelector=metadata.name=a`))).to.deep.equal(['a']);
    }),
  );

  it(
    'is not listed by other labels, nor of kinds that have none',
    inShop(async (shop) => {
      await trashed(shop);
      for (const selector of ['svc.app/get-trash=false', 'svc.app/get-trash', 'svc.app/get-trash in (false)'])
        expect(names(await list(shop, `labelSelector=${selector}`)), selector).to.deep.equal([]);
      for (const selector of ['', '!svc.app/get-trash', 'svc.app/get-trash!=true', 'svc.app/get-trash notin (true)'])
        expect(names(await list(shop, `labelSelector=${selector}`)), selector).to.deep.equal(['here']);
      await shop.put(shop.kinds.writer, 'ann');
      expect(names(await list(shop, SELECTED, {}, pathOf(shop.kinds.writer)))).to.deep.equal([]);
    }),
  );

  it(
    'has pages, whose tokens belong to the list and the caller',
    inShop(async (shop) => {
      await trashed(shop);
      const first = await list(shop, `${SELECTED}&limit=2`);
      expect(names(first)).to.deep.equal(['c', 'b']);
      const token = first.body.metadata.continue;
      const rest = await list(shop, `${SELECTED}&limit=2&continue=${token}`);
      expect([names(rest), rest.body.metadata.continue]).to.deep.equal([['a'], undefined]);
      expect((await list(shop, `${SELECTED},at=a&continue=${token}`)).status).to.equal(400);
      const ann = userOf(shop, 'shelves:read *', 'shelves:delete *', 'shelves:create *');
      expect((await list(shop, `${SELECTED}&continue=${token}`, { user: ann })).status).to.equal(400);
      expect((await list(shop, `${SELECTED}&continue=none`)).status).to.equal(400);
    }),
  );

  it(
    'is listed in one namespace, and cannot be watched',
    inShop(async (shop) => {
      await trashed(shop);
      expect(await failure(list(shop, `${SELECTED}&watch=true`))).to.deep.equal([400, 'the trash cannot be watched']);
      expect(await failure(list(shop, SELECTED, {}, `/apis/${shop.kinds.shelf.apiVersion}/shelves`))).to.deep.equal([
        400,
        'the trash is listed in one namespace',
      ]);
      expect((await list(shop, SELECTED, { user: userOf(shop) })).status).to.equal(403);
    }),
  );
});
