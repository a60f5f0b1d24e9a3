import { expect } from 'chai';
import fc from 'fast-check';
import { legacyRoutesOf } from '../harness/legacy-routes.js';
import { oneStore } from '../harness/stores.js';
import { legacyOf } from './legacy.js';

const RUNS = 1000;
/** Routes for passwords are left out, because each hash takes a tenth of a second. */
const SLOW = 'password';

const text = fc.oneof(
  fc.constantFrom('', 'a', 'A@example.com', 'general', 'Viewer', 'Admin', 'View', 'dark', '__proto__', '.*', ' x '),
  fc.string({ unit: 'grapheme-composite', maxLength: 12 }),
  fc.constant('x'.repeat(300)),
);
const number = fc.oneof(fc.integer({ min: -1, max: 5 }), fc.constantFrom(1.5, 1e300, 2 ** 53, 99_999));
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const strange = fc.constantFrom<unknown>({ $gt: '' }, [], [[]], { a: { $ne: null } }, 'x'.repeat(10_000));
const item = fc.dictionary(fc.constantFrom('userId', 'teamId', 'role', 'builtInRole', 'permission'), scalar);
const field = fc.constantFrom(
  ...['title', 'uid', 'parentUid', 'version', 'overwrite', 'name', 'email', 'login', 'theme', 'timezone', 'role'],
  ...['userId', 'permission', 'members', 'admins', 'items', 'permissions', 'loginOrEmail', 'authTokenId', 'city'],
  ...['homeDashboardId', 'homeDashboardUID', 'weekStart', 'navbar', 'queryHistory', 'isDisabled', 'secondsToLive'],
);
const value = fc.oneof({ weight: 6, arbitrary: scalar }, strange, fc.array(text, { maxLength: 3 }), fc.array(item));
const body = fc.oneof(
  { weight: 8, arbitrary: fc.dictionary(field, value, { maxKeys: 5 }) },
  fc.constantFrom<unknown>('', '{', '[]', 'null', '"x"', '{"__proto__":{"a":1}}', '['.repeat(5000)),
);
const query = fc.dictionary(
  fc.constantFrom('page', 'perpage', 'limit', 'sort', 'query', 'query[$ne]', 'name', 'teamId', 'parentUid', 'orgId'),
  fc.oneof(text, fc.constantFrom('0', '-1', '1', '2', '1e3', 'login-asc', 'name-desc,email-asc')),
  { maxKeys: 3 },
);
/** Values for the parameters of a path. */
const segment = fc.oneof(
  fc.constantFrom('1', '2', '3', '0', '-1', '1e3', '99999999999999999999', 'a', 'b', '%', '%00', 'a%2Fb', '__proto__'),
  fc.string({ unit: 'grapheme-composite', minLength: 1, maxLength: 8 }).map((name) => encodeURIComponent(name)),
);

oneStore('any route of the legacy API with any parameters, query and body', (server) => {
  const { ask, call } = legacyOf(server);
  before(async () => {
    for (const uid of ['a', 'b']) await ask(200, 'POST', '/folders', { uid, title: uid });
    for (const name of ['one', 'two']) await ask(200, 'POST', '/teams', { name });
  });

  it('never answers 5xx, and changes nothing if it refuses', async function fuzz() {
    this.timeout(300_000);
    const routes = legacyRoutesOf(server()).filter(({ path }) => !path.includes(SLOW));
    const statuses = new Map<number, number>();
    const target = fc.tuple(fc.constantFrom(...routes), fc.array(segment, { minLength: 3, maxLength: 3 }));
    await fc.assert(
      fc.asyncProperty(target, query, body, async ([{ method, path }, segments], parameters, content) => {
        const where = filled(path, segments);
        const before = await server().end();
        const options = { query: parameters, ...(method === 'GET' ? {} : { body: content }) };
        const answer = await call(method, where, options);
        const what = `${method} ${where}: ${answer.text} ${answer.failure}`;
        expect(answer.status, what).to.be.below(500);
        expect(JSON.parse(answer.text), what).to.be.an(Array.isArray(JSON.parse(answer.text)) ? 'array' : 'object');
        if (answer.status >= 400) {
          expect(JSON.parse(answer.text).message, what).to.be.a('string').and.not.to.equal('');
          expect(await server().end(), what).to.equal(before);
        }
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }),
      { numRuns: RUNS },
    );
    expect([...statuses.keys()], 'the statuses of the answers').to.include.members([200, 400, 404]);
  });
});

function filled(path: string, segments: readonly string[]): string {
  let next = 0;
  return path.replaceAll(/:[a-zA-Z]+/g, () => segments[next++] ?? 'a');
}
