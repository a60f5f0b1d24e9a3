import { expect } from 'chai';
import type { Body } from '../harness/body.js';
import { bodyOf, changingNothing, expectStatus } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { foldersOf, namesOf } from './folders.js';

type Query = Readonly<Record<string, string | number>>;

eachStore('get and list by resourceVersion', (server) => {
  const folders = foldersOf(server);
  /** The revision at which only the folders a, b and c existed. */
  let then = '';
  let now = '';
  before(async () => {
    for (const name of ['a', 'b']) await folders.make(name);
    then = (await folders.make('c')).metadata.resourceVersion ?? '';
    now = (await folders.make('d')).metadata.resourceVersion ?? '';
  });
  const list = async (query: Query): Promise<Body> => bodyOf(await folders.list({ query }), 200);
  const future = (): string => String(Number(now) + 1000);
  const token = async (query: Query = {}): Promise<string> =>
    (await list({ limit: 2, ...query })).metadata.continue ?? '';

  // Promise: contract 3.2
  it('get: the most recent state, any state, or a state that is not older', async () => {
    for (const resourceVersion of ['', '0', '1', then, now]) {
      const body = bodyOf(await folders.get('d', { query: { resourceVersion } }), 200);
      expect(body.metadata.resourceVersion).to.equal(now);
    }
  });

  // Promise: contract 5.1
  it('list in a namespace that does not exist: nothing, as in Kubernetes', async () => {
    const path = '/apis/folder.svc.app/v1beta1/namespaces/nowhere/folders';
    const body = bodyOf(await server().call('GET', path), 200);
    expect(body.items).to.deep.equal([]);
    expect(body.metadata.resourceVersion).to.equal(now);
    expect(bodyOf(await server().call('DELETE', path), 200).items).to.deep.equal([]);
  });

  // Promise: contract 3.3
  it('list with a negative limit, or a slash at the end of the path: everything', async () => {
    expect(namesOf(await list({ limit: -1 }))).to.deep.equal(['a', 'b', 'c', 'd']);
    const path = '/apis/folder.svc.app/v1beta1/namespaces/default/folders/';
    expect(namesOf(bodyOf(await server().call('GET', path), 200))).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  // Promise: contract 3.3
  it('get with the ETag of the object in If-None-Match: 304, until the object changes', async () => {
    const { etag = '' } = (await folders.get('a')).headers;
    const same = await folders.get('a', { headers: { 'if-none-match': String(etag) } });
    expect([same.status, same.text, same.headers['etag']]).to.deep.equal([304, '', etag]);
    expect((await folders.get('b', { headers: { 'if-none-match': String(etag) } })).status).to.equal(200);
  });

  // Promise: contract 3.2
  it('list without a limit: the most recent state, any state, or a state that is not older', async () => {
    for (const resourceVersion of ['', '0', '1', then, now]) {
      const all = await list({ resourceVersion });
      expect(namesOf(all)).to.deep.equal(['a', 'b', 'c', 'd']);
      expect(all.metadata.resourceVersion).to.equal(now);
    }
  });

  // Promise: contract 3.2
  it('list with a limit: the most recent state, any state, or exactly the revision', async () => {
    for (const resourceVersion of ['', '0']) {
      const page = await list({ limit: 10, resourceVersion });
      expect(namesOf(page)).to.deep.equal(['a', 'b', 'c', 'd']);
    }
    const exact = await list({ limit: 10, resourceVersion: then });
    expect(namesOf(exact)).to.deep.equal(['a', 'b', 'c']);
    expect(exact.metadata.resourceVersion).to.equal(then);
  });

  // Promise: contract 3.2
  it('list with continue: exactly the revision of the first page, and 400 with another revision', async () => {
    const first = await token({ resourceVersion: then });
    for (const resourceVersion of ['', '0']) {
      const page = await list({ continue: first, limit: 2, resourceVersion });
      expect(namesOf(page)).to.deep.equal(['c']);
      expect(page.metadata.resourceVersion).to.equal(then);
    }
    const answer = await folders.list({ query: { continue: first, resourceVersion: now } });
    expectStatus(answer, 400, 'BadRequest', 'specifying resource version is not allowed when using continue');
  });

  // Promise: contract 3.2
  it('list with match=Exact: exactly the revision, and Invalid without one', async () => {
    const exact = await list({ resourceVersion: then, resourceVersionMatch: 'Exact' });
    expect(namesOf(exact)).to.deep.equal(['a', 'b', 'c']);
    expect(exact.metadata.resourceVersion).to.equal(then);
    for (const resourceVersion of ['', '0']) {
      expectListInvalid(await folders.list({ query: { resourceVersion, resourceVersionMatch: 'Exact' } }));
    }
  });

  // Promise: contract 3.2
  it('list with match=NotOlderThan: any state for 0, a state that is not older for a revision, and Invalid without one', async () => {
    for (const resourceVersion of ['0', then, now]) {
      const body = await list({ resourceVersion, resourceVersionMatch: 'NotOlderThan', limit: 10 });
      expect(namesOf(body)).to.deep.equal(['a', 'b', 'c', 'd']);
    }
    expectListInvalid(await folders.list({ query: { resourceVersionMatch: 'NotOlderThan' } }));
  });

  // Promise: contract 3.2
  it('list with match and continue: always Invalid', async () => {
    const next = await token();
    for (const resourceVersion of ['', '0', then]) {
      for (const resourceVersionMatch of ['Exact', 'NotOlderThan']) {
        expectListInvalid(await folders.list({ query: { continue: next, resourceVersion, resourceVersionMatch } }));
      }
    }
  });

  // Promise: contract 3.2
  it('list with an unknown match, or with sendInitialEvents: Invalid', async () => {
    expectListInvalid(await folders.list({ query: { resourceVersion: then, resourceVersionMatch: 'Newest' } }));
    expectListInvalid(await folders.list({ query: { sendInitialEvents: 'true' } }));
  });

  // Promise: contract 3.2
  it('a revision in the future: 504 with the cause that reflectors expect', async function slow() {
    this.timeout(60_000);
    const queries = [
      folders.get('d', { query: { resourceVersion: future() } }),
      folders.list({ query: { resourceVersion: future() } }),
      folders.list({ query: { resourceVersion: future(), limit: 1 } }),
      folders.list({ query: { resourceVersion: future(), resourceVersionMatch: 'Exact' } }),
      folders.list({ query: { watch: 'true', resourceVersion: future() } }),
    ];
    for (const answer of await Promise.all(queries)) {
      const { details } = expectStatus(answer, 504, 'Timeout', 'Too large resource version');
      expect(details).to.deep.include({ retryAfterSeconds: 1 });
      expect(details.causes?.[0]?.reason).to.equal('ResourceVersionTooLarge');
    }
  });

  // Promise: contract 3.1
  it('a revision above 2^53: 504 with exactly this number, up to the largest integer of 64 bits', async () => {
    for (const resourceVersion of ['9007199254740993', '9999999999999999999', '18446744073709551615']) {
      for (const answer of await Promise.all([
        folders.get('d', { query: { resourceVersion } }),
        folders.list({ query: { resourceVersion } }),
        folders.list({ query: { resourceVersion, limit: 1 } }),
        folders.list({ query: { resourceVersion, resourceVersionMatch: 'Exact' } }),
        folders.list({ query: { watch: 'true', resourceVersion } }),
      ])) {
        expectStatus(answer, 504, 'Timeout', `Too large resource version: ${resourceVersion}, current: `);
      }
    }
    const beyond = await folders.list({ query: { resourceVersion: '18446744073709551616' } });
    expectStatus(beyond, 400, 'BadRequest', 'invalid resource version');
  });

  // Promise: contract 3.2
  it('a revision that is committed while the request waits: the state at or after it', async () => {
    const end = await server().end();
    const waiting = folders.list({ query: { resourceVersion: String(end + 1) } });
    const { metadata } = await folders.make('e');
    expect(namesOf(bodyOf(await waiting, 200))).to.include('e');
    bodyOf(await folders.remove('e', { body: { preconditions: { uid: metadata.uid } } }), 200);
  });
});

function expectListInvalid(answer: Parameters<typeof expectStatus>[0]): void {
  const { details } = expectStatus(answer, 422, 'Invalid');
  expect(details).to.include({ group: 'meta.k8s.io', kind: 'ListOptions' });
  expect(details.causes?.[0]?.field).to.be.oneOf(['resourceVersionMatch', 'sendInitialEvents']);
}

eachStore('continue tokens', (server) => {
  const folders = foldersOf(server);
  before(async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await folders.make(name, { labels: { some: 'label' } });
  });
  const first = async (query: Query = {}): Promise<Body> =>
    bodyOf(await folders.list({ query: { limit: 2, ...query } }), 200);

  // Promise: contract 3.3
  it('are refused if they are invalid', async () => {
    const forged = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const kubernetes = forged({ v: 'meta.k8s.io/v1', rv: 5, start: 'a\u0000' });
    const tokens = [
      'x',
      '%',
      '{}',
      'AAAA',
      kubernetes,
      forged(null),
      forged([]),
      forged({ v: '1', rv: -2 }),
      'x'.repeat(9000),
    ];
    for (const token of tokens) {
      const answer = await changingNothing(server(), () => folders.list({ query: { continue: token } }));
      expectStatus(answer, 400, 'BadRequest', 'invalid continue token');
    }
  });

  // Promise: contract 3.3
  it('are valid only for the same namespace, selectors and caller', async () => {
    const { metadata } = await first();
    const token = metadata.continue ?? '';
    const bob = { name: 'bob', uid: 'bob', groups: ['system:masters'], extra: {} };
    const answers = [
      await folders.list({ query: { continue: token, labelSelector: 'some=label' } }),
      await folders.list({ query: { continue: token, fieldSelector: 'metadata.name!=x' } }),
      await folders.list({ query: { continue: token }, user: bob }),
      await server().call('GET', '/apis/folder.svc.app/v1beta1/folders', { query: { continue: token } }),
    ];
    for (const answer of answers)
      expectStatus(answer, 400, 'BadRequest', 'another resource, namespace, selector or caller');
  });

  it('are valid for the same selectors in another notation', async () => {
    const { metadata } = await first({ labelSelector: 'some=label,!other' });
    const query = { continue: metadata.continue ?? '', labelSelector: ' !other , some = label' };
    expect(namesOf(bodyOf(await folders.list({ query }), 200))).to.deep.equal(['c', 'd', 'e']);
  });

  // Promise: contract 3.3
  it('are still valid after a restart of the server', async () => {
    const { metadata } = await first();
    await folders.make('f');
    await server().restart();
    const page = bodyOf(await folders.list({ query: { continue: metadata.continue ?? '' } }), 200);
    expect(namesOf(page)).to.deep.equal(['c', 'd', 'e']);
    expect(page.metadata.resourceVersion).to.equal(metadata.resourceVersion);
  });

  // Promise: contract 3.3, contract 6
  it('that are too old get 410, with a token for the rest of the list at the newest revision', async () => {
    const { metadata } = await first();
    const query = { continue: metadata.continue ?? '', limit: 2 };
    await folders.make('g');
    await server().restart({ compact: true });
    const status = expectStatus(
      await folders.list({ query }),
      410,
      'Expired',
      'The provided continue parameter is too old',
    );
    const rest = bodyOf(await folders.list({ query: { continue: status.metadata.continue ?? '' } }), 200);
    expect(namesOf(rest)).to.deep.equal(['c', 'd', 'e', 'f', 'g']);
    expect(Number(rest.metadata.resourceVersion)).to.be.greaterThan(Number(metadata.resourceVersion));
    const exact = { resourceVersion: metadata.resourceVersion ?? '', resourceVersionMatch: 'Exact' };
    expectStatus(await folders.list({ query: exact }), 410, 'Expired', 'too old resource version');
  });

  // Promise: specification 4.1
  it('lead through the whole list', async () => {
    const all = namesOf(bodyOf(await folders.list(), 200));
    const seen: string[] = [];
    let page = await first();
    for (;;) {
      seen.push(...namesOf(page));
      const token = page.metadata.continue;
      if (token === undefined) break;
      page = await first({ continue: token });
    }
    expect(seen).to.deep.equal(all);
  });
});
