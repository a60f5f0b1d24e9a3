import { expect } from 'chai';
import { ANONYMOUS } from '../identity/authn/user.js';
import type { ApiRequest } from './handler.js';
import { type Check, healthHandler, NotReady } from './health.js';
import { versionHandler } from './version.js';

const request = (query: string, path = '/readyz'): ApiRequest => ({
  method: 'GET',
  path,
  query: new URLSearchParams(query),
  headers: {},
  rawHeaders: [],
  body: new Uint8Array(0),
  user: ANONYMOUS,
  auditId: 'a',
  signal: new AbortController().signal,
});

async function ask(checks: Readonly<Record<string, Check>>, query = '', failures: string[] = [], path = '/readyz') {
  const handler = healthHandler(
    'readyz',
    () => checks,
    (check, reason) => failures.push(`${check}: ${reason}`),
  );
  const { status, body } = await handler(request(query, path));
  return { status, text: Buffer.from(body as Uint8Array).toString() };
}

describe('healthHandler', () => {
  const good = async () => undefined;
  const bad = () => {
    throw new Error('no primary at 10.0.0.1');
  };

  // Promise: contract 1.3
  it('is ok when every check passes', async () => {
    expect(await ask({ good })).to.deep.equal({ status: 200, text: 'ok' });
    expect(await ask({})).to.deep.equal({ status: 200, text: 'ok' });
  });

  it('names each check when asked', async () => {
    expect((await ask({ good }, 'verbose')).text).to.equal('[+]good ok\nreadyz check passed\n');
  });

  // Promise: contract 1.3
  it('answers for one check by its path, and 404 where there is none', async () => {
    const one = (path: string) => ask({ good, bad }, 'verbose', [], path);
    expect(await one('/readyz/good')).to.deep.equal({ status: 200, text: '[+]good ok\nreadyz check passed\n' });
    expect((await one('/readyz/bad')).status).to.equal(503);
    for (const path of ['/readyz/nope', '/readyz/', '/readyz/good/x'])
      expect(await one(path), path).to.deep.include({ status: 404 });
    expect((await one('/readyz/nope')).text).to.equal('there is no check "nope"; the checks are: good, bad\n');
  });

  // Promise: contract 1.3
  it('leaves out checks, and says which it does not know', async () => {
    expect(await ask({ good, bad }, 'exclude=bad')).to.deep.equal({ status: 200, text: 'ok' });
    expect((await ask({ good }, 'exclude=nope&verbose')).text).to.equal(
      '[+]good ok\nwarn: some health checks cannot be excluded: no matches for "nope"\nreadyz check passed\n',
    );
  });

  // Promise: contract 1.3
  it('tells callers why, where the check has words for them', async () => {
    const away = () => {
      throw new NotReady('the store cannot be reached', { cause: new Error('no primary at 10.0.0.1') });
    };
    const failures: string[] = [];
    const { status, text } = await ask({ good, away }, '', failures);
    expect([status, text]).to.deep.equal([
      503,
      '[+]good ok\n[-]away failed: the store cannot be reached\nreadyz check failed\n',
    ]);
    expect(failures).to.have.length(1);
  });

  // Promise: contract 1.3
  it('is 503 when one fails, and keeps the reason for the log', async () => {
    const failures: string[] = [];
    const answer = await ask({ good, bad }, '', failures);
    expect(answer).to.deep.equal({ status: 503, text: '[+]good ok\n[-]bad failed\nreadyz check failed\n' });
    expect(failures).to.deep.equal(['bad: Error: no primary at 10.0.0.1']);
  });
});

describe('versionHandler', () => {
  // Promise: contract 1.3
  it('answers a version that Kubernetes’ clients can parse', async () => {
    const { body } = await versionHandler('0.1.0', 'svc.app')(request(''));
    const info = JSON.parse(Buffer.from(body as Uint8Array).toString());
    expect(info).to.include({ major: '1', minor: '37' });
    const pretty = await versionHandler('0.1.0', 'svc.app')(request('pretty=true'));
    expect(Buffer.from(pretty.body as Uint8Array).toString()).to.equal(`${JSON.stringify(info, null, 2)}\n`);
    expect(info.gitVersion).to.match(/^v1\.37\.0\+[0-9A-Za-z-]+$/);
  });

  // Promise: contract 1.3
  it('is to be read only', async () => {
    const outcome = async () => versionHandler('0.1.0', 'svc.app')({ ...request(''), method: 'POST' });
    const code = await outcome().then(
      () => 200,
      (error) => error.code,
    );
    expect(code).to.equal(405);
  });
});
