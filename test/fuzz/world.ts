import { expect } from 'chai';
import { PASSWORD } from '../../apis/testing/callers.js';
import { addTeam, IAM, type Request } from '../../apis/testing/cast.js';
import { internalId } from '../../apis/testing/legacy-examples.js';
import { RETAINED } from '../../registry/write/retained.js';
import type { Backend, Batch } from '../../storage/backend.js';
import { keyOf } from '../../storage/key.js';
import { openMemory } from '../../storage/memory/backend.js';
import type { Answer } from '../harness/answer.js';
import type { Body } from '../harness/body.js';
import { examplesOf } from '../harness/kind-examples.js';
import { openServer, type Server } from '../harness/server.js';
import { type Cast, callAs, castOn } from '../permissions/cast.js';
import { applySets, folder } from '../resource-api/apply-sets.js';
import type { KindOfCaller } from './callers.js';
import { Knowledge } from './knowledge.js';
import { Markers, markersIn, markersOf } from './markers.js';
import { Seeds } from './seeds.js';
import { SECRET_SENT } from './values.js';

/** The initial callers and objects of each server. They are made once, because this takes longer than many requests. */
export interface Beginning {
  readonly batches: readonly Batch[];
  /** The stored objects of all served kinds, by resource (`folders`). */
  readonly stored: ReadonlyMap<string, readonly Body[]>;
  readonly secrets: readonly string[];
}

/** A server with the initial objects. Random requests change it, so there is a new one from time to time. */
export interface World {
  readonly server: Server;
  send(caller: KindOfCaller, method: string, path: string, request: Request): Promise<Sent>;
  /** The first secret that the text contains. */
  secretIn(text: string): string | undefined;
  close(): Promise<void>;
}

export interface Sent {
  readonly answer: Answer;
  /**
   * The markers in a part of the answer that the caller has not sent, and that the reader may not see. The reader is
   * the caller by default.
   */
  hiddenIn(part: Pick<Answer, 'text' | 'headers'>, reader?: KindOfCaller): readonly string[];
}

/** Calls `use` with the first server, by which the routes and operations can be found, and closes it. */
export async function makeBeginning<T>(
  seed: number,
  use: (server: Server, beginning: Beginning) => Promise<T>,
): Promise<T> {
  const batches: Batch[] = [];
  const server = await openServer(told(openMemory(), (batch) => batches.push(batch)));
  try {
    const cast = await castOn(server);
    await fill(cast);
    await new Seeds(cast, new Markers(`seeds ${seed}`)).plant();
    const hashes = storedSecrets(server);
    // The passwords of the people, the token and the session.
    expect(hashes.length).to.be.greaterThan(8);
    const secrets = [PASSWORD, SECRET_SENT, '$scrypt$', ...hashes];
    return await use(server, { batches: [...batches], stored: await storedObjects(server), secrets });
  } finally {
    await server.close();
  }
}

export async function openWorld({ batches, secrets }: Beginning, empty: Backend, markers: Markers): Promise<World> {
  const knowledge = new Knowledge();
  for (const batch of batches) {
    // The log of another store begins with another commit.
    await empty.append(await empty.end(), { ...batch, parent: undefined });
    knowledge.follow(batch.changes);
  }
  const server = await openServer(told(empty, ({ changes }) => knowledge.follow(changes)));
  const call = callAs(server);
  return {
    server,
    send: async (caller, method, path, { body, ...request }) => {
      const renewed = body === undefined || body instanceof Uint8Array ? body : markers.renewed(textOf(body));
      const whole = { ...request, ...(renewed !== undefined && { body: renewed }) };
      const known = markersIn(`${path} ${JSON.stringify(request)} ${renewed ?? ''}`);
      const since = knowledge.now;
      const sent = caller === 'operator' ? server.call(method, path, whole) : call(caller, method, path, whole);
      const hiddenIn: Sent['hiddenIn'] = (part, reader = caller) =>
        knowledge.hiddenFrom(
          reader,
          [...markersOf(part)].filter((marker) => !known.has(marker)),
          since,
        );
      return { answer: await sent, hiddenIn };
    },
    secretIn: (text) => secrets.find((secret) => text.includes(secret)),
    close: () => server.close(),
  };
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** The store. It reports each batch after it was appended, but before the server knows that. */
function told(backend: Backend, tell: (batch: Batch) => void): Backend {
  const append: Backend['append'] = async (after, batch) => {
    await backend.append(after, batch);
    tell(batch);
  };
  return new Proxy(backend, {
    get: (target, property) => {
      if (property === 'append') return append;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Makes an object of each kind, and a session and a token, whose secrets no answer may contain. */
async function fill(cast: Cast): Promise<void> {
  const { accounts, made, server } = cast;
  for (const name of ['a', 'b', 'c']) await made('folder.svc.app/v1beta1', 'Folder', name, { title: name });
  await addTeam(cast);
  for (const kind of server.api.registry.kinds) {
    const example = examplesOf(kind).permissions?.objects[kind.kind];
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

/** Makes an apply set with members, so that requests change and delete its members. */
async function addApplySet(server: Server): Promise<void> {
  const objects = ['a', 'b', 'c'].map((name) => folder(name, name));
  const applied = await applySets(() => server).apply('seeded', objects, { query: { force: true } });
  expect(applied.status, applied.text).to.equal(201);
}

/** The secret parts of the objects that the server keeps for itself: hashes of passwords, tokens and sessions. */
function storedSecrets({ api: { registry } }: Server): readonly string[] {
  // Retained versions have the content of served objects, which is not secret.
  const secret = registry.kinds.filter(({ served, kind }) => !served && kind !== RETAINED);
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
