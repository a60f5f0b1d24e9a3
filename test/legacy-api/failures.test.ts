import { expect } from 'chai';
import type { ApiRequest } from '../../pkg/http/exchange.js';
import { LegacyError, plainFailure } from '../../registry/legacy/errors.js';
import { legacyHandler } from '../../registry/legacy/mount.js';
import { type LegacyHandler, routes } from '../../registry/legacy/route.js';
import { ADMIN } from '../harness/server.js';
import { eachStore } from '../harness/stores.js';
import { peopleOf } from './people.js';

eachStore('routes of the legacy interface', (server) => {
  const { robot } = peopleOf(server);
  const organizations = () => ({ byId: () => undefined, byNamespace: () => undefined, activeOf: () => undefined });

  /** What a route with this handler answers to `GET /api/x`. */
  const told = async (handle: LegacyHandler, options: object = {}, more: Partial<ApiRequest> = {}) => {
    const { registry } = server().api;
    const handler = legacyHandler('/api', routes(options, { 'GET /x': handle }), { registry, organizations });
    const request: ApiRequest = {
      method: 'GET',
      path: '/api/x',
      query: new URLSearchParams(),
      headers: {},
      rawHeaders: [],
      body: new Uint8Array(0),
      user: ADMIN,
      auditId: 'a',
      signal: new AbortController().signal,
      ...more,
    };
    try {
      return await handler(request);
    } catch (error) {
      return error instanceof LegacyError ? [error.code, error.body] : error;
    }
  };
  const broken: LegacyHandler = () => {
    throw new TypeError('a defect');
  };

  it('tell a defect in the words of the route, which say nothing of the defect', async () => {
    const fallback = 'Folder API error';
    expect(await told(broken, { fallback })).to.deep.equal([500, { message: fallback }]);
    expect(await told(broken)).to.be.instanceOf(TypeError);
  });

  it('refuse service accounts where only people may ask, before anything else', async () => {
    const user = await robot();
    const usual = [403, { message: 'Endpoint only available for users' }];
    expect(await told(broken, { peopleOnly: true }, { user })).to.deep.equal(usual);
    expect(await told(broken, { peopleOnly: 'not yours' }, { user })).to.deep.equal([403, { message: 'not yours' }]);
  });

  it('say that a body cannot be read before what it was sent to is missing', async () => {
    const missing: LegacyHandler = () => {
      throw plainFailure(404, 'gone');
    };
    const bodies = ['', ' ', '{}', '{', '[1,'].map((text) => Buffer.from(text));
    const answers = await Promise.all(bodies.map((body) => told(missing, {}, { body })));
    const [gone, unreadable] = [
      [404, { message: 'gone' }],
      [400, { message: 'bad request data' }],
    ];
    expect(answers).to.deep.equal([gone, gone, gone, unreadable, unreadable]);
  });

  it('answer 404 to other methods and paths', async () => {
    for (const other of [{ method: 'POST' }, { path: '/api/y' }, { path: '/api/x/y' }, { path: '/api//x' }])
      expect(await told(broken, {}, other), JSON.stringify(other)).to.deep.equal([404, { message: 'Not found' }]);
  });
});
