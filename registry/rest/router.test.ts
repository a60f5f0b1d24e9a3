import { expect } from 'chai';
import type { ApiRequest } from '../../pkg/http/handler.js';
import type { Kind } from '../kinds/kind.js';
import { bodyOf, CHEST, create, HOUSE, LAMP, LEAF, pathTo, ROOM } from '../testing/house.js';
import { ANN, requestTo, type Served, senderTo, serve } from '../testing/served.js';
import { resourceHandler } from './router.js';

const READ_VERBS = ['get', 'list', 'watch'];
const KINDS = HOUSE.map((kind) =>
  kind === CHEST ? { ...CHEST, verbs: READ_VERBS } : kind === LEAF ? { ...LEAF, served: false } : kind,
) as readonly Kind[];
const LAMPS = pathTo(LAMP);

describe('the paths of the resource API', () => {
  let served: Served;
  before(async () => {
    served = await serve(KINDS);
    await create(served, ROOM, 'hall');
    await create(served, LAMP, 'a', { watts: 1 });
  });
  after(() => served.close());
  afterEach(() => {
    served.permissions = [];
  });
  const statusOf = async (method: string, path: string, query = '') =>
    (await served.send(method, path, { query })).status;

  it('lead to the kinds that are served', async () => {
    for (const path of [
      LAMPS,
      `${LAMPS}/a`,
      pathTo(ROOM),
      pathTo(ROOM, 'hall'),
      pathTo(LAMP, '', ''),
      `${LAMPS}/a/status`,
    ])
      expect(await statusOf('GET', path), path).to.equal(200);
    for (const path of [
      pathTo(LEAF),
      '/apis/house.svc.app/v1/doors',
      '/apis/house.svc.app/v2/namespaces/hall/lamps',
      '/apis/other.svc.app/v1/namespaces/hall/lamps',
      '/apis/house.svc.app/v1/namespaces/hall/rooms',
      '/apis/house.svc.app/v1/lamps/a',
      '/apis/house.svc.app/v1/lamps/a/status',
      `${LAMPS}/a/none`,
    ])
      expect(await statusOf('GET', path), path).to.equal(404);
  });

  it('have the methods of a collection, of an object and of a status', async () => {
    const refused = async (path: string) => {
      const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
      const statuses = await Promise.all(methods.map((method) => statusOf(method, path, 'dryRun=All')));
      return methods.filter((_, index) => statuses[index] === 405);
    };
    expect(await refused(LAMPS)).to.deep.equal(['PUT', 'PATCH', 'OPTIONS']);
    expect(await refused(`${LAMPS}/a`)).to.deep.equal(['POST', 'OPTIONS']);
    expect(await refused(`${LAMPS}/a/status`)).to.deep.equal(['POST', 'DELETE', 'OPTIONS']);
    expect(await refused(pathTo(CHEST))).to.deep.equal(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
    expect(await refused(pathTo(CHEST, 'x'))).to.deep.equal(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
    for (const path of [LAMPS, `${LAMPS}/a`]) expect(await statusOf('HEAD', path, 'watch=1')).to.equal(405);
  });

  it('cannot be written to across namespaces', async () => {
    const everywhere = pathTo(LAMP, '', '');
    expect(await statusOf('DELETE', everywhere)).to.equal(404);
    expect((await served.send('POST', everywhere, { body: bodyOf(LAMP, 'b', { watts: 1 }) })).status).to.equal(404);
  });

  it('tell that a namespace is not there, but for a collection it is empty', async () => {
    const nowhere = (name: string, kind = LAMP) => pathTo(kind, name, 'nowhere');
    const { status, body } = await served.send('GET', nowhere('a'));
    expect([status, body.message, body.details]).to.deep.equal([
      404,
      'namespaces "nowhere" not found',
      { group: '', name: 'nowhere', kind: 'namespaces' },
    ]);
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect((await served.send(method, nowhere('a'))).body.details).to.include({ kind: 'namespaces' });
    expect((await served.send('GET', `${nowhere('a')}/status`)).body.details).to.include({ kind: 'namespaces' });
    expect(await statusOf('GET', nowhere(''))).to.equal(200);
    expect(await statusOf('DELETE', nowhere(''))).to.equal(200);
    expect((await served.send('GET', pathTo(LAMP, 'a', 'x'.repeat(400)))).body.details.name).to.have.length(300);
  });

  it('are only for callers who may use the verb at all', async () => {
    for (const [method, path] of [
      ['GET', LAMPS],
      ['DELETE', LAMPS],
      ['GET', `${LAMPS}/a/status`],
    ] as const)
      expect((await served.send(method, path, { user: ANN })).status, path).to.equal(403);
    served.permissions = [{ action: 'lamps:read', scope: 'lamps:*' }];
    expect((await served.send('GET', LAMPS, { user: ANN })).status).to.equal(200);
    expect((await served.send('DELETE', LAMPS, { user: ANN })).status).to.equal(403);
  });

  it('are told to the metrics as operations', async () => {
    const operationOf = async (method: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
      const request = requestTo(method, path, { headers });
      await Promise.resolve()
        .then(() => served.handler(request))
        .catch(() => undefined);
      return [request.operation?.verb, request.operation?.resource, request.operation?.subresource];
    };
    expect(await operationOf('GET', LAMPS)).to.deep.equal(['LIST', 'lamps', '']);
    expect(await operationOf('GET', `${LAMPS}/a/status`)).to.deep.equal(['GET', 'lamps', 'status']);
    expect(await operationOf('PATCH', `${LAMPS}/a`)).to.deep.equal(['PATCH', 'lamps', '']);
    const apply = { 'content-type': 'application/apply-patch+yaml' };
    expect(await operationOf('PATCH', `${LAMPS}/a`, apply)).to.deep.equal(['APPLY', 'lamps', '']);
    expect(await operationOf('PUT', `${LAMPS}/a`, apply)).to.deep.equal(['PUT', 'lamps', '']);
  });

  describe('on a store that other servers write to, too', () => {
    /** The grants of the caller have come to the store, but not to this server yet. */
    const sharing = (shared: boolean) => {
      const asked: string[] = [];
      const fresh = async () => {
        asked.push('fresh');
        served.permissions = [{ action: 'lamps:read', scope: 'lamps:*' }];
      };
      const cacher = new Proxy(served.registry.cacher, {
        get: (target, property) => {
          if (property === 'shared') return shared;
          if (property === 'fresh') return fresh;
          const value: unknown = Reflect.get(target, property, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      const handler = resourceHandler({ ...served.registry, cacher });
      const send = (isCaughtUp: boolean, path = LAMPS) =>
        senderTo((request) => handler({ ...request, isCaughtUp } as ApiRequest))('GET', path, { user: ANN });
      return { asked, send };
    };

    it('refuse nobody before this server has caught up', async () => {
      const { asked, send } = sharing(true);
      expect((await send(false)).status).to.equal(200);
      expect(asked).to.include('fresh');
    });

    it('say that there is no such kind, subresource or scope only after this server has caught up, because another one may have its definition', async () => {
      for (const [shared, isCaughtUp, asks] of [
        [true, false, ['fresh']],
        [true, true, []],
        [false, false, []],
      ] as const) {
        for (const path of ['/apis/house.svc.app/v1/doors', `${LAMPS}/a/none`, '/apis/house.svc.app/v1/lamps/a']) {
          const { asked, send } = sharing(shared);
          expect([(await send(isCaughtUp, path)).status, asked], path).to.deep.equal([404, asks]);
        }
      }
    });

    it('refuse at once if it has, or if no other server writes', async () => {
      for (const [shared, isCaughtUp] of [
        [true, true],
        [false, false],
      ] as const) {
        served.permissions = [];
        const { asked, send } = sharing(shared);
        expect([(await send(isCaughtUp)).status, asked]).to.deep.equal([403, []]);
      }
    });
  });
});
