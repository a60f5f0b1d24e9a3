import type { Backend } from '../../storage/backend.js';
import { openServer, type Server } from '../harness/server.js';
import { type ChaosOptions, chaotic } from './chaos.js';
import { check, type Verdict } from './check.js';
import { doorOf } from './door.js';
import type { History } from './history.js';
import { comparing, materializing, objectsThatDiffer } from './objects-of-store.js';
import { Random } from './random.js';
import { type Following, noticed, setBacks } from './set-back.js';
import { simulate } from './simulate.js';
import type { Stores } from './stores.js';

export interface RunOptions {
  readonly seed: number;
  readonly seconds: number;
  readonly servers: number;
  readonly clients?: number;
  readonly chaos?: ChaosOptions;
  readonly allowsGone?: boolean;
  /** Whether the store is set back again and again. It must be in memory. */
  readonly setsBack?: boolean;
  readonly disturb?: (servers: readonly DisturbedServer[]) => (signal: AbortSignal, history: History) => Promise<void>;
}

/** A server with its store, so that faults can be injected. */
export interface DisturbedServer extends Server {
  readonly backend: Backend;
}

const following = ({ api, backend }: DisturbedServer): Following => ({
  get state() {
    return api.registry.cacher.state;
  },
  get logId() {
    return backend.logId;
  },
});

/** One run on servers in this process, on a new and empty store. */
export async function runOnce(stores: Stores, options: RunOptions): Promise<Verdict> {
  const { seed, chaos, disturb, allowsGone = false } = options;
  const { backends, memory, clean } = await stores.open(options.servers);
  const servers: DisturbedServer[] = [];
  const over = new AbortController();
  const background = backends.map((backend, i) => materializing(backend, new Random(seed * 7 + i), over.signal));
  try {
    for (const [i, backend] of backends.entries()) {
      // The chaos begins with the clients, because a server needs a working store to open.
      const calm = { isOver: false };
      const disturbed =
        chaos === undefined ? backend : chaotic(backend, new Random(seed * 31 + i), chaos, () => calm.isOver);
      servers.push(Object.assign(await openServer(disturbed), { backend }));
      calm.isOver = true;
    }
    const compared = servers.map(({ backend, api }, i) =>
      comparing(backend, () => api.registry.cacher.state, new Random(seed * 13 + i), over.signal),
    );
    const doors = servers.map(doorOf);
    const setsBack =
      options.setsBack === true && memory !== undefined
        ? setBacks(memory, servers.map(following), seed, options.seconds)
        : undefined;
    const inject = setsBack ?? disturb?.(servers);
    const disturbing = inject === undefined ? {} : { disturb: inject };
    const clients = options.clients === undefined ? {} : { clients: options.clients };
    const history = await simulate({ seed, seconds: options.seconds, doors, ...clients, ...disturbing });
    noticed(history, servers);
    over.abort();
    for (const complaints of compared) history.complaints.push(...(await complaints));
    for (const { backend, api } of servers)
      history.complaints.push(...(await objectsThatDiffer(backend, () => api.registry.cacher.state)));
    return check(history, allowsGone ? { allowsGone } : {});
  } finally {
    over.abort();
    await Promise.all(background);
    for (const server of servers) await server.close();
    await clean();
  }
}
