import { expect } from 'chai';
import type { Backend } from '../../storage/backend.js';
import { addPeople, person } from '../access/people.js';
import type { Answer } from '../harness/answer.js';
import type { Body } from '../harness/body.js';
import { expectStatus } from '../harness/resource.js';
import { openServer, type Server } from '../harness/server.js';
import { onEachStore, oneStore } from '../harness/stores.js';

const SECRETS = '/api/v1/namespaces/default/secrets';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const STRATEGIC = { 'content-type': 'application/strategic-merge-patch+json' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface Held extends Body {
  readonly data?: Readonly<Record<string, string>>;
  readonly type?: string;
}

const secret = (name: string, more: object = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, ...metadata },
  ...more,
});
const configMap = (name: string, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...more,
});

interface WithStore {
  readonly server: Server;
  /** The stored bytes, as text. */
  raw(): Promise<string>;
  close(): Promise<void>;
}

async function withStore(backend: Backend): Promise<WithStore> {
  const server = await openServer(backend);
  const raw = async (): Promise<string> => {
    const texts: string[] = [];
    for await (const chunk of backend.load('secrets'))
      for (const { value } of chunk) texts.push(`${Buffer.from(value)}`);
    const [from, to] = [await backend.compacted(), await backend.end()];
    for await (const { changes, end } of backend.tail(from, AbortSignal.timeout(20_000))) {
      for (const { value, previous } of changes)
        texts.push(`${Buffer.from(value ?? [])}`, `${Buffer.from(previous?.value ?? [])}`);
      if (end >= to) break;
    }
    return texts.join('\n');
  };
  return { server, raw, close: () => server.close() };
}

onEachStore('the content of Secrets', withStore, (store) => {
  const call = (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
    store().server.call(method, path, { ...(body === undefined ? {} : { body }), headers });
  const held = (answer: Answer): Held => {
    expect(answer.status, answer.text).to.be.oneOf([200, 201]);
    return answer.json() as Held;
  };

  it('is read as it was written, and is in the store and its log only encrypted', async () => {
    const copy = JSON.stringify(secret('one', { stringData: { password: 'hidden-copy' } }));
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': copy };
    const made = held(
      await call('POST', SECRETS, secret('one', { stringData: { password: 'hidden-one' } }, { annotations })),
    );
    expect(made.data).to.deep.equal({ password: base64('hidden-one') });
    expect(made).to.not.have.property('stringData');
    expect(made.type).to.equal('Opaque');
    held(await call('PATCH', `${SECRETS}/one`, { stringData: { password: 'hidden-two' } }, MERGE));
    held(await call('PATCH', `${SECRETS}/one`, { data: { other: base64('hidden-three') } }, STRATEGIC));
    const read = held(await call('GET', `${SECRETS}/one`));
    expect(read.data).to.deep.equal({ password: base64('hidden-two'), other: base64('hidden-three') });
    expect(read.metadata.annotations).to.include(annotations);
    const list = (await call('GET', SECRETS)).json().items as readonly Held[];
    expect(list[0]?.data).to.deep.equal(read.data);
    const stored = await store().raw();
    expect(stored).to.contain('"name":"one"').and.contain('"sealed"');
    for (const word of ['hidden-', ...['hidden-one', 'hidden-two', 'hidden-three'].map(base64)])
      expect(stored, word).to.not.contain(word);
  });

  it('is the same after a restart, in watches, and at an earlier revision', async () => {
    const before = held(await call('GET', `${SECRETS}/one`));
    await store().server.restart();
    expect(held(await call('GET', `${SECRETS}/one`))).to.deep.equal(before);
    const { resourceVersion = '' } = (await call('GET', SECRETS)).json().metadata;
    const { frames } = await store().server.call('GET', SECRETS, { query: { watch: 'true', resourceVersion } });
    held(await call('PATCH', `${SECRETS}/one`, { stringData: { password: 'next' } }, MERGE));
    const [event] = await frames.take(1);
    expect((event?.object as Held | undefined)?.data?.['password']).to.equal(base64('next'));
    await frames.close();
    const query = { resourceVersion, resourceVersionMatch: 'Exact', limit: '10' };
    const past = (await store().server.call('GET', SECRETS, { query })).json().items as readonly Held[];
    expect(past[0]?.data).to.deep.equal(before.data);
  });

  it('is not written again if nothing changes', async () => {
    const { data, metadata } = held(await call('GET', `${SECRETS}/one`));
    const again = held(
      await call('PUT', `${SECRETS}/one`, secret('one', { data }, { annotations: metadata.annotations })),
    );
    expect(again.metadata.resourceVersion).to.equal(metadata.resourceVersion);
  });
});

oneStore('Secrets', (server) => {
  const call = (method: string, path: string, body?: unknown, headers = {}, user = {}): Promise<Answer> =>
    server().call(method, path, { ...(body === undefined ? {} : { body }), headers, ...user });
  let next = 0;
  const post = (more: object, metadata: object = {}) => call('POST', SECRETS, secret(`s-${next++}`, more, metadata));
  const refused = async (answer: Promise<Answer>, field: string): Promise<void> => {
    const { details } = expectStatus(await answer, 422, 'Invalid');
    expect(details.causes?.map((cause) => cause.field)).to.include(field);
  };
  before(() => addPeople(server()));

  // Promise: contract 8
  it('follow the rules of Kubernetes for keys, sizes and types', async () => {
    await refused(post({ stringData: { 'a/b': 'x' } }), 'data[a/b]');
    await refused(post({ stringData: { '..x': 'x' } }), 'data[..x]');
    await refused(post({ data: { a: 'no base64!' } }), 'data.a');
    await refused(post({ stringData: { a: 'x'.repeat(2 ** 20 + 1) } }), 'data');
    expect((await post({ stringData: { a: 'x'.repeat(2 ** 20) } })).status).to.equal(201);
    await refused(post({ type: 'kubernetes.io/tls', stringData: { 'tls.crt': 'x' } }), 'data[tls.key]');
    await refused(post({ type: 'kubernetes.io/basic-auth' }), 'data[username]');
    await refused(
      post({ type: 'kubernetes.io/ssh-auth', stringData: { 'ssh-privatekey': '' } }),
      'data[ssh-privatekey]',
    );
    await refused(
      post({ type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'x' } }),
      'data[.dockerconfigjson]',
    );
    await refused(
      post({ type: 'kubernetes.io/service-account-token' }),
      'metadata.annotations[kubernetes.io/service-account.name]',
    );
    expect((await post({ type: 'kubernetes.io/basic-auth', stringData: { password: 'x' } })).status).to.equal(201);
  });

  it('of a type whose token Kubernetes would write cause a warning, because nobody writes it', async () => {
    const typed = (more: object) =>
      post({
        metadata: { generateName: 'token-', annotations: { 'kubernetes.io/service-account.name': 'robot' } },
        type: 'kubernetes.io/service-account-token',
        ...more,
      });
    const answer = await typed({});
    expect(answer.status, answer.text).to.equal(201);
    expect(`${answer.headers['warning']}`).to.include('writes no token').and.to.include('kubectl create token');
    expect((await typed({ data: { token: base64('own') } })).headers['warning']).to.equal(undefined);
  });

  it('keep their type, and their data once they are immutable', async () => {
    await call('POST', SECRETS, secret('fixed', { type: 'a/b', stringData: { a: '1' } }));
    await refused(call('PATCH', `${SECRETS}/fixed`, { type: 'c/d' }, MERGE), 'type');
    expect((await call('PATCH', `${SECRETS}/fixed`, { immutable: true }, MERGE)).status).to.equal(200);
    await refused(call('PATCH', `${SECRETS}/fixed`, { immutable: false }, MERGE), 'immutable');
    await refused(call('PATCH', `${SECRETS}/fixed`, { stringData: { a: '2' } }, MERGE), 'data');
    expect((await call('PATCH', `${SECRETS}/fixed`, { metadata: { labels: { a: 'b' } } }, MERGE)).status).to.equal(200);
  });

  it('are selected by type, and applied by several managers, each with its keys', async () => {
    const apply = (manager: string, data: object) =>
      call('PATCH', `${SECRETS}/shared?fieldManager=${manager}`, secret('shared', { data }), APPLY);
    expect((await apply('one', { a: base64('1') })).status).to.equal(201);
    expect((await apply('two', { b: base64('2') })).status).to.equal(200);
    expect((await apply('two', { a: base64('3') })).status).to.equal(409);
    expect(((await apply('one', {})).json() as Held).data).to.deep.equal({ b: base64('2') });
    const { items } = (await call('GET', `${SECRETS}?fieldSelector=type%3Da/b`)).json();
    expect(items.map(({ metadata }) => metadata.name)).to.deep.equal(['fixed']);
  });

  const LAST = 'kubectl.kubernetes.io/last-applied-configuration';
  const dataOf = async (name: string) => ((await call('GET', `${SECRETS}/${name}`)).json() as Held).data;

  it('lose a key that is gone from the stringData of a configuration, and keep those of others', async () => {
    const apply = (manager: string, more: object) =>
      call('PATCH', `${SECRETS}/texts?fieldManager=${manager}`, secret('texts', more), APPLY);
    expect((await apply('one', { stringData: { a: '1', b: '2', c: '3' } })).status).to.equal(201);
    expect((await apply('two', { stringData: { c: '3' }, data: { d: 'eA' } })).status, 'the same value').to.equal(200);
    const again = await apply('two', { stringData: { c: '3' }, data: { d: 'eA' } });
    expect((await apply('one', { stringData: { a: '1' } })).status).to.equal(200);
    expect(await dataOf('texts')).to.deep.equal({ a: base64('1'), c: base64('3'), d: base64('x') });
    expect((await apply('one', { data: { a: base64('1') } })).status, 'moved to data').to.equal(200);
    const same = (await apply('two', { stringData: { c: '3' }, data: { d: 'eA==' } })).json() as Held;
    expect(same.metadata.resourceVersion).to.equal(
      (await call('GET', `${SECRETS}/texts`)).json().metadata.resourceVersion,
    );
    expect(again.text).to.not.include('stringData');
    expectStatus(await apply('two', { stringData: { a: 'other' } }), 409, 'Conflict', '.data.a');
    expectStatus(await apply('one', { stringData: { a: 1 } }), 422, 'Invalid', 'stringData.a');
    expectStatus(await apply('one', { stringData: ['a'] }), 400, 'BadRequest', '.stringData: expected map');
    expectStatus(await apply('one', { stringData: { a: 'x' }, data: { b: '!' } }), 422, 'Invalid', 'data.b');
    expect((await apply('one', { stringData: {} })).status).to.equal(200);
    expect(await dataOf('texts')).to.deep.equal({ c: base64('3'), d: base64('x') });
  });

  it('lose a key that kubectl apply removes from stringData, but none that moved to data or that others wrote', async () => {
    let last: object = {};
    /**
     * What kubectl sends: the new manifest in the annotation, and a null for each member that was in the one before.
     */
    const patched = async (manifest: object, patch: object, type = STRATEGIC): Promise<unknown> => {
      last = manifest;
      const annotations = { [LAST]: JSON.stringify(secret('kept', manifest)) };
      const answer = await call('PATCH', `${SECRETS}/kept`, { metadata: { annotations }, ...patch }, type);
      expect(answer.status, answer.text).to.equal(200);
      return dataOf('kept');
    };
    last = { stringData: { a: '1', b: '2', c: '3', d: '4' } };
    const annotations = { [LAST]: JSON.stringify(secret('kept', last)) };
    expect((await call('POST', SECRETS, secret('kept', last, { annotations }))).status).to.equal(201);
    expect((await call('PATCH', `${SECRETS}/kept`, { stringData: { mine: 'm' } }, MERGE)).status).to.equal(200);
    const [a, b, c, d, mine] = ['1', '2', '3', '4', 'm'].map(base64);
    const shorter = { stringData: { a: '1', b: '2', d: '4' } };
    expect(await patched(shorter, { stringData: { c: null } })).to.deep.equal({ a, b, d, mine });
    const moved = { stringData: { b: '2', d: '4' }, data: { a } };
    expect(await patched(moved, { stringData: { a: null } }), 'moved').to.deep.equal({ a, b, d, mine });
    const onlyData = { data: { a, b } };
    expect(await patched(onlyData, { stringData: null }, MERGE), 'all of it').to.deep.equal({ a, b, mine });
    const back = { data: { a, b, c } };
    expect(await patched(back, { data: { c }, stringData: null }), 'nothing left').to.deep.equal({ a, b, c, mine });
    const byHand = await call('PATCH', `${SECRETS}/kept`, { stringData: { mine: null, a: 'x' } }, MERGE);
    expect((byHand.json() as Held).data).to.deep.equal({ a: base64('x'), b, c });
  });

  it('are for administrators of the organization', async () => {
    for (const [uid, code] of [
      ['vera', 403],
      ['edith', 403],
      ['adam', 200],
    ] as const) {
      expect((await server().call('GET', `${SECRETS}/fixed`, { user: person(uid) })).status, uid).to.equal(code);
      expect((await server().call('GET', SECRETS, { user: person(uid) })).status, uid).to.equal(code);
    }
  });

  it('leave no digests in the records of apply sets, and are not in their plans', async () => {
    const objects = [secret('in-set', { stringData: { pin: '1234' } })];
    const body = { apiVersion: 'apply.svc.app/v1beta1', kind: 'ApplyRequest', spec: { objects } };
    const path = '/apis/apply.svc.app/v1beta1/namespaces/default/applysets/ops/apply?fieldManager=x';
    const answer = await call('POST', path, body);
    expect(answer.status, answer.text).to.be.oneOf([200, 201]);
    expect(answer.text).to.not.contain('1234').and.not.contain(base64('1234'));
    const { reader } = server().api.registry;
    for (const { value } of reader.inNamespace('appliedmembers.internal.svc.app', 'default'))
      expect(Buffer.from(value).toString()).to.not.contain('pin');
  });
});

oneStore('ConfigMaps', (server) => {
  let next = 0;
  const post = (more: object) => server().call('POST', CONFIG_MAPS, { body: configMap(`c-${next++}`, more) });
  const refused = async (answer: Promise<Answer>, field: string): Promise<void> => {
    const { details } = expectStatus(await answer, 422, 'Invalid');
    expect(details.causes?.map((cause) => cause.field)).to.include(field);
  };

  it('hold texts and bytes by the rules of Kubernetes', async () => {
    const made = await post({ data: { a: 'text' }, binaryData: { b: 'AAEC' } });
    expect(made.json()).to.deep.include({ data: { a: 'text' }, binaryData: { b: 'AAEC' } });
    await refused(post({ data: { a: 'x' }, binaryData: { a: 'AAEC' } }), 'data[a]');
    await refused(post({ data: { 'a b': 'x' } }), 'data[a b]');
    await refused(post({ data: { a: 'x'.repeat(2 ** 20) }, binaryData: { b: 'AAEC' } }), '');
    const fixed = await post({ immutable: true, data: { a: '1' } });
    const path = `${CONFIG_MAPS}/${fixed.json().metadata.name}`;
    await refused(server().call('PATCH', path, { body: { data: { a: '2' } }, headers: MERGE }), 'data');
  });
});
