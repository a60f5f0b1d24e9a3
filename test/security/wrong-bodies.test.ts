import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../pkg/system/testing/runs.js';
import { openMemory } from '../../storage/memory/backend.js';
import { type Route, routesOf } from '../fuzz/legacy-requests.js';
import { Markers } from '../fuzz/markers.js';
import { type Operation, operationsOf } from '../fuzz/operations.js';
import { type Beginning, makeBeginning, openWorld, type World } from '../fuzz/world.js';
import type { Body } from '../harness/body.js';
import { answerWithTurns, expectBounded } from './short-answer.js';
import { type Wrong, wrongValues } from './wrong-values.js';

/**
 * Bodies of each API. `EFFORT=20` tries many, and SEED repeats a run. With fewer than 30, less than half of them are
 * refused in some runs.
 */
const RUNS = Math.max(30, runs(30));
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

/** Nearly the limit of a body, and less, because the largest take long. */
const SIZES = fc.constantFrom(20_000, 200_000, 200_000, 1_000_000, 2_900_000);

/** From this size on, others get their turns (docs/security.md). */
const YIELDING = 64 * 1024;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly type: string;
  readonly query: Readonly<Record<string, string>>;
  readonly how: string;
  /** Whether the type of a member of the spec is another one, so that the server must refuse it. */
  readonly isRefused: boolean;
}

const MERGE = 'application/merge-patch+json';
const APPLY = 'application/apply-patch+yaml';
const JSON_PATCH = 'application/json-patch+json';
const JSON_TYPE = 'application/json';

/** Bodies for the operations that read an object: one member of it is wrong. */
function objectBodies(operations: readonly Operation[], { stored }: Beginning): fc.Arbitrary<Sent> {
  const writes = operations.filter(
    ({ method, schema, type }) =>
      ['POST', 'PUT'].includes(method) && schema?.properties !== undefined && 'kind' in type,
  );
  return fc.oneof(...writes.map((operation) => bodiesOf(operation, stored.get(operation.resource) ?? [])));
}

function bodiesOf({ method, template, schema = {}, type }: Operation, objects: readonly Body[]): fc.Arbitrary<Sent> {
  const [object] = objects;
  const names = Object.keys(schema.properties ?? {}).filter((name) => name !== 'apiVersion' && name !== 'kind');
  const member = fc.oneof(
    fc.constantFrom(...names),
    ...(names.includes('spec') ? [{ weight: 4, arbitrary: fc.constant('spec') }] : []),
  );
  const wrong = fc
    .tuple(member, SIZES)
    .chain(([name, bytes]) => wrongValues(schema.properties?.[name] ?? {}, bytes).map((found) => ({ name, ...found })));
  const forms = method === 'POST' ? [JSON_TYPE] : [JSON_TYPE, MERGE, APPLY, JSON_PATCH];
  return fc
    .record({ wrong, form: fc.constantFrom(...forms), fieldValidation: fc.constantFrom('Strict', 'Warn', 'Ignore') })
    .map(({ wrong: { name, value, how, isOfOtherType }, form, fieldValidation }) => {
      const metadata = { name: method === 'POST' ? 'wrong' : object?.metadata.name };
      const base = form === MERGE ? {} : form === APPLY ? { ...type, metadata } : { ...object, ...type, metadata };
      const changed = name === 'metadata' && typeof value === 'object' ? { ...metadata, ...value } : value;
      const patch = [{ op: 'add', path: `/${name}`, value }];
      return {
        method: form === JSON_TYPE ? method : 'PATCH',
        path: template
          .replace('{namespace}', object?.metadata.namespace ?? 'default')
          .replace('{name}', encodeURIComponent(object?.metadata.name ?? 'a')),
        body: form === JSON_PATCH ? patch : { ...base, [name]: changed },
        type: form,
        query: { dryRun: 'All', fieldValidation, ...(form === APPLY && { fieldManager: 'wrong', force: 'true' }) },
        how: `${name} ${how}`,
        // Subresources ignore members that are not theirs.
        isRefused: name === 'spec' && isOfOtherType && !template.includes('{name}/'),
      };
    });
}

/** Bodies for the routes of the legacy API. They have no dry runs. */
function legacyBodies(routes: readonly Route[]): fc.Arbitrary<Sent> {
  const writes = routes.flatMap(({ schema, ...route }) => (schema === undefined ? [] : [{ ...route, schema }]));
  return fc.oneof(
    ...writes.map(({ method, path, schema }) =>
      SIZES.chain((bytes) => wrongValues(schema, bytes)).map(
        ({ value, how }: Wrong): Sent => ({
          method,
          path: path.replace(/:[a-zA-Z]+/g, (name) => (/uid/i.test(name) ? 'c' : '1')),
          body: value,
          type: JSON_TYPE,
          query: {},
          how,
          isRefused: false,
        }),
      ),
    ),
  );
}

describe(`bodies that are wrong in a random place, and large (SEED=${seed})`, function suite() {
  this.timeout(600_000);
  const bodies: Record<string, fc.Arbitrary<Sent>> = {};
  let world: World;

  before(async () => {
    let beginning: Beginning | undefined;
    await makeBeginning(seed, async (server, made) => {
      beginning = made;
      bodies['the resource API'] = objectBodies(await operationsOf(server), made);
      bodies['the legacy API'] = legacyBodies(await routesOf(server));
    });
    world = await openWorld(beginning as Beginning, openMemory(), new Markers(`wrong ${seed}`));
  });
  after(() => world.close());

  for (const api of ['the resource API', 'the legacy API'])
    it(`get a short answer from ${api} and no 5xx, and others get their turns`, async () => {
      const statuses: number[] = [];
      const property = fc.asyncProperty(
        (bodies[api] ?? fc.constant(undefined as never)).map(named),
        async ({ sent }) => {
          statuses.push(await expectShort(world, sent));
        },
      );
      await fc.assert(property, { numRuns: RUNS, seed, endOnFailure: true });
      expect(statuses.filter((status) => status >= 400).length, 'refused').to.be.above(RUNS / 2);
    });
});

/** A failed property shows its values, and these are too large to read. */
const named = (sent: Sent) => ({ sent, [fc.toStringMethod]: () => `${sent.method} ${sent.path}: ${sent.how}` });

async function expectShort(
  { server }: World,
  { method, path, body, type, query, how, isRefused }: Sent,
): Promise<number> {
  const name = `${method} ${path} ${type} ${JSON.stringify(query)}: ${how}`;
  const text = Buffer.from(JSON.stringify(body));
  const { answer, turns } = await answerWithTurns(server, method, path, {
    body: text,
    headers: { 'content-type': type },
    query,
  });
  expect(answer.status, `${name} ${answer.text.slice(0, 500)} ${answer.failure}`).to.be.below(500);
  if (text.length >= YIELDING) expect(turns, name).to.be.above(1);
  if (answer.status >= 400) expectBounded(answer);
  else expect(isRefused, `${name} was accepted`).to.equal(false);
  return answer.status;
}
