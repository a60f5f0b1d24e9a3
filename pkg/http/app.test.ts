import { expect } from 'chai';
import { notFound } from '../kube/status/errors.js';
import { ApiError } from '../kube/status/status.js';
import type { ApiRequest } from './handler.js';
import { AUTHORIZED } from './testing/harness.js';
import { json, overEachProtocol, text } from './testing/protocols.js';

overEachProtocol(({ protocol, serve, server }) => {
  it('hands the handler what was asked and gives back what it answers', async () => {
    let seen: ApiRequest | undefined;
    const ask = await serve(async (request) => {
      seen = request;
      return { ...text('done', { 'x-own': 'y' }), status: 201 };
    });
    const headers = { ...AUTHORIZED, 'content-type': 'application/json' };
    const answer = await ask('/apis/a%2Fb?x=1&x=2', { method: 'POST', headers, body: '{"a":1}' });
    expect([answer.status, answer.body.toString(), answer.headers['x-own']]).to.deep.equal([201, 'done', 'y']);
    expect(answer.headers['content-length']).to.equal('4');
    expect(seen).to.deep.include({ method: 'POST', path: '/apis/a%2Fb' });
    expect(seen?.query.getAll('x')).to.deep.equal(['1', '2']);
    expect(seen?.headers['content-type']).to.equal('application/json');
    expect(Buffer.from(seen?.body ?? []).toString()).to.equal('{"a":1}');
    expect(seen?.user.name).to.equal('tester');
    expect(seen?.user.groups).to.include('system:authenticated');
  });

  // Promise: contract 9
  it('gives every answer an audit id: the caller’s if it is a sane one', async () => {
    const ask = await serve(async (request) => text(request.auditId));
    const sent = await ask('/apis', { headers: { ...AUTHORIZED, 'audit-id': 'my-id_1.2' } });
    expect([sent.headers['audit-id'], sent.body.toString()]).to.deep.equal(['my-id_1.2', 'my-id_1.2']);
    const odd = await ask('/apis', { headers: { ...AUTHORIZED, 'audit-id': 'a"b{}' } });
    expect(odd.headers['audit-id']).to.match(/^[0-9a-f-]{36}$/);
    const failed = await ask('/nowhere', { headers: { 'audit-id': 'x' } });
    expect(failed.headers['audit-id']).to.equal('x');
  });

  it('sets security headers', async () => {
    const { headers } = await (await serve(async () => text('')))('/apis');
    expect(headers).to.include({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache, private' });
    expect(headers).to.include({ 'x-frame-options': 'DENY', 'cross-origin-resource-policy': 'same-origin' });
    expect(headers).to.include({ 'cross-origin-opener-policy': 'same-origin' });
  });

  it('answers failures as Status with their code', async () => {
    const ask = await serve(async () => {
      throw notFound({ group: 'g', resource: 'things' }, 'a');
    });
    const answer = await ask('/apis/x');
    expect(answer.status).to.equal(404);
    expect(answer.headers['content-type']).to.equal('application/json');
    expect(json(answer)).to.deep.include({ kind: 'Status', reason: 'NotFound', code: 404 });
  });

  it('answers 404 where there is no route, 401 to who is nobody, and serves open routes to all', async () => {
    const ask = await serve(async (request) => text(request.user.name));
    expect(json(await ask('/elsewhere'))).to.deep.include({ reason: 'NotFound', code: 404 });
    expect(json(await ask('/apis', { headers: {} }))).to.deep.include({ reason: 'Unauthorized', code: 401 });
    expect(json(await ask('/apis', { headers: { authorization: 'Bearer no' } }))).to.include({ code: 401 });
    expect((await ask('/open', { headers: {} })).body.toString()).to.equal('system:anonymous');
  });

  it('refuses what a page does for one person with the session of another', async () => {
    const ask = await serve(async (request) => text(request.user.name));
    const as = (user: string) => ask('/apis', { headers: { ...AUTHORIZED, 'x-expected-user': user } });
    expect((await as('tester')).body.toString()).to.equal('tester');
    const refused = json(await as('somebody%20else'));
    expect(refused).to.include({ reason: 'Unauthorized', code: 401 });
    expect(refused.message).to.contain('the session is that of tester now: load the page again');
  });

  // Promise: contract 6
  it('tells nothing of an unknown error but the audit id its log line has', async () => {
    const ask = await serve(async () => {
      throw new Error('the password is hunter2');
    });
    const answer = await ask('/apis/x', { headers: { ...AUTHORIZED, 'audit-id': 'look-me-up' } });
    expect(json(answer)).to.include({ code: 500, reason: 'InternalError' });
    expect(answer.body.toString()).to.not.contain('hunter2');
    const line = server()?.logged.find((entry) => entry.includes('hunter2'));
    expect(line).to.contain('look-me-up');
  });

  // Promise: contract 6
  it('sends Retry-After with 429 and 503 only', async () => {
    const codes = [429, 503, 500, 504];
    const ask = await serve(async (request) => {
      const details = { retryAfterSeconds: 7 };
      throw new ApiError({ code: Number(request.query.get('code')), reason: 'Timeout', message: '', details });
    });
    const answers = await Promise.all(codes.map((code) => ask(`/apis?code=${code}`)));
    expect(answers.map((answer) => answer.headers['retry-after'])).to.deep.equal(['7', '7', undefined, undefined]);
  });

  it('lets an API word failures its own way', async () => {
    const renderError = (error: ApiError) => text(`legacy: ${error.message}`);
    const ask = await serve(async () => text(''), { mounts: [{ prefix: '/api', renderError }] });
    expect((await ask('/api/x', { headers: {} })).body.toString()).to.equal('legacy: Unauthorized');
  });

  it('finds the path in a request for a whole URL', async () => {
    let seen = '';
    const ask = await serve(async ({ path, query }) => {
      seen = `${path} ${query.get('a')}`;
      return text('');
    });
    if (protocol === 'HTTP/2') return;
    await ask('http://localhost/apis/x?a=1', { headers: { ...AUTHORIZED, host: 'localhost' } });
    expect(seen).to.equal('/apis/x 1');
  });
});
