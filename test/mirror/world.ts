import { setTimeout as sleep } from 'node:timers/promises';
import { resourcesIn } from '../../apis/mirror/job/resources.js';
import type { Backend } from '../../storage/backend.js';
import { openMemory } from '../../storage/memory/backend.js';
import { openServer, type Server } from '../harness/server.js';
import { onEachStore, onOneStore } from '../harness/stores.js';
import { openProxy, type RecordingProxy } from './proxy.js';

/** A server, and another one that mirrors send to. Between them, a proxy records what is asked. */
export interface World {
  readonly here: Server;
  /** Answers as existing clients expect (`legacy.compatibility=clients`). */
  readonly there: Server;
  readonly proxy: RecordingProxy;
  /** Creates a mirror with a Secret. Both have the name. */
  mirror(name: string, spec?: object): Promise<void>;
  /** Creates an object here, or changes it. */
  put(kind: Word, name: string, spec: unknown, annotations?: Annotations): Promise<void>;
  remove(kind: Word, name: string): Promise<void>;
  status(mirror: string): Promise<Status>;
  /** Waits until everything has arrived that is here now, and that mirrors follow. */
  arrived(mirror: string): Promise<Status>;
  /** Waits until the status of a mirror is so. */
  until(mirror: string, isSo: (status: Status) => boolean): Promise<Status>;
  /** Is called before the servers end. */
  readonly atEnd: (() => Promise<void>)[];
  close(): Promise<void>;
}

export type Annotations = Readonly<Record<string, string>>;

export interface Status {
  readonly revision?: string;
  /** Whether it is about the newest spec. */
  readonly isCurrent?: boolean;
  readonly pending: number;
  readonly kept: number;
  readonly failed: number;
  readonly objects: readonly { readonly kind: string; readonly count: number }[];
  readonly errors: readonly { readonly kind: string; readonly name: string; readonly reason: string }[];
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
    readonly observedGeneration?: number;
  }[];
  readonly partial?: number;
  readonly warnings?: Status['errors'];
}

export const TOKEN = 'glsa_the-token-of-the-mirror';
/** By word: the kind, its apiVersion, and its plural. */
const KINDS = {
  folder: ['Folder', 'folder.svc.app/v1beta1', 'folders'],
  dashboard: ['Dashboard', 'dashboard.svc.app/v1beta1', 'dashboards'],
  binding: ['RoleBinding', 'iam.svc.app/v1beta1', 'rolebindings'],
  element: ['LibraryElement', 'dashboard.svc.app/v1beta1', 'libraryelements'],
  team: ['Team', 'iam.svc.app/v1beta1', 'teams'],
  member: ['TeamBinding', 'iam.svc.app/v1beta1', 'teambindings'],
  preferences: ['Preferences', 'preferences.svc.app/v1beta1', 'preferences'],
  mirror: ['Mirror', 'mirror.svc.app/v1beta1', 'mirrors'],
  secret: ['Secret', 'v1', 'secrets'],
} as const;
type Word = keyof typeof KINDS;

const { mirrors: _, secrets: __, organizations: ___, ...others } = resourcesIn('svc.app');
/** What mirrors follow. */
const FOLLOWED = Object.values(others);

function pathOf(word: Word, name?: string): string {
  const [, apiVersion, plural] = KINDS[word];
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  return `${root}/namespaces/default/${plural}${name === undefined ? '' : `/${name}`}`;
}

export const inFolder = (folder: string): Annotations => ({ 'svc.app/folder': folder });
export const PRIVATE: Annotations = { 'svc.app/basic-roles': 'none' };

const PATIENCE = 30_000;

export async function openWorld(backend: Backend): Promise<World> {
  const here = await openServer(backend, { webhookNetworks: ['127.0.0.0/8'], keepsMirrors: true });
  const there = await openServer(openMemory(), { compatibility: 'clients' });
  const proxy = await openProxy(() => there.address());
  const put: World['put'] = async (kind, name, spec, annotations = {}) => {
    const old = await here.call('GET', pathOf(kind, name));
    const [type, apiVersion] = KINDS[kind];
    const content = kind === 'secret' ? (spec as object) : { spec };
    const body = { apiVersion, kind: type, metadata: { name, annotations }, ...content };
    const answer =
      old.status === 404
        ? await here.call('POST', pathOf(kind), { body })
        : await here.call('PUT', pathOf(kind, name), { body });
    if (answer.status >= 300) throw new Error(`${kind} ${name}: ${answer.status} ${answer.text}`);
  };
  let changed = 0;
  const lastChange = (): number => {
    const { cacher } = here.api.registry;
    for (const resource of FOLLOWED) {
      const ring = cacher.ring(resource);
      if (ring.end > ring.start) changed = Math.max(changed, ring.at(ring.end - 1)?.revision ?? 0);
    }
    return changed;
  };
  const status: World['status'] = async (name) => (await statusOf(here, name)) ?? NO_STATUS;
  const until: World['until'] = async (name, isSo) => {
    for (const end = Date.now() + PATIENCE; ; await sleep(20)) {
      const now = await status(name);
      if (isSo(now)) return now;
      if (Date.now() > end) throw new Error(`the mirror ${name} is ${JSON.stringify(now)}`);
    }
  };
  const atEnd: (() => Promise<void>)[] = [];
  return {
    here,
    there,
    proxy,
    atEnd,
    mirror: async (name, spec = {}) => {
      await put('secret', name, { stringData: { token: TOKEN } });
      await put('mirror', name, { address: proxy.url, credential: { secret: name }, delete: true, ...spec });
    },
    put,
    remove: async (kind, name) => {
      const answer = await here.call('DELETE', pathOf(kind, name));
      if (answer.status >= 300) throw new Error(`${kind} ${name}: ${answer.status}`);
    },
    status,
    until,
    arrived: async (name) => {
      // The status of a mirror is a later commit, of which the mirror need not tell.
      const end = lastChange();
      return until(name, ({ revision, pending, conditions, isCurrent }) => {
        const isReady = conditions.some((one) => one.type === 'Ready' && one.status === 'True');
        return isReady && isCurrent === true && pending === 0 && Number(revision ?? 0) >= end;
      });
    },
    close: async () => {
      for (const end of atEnd) await end();
      await here.close();
      await proxy.close();
      await there.close();
    },
  };
}

const NO_STATUS: Status = { pending: 0, kept: 0, failed: 0, objects: [], errors: [], conditions: [] };

async function statusOf(here: Server, name: string): Promise<Status | undefined> {
  const answer = await here.call('GET', pathOf('mirror', name));
  const { metadata, status } = answer.json() as unknown as {
    readonly metadata?: { readonly generation?: number };
    readonly status?: Status;
  };
  const ready = status?.conditions.find(({ type }) => type === 'Ready');
  return status && { ...status, isCurrent: ready?.observedGeneration === metadata?.generation };
}

/** What the legacy API of the other server answers. */
export async function thereAt(
  world: World,
  path: string,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const answer = await world.there.call('GET', path);
  return { status: answer.status, body: answer.json() as unknown };
}

type Suite = (world: () => World) => void;

export const eachStore = (title: string, suite: Suite): void => onEachStore(title, openWorld, suite);
export const oneStore = (title: string, suite: Suite): void => onOneStore(title, openWorld, suite);
