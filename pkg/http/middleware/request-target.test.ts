import { expect } from 'chai';
import { AUTHORIZED, ask1, startServer, type TestServer } from '../testing/harness.js';
import { hostCheck } from './host-guard.js';
import { namesOneHost, repeatedHeader } from './request-target.js';

describe('hostCheck', () => {
  const isOurs = hostCheck(['boards.example.com', 'Other.Example']);

  it('knows this machine by its address, as localhost, and by the names that it was given', () => {
    for (const host of ['127.0.0.1:3000', '[::1]:3000', '10.1.2.3', 'localhost', 'LOCALHOST:1', 'a.localhost:80']) {
      expect(isOurs(host), host).to.equal(true);
    }
    expect(['boards.example.com:443', 'other.example', undefined].map(isOurs)).to.deep.equal([true, true, true]);
  });

  it('knows it by no other name', () => {
    const others = [
      'evil.example:3000',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'evil-localhost',
      '',
      ':3000',
    ];
    for (const host of others) expect(isOurs(host), host).to.equal(false);
  });
});

describe('namesOneHost', () => {
  const holds = (headers: Readonly<Record<string, string>>, ...rawHeaders: string[]) =>
    namesOneHost({ headers, rawHeaders });

  it('is true for one Host, for :authority, and for both if they are the same', () => {
    expect(holds({ host: 'a' }, 'Accept', 'host', 'Host', 'a')).to.equal(true);
    expect(holds({ ':authority': 'a' }, ':authority', 'a')).to.equal(true);
    expect(holds({ ':authority': 'a:443', host: 'A' }, ':authority', 'a:443', 'host', 'A')).to.equal(true);
    expect(holds({})).to.equal(true);
  });

  it('is false for several lines, even if they are the same, and for a Host other than :authority', () => {
    expect(holds({ host: 'a' }, 'Host', 'a', 'HOST', 'a')).to.equal(false);
    expect(holds({ ':authority': 'a', host: 'b' }, ':authority', 'a', 'host', 'b')).to.equal(false);
    expect(holds({ ':authority': 'a:80', host: 'a' }, ':authority', 'a:80', 'host', 'a')).to.equal(false);
  });
});

describe('an absolute target', () => {
  const holds = (url: string, host: string) => namesOneHost({ url, headers: { host }, rawHeaders: ['Host', host] });

  it('must name the host of the header', () => {
    expect([holds('http://a:3000/apis', 'A:3000'), holds('HTTPS://a/apis', 'a:443')]).to.deep.equal([true, true]);
    for (const url of ['http://b/apis', 'http://a:80/apis', 'http://b?x', 'http://', 'http://a@b/apis'])
      expect(holds(url, 'a'), url).to.equal(false);
    expect(holds('/http://b/', 'a')).to.equal(true);
  });
});

describe('a page whose name was made to point at this machine', () => {
  let server: TestServer | undefined;
  const started = (): TestServer => {
    if (server === undefined) throw new Error('the server is not started yet');
    return server;
  };
  afterEach(() => server?.close());
  const HOST = { ...AUTHORIZED, host: 'evil.example:3000', origin: 'http://evil.example:3000' };

  it('gets 421 over plain HTTP and reaches no handler; certificates tell over HTTPS', async () => {
    let calls = 0;
    const handler = async () => {
      calls++;
      return { status: 200, headers: {} };
    };
    server = await startServer(handler, { isOurHost: hostCheck([]) });
    const plainly = (path: string, headers: Readonly<Record<string, string>>) =>
      ask1(started(), path, { headers }, 'plain');
    const refused = await plainly('/open', HOST);
    expect([refused.status, (await plainly('/apis', HOST)).status, calls]).to.deep.equal([421, 421, 0]);
    expect(JSON.parse(refused.body.toString()).message).to.contain('"evil.example:3000"').and.to.contain('root_url');
    expect((await plainly('/apis', AUTHORIZED)).status).to.equal(200);
    expect((await ask1(started(), '/apis', { headers: HOST }, { servername: 'localhost' })).status).to.equal(200);
  });
});

describe('repeatedHeader', () => {
  it('names a header that has several lines and may have one, in any case, even if they are the same', () => {
    const found = (...names: readonly string[]) => repeatedHeader(names.flatMap((name) => [name, 'x']));
    for (const name of ['Authorization', 'Content-Type', 'Impersonate-User', 'X-Grafana-Org-Id', 'Origin'])
      expect([found(name, 'Accept', name.toUpperCase()), found(name)]).to.deep.equal([name.toLowerCase(), undefined]);
  });

  it('passes over headers that are lists, cookies, and others of the same length', () => {
    for (const name of ['Accept', 'Cookie', 'If-Match', 'X-Forwarded-For', 'Impersonate-Group', 'X-Something-Els'])
      expect(repeatedHeader([name, 'a', name, 'b']), name).to.equal(undefined);
    expect(repeatedHeader(['Authorization', 'a', 'Origin', 'b', 'Referer', 'c'])).to.equal(undefined);
  });
});
