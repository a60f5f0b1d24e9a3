import { expect } from 'chai';
import { keyOf } from '../../storage/key.js';
import { openMemory } from '../../storage/memory/backend.js';
import type { Answer } from '../harness/answer.js';
import type { Body } from '../harness/body.js';
import { openServer, type Server } from '../harness/server.js';
import { addTeam, type Cast, castOn, IAM, internalId, PASSWORD, type Request } from '../permissions/cast.js';
import { EXAMPLES } from '../permissions/kinds-examples.js';
import type { Caller } from '../permissions/table.js';
import { applySets, folder } from '../resource-api/apply-sets.js';
import { SECRET_SENT } from './values.js';

/** Eight kinds of callers, from nobody to the operator of the server. */
export const KINDS_OF_CALLERS = [
  'anon',
  'outsider',
  'viewer',
  'editor',
  'admin',
  'botA',
  'root',
  'operator',
] as const satisfies readonly (Caller | 'operator')[];
export type KindOfCaller = (typeof KINDS_OF_CALLERS)[number];

/** A new server with callers and an object of each kind. Random requests change it, so it is made again from time to time. */
export interface World {
  readonly server: Server;
  /** The stored objects of all served kinds, by resource (`folders`). */
  readonly stored: ReadonlyMap<string, readonly Body[]>;
  send(caller: KindOfCaller, method: string, path: string, request: Request): Promise<Answer>;
  /** The first secret that the text contains. */
  secretIn(text: string): string | undefined;
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const server = await openServer(openMemory());
  const cast = await castOn(server);
  await seed(cast);
  const stored = await storedObjects(server);
  const hashes = storedSecrets(server);
  // Passwords of the persons, the token and the session.
  expect(hashes.length).to.be.greaterThan(8);
  const secrets = [PASSWORD, SECRET_SENT, '$scrypt$', ...hashes];
  return {
    server,
    stored,
    send: (caller, method, path, request) =>
      caller === 'operator' ? server.call(method, path, { ...request }) : cast.call(caller, method, path, request),
    secretIn: (text) => secrets.find((secret) => text.includes(secret)),
    close: () => server.close(),
  };
}

/** An object of each kind, and a session and a token, whose secrets no answer may contain. */
async function seed(cast: Cast): Promise<void> {
  const { accounts, made, server } = cast;
  for (const name of ['a', 'b', 'c']) await made('folder.svc.app/v1beta1', 'Folder', name, { title: name });
  await addTeam(cast);
  for (const kind of server.api.registry.kinds) {
    const example = EXAMPLES[kind.kind];
    if (example === undefined || !kind.verbs.includes('create')) continue;
    const { name, spec, annotations, members } = await example.draft({ cast, caller: 'editor', verb: 'create' });
    await made(kind.apiVersion, kind.kind, name, spec, { members, ...(annotations && { annotations }) });
  }
  await addApplySet(server);
  const account = await made(IAM, 'ServiceAccount', 'seeded', { title: 'seeded', role: 'Viewer' });
  const path = `/api/serviceaccounts/${internalId(account)}/tokens`;
  const token = await server.call('POST', path, { body: { name: 'seeded' } });
  expect(token.status, token.text).to.equal(200);
  const viewer = { name: 'viewer', uid: 'viewer', groups: [], extra: {} };
  await accounts.sessions.open(viewer, { clientIp: '192.0.2.1', userAgent: undefined });
}

/** An apply set with members, so that requests change and delete what it has applied. */
async function addApplySet(server: Server): Promise<void> {
  const objects = ['a', 'b', 'c'].map((name) => folder(name, name));
  const applied = await applySets(() => server).apply('seeded', objects, { query: { force: true } });
  expect(applied.status, applied.text).to.equal(201);
}

/** The secret parts of the objects that the server keeps for itself: hashes of passwords, tokens and sessions. */
function storedSecrets({ api: { registry } }: Server): readonly string[] {
  const secret = registry.kinds.filter(({ served }) => !served);
  return secret.flatMap(({ qualified }) => {
    const low = keyOf(qualified, '', '').slice(0, -1);
    const entries = [...registry.cacher.state.resource(qualified).entries(low, `${qualified}0`)];
    return entries.flatMap(({ value }) => hashesIn(JSON.parse(Buffer.from(value).toString())));
  });
}

/** Long texts that look random: base64url or hexadecimal. */
function hashesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return /^(?=.*\d)[\w$=,+/-]{32,}$/.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(hashesIn) : [];
}

async function storedObjects(server: Server): Promise<ReadonlyMap<string, readonly Body[]>> {
  const found = new Map<string, readonly Body[]>();
  for (const { served, apiVersion, resource, kind, verbs } of server.api.registry.kinds) {
    if (!served || !verbs.includes('list')) continue;
    const answer = await server.call('GET', `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}/${resource}`);
    const objects = answer.json().items.map((item) => ({ ...item, apiVersion, kind }));
    found.set(resource, objects);
  }
  return found;
}
