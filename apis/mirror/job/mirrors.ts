import { MASTERS_GROUP, type UserInfo } from '../../../pkg/identity/authn/user.js';
import { isTerminating, type KubeObject } from '../../../pkg/kube/meta/types.js';
import { legacyClient } from '../../../pkg/legacyclient/client.js';
import { messageOf } from '../../../pkg/system/errors/message.js';
import { Client } from '../../../registry/client/client.js';
import type { Registry } from '../../../registry/kinds/registry.js';
import { objectOf } from '../../../registry/read/reader.js';
import { timestamp } from '../../../registry/write/metadata.js';
import type { ApisEnvironment } from '../../environment.js';
import type { MirrorSpec } from '../mirror/schema.js';
import { guardOf, guardsOf, mirrorName } from '../mirror/strategy.js';
import { credentialIn } from './credential.js';
import { Follower } from './follower.js';
import { Queue } from './queue.js';
import { type Resources, resourcesIn } from './resources.js';
import { statusOf } from './status.js';
import { Store } from './store.js';
import { Target } from './target.js';
import { Worker } from './worker.js';

const MIRRORER: UserInfo = { name: 'system:mirror', uid: '', groups: [MASTERS_GROUP], extra: {} };

/** Requests to one other server at a time, milliseconds for each, and for waiting because it asks to wait. */
const LIMITS = { parallel: 8, timeout: 30_000, attempts: 1, patience: 60_000 };

/** The most mirrors of a namespace that are kept: each remembers what it has sent. */
const MOST = 20;

export interface MirrorsOptions {
  readonly environment: ApisEnvironment;
  readonly version: string;
  readonly isElected: () => boolean;
  readonly onError: (error: unknown) => void;
}

type MirrorObject = KubeObject<MirrorSpec> & { readonly spec: MirrorSpec };

interface Running {
  readonly worker: Worker | undefined;
  /** Changes when the worker has to begin again. */
  readonly version: string;
  readonly namespace: string;
  /** It begins when the namespace has fewer mirrors. */
  readonly isWaiting?: boolean;
  stop(): Promise<void>;
}

/** What is known of the mirrors that this server keeps, for its metrics. */
export interface MirrorFigure {
  readonly name: string;
  readonly lag: number;
  readonly pending: number;
  readonly failed: number;
}

export interface Mirrors {
  figures(): readonly MirrorFigure[];
  stop(): Promise<void>;
}

/** Keeps all mirrors, while this server is elected. Each has a worker of its own. */
export function startMirrors(registry: Registry, options: MirrorsOptions): Mirrors {
  const manager = new Manager(registry, options);
  const running = manager.run();
  return {
    figures: () => manager.figures(),
    stop: async () => {
      manager.abort();
      await running;
    },
  };
}

class Manager {
  readonly #registry: Registry;
  readonly #options: MirrorsOptions;
  readonly #resources: Resources;
  readonly #guards;
  readonly #client: Client;
  readonly #running = new Map<string, Running>();
  readonly #stop = new AbortController();
  readonly #follower: Follower;
  #seen: readonly unknown[] = [];

  constructor(registry: Registry, options: MirrorsOptions) {
    this.#registry = registry;
    this.#options = options;
    this.#resources = resourcesIn(options.environment.domain);
    this.#guards = guardsOf(options.environment.webhookNetworks ?? []);
    this.#client = new Client(registry, { user: MIRRORER, isTrusted: true });
    this.#follower = new Follower(registry, this.#resources, {
      in: (namespace) => this.#workers((one) => one.namespace === namespace),
      all: () => this.#workers(() => true),
    });
  }

  abort(): void {
    this.#stop.abort();
  }

  figures(): readonly MirrorFigure[] {
    return [...this.#running].flatMap(([name, { worker }]) =>
      worker === undefined ? [] : [{ name, lag: worker.lag, pending: worker.pending, failed: worker.failed }],
    );
  }

  async run(): Promise<void> {
    const { signal } = this.#stop;
    const { cacher } = this.#registry;
    while (!signal.aborted && !cacher.closed) {
      // The wait starts before the look, so that no change in between is missed.
      const changed = this.#follower.changed(signal);
      try {
        await this.#look();
        this.#follower.catchUp();
      } catch (error) {
        this.#options.onError(error);
      }
      await changed;
    }
    await Promise.all([...this.#running.values()].map((one) => one.stop()));
  }

  /** Begins, ends and begins again what has to. */
  async #look(): Promise<void> {
    const { reader } = this.#registry;
    const { mirrors, secrets, organizations } = this.#resources;
    const versions = [mirrors, secrets, organizations].map((resource) => reader.version(resource));
    const seen = [...versions, this.#options.isElected()];
    if (seen.every((one, index) => one === this.#seen[index])) return;
    const wanted = this.#options.isElected() ? this.#mirrors() : new Map<string, MirrorObject>();
    await this.#end(wanted);
    let isWhole = true;
    for (const [name, mirror] of wanted) {
      const running = this.#running.get(name);
      if (running !== undefined && (running.isWaiting !== true || this.#isFull(running.namespace))) continue;
      try {
        this.#running.set(name, await this.#start(mirror));
      } catch (error) {
        isWhole = false;
        this.#options.onError(error);
      }
    }
    // What could not begin is tried again at the next look.
    if (isWhole) this.#seen = seen;
  }

  /** All stop sending at once: another server may keep them now. */
  async #end(wanted: ReadonlyMap<string, MirrorObject>): Promise<void> {
    const ended = [...this.#running].filter(([name, { version }]) => {
      const mirror = wanted.get(name);
      return mirror === undefined || this.#versionOf(mirror) !== version;
    });
    for (const [name] of ended) this.#running.delete(name);
    await Promise.all(ended.map(([, running]) => running.stop()));
  }

  #mirrors(): Map<string, MirrorObject> {
    const all = new Map<string, MirrorObject>();
    for (const entry of this.#registry.reader.each(this.#resources.mirrors)) {
      const mirror = objectOf<MirrorSpec>(entry);
      const { spec } = mirror;
      if (spec !== undefined && !isTerminating(mirror) && this.#isServed(mirror))
        all.set(mirrorName(mirror), { ...mirror, spec });
    }
    return all;
  }

  /** What an organization that is being deleted has had stays on the other server. */
  #isServed({ metadata: { namespace = '' } }: KubeObject): boolean {
    const organization = this.#registry.reader.get(this.#resources.organizations, '', namespace);
    return organization !== undefined && !isTerminating(organization);
  }

  #versionOf({ metadata, spec }: MirrorObject): string {
    const { namespace = '', uid, generation } = metadata;
    const secret = this.#registry.reader.entry(this.#resources.secrets, namespace, spec.credential.secret);
    return `${uid}/${generation}/${secret?.revision ?? 0}`;
  }

  async #start(mirror: MirrorObject): Promise<Running> {
    const version = this.#versionOf(mirror);
    const { namespace = '' } = mirror.metadata;
    const abort = new AbortController();
    const stop = async (): Promise<void> => undefined;
    if (this.#isFull(namespace)) {
      await this.#tell(mirror, `a namespace has at most ${MOST} mirrors that are kept`);
      return { worker: undefined, version, namespace, isWaiting: true, stop };
    }
    try {
      const target = this.#target(mirror, abort.signal);
      const worker = this.#worker(mirror, target, abort.signal);
      const running = worker.run();
      const end = async (): Promise<void> => {
        abort.abort();
        await running;
      };
      return { worker, version, namespace, stop: end };
    } catch (error) {
      await this.#tell(mirror, messageOf(error));
      return { worker: undefined, version, namespace, stop };
    }
  }

  #isFull(namespace: string): boolean {
    return [...this.#workers((one) => one.namespace === namespace)].length >= MOST;
  }

  #worker(mirror: MirrorObject, target: Target, signal: AbortSignal): Worker {
    return new Worker({
      client: this.#client,
      resources: this.#resources,
      domain: this.#options.environment.domain,
      mirror,
      target,
      catchUp: () => this.#follower.catchUp(),
      signal,
      isElected: this.#options.isElected,
      onError: this.#options.onError,
    });
  }

  #target({ metadata, spec }: MirrorObject, signal: AbortSignal): Target {
    const { namespace = '' } = metadata;
    const { address, organization, credential } = spec;
    const secret = this.#registry.reader.get(this.#resources.secrets, namespace, credential.secret);
    return new Target(
      legacyClient({
        url: address,
        organization,
        credential: credentialIn(secret, credential.secret),
        guard: guardOf(address, this.#guards),
        isInsecure: true,
        userAgent: `dashboard-apiserver/${this.#options.version} (mirror)`,
        signal,
        limits: LIMITS,
      }),
      { mayWrite: this.#options.isElected, ...(metadata.uid && { id: metadata.uid }) },
    );
  }

  /** The mirror cannot begin. */
  async #tell(mirror: MirrorObject, problem: string): Promise<void> {
    const store = new Store(this.#client, mirror, mirror.spec);
    const state = {
      memory: store.load(),
      queue: new Queue(),
      pending: 0,
      kept: 0,
      partial: new Map(),
      stop: undefined,
      arrived: undefined,
      outage: problem,
      isListed: false,
      drifted: new Map(),
      putBack: new Map(),
      isChecked: false,
      isToBeChecked: false,
      generation: mirror.metadata.generation,
      now: timestamp(this.#registry.clock.now()),
    };
    // What is there stays there meanwhile.
    await store.save(undefined, (old) => statusOf({ ...state, kept: old?.kept ?? 0 }, old));
  }

  *#workers(isWanted: (one: Running) => boolean): Generator<Worker, void> {
    for (const one of this.#running.values()) if (one.worker !== undefined && isWanted(one)) yield one.worker;
  }
}
