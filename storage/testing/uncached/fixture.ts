import type { Backend, IndexRange, IndexRow } from '../../backend.js';
import { Cacher } from '../../cacher/cacher.js';
import type { RingLimits } from '../../cacher/ring.js';
import { UncachedReader } from '../../cacher/uncached.js';
import { Engine } from '../../engine.js';
import type { Entry } from '../../entry.js';
import { type Key, keyOf, partsOf, resourceOf } from '../../key.js';
import type { ResourceDefinition } from '../../resource.js';
import type { Outcome, Transaction } from '../../transaction.js';
import { encodeTuple } from '../../tuple.js';
import { type Opened, text } from '../backend/fixture.js';
import { Gate, lagging } from '../engine/around.js';

/** The uncached resource of these tests, and another one whose keys are its neighbours. */
export const NOTES = 'notes.note.svc.app';
export const OTHERS = 'notes.note.svc.app2';

export interface Spec {
  readonly time: number;
  readonly tags?: readonly string[];
}

/** One row by time, and one for each tag, so that an object can have several rows in one index. */
export function rowsOf({ time, tags = [] }: Spec): readonly IndexRow[] {
  return [
    { index: 'byTime', tuple: encodeTuple([time]) },
    ...[...new Set(tags)].map((tag) => ({ index: 'byTag', tuple: encodeTuple([tag, time]) })),
  ];
}

function definition(resource: string): ResourceDefinition {
  const specOf = (object: unknown): Spec => (object as { readonly spec: Spec }).spec;
  return {
    resource,
    cached: false,
    extract: (object) => ({ labels: undefined, fields: { time: String(specOf(object).time) }, rows: [] }),
    rows: (object) => rowsOf(specOf(object)),
  };
}

export function key(name: string, namespace = 'default', resource = NOTES): Key {
  return keyOf(resource, namespace, name);
}

/** An object to put or, without `spec`, to remove if it exists. */
export interface Wish {
  readonly at: Key;
  readonly spec?: Spec;
}

function transactionOf(wishes: readonly Wish[]): Transaction {
  return {
    needs: wishes.map(({ at }) => at),
    run: (state) => {
      for (const { at, spec } of wishes) {
        if (spec !== undefined) state.put(at, { kind: 'Note', metadata: { name: partsOf(at).name }, spec });
        else if (state.resource(resourceOf(at)).get(at) !== undefined) state.delete(at);
      }
    },
  };
}

/** A server whose reads of notes a test can intercept. */
export interface Server {
  readonly backend: Backend;
  readonly cacher: Cacher;
  readonly reader: UncachedReader;
  write(wishes: readonly Wish[]): Promise<Outcome>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly ringLimits?: RingLimits;
  /** Wraps the backend of `reader`. */
  readonly around?: (backend: Backend) => Backend;
}

export async function startServer(backend: Backend, { ringLimits, around }: ServerOptions = {}): Promise<Server> {
  const definitions = [definition(NOTES), definition(OTHERS)];
  const cacher = await Cacher.open(backend, { definitions, ...(ringLimits && { ringLimits }) });
  const engine = new Engine(backend, cacher);
  return {
    backend,
    cacher,
    reader: new UncachedReader(around?.(backend) ?? backend, cacher),
    write: (wishes) => engine.transact(transactionOf(wishes)),
    stop: async () => {
      await engine.close();
      await cacher.close();
    },
  };
}

/** The store of the running test and the servers on it. */
export class World {
  readonly opened: Opened;
  readonly #servers: Server[] = [];
  readonly #gates: Gate[] = [];

  constructor(opened: Opened) {
    this.opened = opened;
  }

  async start(options: ServerOptions = {}, backend: Backend = this.opened.backend): Promise<Server> {
    const server = await startServer(backend, options);
    this.#servers.push(server);
    return server;
  }

  /** A second server if the store is shared, else the first one. */
  async startAnother(first: Server): Promise<Server> {
    return this.opened.another === undefined ? first : this.start({}, await this.opened.another());
  }

  /** A server that receives the log through a gate. */
  async startLagging(options: ServerOptions = {}): Promise<{ readonly server: Server; readonly gate: Gate }> {
    const { another } = this.opened;
    if (another === undefined) throw new Error('only a server of a shared store can lag');
    const gate = new Gate();
    this.#gates.push(gate);
    return { server: await this.start(options, lagging(await another(), gate)), gate };
  }

  async stop(): Promise<void> {
    for (const gate of this.#gates) gate.open();
    await Promise.all(this.#servers.splice(0).map((server) => server.stop()));
  }

  /** Stops all servers and starts one on the same data. */
  async restart(options: ServerOptions = {}, around = (backend: Backend): Backend => backend): Promise<Server> {
    await this.stop();
    return this.start(options, around(await this.opened.reopen()));
  }
}

export type Current = () => World;

/** All rows of an index or, without one, all objects. */
export function whole(index?: string, limit = 1000): IndexRange {
  return { ...(index !== undefined && { index }), from: '', to: '~', limit };
}

export interface PlainRow {
  readonly rowKey: string;
  readonly revision: number;
  readonly value: string;
}

export function plain(rows: readonly { readonly rowKey: string; readonly entry: Entry }[]): readonly PlainRow[] {
  return rows.map(({ rowKey, entry: { revision, value } }) => ({ rowKey, revision, value: text(value) }));
}
