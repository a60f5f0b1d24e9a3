import { expect } from 'chai';
import { z } from 'zod';
import { notFound } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { StorageError } from '../../storage/errors.js';
import { keptAnyway, MOST_RETRIES, Retry } from '../signals/retry.js';
import { HOUSE } from '../testing/house.js';
import { ANN, type Sent, type Served, serve } from '../testing/served.js';
import { plainFailure } from './errors.js';
import { done, ok } from './respond.js';
import { type LegacyHandler, legacyRouter, type RouteOptions, routes } from './router.js';
import { sendTo, servicesOf } from './testing/routed.js';

const ROBOT: Sent = { user: { ...ANN, name: 'system:serviceaccount:hall:robot' } };

describe('a router of the legacy API', () => {
  let served: Served;
  before(async () => {
    served = await serve(HOUSE);
  });
  after(() => served.close());

  const routerOf = (handle: LegacyHandler, options: RouteOptions = {}) =>
    legacyRouter(servicesOf(served), routes(options, { 'POST /lamps/:uid': { summary: 'Does it', handle } }));
  const send = (handle: LegacyHandler, options: RouteOptions = {}, sent: Sent = {}, path = '/lamps/a') =>
    sendTo(routerOf(handle, options), 'POST', path, sent);
  const failing = (error: unknown, options: RouteOptions = {}, sent: Sent = {}) =>
    send(
      () => {
        throw error;
      },
      options,
      sent,
    );

  it('answers with what the handler of a route answers', async () => {
    const { status, body } = await send((call) => done(call.param('uid')), {}, {}, '/lamps/x%2Fy');
    expect([status, body]).to.deep.equal([200, { message: 'x/y' }]);
    expect((await send(async () => ok([1]))).body).to.deep.equal([1]);
    expect((await send(() => ok(1), {}, {}, '/lamps')).status).to.equal(0);
    expect(
      (
        await sendTo(
          routerOf(() => ok(1)),
          'GET',
          '/lamps/a',
        )
      ).status,
    ).to.equal(0);
  });

  it('tells its routes, with what their table has in common', () => {
    const [summary, handle] = ['Does it', () => ok(1)];
    const one = routes({ fallback: 'no' }, { 'GET /a/:b': { summary, handle }, 'PUT /c': { summary, handle } });
    const two = routes({}, { 'DELETE /d': { summary, handle } });
    const notes = { page: 'Its own', uid: 'The uid' };
    const [noted] = routes({ notes: { page: 'Common', id: 'The id' } }, { 'GET /e': { summary, handle, notes } });
    expect(noted?.notes).to.deep.equal({ page: 'Its own', uid: 'The uid', id: 'The id' });
    expect(legacyRouter(servicesOf(served), one, two).table).to.deep.equal([
      { method: 'GET', path: '/a/:b', summary, handle, fallback: 'no' },
      { method: 'PUT', path: '/c', summary, handle, fallback: 'no' },
      { method: 'DELETE', path: '/d', summary, handle },
    ]);
  });

  describe('warns of what a route does not know', () => {
    const Lamp = z.object({ watts: z.number().optional() });
    const warningsOf = async (query: string, body: unknown, handle: LegacyHandler = (call) => ok(call.body(Lamp))) => {
      const entry = { summary: 'Does it', query: ['limit'], single: true, body: Lamp, handle };
      const router = legacyRouter(servicesOf(served), routes({}, { 'POST /lamps': entry }));
      const { status, headers } = await sendTo(router, 'POST', '/lamps', { query, body });
      return [status, headers?.['warning'] ?? []];
    };

    // Promise: specification 4.11
    it('in its query and in its body, and does the rest', async () => {
      for (const query of ['', 'limit=1', 'Limit=1', 'orgId=1', 'accesscontrol=true'])
        expect(await warningsOf(query, { watts: 1 }), query).to.deep.equal([200, []]);
      expect(await warningsOf('limit=1&Limit=2&x=1&x=2', { watts: 1, wats: 2 })).to.deep.equal([
        200,
        [
          '299 - "unknown query parameter \\"Limit\\""',
          '299 - "unknown query parameter \\"x\\""',
          '299 - "unknown field \\"wats\\""',
        ],
      ]);
      const many = Array.from({ length: 99 }, (_, index) => `x${index}=1`).join('&');
      const [, warnings] = await warningsOf(many, {});
      expect(warnings).to.have.length(10);
    });

    // Promise: specification 4.11
    it('in its query only if the route reads one thing: others refuse what could be a filter', async () => {
      let calls = 0;
      const handle: LegacyHandler = () => ok(++calls);
      const entry = { summary: 'Does it', query: ['limit'], handle };
      const router = legacyRouter(servicesOf(served), routes({}, { 'GET /lamps': entry, 'DELETE /lamps': entry }));
      for (const method of ['GET', 'DELETE'])
        for (const query of ['limits=1', 'limit=1&x=1', 'x=&x=1', '__proto__=1']) {
          const { status, body } = await sendTo(router, method, '/lamps', { query });
          expect([status, (body as { readonly message: string }).message], query).to.deep.equal([
            400,
            `unknown query parameter "${query.includes('x=1') ? 'x' : query.split('=')[0]}": there are limit`,
          ]);
        }
      expect(calls).to.equal(0);
      const { status, headers } = await sendTo(router, 'GET', '/lamps', { query: 'x=&orgId=1&accesscontrol=true' });
      expect([status, headers?.['warning']]).to.deep.equal([200, ['299 - "unknown query parameter \\"x\\""']]);
    });

    // Promise: specification 4.11
    it('in a body that it does not read, unless the body says nothing', async () => {
      const unread = (body: unknown) => warningsOf('', body, () => ok(1));
      for (const body of [undefined, {}, [], null, '']) expect(await unread(body)).to.deep.equal([200, []]);
      for (const body of [{ watts: 1 }, [1], 'x', 1])
        expect(await unread(body)).to.deep.equal([200, ['299 - "the body was ignored: this route takes none"']]);
    });

    // Promise: specification 4.11
    it('in refusals, too', async () => {
      const refusing: LegacyHandler = (call) => {
        call.body(Lamp);
        throw plainFailure(404, 'no lamp');
      };
      expect(await warningsOf('x=1', { watts: 1, wats: 2 }, refusing)).to.deep.equal([
        404,
        ['299 - "unknown query parameter \\"x\\""', '299 - "unknown field \\"wats\\""'],
      ]);
    });
  });

  // Promise: specification 4.11
  it('refuses a parameter with two values, unless it is a list', async () => {
    const entry = { summary: 'Lists', query: ['limit', 'tag'], lists: ['tag'], handle: () => ok(1) };
    const router = legacyRouter(servicesOf(served), routes({}, { 'GET /lamps': entry }));
    const statusOf = async (query: string) => (await sendTo(router, 'GET', '/lamps', { query })).status;
    for (const query of ['limit=1&limit=2', 'limit=&limit=1', 'Limit=1&Limit=2', 'orgId=1&orgId=2'])
      expect(await statusOf(query), query).to.equal(400);
    for (const query of ['tag=a&tag=b', 'limit=1&limit=1']) expect(await statusOf(query), query).to.equal(200);
  });

  // Promise: specification 4.11
  it('refuses conditions of HTTP that no route checks', async () => {
    const handle: LegacyHandler = () => ok(1);
    const entry = { summary: 'Does it', handle };
    const router = legacyRouter(servicesOf(served), routes({}, { 'GET /lamps': entry, 'PUT /lamps': entry }));
    const statusOf = async (method: string, headers: Readonly<Record<string, string>>) =>
      (await sendTo(router, method, '/lamps', { headers })).status;
    for (const name of ['if-match', 'if-none-match', 'if-unmodified-since'])
      expect(await statusOf('PUT', { [name]: '"1"' }), name).to.equal(400);
    expect(await statusOf('PUT', { 'if-match': '*' })).to.equal(200);
    expect(await statusOf('GET', { 'if-match': '"1"' })).to.equal(400);
    expect(await statusOf('GET', { 'if-none-match': '"1"', 'if-modified-since': 'x' })).to.equal(200);
  });

  describe('whose handler must wait for what it reads', () => {
    const reading = async (most: number) => {
      let calls = 0;
      const handle: LegacyHandler = () => {
        if (calls++ < most) throw new Retry('it is read', keptAnyway(Promise.resolve()));
        return ok(calls);
      };
      const router = legacyRouter(servicesOf(served), routes({}, { 'GET /lamps': { summary: 'Reads', handle } }));
      return (await sendTo(router, 'GET', '/lamps')).body;
    };

    it('calls it again when that is ready', async () => {
      expect(await reading(0)).to.equal(1);
      expect(await reading(MOST_RETRIES)).to.equal(MOST_RETRIES + 1);
    });

    it('lets it read on in the last attempt', async () => {
      const attempts: boolean[] = [];
      const handle: LegacyHandler = (call) => {
        attempts.push(call.mayRetry);
        if (call.mayRetry) throw new Retry('it is read', keptAnyway(Promise.resolve()));
        return ok('read');
      };
      const router = legacyRouter(servicesOf(served), routes({}, { 'GET /lamps': { summary: 'Reads', handle } }));
      expect((await sendTo(router, 'GET', '/lamps')).body).to.equal('read');
      expect(attempts).to.deep.equal([...Array.from({ length: MOST_RETRIES }, () => true), false]);
    });

    it('answers 503 if that does not suffice', async () => {
      const handle: LegacyHandler = () => {
        throw new Retry('it is read', keptAnyway(Promise.resolve()));
      };
      const router = legacyRouter(servicesOf(served), routes({}, { 'GET /lamps': { summary: 'Reads', handle } }));
      expect((await sendTo(router, 'GET', '/lamps')).status).to.equal(503);
    });

    it('fails with what it waits for', async () => {
      const handle: LegacyHandler = () => {
        throw new Retry('it is read', () => Promise.reject(new StorageError('unavailable', 'no disk')));
      };
      const router = legacyRouter(servicesOf(served), routes({}, { 'GET /lamps': { summary: 'Reads', handle } }));
      expect((await sendTo(router, 'GET', '/lamps')).status).to.equal(503);
    });
  });

  it('lets the first of two routes that fit answer', async () => {
    const table = routes(
      {},
      {
        'GET /lamps/search': { summary: 'Searches', handle: () => done('search') },
        'GET /lamps/:uid': { summary: 'Reads', handle: () => done('read') },
      },
    );
    const router = legacyRouter(servicesOf(served), table);
    expect((await sendTo(router, 'GET', '/lamps/search')).body).to.deep.equal({ message: 'search' });
    expect((await sendTo(router, 'GET', '/lamps/other')).body).to.deep.equal({ message: 'read' });
  });

  it('refuses service accounts where only people may call', async () => {
    const options: readonly (readonly [RouteOptions, Sent, number, string])[] = [
      [{}, ROBOT, 200, 'ok'],
      [{ peopleOnly: false }, ROBOT, 200, 'ok'],
      [{ peopleOnly: true }, ROBOT, 403, 'Endpoint only available for users'],
      [{ peopleOnly: 'No robots' }, ROBOT, 403, 'No robots'],
      [{ peopleOnly: true }, { user: ANN }, 200, 'ok'],
    ];
    for (const [given, sent, status, message] of options) {
      const answer = await send(() => done('ok'), given, sent);
      expect([answer.status, answer.body], JSON.stringify(given)).to.deep.equal([status, { message }]);
    }
  });

  it('gives failures the words of the route', async () => {
    const errors = [{ reason: 'NotFound', status: 418, body: { message: 'Lamp not found' } }] as const;
    const { status, body } = await failing(notFound({ group: '', resource: 'lamps' }, 'x'), { errors });
    expect([status, body]).to.deep.equal([418, { message: 'Lamp not found' }]);
    expect((await failing(notFound({ group: '', resource: 'lamps' }, 'x'))).body).to.deep.equal({
      message: 'Not found',
    });
  });

  it('tells what the store could not do', async () => {
    expect((await failing(new StorageError('overloaded', 'much'))).status).to.equal(429);
  });

  it('has a word of the route for what the server failed to do, but not for other failures', async () => {
    const fallback = 'Failed to do it';
    const fault = new TypeError('a defect');
    const failed = await failing(fault, { fallback });
    expect([failed.status, failed.body]).to.deep.equal([500, { message: fallback }]);
    expect(failed.error).to.have.property('cause', fault);
    expect((await failing(fault)).error).to.equal(fault);
    const internal = new ApiError({ code: 500, reason: 'InternalError', message: 'secret' });
    expect((await failing(internal, { fallback })).body).to.deep.equal({ message: fallback });
    expect((await failing(plainFailure(500, 'own words'), { fallback })).body).to.deep.equal({ message: 'own words' });
    const busy = new ApiError({ code: 503, reason: 'ServiceUnavailable', message: 'busy' });
    expect((await failing(busy, { fallback })).status).to.equal(503);
  });

  it('says that a body is no JSON before it says that an object is not there', async () => {
    const missing = plainFailure(404, 'Lamp not found');
    const answer = await failing(missing, {}, { body: '{' });
    expect([answer.status, answer.body]).to.deep.equal([400, { message: 'bad request data' }]);
    expect(answer.error).to.have.property('cause', missing);
    for (const body of ['', '{}', ' \n']) expect((await failing(missing, {}, { body })).status, body).to.equal(404);
    expect((await failing(plainFailure(403, 'no'), {}, { body: '{' })).status).to.equal(403);
  });

  it('reads what was acknowledged before the request came', async () => {
    const asked: unknown[] = [];
    const cacher = { ...served.registry.cacher, shared: true, fresh: async () => void asked.push('fresh') };
    const registry = { ...served.registry, cacher } as unknown as Served['registry'];
    const handle: LegacyHandler = () => {
      asked.push('handled');
      return ok(1);
    };
    const table = routes({}, { 'GET /lamps': { summary: 'Reads', handle } });
    await sendTo(legacyRouter(servicesOf({ registry }), table), 'GET', '/lamps');
    expect(asked).to.deep.equal(['fresh', 'handled']);
  });
});
