import { expect } from 'chai';
import fc from 'fast-check';
import { integerOf } from '../../pkg/kube/json/exact.js';
import { parseJson } from '../../pkg/kube/json/parse.js';
import { runs } from '../../pkg/system/testing/runs.js';
import { type Defined, define, type TestVersion, versionOf } from '../custom/definition.js';
import type { Answer } from '../harness/answer.js';
import type { Body } from '../harness/body.js';
import { accepted, bodyOf, expectStatus, freshName } from '../harness/resource.js';
import type { CallOptions, Server } from '../harness/server.js';
import { eachStore, oneStore } from '../harness/stores.js';
import '../harness/seed.js';

const DASHBOARDS = '/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards';
const GROUP = 'numbers.example.com';
const MAX = 9223372036854775807n;
const LEAST = -9223372036854775808n;
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

const near = (power: bigint) =>
  fc.bigInt({ min: -2000n, max: 2000n }).map((offset) => BigInt.asIntN(64, power + offset));
/** Integers of 64 bits, of which most are at the places where something could round them. */
const int64 = fc.oneof(near(2n ** 53n), near(-(2n ** 53n)), near(2n ** 63n - 2001n), near(2001n - 2n ** 63n), near(0n));

const integer = { type: 'integer', format: 'int64' };
const VERSION: TestVersion = versionOf(
  'v1',
  {
    type: 'object',
    properties: {
      n: { ...integer, minimum: LEAST, maximum: MAX },
      least: integer,
      any: { 'x-kubernetes-preserve-unknown-fields': true },
      either: { 'x-kubernetes-int-or-string': true },
      double: { type: 'number' },
      preset: { ...integer, default: MAX },
      chosen: { ...integer, enum: [1, MAX, LEAST] },
      set: { type: 'array', 'x-kubernetes-list-type': 'set', items: integer },
      map: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['id'],
        items: { type: 'object', required: ['id'], properties: { id: integer, text: { type: 'string' } } },
      },
    },
    'x-kubernetes-validations': [{ rule: '!has(self.least) || self.n >= self.least', message: 'n must not be small' }],
  },
  {
    subresources: {},
    selectableFields: [{ jsonPath: '.spec.n' }],
    additionalPrinterColumns: [{ name: 'N', type: 'integer', jsonPath: '.spec.n' }],
  },
);

const json = (answer: Answer): Body => parseJson(accepted(answer, 200).text) as Body;
const digits = (value: unknown): bigint => integerOf(value as number | bigint);
const check = (property: (n: bigint) => Promise<void>, usual = 4): Promise<void> =>
  fc.assert(fc.asyncProperty(int64, property), {
    numRuns: runs(usual),
    endOnFailure: true,
    examples: [[MAX], [LEAST]],
  });

/** A custom kind for numbers, made when a test first asks. */
function numbersOn(server: () => Server, plural: string): () => Promise<Defined> {
  let made: Promise<Defined> | undefined;
  return () => {
    made ??= define(server, {
      plural,
      kind: 'Number',
      group: GROUP,
      words: { history: 'true', trash: 'true' },
      versions: [VERSION],
    });
    return made;
  };
}

eachStore('whole numbers of 64 bits', (server) => {
  const numbers = numbersOn(server, 'numbers');

  // Promise: contract 5.1
  it('are stored, listed, watched and read as they were sent, also after a restart', async () => {
    const { objects, object } = await numbers();
    const stored = new Map<string, bigint>();
    const watch = await objects.watch();
    await check(async (n) => {
      const name = freshName();
      const made = accepted(await objects.create(object(name, { n, any: [{ n }, `${n}`], set: [n], double: n })), 201);
      stored.set(name, n);
      expect(made.text).to.include(`"n":${n}`).and.include(`"double":${n}`).and.include('"preset":9223372036854775807');
      const frame = (await watch.next()) as unknown;
      expect(JSON.stringify(frame)).to.include(name);
    });
    const readAll = async (): Promise<void> => {
      const list = json(await objects.list());
      const yamlList = accepted(await objects.list({ headers: { accept: 'application/yaml' } }), 200).text;
      for (const [name, n] of stored) {
        const one = json(await objects.get(name));
        const listed = list.items.find(({ metadata }) => metadata.name === name);
        for (const { spec } of [one, listed as Body]) {
          expect(digits(spec['n']), name).to.equal(n);
          expect(spec['any'], name).to.deep.equal([{ n: spec['n'] }, `${n}`]);
          expect(spec['preset'], name).to.equal(MAX);
        }
        expect(accepted(await objects.list({ query: { fieldSelector: `spec.n=${n}` } }), 200).text).to.include(name);
        const yaml = accepted(await objects.get(name, { headers: { accept: 'application/yaml' } }), 200).text;
        expect(yaml, name).to.include(`\n  "n": ${n}\n`);
        expect(yamlList, name).to.include(`"n": ${n}\n`);
      }
    };
    await readAll();
    await server().restart();
    await readAll();
    await server().restart({ compact: true });
    await readAll();
  });

  it('are those of a dashboard in both APIs, in its versions and in the trash', async () => {
    await check(async (n) => {
      const name = freshName();
      const dashboard = { uid: name, title: name, panels: [{ id: 1, options: { max: n } }] };
      accepted(await server().call('POST', '/api/dashboards/db', { body: { dashboard } }), 200);
      const at = `${DASHBOARDS}/${name}`;
      const legacy = `/api/dashboards/uid/${name}`;
      const expectAll = async (): Promise<void> => {
        for (const path of [at, legacy, `${at}?pretty=true`])
          expect(accepted(await server().call('GET', path), 200).text.replaceAll(' ', ''), path).to.include(
            `"max":${n}`,
          );
      };
      await expectAll();
      const message = { 'content-type': 'application/merge-patch+json' };
      accepted(await server().call('PATCH', at, { headers: message, body: { spec: { description: 'x' } } }), 200);
      await expectAll();
      const history = accepted(await server().call('GET', `${at}/history`), 200);
      expect(history.status).to.equal(200);
      const versions = accepted(await server().call('GET', `${legacy}/versions/1`), 200);
      expect(versions.text).to.include(`"max":${n}`);
      accepted(await server().call('POST', `${legacy}/restore`, { body: { version: 1 } }), 200);
      await expectAll();
      accepted(await server().call('DELETE', legacy), 200);
      const trash = accepted(
        await server().call('GET', DASHBOARDS, { query: { labelSelector: 'svc.app/get-trash=true' } }),
        200,
      );
      expect(trash.text).to.include(`"max":${n}`);
    }, 2);
  });
});

oneStore('whole numbers of 64 bits, on one store,', (server) => {
  const numbers = numbersOn(server, 'moduli');
  const applied = (path: string, body: string | object, query: CallOptions['query'] = {}) =>
    server().call('PATCH', path, { headers: APPLY, body, query: { fieldManager: 'me', ...query } });

  // Promise: contract 5.1
  it('are changed by patches of each type, and found by a test', async () => {
    const { objects, object } = await numbers();
    await check(async (n) => {
      const name = freshName();
      const spec = async (): Promise<Body['spec']> => json(await objects.get(name)).spec;
      // A set has no value twice.
      const other = n === 1n ? 2 : 1;
      bodyOf(await objects.create(object(name, { n: 1, set: [other] })), 201);
      accepted(await objects.merge(name, { spec: { n, any: { n } } }), 200);
      expect(digits((await spec())['n'])).to.equal(n);
      const isThere = { op: 'test', path: '/spec/n', value: n };
      accepted(
        await objects.jsonPatch(name, [
          isThere,
          { op: 'copy', from: '/spec/n', path: '/spec/set/0' },
          { op: 'add', path: '/spec/either', value: n },
        ]),
        200,
      );
      expect((await spec())['set']).to.deep.equal([(await spec())['n'], other]);
      expect(digits((await spec())['either'])).to.equal(n);
      const next = n === MAX ? n - 1n : n + 1n;
      expectStatus(await objects.jsonPatch(name, [{ ...isThere, value: next }]), 422, 'Invalid');
      const before = json(await objects.get(name));
      accepted(await objects.put(name, { ...before, spec: { ...before.spec, n: next } }), 200);
      expect(digits((await spec())['n'])).to.equal(next);
    });
  });

  it('are keys of lists, and owned by those who apply them', async () => {
    const { objects, object } = await numbers();
    await check(async (n) => {
      const name = freshName();
      const other = n === MAX ? n - 1n : n + 1n;
      const item = (id: bigint, text: string) => ({ id, text });
      const set = (...ids: bigint[]) => object(name, { n, set: ids, map: ids.map((id) => item(id, 'a')) });
      accepted(await applied(objects.path(name), set(n, other)), 201);
      const first = json(await objects.get(name));
      accepted(await applied(objects.path(name), set(n, other)), 200);
      const second = json(await objects.get(name));
      expect(second.metadata.resourceVersion).to.equal(first.metadata.resourceVersion);
      const managed = JSON.stringify(second.metadata.managedFields);
      expect(managed).to.include(`v:${n}`).and.include(`k:{\\"id\\":${other}}`);
      const yaml = `apiVersion: ${GROUP}/v1\nkind: Number\nmetadata:\n  name: ${name}\nspec:\n  set:\n  - ${n}\n  map:\n  - id: ${n}\n    text: b\n`;
      expectStatus(
        await applied(objects.path(name), yaml, { fieldManager: 'you' }),
        409,
        'Conflict',
        `.spec.map[id=${n}].text`,
      );
      accepted(await applied(objects.path(name), yaml, { fieldManager: 'you', force: true }), 200);
      accepted(await applied(objects.path(name), set(n), { force: true }), 200);
      expect(accepted(await objects.get(name), 200).text).not.to.include(`"id":${other}`);
    }, 3);
  });

  it('are compared by the schema and its rules, and shown in tables', async () => {
    const { objects, object } = await numbers();
    const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    await check(async (n) => {
      const name = freshName();
      if (n < MAX)
        expectStatus(await objects.create(object(name, { n, least: n + 1n })), 422, 'Invalid', 'n must not be small');
      bodyOf(await objects.create(object(name, { n, least: n })), 201);
      const { rows } = json(await objects.get(name, { headers: table }));
      expect(rows[0]?.cells.some((cell) => cell !== null && String(cell) === `${n}`)).to.equal(true);
    });
    for (const chosen of [MAX, LEAST]) bodyOf(await objects.create(object(freshName(), { n: 1, chosen })), 201);
    const wrong = { chosen: MAX - 1n, n: 1 };
    expectStatus(
      await objects.create(object(freshName(), wrong)),
      422,
      'Invalid',
      'Unsupported value: 9223372036854775806',
    );
  });

  it('are limits of a schema, which says them in its documents', async () => {
    const limited = {
      type: 'object',
      properties: { n: { ...integer, maximum: MAX - 1n, minimum: -MAX, multipleOf: 3 } },
    };
    const made = await define(server, {
      plural: 'limits',
      kind: 'Limit',
      group: GROUP,
      words: {},
      versions: [versionOf('v1', limited, { selectableFields: [], subresources: {} })],
    });
    const { objects, object } = made;
    const text = 'should be less than or equal to 9223372036854775806';
    expectStatus(await objects.create(object(freshName(), { n: MAX })), 422, 'Invalid', text);
    expectStatus(
      await objects.create(object(freshName(), { n: LEAST })),
      422,
      'Invalid',
      'should be greater than or equal to -9223372036854775807',
    );
    expectStatus(
      await objects.create(object(freshName(), { n: MAX - 3n })),
      422,
      'Invalid',
      'should be a multiple of 3',
    );
    bodyOf(await objects.create(object(freshName(), { n: MAX - 1n })), 201);
    const document = accepted(await server().call('GET', `/openapi/v3/apis/${GROUP}/v1`), 200);
    expect(document.text).to.include('"maximum":9223372036854775806').and.include('"default":9223372036854775807');
    expect(accepted(await server().call('GET', '/openapi/v2'), 200).text).to.include('9223372036854775806');
    for (const member of ['maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties'])
      await define(server, {
        plural: `${member.toLowerCase()}s`,
        kind: member,
        group: GROUP,
        words: {},
        versions: [
          versionOf(
            'v1',
            { type: 'object', properties: { a: { type: 'string', [member]: MAX } } },
            { selectableFields: [], subresources: {} },
          ),
        ],
      });
  });

  it('are refused where a field is smaller, with the reason', async () => {
    const at = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: freshName() },
      spec: { leaseTransitions: MAX },
    };
    const answer = await server().call('POST', at, { body: lease });
    expect([400, 422], answer.text).to.include(answer.status);
    expect(answer.text)
      .to.include('leaseTransitions')
      .and.include(`the number ${MAX} is out of the range of this field`);
    const numbered = { ...lease, metadata: { name: freshName(), generation: MAX }, spec: { holderIdentity: '' } };
    expect(bodyOf(await server().call('POST', at, { body: numbered }), 201).metadata.generation).not.to.equal(MAX);
    const text = await server().call('POST', at, { body: { ...numbered, spec: { holderIdentity: MAX } } });
    expect(text.text).to.include('expected string, received number');
    const dashboard = { title: freshName(), uid: freshName() };
    const legacy = await server().call('POST', '/api/dashboards/db', { body: { dashboard, folderId: MAX } });
    expect(legacy.status, legacy.text).to.equal(400);
    expect(legacy.text).to.include(`folderId: the number ${MAX} is out of the range`);
  });

  it('are refused beyond 64 bits, with their path', async () => {
    const { objects, object } = await numbers();
    for (const number of ['9223372036854775808', '-9223372036854775809', '18446744073709551615', '1e400']) {
      const body = JSON.stringify(object(freshName(), { any: { v: 'N' } })).replace('"N"', number);
      expectStatus(await objects.create(body), 400, 'BadRequest', `spec.any.v: the number ${number} would be changed`);
    }
  });
});
