import { expect } from 'chai';
import type { ApiError } from '../../../pkg/kube/status/status.js';
import { StorageError } from '../../../storage/errors.js';
import { keyOf } from '../../../storage/key.js';
import { MemoryEntry } from '../../../storage/state/entry.js';
import type { Kind } from '../../kinds/kind.js';
import { CHEST, create, HOUSE, LAMP, LEAF, LIGHT, pathTo, ROOM } from '../../testing/house.js';
import { ANN, type Body, type Received, requestTo, type Sent, type Served, serve } from '../../testing/served.js';
import { parseListOptions } from '../options/query.js';
import type { VerbTarget } from '../verb.js';
import { listPage } from './list.js';

const names = ({ items }: Body): readonly string[] => items.map(({ metadata }) => metadata.name);

describe('GET of a collection', () => {
  let served: Served;
  before(async () => {
    served = await serve(HOUSE);
    for (const room of ['hall', 'attic']) await create(served, ROOM, room);
    for (const name of ['e', 'c', 'a', 'd', 'b'])
      await create(served, LAMP, name, { watts: 1, colour: name < 'c' ? 'red' : 'blue' }, { labels: { at: name } });
    await create(served, LAMP, 'roof', { watts: 1 }, {}, 'attic');
    for (const name of ['x', 'y', 'z']) await create(served, LEAF, name, { tree: 'oak', size: 1 });
    await create(served, LEAF, 'top', { tree: 'oak', size: 1 }, {}, 'attic');
  });
  after(() => served.close());
  afterEach(() => {
    served.permissions = [];
  });

  const list = (query = '', kind: Kind = LAMP, namespace = 'hall', more: Sent = {}): Promise<Received> =>
    served.send('GET', pathTo(kind, '', namespace), { query, ...more });
  const found = async (query = '', kind: Kind = LAMP, namespace = 'hall', more: Sent = {}) => {
    const { status, body } = await list(query, kind, namespace, more);
    expect(status, body.message).to.equal(200);
    return names(body);
  };
  const now = (): string => String(served.registry.cacher.state.revision);
  /** The names on each page, by continuing. */
  const pages = async (query: string, kind: Kind = LAMP, namespace = 'hall', more: Sent = {}) => {
    const all: (readonly string[])[] = [];
    for (let token: string | undefined = ''; token !== undefined; ) {
      const { status, body }: Received = await list(`${query}&continue=${token}`, kind, namespace, more);
      expect(status, body.message).to.equal(200);
      all.push(names(body));
      token = body.metadata.continue;
    }
    return all;
  };

  it('lists the objects of a namespace in order of their names, with the revision', async () => {
    const { status, headers, body } = await list();
    expect([status, headers['content-type']]).to.deep.equal([200, 'application/json']);
    expect(body).to.include({ kind: 'LampList', apiVersion: LAMP.apiVersion });
    expect(body.metadata).to.deep.equal({ resourceVersion: now() });
    expect(names(body)).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
    expect(await found('', LAMP, 'attic')).to.deep.equal(['roof']);
    expect(await found('', LEAF)).to.deep.equal(['x', 'y', 'z']);
    expect(await found('', LAMP, 'nowhere')).to.deep.equal([]);
  });

  it('lists the objects of all namespaces, and those of the cluster', async () => {
    expect(await found('', LAMP, '')).to.deep.equal(['roof', 'a', 'b', 'c', 'd', 'e']);
    expect(await found('', LEAF, '')).to.deep.equal(['top', 'x', 'y', 'z']);
    expect(await found('', ROOM, '')).to.deep.equal(['attic', 'hall']);
  });

  it('lists what the selectors select', async () => {
    expect(await found('labelSelector=at in (a,e)')).to.deep.equal(['a', 'e']);
    expect(await found('labelSelector=at=d')).to.deep.equal(['d']);
    expect(await found('fieldSelector=spec.colour=red')).to.deep.equal(['a', 'b']);
    expect(await found('fieldSelector=spec.colour!=red')).to.deep.equal(['c', 'd', 'e']);
    expect(await found('fieldSelector=spec.colour=red&labelSelector=at=b')).to.deep.equal(['b']);
    expect(await found('fieldSelector=metadata.name=c')).to.deep.equal(['c']);
    expect(await found('fieldSelector=metadata.name=c', LAMP, '')).to.deep.equal(['c']);
    expect(await found('fieldSelector=metadata.namespace=attic', LAMP, '')).to.deep.equal(['roof']);
    expect(await found('fieldSelector=metadata.name=none')).to.deep.equal([]);
    expect(await found('fieldSelector=metadata.name=y', LEAF)).to.deep.equal(['y']);
    expect(await found('fieldSelector=metadata.name=hall', ROOM, '')).to.deep.equal(['hall']);
    for (const query of ['fieldSelector=spec.watts=1', 'labelSelector=at in'])
      expect((await list(query)).status, query).to.equal(400);
    expect((await list('fieldSelector=metadata.namespace=x', ROOM, '')).status).to.equal(400);
  });

  it('also selects objects as they are served, if they are stored as others', async () => {
    expect(await found('fieldSelector=spec.power=1', LIGHT)).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
    expect(await found('fieldSelector=spec.power=2', LIGHT)).to.deep.equal([]);
    expect(await found('labelSelector=at=b', LIGHT)).to.deep.equal(['b']);
  });

  it('gives pages of at most as many objects as the client asks for', async () => {
    expect(await pages('limit=2')).to.deep.equal([['a', 'b'], ['c', 'd'], ['e']]);
    expect(await pages('limit=5')).to.deep.equal([['a', 'b', 'c', 'd', 'e']]);
    expect(await pages('limit=4', LAMP, '')).to.deep.equal([
      ['roof', 'a', 'b', 'c'],
      ['d', 'e'],
    ]);
    expect(await pages('limit=2', LEAF)).to.deep.equal([['x', 'y'], ['z']]);
    expect(await pages('limit=1&fieldSelector=spec.colour=blue')).to.deep.equal([['c'], ['d'], ['e']]);
    expect(await pages('limit=1&labelSelector=at in (b,d)')).to.deep.equal([['b'], ['d']]);
  });

  it('tells how many objects are left, unless some are not shown', async () => {
    const left = async (query: string, kind: Kind = LAMP, namespace = 'hall', more: Sent = {}) =>
      (await list(query, kind, namespace, more)).body.metadata.remainingItemCount;
    expect(await left('limit=2')).to.equal(3);
    expect(await left('limit=2', LAMP, '')).to.equal(4);
    const token = (await list('limit=2')).body.metadata.continue;
    expect(await left(`limit=2&continue=${token}`)).to.equal(1);
    expect(await left('limit=1&fieldSelector=spec.colour=blue')).to.equal(undefined);
    expect(await left('limit=1', LEAF)).to.equal(2);
    served.permissions = ['a', 'b', 'c'].map((name) => ({ action: 'lamps:read', scope: `lamps:uid:${name}` }));
    expect(await left('limit=1', LAMP, 'hall', { user: ANN })).to.equal(undefined);
    served.permissions = [{ action: 'lamps:read', scope: 'lamps:*' }];
    expect(await left('limit=1', LAMP, 'hall', { user: ANN })).to.equal(4);
  });

  it('shows only what the caller may view, and refuses one who may view nothing', async () => {
    expect((await list('', LAMP, 'hall', { user: ANN })).status).to.equal(403);
    served.permissions = ['b', 'd'].map((name) => ({ action: 'lamps:read', scope: `lamps:uid:${name}` }));
    expect(await found('', LAMP, 'hall', { user: ANN })).to.deep.equal(['b', 'd']);
    expect(await pages('limit=1', LAMP, 'hall', { user: ANN })).to.deep.equal([['b'], ['d']]);
  });

  it('continues the state of the first page, also after changes', async () => {
    const { body } = await list('limit=2');
    const later = `limit=10&continue=${body.metadata.continue}`;
    await create(served, LAMP, 'c2', { watts: 1 });
    await served.send('DELETE', pathTo(LAMP, 'c2'));
    const { metadata } = (await create(served, LAMP, 'f', { watts: 1 })).body;
    const rest = await list(later);
    expect(names(rest.body)).to.deep.equal(['c', 'd', 'e']);
    expect(rest.body.metadata.resourceVersion).to.equal(body.metadata.resourceVersion);
    expect(Number(metadata.resourceVersion)).to.be.greaterThan(Number(body.metadata.resourceVersion));
    await served.send('DELETE', pathTo(LAMP, 'f'));
  });

  it('reads a state of the past if the client names it exactly, and otherwise one that is not older', async () => {
    const before = now();
    await create(served, LAMP, 'g', { watts: 1 });
    const then = ['a', 'b', 'c', 'd', 'e'];
    expect(await found(`resourceVersion=${before}&resourceVersionMatch=Exact`)).to.deep.equal(then);
    expect(await found(`resourceVersion=${before}&limit=9`)).to.deep.equal(then);
    for (const query of [
      `resourceVersion=${before}&resourceVersionMatch=NotOlderThan`,
      `resourceVersion=${before}`,
      `resourceVersion=${before}&resourceVersionMatch=NotOlderThan&limit=9`,
      'resourceVersion=0&limit=9',
      'resourceVersion=0',
      'limit=9',
    ])
      expect(await found(query), query).to.deep.equal([...then, 'g']);
    await served.send('DELETE', pathTo(LAMP, 'g'));
    const leaves = now();
    await create(served, LEAF, 'zz', { tree: 'oak', size: 1 });
    expect(await found(`resourceVersion=${leaves}&resourceVersionMatch=Exact`, LEAF)).to.deep.equal(['x', 'y', 'z']);
    await served.send('DELETE', pathTo(LEAF, 'zz'));
  });

  it('refuses a token of another list', async () => {
    const token = (await list('limit=2')).body.metadata.continue;
    served.permissions = [{ action: 'lamps:read', scope: 'lamps:*' }];
    const others: readonly Promise<Received>[] = [
      list(`limit=2&continue=${token}`, LEAF),
      list(`limit=2&continue=${token}`, LAMP, 'attic'),
      list(`limit=2&continue=${token}`, LAMP, ''),
      list(`limit=2&continue=${token}&labelSelector=at=a`),
      list(`limit=2&continue=${token}&fieldSelector=spec.colour=red`),
      list(`limit=2&continue=${token}`, LAMP, 'hall', { user: ANN }),
      list('limit=2&continue=none'),
    ];
    for (const [index, { status }] of (await Promise.all(others)).entries())
      expect(status, String(index)).to.equal(400);
  });

  it('leaves out objects whose owners are gone', async () => {
    const { uid } = (await create(served, CHEST, 'oak')).body.metadata;
    await create(served, LEAF, 'w', { tree: 'oak', size: 1 }, { annotations: { home: `oak ${uid}` } });
    expect(await found('', LEAF)).to.deep.equal(['w', 'x', 'y', 'z']);
    await served.send('DELETE', pathTo(CHEST, 'oak'));
    expect(await found('', LEAF)).to.deep.equal(['x', 'y', 'z']);
  });

  it('finds the object that has an integer id', async () => {
    const counted = await serve(HOUSE.map((kind) => (kind === LAMP ? { ...LAMP, internalId: true } : kind)));
    await create(counted, ROOM, 'hall');
    for (const name of ['first', 'second', 'third'])
      await create(counted, LAMP, name, { watts: 1 }, { labels: { odd: String(name !== 'second') } });
    const byId = async (selector: string) => {
      const labelSelector = `svc.app/deprecatedInternalID${selector}`;
      return names(
        (await counted.send('GET', pathTo(LAMP), { query: String(new URLSearchParams({ labelSelector })) })).body,
      );
    };
    expect([await byId('=2'), await byId('=3,odd=true')]).to.deep.equal([['second'], ['third']]);
    for (const selector of ['=4', '=x', '=2,odd=true', '=02', '='])
      expect(await byId(selector), selector).to.deep.equal([]);
    expect(await byId(' in (1,2)')).to.deep.equal(['first', 'second']);
    await counted.close();
  });

  it('answers HEAD as GET', async () => {
    expect((await served.send('HEAD', pathTo(LAMP))).status).to.equal(200);
  });
});

describe('a page of a large collection', () => {
  const entries = Array.from({ length: 10_005 }, (_, i) => {
    const attributes = { labels: { last: String(i >= 10_000) }, fields: {} };
    return new MemoryEntry(keyOf(LAMP.qualified, 'hall', `n${100_000 + i}`), 1, Buffer.from('{}'), attributes);
  });
  const objects = {
    first: (low: string, high: string, limit: number) =>
      entries.filter(({ key }) => key >= low && key < high).slice(0, limit),
    count: () => entries.length,
  };
  const kept: number[] = [];
  const cacher = {
    shared: false,
    state: { revision: 7, resource: () => objects },
    past: { at: () => objects, has: () => true, keep: (_: string, revision: number) => kept.push(revision) },
  };
  const filter = { all: true, allows: () => true };
  const registry = { cacher, authorizer: { readFilter: () => filter, decidingResources: () => [] }, reader: {} };
  const target = { registry, kind: LAMP, info: { namespace: 'hall', name: '' } } as unknown as VerbTarget;
  const page = (query: string) =>
    listPage(requestTo('GET', '', { query }), target, parseListOptions(new URLSearchParams(query)));

  it('ends after 10,000 objects that were looked at, so that a search for few delays nobody', async () => {
    const query = 'limit=500&labelSelector=last!=false';
    const { entries: none, metadata } = await page(query);
    expect(none).to.deep.equal([]);
    expect(kept).to.deep.equal([7]);
    const rest = await page(`${query}&continue=${metadata.continue}`);
    expect(rest.entries).to.deep.equal(entries.slice(10_000));
    expect(rest.metadata).to.deep.equal({ resourceVersion: '7' });
  });

  it('has all objects without a limit', async () => {
    expect((await page('labelSelector=last')).entries).to.have.length(10_005);
    expect(kept).to.deep.equal([7]);
  });

  describe('whose state is no longer known', () => {
    const failing = (error: Error) => {
      const lost = {
        ...cacher,
        past: {
          ...cacher.past,
          at: () => {
            throw error;
          },
        },
      };
      return { ...target, registry: { ...registry, cacher: lost } } as unknown as VerbTarget;
    };
    const failure = async (query: string, on: VerbTarget) =>
      listPage(requestTo('GET', '', { query }), on, parseListOptions(new URLSearchParams(query))).catch(
        (error: unknown) => error as ApiError,
      ) as Promise<ApiError>;
    const compacted = failing(new StorageError('compacted', 'too old'));

    it('is refused with a token by which the client may continue at the newest state', async () => {
      const query = 'limit=500&labelSelector=last!=false';
      const { metadata } = await page(query);
      const { code, reason, message, continueToken } = await failure(
        `${query}&continue=${metadata.continue}`,
        compacted,
      );
      expect([code, reason]).to.deep.equal([410, 'Expired']);
      expect(message).to.match(/^The provided continue parameter is too old/);
      const rest = await page(`${query}&continue=${continueToken}`);
      expect(rest.entries).to.deep.equal(entries.slice(10_000));
    });

    it('is refused without one on the first page', async () => {
      const { code, message } = await failure('limit=500&resourceVersion=3&resourceVersionMatch=Exact', compacted);
      expect([code, message]).to.deep.equal([410, 'too old']);
    });

    it('fails as the store fails otherwise', async () => {
      const down = failing(new StorageError('unavailable', 'no store'));
      const { metadata } = await page('limit=5');
      for (const query of ['limit=5', `limit=5&continue=${metadata.continue}`])
        expect((await failure(query, down)).code).to.equal(503);
    });
  });
});
