import { expect } from 'chai';
import { defaultPolicy } from '../audit/default-policy.js';
import type { AuditEvent } from '../audit/event.js';
import { AuditTrail } from '../audit/trail.js';
import { jsonResponse } from '../json.js';
import { ask1, gate, startServer, type TestServer } from '../testing/harness.js';

describe('the audit middleware', () => {
  const events: AuditEvent[] = [];
  let room: Promise<void> | undefined;
  const audit = new AuditTrail({
    policy: defaultPolicy('svc.app'),
    domain: 'svc.app',
    resourceOf: () => undefined,
    secretFields: [],
    write: (line) => {
      events.push(JSON.parse(line) as AuditEvent);
      return room;
    },
  });
  let server: TestServer;
  before(async () => {
    const isOurHost = (host: string | undefined) => host?.startsWith('127.0.0.1') === true;
    server = await startServer(async (request) => jsonResponse(request, 200, {}), { audit, isOurHost });
  });
  after(() => server.close());
  beforeEach(() => {
    events.length = 0;
    room = undefined;
  });

  it('records requests that are refused before anybody is authenticated', async () => {
    const headers = { host: 'evil.example', authorization: 'Bearer secret' };
    expect((await ask1(server, '/apis', { headers }, 'plain')).status).to.equal(421);
    expect((await ask1(server, '/apis', { headers: { 'x-long': 'x'.repeat(100_000) } })).status).to.equal(431);
    expect(events.map(({ responseStatus }) => responseStatus?.code)).to.deep.equal([421, 431]);
    for (const { user } of events) expect(user.username).to.equal('system:anonymous');
    expect(JSON.stringify(events)).to.not.include('secret');
  });

  it('records a write whose body is too long, and one by an unknown method', async () => {
    expect((await ask1(server, '/apis', { method: 'POST', body: 'x'.repeat(2_000) })).status).to.equal(413);
    expect((await ask1(server, '/apis', { method: 'PURGE' })).status).to.equal(200);
    expect(events.map(({ verb }) => verb)).to.deep.equal(['post', 'purge']);
  });

  it('lets the answer wait while there is no room for the event', async () => {
    const { opened, open } = gate();
    room = opened;
    let isAnswered = false;
    const answer = ask1(server, '/apis', { method: 'DELETE' }).then(({ status }) => {
      isAnswered = true;
      return status;
    });
    while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isAnswered).to.equal(false);
    open();
    expect(await answer).to.equal(200);
  });
});
