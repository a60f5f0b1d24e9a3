import { expect } from 'chai';
import { routerEndpoints } from '../../pkg/http/router.js';
import { plainFailure, renderLegacyError } from '../../registry/legacy/errors.js';
import { type LegacyHandler, legacyRouter, routes } from '../../registry/legacy/router.js';
import type { Answer } from '../harness/answer.js';
import { type CallOptions, ENVIRONMENT, listen } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { peopleOf } from './people.js';

interface Target {
  readonly method?: string;
  readonly path?: string;
}

oneStore('routes of the legacy API', (server) => {
  const { robot } = peopleOf(server);
  const organizations = {
    byId: () => undefined,
    byNamespace: () => undefined,
    activeOf: () => undefined,
    mayKnow: () => false,
  };

  /** The answer of a route with this handler. It is `GET /api/x`, unless `more` has another method. */
  const ask = async (handle: LegacyHandler, options: object = {}, more: CallOptions & Target = {}): Promise<Answer> => {
    const { registry } = server().api;
    const services = { registry, environment: ENVIRONMENT, organizations };
    const entry = { summary: 'Is tested', handle };
    const router = legacyRouter(services, routes(options, { 'GET /api/x': entry, 'POST /api/x': entry }));
    const endpoints = routerEndpoints(router, [{ prefix: '/api', renderError: renderLegacyError }]);
    const { method = 'GET', path = '/api/x', ...call } = more;
    const listening = await listen(registry, [endpoints]);
    return listening.call(method, path, call).finally(listening.close);
  };
  const outcomeOf = async (...request: Parameters<typeof ask>): Promise<unknown> => {
    const { status, text } = await ask(...request);
    return [status, JSON.parse(text)];
  };
  const broken: LegacyHandler = () => {
    throw new TypeError('a defect');
  };

  // Promise: specification 4.6, specification 7
  it('answer a defect with the message of the route, without details of the defect', async () => {
    const fallback = 'Folder API error';
    expect(await outcomeOf(broken, { fallback })).to.deep.equal([500, { message: fallback }]);
    const answer = await ask(broken);
    expect(answer.failure).to.contain('a defect');
    expect([answer.status, answer.text]).to.deep.equal([500, '{"message":"Internal Server Error"}']);
  });

  it('refuse service accounts first, if the route is for people only', async () => {
    const user = await robot();
    const usual = [403, { message: 'Endpoint only available for users' }];
    expect(await outcomeOf(broken, { peopleOnly: true }, { user })).to.deep.equal(usual);
    expect(await outcomeOf(broken, { peopleOnly: 'not yours' }, { user })).to.deep.equal([
      403,
      { message: 'not yours' },
    ]);
  });

  // Promise: specification 4, specification 7
  it('answer 400 for an invalid body rather than 404', async () => {
    const missing: LegacyHandler = () => {
      throw plainFailure(404, 'gone');
    };
    const bodies = ['', ' ', '{}', '{', '[1,'].map((text) => Buffer.from(text));
    const answers = await Promise.all(bodies.map((body) => outcomeOf(missing, {}, { method: 'POST', body })));
    const [gone, unreadable] = [
      [404, { message: 'gone' }],
      [400, { message: 'bad request data' }],
    ];
    expect(answers).to.deep.equal([gone, gone, gone, unreadable, unreadable]);
  });

  it('answer 404 to other methods and paths', async () => {
    for (const other of [{ method: 'PUT' }, { path: '/api/y' }, { path: '/api/x/y' }, { path: '/api//x' }])
      expect(await outcomeOf(broken, {}, other), JSON.stringify(other)).to.deep.equal([404, { message: 'Not found' }]);
  });
});
