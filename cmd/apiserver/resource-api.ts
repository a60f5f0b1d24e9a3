import { setTimeout as sleep } from 'node:timers/promises';
import { customKinds, showBuiltIn } from '../../apis/apiextensions/index.js';
import { type Administrator, bootstrap } from '../../apis/authentication/bootstrap.js';
import type { GrantOptions } from '../../apis/authorization/grant-inputs.js';
import { grantSource } from '../../apis/authorization/grants.js';
import type { ApisEnvironment } from '../../apis/environment.js';
import { EventRecorder } from '../../apis/events/event/recorder.js';
import { kinds as allKinds } from '../../apis/kinds.js';
import { MIGRATIONS } from '../../apis/migrations.js';
import type { Mirrors } from '../../apis/mirror/job/mirrors.js';
import { applySetKinds } from '../../registry/applyset/names.js';
import { createAuthorizer } from '../../registry/authorization/permission-authorizer.js';
import { type Election, startElection, unopposed } from '../../registry/background/election.js';
import type { Authorizer } from '../../registry/kinds/authorizer.js';
import { CompiledKinds } from '../../registry/kinds/compiled.js';
import type { Kind } from '../../registry/kinds/kind.js';
import { KindSet } from '../../registry/kinds/kind-set.js';
import { namespaceKind } from '../../registry/kinds/namespaces.js';
import { type Clock, type Registry, resourceDefinitions } from '../../registry/kinds/registry.js';
import { DEFAULT_RETENTION, type Retention } from '../../registry/kinds/retention.js';
import { Reader } from '../../registry/read/reader.js';
import type { Migration } from '../../registry/upgrade/migration.js';
import { upgrade } from '../../registry/upgrade/upgrade.js';
import { RETAINED } from '../../registry/write/retained.js';
import type { Backend } from '../../storage/backend.js';
import { isDamage } from '../../storage/damage.js';
import { Engine, type EngineObserver } from '../../storage/engine/engine.js';
import type { StorageTracing } from '../../storage/engine/traced.js';
import { type Encryption, encryptedBackend } from '../../storage/log/encrypted.js';
import type { Materializer } from '../../storage/log/materializer.js';
import type { DiskReserve } from '../../storage/reserve.js';
import { startBackground } from './background.js';
import { storeEncryption } from './encryption.js';
import { type KeptObjects, type KeptObjectsOptions, openObjects } from './kept-objects.js';
import { type ResourceApiHandler, resourceApiHandler, reviewsOf } from './resource-handler.js';
import { openWriteLimits, type WriteSettings } from './write-limits.js';

export interface ResourceApiOptions {
  readonly backend: Backend;
  readonly environment: ApisEnvironment;
  /** The kinds to serve. By default, those of `apis`. */
  readonly kinds?: readonly Kind[];
  /** The version of the product, for OpenAPI. */
  readonly version: string;
  /** Milliseconds of history to keep. */
  readonly history: number;
  /** How many bytes users may write, and how much of the disk stays free. Absent: there is no bound. */
  readonly writes?: WriteSettings | undefined;
  /** The most memory that recent changes take, in bytes. */
  readonly recentBytes?: number;
  /** Where objects are kept. Without it, they are kept in memory. */
  readonly objects?:
    | Pick<KeptObjectsOptions, 'path' | 'isShared' | 'reserve' | 'limits' | 'scrub' | 'onDamage' | 'onRefill'>
    | undefined;
  /** How many earlier versions are kept, and for how long deleted objects. */
  readonly retention?: Retention;
  /** Whether objects may name objects that do not exist yet. By default, they may. */
  readonly acceptsMissing?: boolean;
  /** Called at the first start only. Without it, no administrator is created. */
  readonly administrator?: () => Promise<Administrator>;
  /** Callers without credentials have the rights of a viewer. */
  readonly allowsAnonymous?: boolean;
  /** Whether no other server uses the store, so that no election is needed. By default, the backend decides. */
  readonly alone?: boolean;
  /** Whether people are told by Events what the server did. */
  readonly recordsEvents?: boolean;
  /** Whether this server sends to others what mirrors select, while it is elected. */
  readonly keepsMirrors?: boolean;
  /** By default, the wall clock. */
  readonly clock?: Clock;
  /** Tells when objects are old enough to be removed. By default, `clock`. */
  readonly purgeClock?: Clock;
  readonly tracing?: StorageTracing | undefined;
  /** Measures the commits. */
  readonly observer?: EngineObserver;
  /** The changes of stored data. By default, those of `apis`. */
  readonly migrations?: readonly Migration[];
  /** Called while the stored data is brought to a version, with the number of objects that were looked at. */
  readonly onMigrated?: (version: number, done: number) => void;
  readonly onError: (error: unknown, what: string) => void;
}

export interface RunningResourceApi extends ResourceApiHandler {
  readonly backend: Backend;
  readonly registry: Registry;
  readonly engine: Engine;
  /** The free space of the store. Absent: nobody looks at it. */
  readonly disk: DiskReserve | undefined;
  readonly materializer: Materializer;
  /** Absent: no mirrors are kept. */
  readonly mirrors: Mirrors | undefined;
  /** Whether this server does the work in the background now. */
  readonly isElected: () => boolean;
  /** Rejects if reads cannot be answered now. */
  ready(signal: AbortSignal): Promise<void>;
  /** Waits for running writes. The backend stays open. */
  close(): Promise<void>;
}

/** Loads the store and builds the registry and its handler. */
export async function openResourceApi(given: ResourceApiOptions): Promise<RunningResourceApi> {
  const encryption = storeEncryption(given.environment);
  const backend = await encryptedBackend(given.backend, encryption);
  const options = { ...given, backend };
  const { onError, clock = Date } = options;
  const { kinds = allKinds(options.environment) } = options;
  const limits = options.writes && openWriteLimits(backend, options.writes);
  const kindSet = new KindSet(kinds, customKinds(options.environment, kinds, reviewsOf(options.environment.domain)));
  const { cacher, close: closeObjects } = await openKept(options, kinds, kindSet, encryption);
  const engine = new Engine(backend, cacher, { observer: options.observer });
  const recorder = new EventRecorder();
  const registry: Registry = {
    get kinds() {
      return kindSet.at(cacher);
    },
    hasKind: (kind, state) => kindSet.has(kind, state),
    fateOf: (kind, state) => kindSet.fate(kind, state),
    ...kindsOf(kinds),
    retention: options.retention ?? DEFAULT_RETENTION,
    cacher,
    writer: options.tracing?.writer(engine) ?? engine,
    clock,
    limits: limits?.limits,
    ...(options.purgeClock && { purgeClock: options.purgeClock }),
    ...(options.recordsEvents === true && { report: (report) => recorder.add(report) }),
    authorizer: authorizerOf(options, kinds),
    reader: new Reader(cacher),
    acceptsMissing: options.acceptsMissing ?? true,
  };
  const isAlone = options.alone ?? !backend.shared;
  const election = isAlone ? unopposed : elect(registry, onError);
  await limits?.disk.start();
  const historyBytes = limits?.historyBytes;
  const background = startBackground(registry, { ...options, historyBytes }, election);
  recorder.start({ registry, onError: (error) => onError(error, 'an event could not be written') });
  const close = async (): Promise<void> => {
    await recorder.close();
    await background.stop();
    await election.close();
    await engine.close();
    await limits?.disk.close();
    await closeObjects();
  };
  await undamaged(() => begin(options, registry)).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    backend,
    registry,
    engine,
    disk: limits?.disk,
    materializer: background.materializer,
    mirrors: background.mirrors,
    isElected: election.isElected,
    ...resourceApiHandler(registry, { ...options, grants: grantOptionsOf(options) }),
    ready: async (signal) => cacher.reach(await backend.end(signal), signal),
    close,
  };
}

function authorizerOf(options: ResourceApiOptions, kinds: readonly Kind[]): Authorizer {
  return createAuthorizer(kinds, grantSource(grantOptionsOf(options)));
}

function grantOptionsOf({ environment, allowsAnonymous }: ResourceApiOptions): GrantOptions {
  const { access, domain } = environment;
  return { access, domain, anonymousRole: allowsAnonymous === true ? 'Viewer' : 'None' };
}

/** Brings the stored data to this version, and creates what is needed at the first start. */
async function begin({ migrations = MIGRATIONS, ...options }: ResourceApiOptions, registry: Registry): Promise<void> {
  const report = options.onMigrated ?? (() => undefined);
  await upgrade({ registry, migrations, report: ({ to }, done) => report(to, done) });
  await bootstrap(registry, options.administrator);
  await showBuiltIn(registry);
}

/** A file that is found to be damaged at the start is made again meanwhile. What begins here can begin again. */
async function undamaged(begun: () => Promise<void>): Promise<void> {
  for (let left = DAMAGED_TRIES; ; left--) {
    try {
      return await begun();
    } catch (error) {
      if (!isDamage(error) || left === 0) throw error;
      await sleep(DAMAGED_PAUSE);
    }
  }
}

/** A minute: to load 1,000,000 objects again takes 15 s. */
const DAMAGED_TRIES = 240;
const DAMAGED_PAUSE = 250;

function openKept(
  { backend, environment, clock = Date, recentBytes, objects, onError }: ResourceApiOptions,
  kinds: readonly Kind[],
  defined: KindSet,
  { applies }: Encryption,
): Promise<KeptObjects> {
  const options = {
    definitions: resourceDefinitions(kinds),
    defined,
    recentBytes,
    now: () => clock.now(),
    onError: (error: unknown) => onError(error, 'following the log failed, trying again'),
  };
  const { domain, features } = environment;
  const kept =
    objects === undefined
      ? undefined
      : {
          ...objects,
          settings: { domain, features },
          isEncrypted: applies,
          onError: (error: unknown) =>
            onError(error, 'objects could not be written to the data folder, so they stay in memory, trying again'),
        };
  return openObjects(backend, options, kept);
}

/** The kinds that the registry itself works with. */
function kindsOf(kinds: readonly Kind[]): Pick<Registry, 'compiled' | 'namespaces' | 'retained' | 'applySets'> {
  const compiled = new CompiledKinds(kinds);
  return {
    namespaces: namespaceKind(kinds),
    compiled,
    retained: compiled.find(`internal/${RETAINED}`),
    applySets: applySetKinds(compiled),
  };
}

/** Elects the server that does the background work. */
function elect(registry: Registry, onError: ResourceApiOptions['onError']): Election {
  return startElection(registry, registry.compiled.get('internal/ServerLease'), {
    name: 'housekeeping',
    onError: (error) => onError(error, 'renewing the lease for background work failed, trying again'),
  });
}
