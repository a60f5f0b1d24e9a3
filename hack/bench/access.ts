/**
 * What authorization costs: a get and a list of 10,000 folders, for the administrator and for callers with grants. Run:
 * npx tsx hack/bench/access.ts With the argument `private`, there are 20,000 folders more in chains of four, of which
 * 10,000 are private, at all levels.
 */
import { grantSource } from '../../apis/authorization/grants.js';
import type { ApisEnvironment } from '../../apis/environment.js';
import { ACCESS, kinds as allKinds } from '../../apis/kinds.js';
import { AUTHENTICATED_GROUP, MASTERS_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import { canonicalJson } from '../../pkg/kube/json/canonical.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { createAuthorizer } from '../../registry/authorization/permission-authorizer.js';
import { entryAttributes } from '../../registry/kinds/authorizer.js';
import { objectKey, resourceDefinition } from '../../registry/kinds/registry.js';
import { Reader } from '../../registry/read/reader.js';
import { encodeText } from '../../storage/state/codec.js';
import { entryOf } from '../../storage/state/entry.js';
import { State } from '../../storage/state/state.js';
import { median } from './median.js';

const FOLDER_COUNT = 10_000;
const GRANT_COUNT = 200;
const CHILDREN = 9;
const ROUNDS = 30;
const GETS = 200_000;

const environment: ApisEnvironment = {
  domain: 'svc.app',
  access: ACCESS,
  features: { nestedFolders: true, alerting: true, queryHistory: true, maxFolderDepth: 4 },
  compatibility: 'specification',
  passwords: { minLength: 4, refusesCommon: true },
  signOn: { given: {}, secretKey: () => 'a secret key of the benchmark' },
  queryHistoryRetention: 14 * 24 * 3_600_000,
};
const kinds = allKinds(environment);
const authorizer = createAuthorizer(kinds, grantSource({ ...environment, anonymousRole: 'None' }));
const kindNamed = (name: string) => {
  const kind = kinds.find((one) => one.kind === name);
  if (kind === undefined) throw new Error(`there is no kind ${name}`);
  return kind;
};

const draft = new State(0).draft();
let revision = 0;
function put(kindName: string, name: string, spec: unknown, annotations?: Readonly<Record<string, string>>): void {
  const kind = kindNamed(kindName);
  const namespace = kind.scope === 'Cluster' ? '' : 'default';
  const metadata = { name, ...(namespace === '' ? {} : { namespace }), ...(annotations && { annotations }) };
  const object: KubeObject = { apiVersion: kind.apiVersion, kind: kind.kind, metadata, spec };
  revision++;
  const key = objectKey(kind, namespace, name);
  draft.put(
    kind.qualified,
    entryOf(resourceDefinition(kind), key, revision, encodeText(canonicalJson(object), revision)),
  );
}

function addCaller(uid: string, role: string): UserInfo {
  put('User', uid, { login: uid, email: `${uid}@example.com`, name: '', disabled: false, grafanaAdmin: false });
  put('OrganizationBinding', uid, { userRef: { name: uid }, role });
  return { name: uid, uid, groups: [AUTHENTICATED_GROUP], extra: {} };
}

/** Every tenth folder is at the root and holds the nine that follow it. */
const nameOf = (i: number): string => `folder-${String(i).padStart(5, '0')}`;
for (let i = 0; i < FOLDER_COUNT; i++) {
  const top = i - (i % (CHILDREN + 1));
  put('Folder', nameOf(i), { title: `Folder ${i}` }, top === i ? undefined : { 'svc.app/folder': nameOf(top) });
}
if (process.argv.includes('private')) {
  const LEVELS = 4;
  for (let i = 0; i < 2 * FOLDER_COUNT; i++) {
    const [level, chain] = [i % LEVELS, Math.floor(i / LEVELS)];
    const isPrivate = level === chain % LEVELS || level === (chain + 1) % LEVELS;
    put(
      'Folder',
      `inner-${i}`,
      { title: `Inner ${i}` },
      {
        ...(level > 0 && { 'svc.app/folder': `inner-${i - 1}` }),
        ...(isPrivate && { 'svc.app/basic-roles': 'none' }),
      },
    );
  }
}
const callers: Readonly<Record<string, UserInfo>> = {
  administrator: { name: 'admin', uid: 'admin', groups: [MASTERS_GROUP], extra: {} },
  viewer: addCaller('vera', 'Viewer'),
  'viewer with 200 grants': addCaller('vic', 'Viewer'),
  'member with 200 grants': addCaller('norm', 'None'),
};
for (const uid of ['vic', 'norm']) {
  for (let i = 0; i < GRANT_COUNT; i++) {
    const folder = nameOf(i * Math.floor(FOLDER_COUNT / GRANT_COUNT));
    const roleRef = { kind: 'BuiltIn', name: 'View' };
    put('RoleBinding', `${uid}-${i}`, { subject: { kind: 'User', name: uid }, roleRef, scope: { folder } });
  }
}
const state = draft.finish(revision, new Map());
const reader = new Reader(state);
const folders = kindNamed('Folder');
const resource = state.resource(folders.qualified);

/** Does what a list does: it collects the bytes of the objects that the caller may view. */
function list(user: UserInfo): number {
  const filter = authorizer.readFilter({ user, verb: 'list', kind: folders, namespace: 'default' }, reader);
  const chunks: Uint8Array[] = [];
  for (const entry of resource.entries(`${folders.qualified}/`, `${folders.qualified}0`)) {
    if (filter.allows(entry)) chunks.push(entry.value);
  }
  Buffer.concat(chunks);
  return chunks.length;
}

for (const [name, user] of Object.entries(callers)) {
  const times: number[] = [];
  let seen = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.hrtime.bigint();
    seen = list(user);
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
  }
  const entry = resource.get(objectKey(folders, 'default', nameOf(1)));
  if (entry === undefined) throw new Error('the folder is not there');
  const start = process.hrtime.bigint();
  for (let i = 0; i < GETS; i++) {
    const object = entryAttributes(entry);
    authorizer.authorize({ user, verb: 'get', kind: folders, namespace: 'default', name: nameOf(1), object }, reader);
  }
  const each = Number(process.hrtime.bigint() - start) / 1e3 / GETS;
  const cold: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const fresh = grantSource({ ...environment, anonymousRole: 'None' });
    const began = process.hrtime.bigint();
    fresh.resolve(user, reader).grants('default').scopesOf('folders:read');
    cold.push(Number(process.hrtime.bigint() - began) / 1e3);
  }
  process.stdout.write(
    `${name.padEnd(24)} list ${median(times).toFixed(2)} ms (${seen} seen), check of a get ${each.toFixed(2)} µs, grants worked out anew ${median(cold).toFixed(0)} µs\n`,
  );
}
