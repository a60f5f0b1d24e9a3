import { expect } from 'chai';
import { KubectlMissing } from '../../hack/kubectl.js';
import { DEFINITIONS, definitionOf, SPEC, versionOf } from '../custom/definition.js';
import { startServer, type TestServer } from '../e2e/harness.js';
import { SERVER_STORES, storeSettings } from '../e2e/stores.js';

type Answer = Awaited<ReturnType<TestServer['client']['request']>>;
/** Sends a request to one of two servers, or on a new connection to one of two workers. */
type Ask = (side: 0 | 1, method: string, path: string, body?: unknown, type?: string) => Promise<Answer>;

const GROUP = '/apis/example.com/v1';
const NAMESPACE = `${GROUP}/namespaces/default`;
const MERGE = 'application/merge-patch+json';
const ROUNDS = 10;

const askOf =
  (servers: () => readonly [TestServer, TestServer]): Ask =>
  (side, method, path, body, type = 'application/json') =>
    servers()[side].client.request(method, path, {
      ...(body !== undefined && { body, headers: { 'content-type': type } }),
    });

function sharing(ask: Ask, suite: string): void {
  const made = async (round: number): Promise<{ name: string; plural: string; kind: string }> => {
    const [plural, kind] = [`${suite}x${round}s`, `${suite}X${round}`];
    const answer = await ask(0, 'POST', DEFINITIONS, definitionOf({ plural, kind, words: {} }));
    expect(answer.status, answer.text).to.equal(201);
    return { name: `${plural}.example.com`, plural, kind };
  };
  const object = (kind: string, name: string, spec: object) => ({
    apiVersion: 'example.com/v1',
    kind,
    metadata: { name },
    spec,
  });

  it('serve a definition as soon as the other has acknowledged it', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { plural, kind } = await made(round);
      const written = await ask(1, 'POST', `${NAMESPACE}/${plural}`, object(kind, 'one', { title: 'One' }));
      expect(written.status, written.text).to.equal(201);
      expect((await ask(0, 'GET', `${NAMESPACE}/${plural}/one`)).text).to.equal(written.text);
    }
  });

  it('have it in discovery and OpenAPI as soon as the other has acknowledged it', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const first = await made(100 + 10 * round);
      expect((await ask(1, 'GET', GROUP)).text).to.include(`"${first.plural}"`);
      const second = await made(101 + 10 * round);
      expect((await ask(1, 'GET', '/openapi/v3/apis/example.com/v1')).text).to.include(second.kind);
      const before = (await ask(1, 'GET', '/openapi/v3')).text;
      await made(102 + 10 * round);
      expect((await ask(1, 'GET', '/openapi/v3')).text).to.not.equal(before);
    }
  });

  it('check an object by the schema that the other has just changed', async () => {
    const { name, plural, kind } = await made(200);
    for (let round = 0; round < ROUNDS; round++) {
      const properties = SPEC['properties'] as Record<string, object>;
      const spec = { ...SPEC, properties: { ...properties, size: { type: 'integer', maximum: round } } };
      const versions = [versionOf('v1', spec)];
      const changed = await ask((round % 2) as 0 | 1, 'PATCH', `${DEFINITIONS}/${name}`, { spec: { versions } }, MERGE);
      expect(changed.status, changed.text).to.equal(200);
      const other = ((round + 1) % 2) as 0 | 1;
      const write = (size: number) =>
        ask(other, 'POST', `${NAMESPACE}/${plural}`, object(kind, `r${round}-${size}`, { title: 'x', size }));
      expect((await write(round + 1)).status, `round ${round}`).to.equal(422);
      expect((await write(round)).status, `round ${round}`).to.equal(201);
    }
  });

  it('let one of two changes of the same state win, and answer the other with 409', async () => {
    const { name } = await made(300);
    for (let round = 0; round < ROUNDS; round++) {
      const old = (await ask(0, 'GET', `${DEFINITIONS}/${name}`)).json<{ metadata: object; spec: object }>();
      const change = (side: 0 | 1) => {
        const names = { ...(old.spec as { names: object }).names, categories: [`c${round}-${side}`] };
        return ask(side, 'PUT', `${DEFINITIONS}/${name}`, { ...old, spec: { ...old.spec, names } });
      };
      const statuses = (await Promise.all([change(0), change(1)])).map(({ status }) => status);
      expect(statuses.sort(), `round ${round}`).to.deep.equal([200, 409]);
    }
  });

  it('take one of many definitions with the same name', async () => {
    const body = definitionOf({ plural: `${suite}ones`, kind: `${suite}One`, words: {} });
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => ask((i % 2) as 0 | 1, 'POST', DEFINITIONS, body)),
    );
    expect(answers.filter(({ status }) => status === 201)).to.have.lengthOf(1);
    expect(answers.filter(({ status }) => status === 409)).to.have.lengthOf(15);
  });

  it('delete the objects of a definition that the other deletes, and accept it again', async () => {
    const { name, plural, kind } = await made(400);
    await ask(0, 'POST', `${NAMESPACE}/${plural}`, object(kind, 'one', { title: 'One' }));
    expect((await ask(1, 'DELETE', `${DEFINITIONS}/${name}`)).status).to.equal(200);
    while ((await ask(0, 'GET', `${DEFINITIONS}/${name}`)).status !== 404);
    expect((await ask(1, 'GET', `${NAMESPACE}/${plural}`)).status).to.equal(404);
    await made(400);
    const list = (await ask(1, 'GET', `${NAMESPACE}/${plural}`)).json<{ items: readonly unknown[] }>();
    expect(list.items).to.deep.equal([]);
  });
}

/** Tests that kubectl on the second server sees a definition that was created on the first one. */
function forKubectl(servers: () => readonly [TestServer, TestServer], suite: string): void {
  it('explain and print it by kubectl', async function explaining() {
    const [a, b] = servers();
    const kubectl = await b.kubectl().catch((error: unknown) => {
      if (error instanceof KubectlMissing) return this.skip();
      throw error;
    });
    const [plural, kind] = [`${suite}talls`, `${suite}Tall`];
    const definition = definitionOf({ plural, kind, words: {} });
    expect((await a.client.request('POST', DEFINITIONS, { body: definition })).status).to.equal(201);
    expect(await kubectl.ok(['explain', `${plural}.spec.size`])).to.match(/FIELD: size <integer>/);
    const body = { apiVersion: 'example.com/v1', kind, metadata: { name: 'one' }, spec: { title: 'Title of one' } };
    expect((await a.client.request('POST', `${NAMESPACE}/${plural}`, { body })).status).to.equal(201);
    expect(await kubectl.ok(['get', plural])).to.match(/NAME +TITLE +PHASE +AGE\none +Title of one/);
  });
}

if (SERVER_STORES.includes('mongodb')) {
  describe('two servers on one database with definitions', function () {
    this.timeout(240_000);
    let both: readonly [TestServer, TestServer];
    before(async function () {
      const settings = await storeSettings(this, 'mongodb');
      both = await Promise.all([startServer({ settings }), startServer({ settings })]);
    });
    after(() => Promise.all((both ?? []).map((server) => server.stop())));
    sharing(
      askOf(() => both),
      'two',
    );
    forKubectl(() => both, 'two');
  });
}

for (const store of SERVER_STORES) {
  describe(`two workers with definitions (${store})`, function () {
    this.timeout(120_000);
    let server: TestServer;
    before(async function () {
      server = await startServer({ settings: { ...(await storeSettings(this, store)), 'server.workers': '2' } });
    });
    after(() => server?.stop());
    sharing(
      askOf(() => [server, server]),
      'workers',
    );
    forKubectl(() => [server, server], 'workers');
  });
}
