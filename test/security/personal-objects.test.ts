import { expect } from 'chai';
import { kinds } from '../../apis/kinds.js';
import { environmentWith } from '../../apis/test-environment.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { addPeople, person } from '../access/people.js';
import { writesOf } from '../access/writes.js';
import { oneStore } from '../harness/stores.js';

const KIB = 1024;
const MEMBER = person('norm');
const text = (bytes: number): string => 'z'.repeat(bytes);

interface Personal {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly spec: object;
  readonly most: number;
}

const PERSONAL: Readonly<Record<string, Personal>> = {
  Preferences: {
    path: '/apis/preferences.svc.app/v1beta1/namespaces/default/preferences',
    apiVersion: 'preferences.svc.app/v1beta1',
    kind: 'Preferences',
    name: 'user-norm',
    spec: { theme: 'dark' },
    most: 64 * KIB,
  },
  Stars: {
    path: '/apis/collections.svc.app/v1beta1/namespaces/default/stars',
    apiVersion: 'collections.svc.app/v1beta1',
    kind: 'Stars',
    name: 'user-norm',
    spec: { resource: [] },
    most: 128 * KIB,
  },
  QueryHistory: {
    path: '/apis/queryhistory.svc.app/v1beta1/namespaces/default/queryhistories',
    apiVersion: 'queryhistory.svc.app/v1beta1',
    kind: 'QueryHistory',
    name: 'mine',
    spec: { datasourceUid: 'x', queries: [] },
    most: 96 * KIB,
  },
};

describe('The kinds that somebody without a role may write', () => {
  /** Whether a caller may write any object of the kind for themselves. */
  const isOwnWritable = (kind: ReturnType<typeof kinds>[number]): boolean =>
    ['create', 'update'].some((verb) =>
      ['me', 'user-me', 'default'].some((name) => {
        const stub = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name, namespace: 'default' } };
        return kind.permissions?.allowSelf?.(stub, person('me'), verb) === true;
      }),
    );

  it('have a bound on the bytes of their objects', () => {
    const own = kinds(environmentWith({ queryHistory: true })).filter(isOwnWritable);
    expect(own.map(({ kind }) => kind).toSorted()).to.deep.equal(Object.keys(PERSONAL).toSorted());
    for (const { kind, maxBytes } of own) expect(maxBytes, kind).to.equal(PERSONAL[kind]?.most);
  });
});

oneStore(
  'A personal object',
  (server) => {
    const { refused, inLegacy } = writesOf(server);
    const merge = { 'content-type': 'application/merge-patch+json' };
    const jsonPatch = { 'content-type': 'application/json-patch+json' };
    const apply = { 'content-type': 'application/apply-patch+yaml' };
    const as = (method: string, path: string, body: object, headers = {}, user: UserInfo = MEMBER) =>
      server().call(method, path, { user, body, headers });
    const tooLarge = async (tried: Parameters<typeof refused>[0]): Promise<void> => {
      expect((await refused(tried, 413)).text).to.match(/bytes with its metadata, and at most \d+ are stored/);
    };

    before(() => addPeople(server()));

    for (const [kind, { path, apiVersion, name, spec, most }] of Object.entries(PERSONAL)) {
      const own = `${path}/${name}`;
      const object = (metadata: object, more: object = spec) => ({
        apiVersion,
        kind,
        metadata: { name, ...metadata },
        spec: more,
      });
      const large = [{ annotations: { a: text(most) } }, { labels: labelsOf(most) }];

      // Promise: security work
      it(`${kind} has at most ${most} bytes, whatever they are and however it is written`, async () => {
        for (const metadata of large) {
          await tooLarge(() => as('POST', path, object(metadata)));
          await tooLarge(() => as('PATCH', `${own}?fieldManager=m&force=true`, object(metadata), apply));
        }
        expect((await as('POST', path, object({ annotations: { a: 'x' } }))).status).to.equal(201);
        for (const metadata of large) {
          await tooLarge(() => as('PUT', own, object(metadata)));
          await tooLarge(() => as('PATCH', own, { metadata }, merge));
          await tooLarge(() => as('PATCH', `${own}?dryRun=All`, { metadata }, merge));
          await tooLarge(() => as('PATCH', `${own}?fieldManager=m&force=true`, object(metadata), apply));
        }
        const copies = Array.from({ length: 8 }, (_, i) => ({
          op: 'copy',
          from: '/metadata/annotations/a',
          path: `/metadata/annotations/a${i}`,
        }));
        const first = { op: 'add', path: '/metadata/annotations/a', value: text(most / 6) };
        await tooLarge(() => as('PATCH', own, [first, ...copies], jsonPatch));
      });

      it(`${kind} may be of ordinary size, and the same bound holds for administrators`, async () => {
        const half = { annotations: { a: text(most / 2) } };
        expect((await as('PATCH', own, { metadata: half }, merge)).status).to.equal(200);
        await tooLarge(() => server().call('PATCH', own, { body: { metadata: large[0] }, headers: merge }));
        expect((await as('DELETE', own, {})).status).to.equal(200);
      });
    }

    it('has the same bound in the legacy API', async () => {
      const cookies = { cookiePreferences: { analytics: { a: text(70 * KIB) } } };
      for (const method of ['PUT', 'PATCH'])
        await tooLarge(() => inLegacy(MEMBER, method, '/user/preferences', cookies));
      const query = { datasourceUid: 'x', queries: [{ expr: 'é'.repeat(60 * KIB) }] };
      await tooLarge(() => inLegacy(MEMBER, 'POST', '/query-history', query));
    });
  },
  { features: { queryHistory: true } },
);

oneStore(
  'All personal objects of a user together',
  (server) => {
    const { refused, inLegacy } = writesOf(server);
    const merge = { 'content-type': 'application/merge-patch+json' };
    const item = (bytes: number) => ({ datasourceUid: 'x', queries: [{ expr: text(bytes) }] });
    const history = PERSONAL['QueryHistory'] as Personal;
    const stars = PERSONAL['Stars'] as Personal;
    const create = ({ path, apiVersion, kind, spec }: Personal, name: string, more: object, user = MEMBER) =>
      server().call('POST', path, { user, body: { apiVersion, kind, metadata: { name, ...more }, spec } });
    const patch = (name: string, metadata: object, user = MEMBER, query = '') =>
      server().call('PATCH', `${history.path}/${name}${query}`, { user, body: { metadata }, headers: merge });
    const note = (bytes: number) => ({ annotations: { a: text(bytes) } });
    const tooMuch = async (tried: Parameters<typeof refused>[0]): Promise<void> => {
      const { text: body } = await refused(tried, 403);
      expect(body).to.match(/exceeded quota: all personal objects of a user \(.*QueryHistory.*\) take at most 204800/);
      expect(body).to.contain('limits.personal_bytes');
    };

    before(async () => {
      await addPeople(server());
      for (const name of ['a', 'b']) expect((await create(history, name, note(80 * KIB))).status).to.equal(201);
    });

    it('have a bound, whatever kinds they are of, by both APIs and all verbs', async () => {
      await tooMuch(() => create(history, 'c', note(50 * KIB)));
      await tooMuch(() => create(stars, stars.name, note(50 * KIB)));
      await tooMuch(() => inLegacy(MEMBER, 'POST', '/query-history', item(50 * KIB)));
      expect((await create(history, 'c', {})).status).to.equal(201);
      await tooMuch(() => patch('c', note(50 * KIB)));
      await tooMuch(() => patch('c', note(50 * KIB), MEMBER, '?dryRun=All'));
    });

    it('have a bound of their owner, also if an administrator writes them', async () => {
      const admin = { headers: merge, body: { metadata: note(50 * KIB) } };
      await tooMuch(() => server().call('PATCH', `${history.path}/c`, admin));
      expect((await create(history, 'of-adam', note(80 * KIB), person('adam'))).status).to.equal(201);
    });

    it('count for what they are now: what is smaller or deleted is free again', async () => {
      expect((await patch('a', note(20 * KIB))).status).to.equal(200);
      expect((await patch('c', note(50 * KIB))).status).to.equal(200);
      await tooMuch(() => create(history, 'd', note(50 * KIB)));
      expect((await server().call('DELETE', `${history.path}/b`, { user: MEMBER })).status).to.equal(200);
      expect((await create(history, 'd', note(50 * KIB))).status).to.equal(201);
    });
  },
  {
    features: { queryHistory: true },
    writes: {
      budget: { burst: 2 ** 40, perSecond: 2 ** 40 },
      reserve: { bytes: 0 },
      historyBytes: 2 ** 30,
      personalBytes: 200 * KIB,
    },
  },
);

/** Labels of about so many bytes, in the largest form that they may have. */
function labelsOf(bytes: number): Readonly<Record<string, string>> {
  const domain = `${text(60)}.${text(60)}.${text(60)}.example.com`;
  const labels = Array.from({ length: Math.ceil(bytes / 250) }, (_, i) => [`${domain}/l${i}`, text(63)]);
  return Object.fromEntries(labels);
}
