import { join } from 'node:path';
import { expect } from 'chai';
import type { Backend } from '../../backend.js';
import { Cacher } from '../../cacher/cacher.js';
import type { CacherOptions } from '../../cacher/options.js';
import { Engine } from '../../engine/engine.js';
import type { Outcome } from '../../engine/transaction.js';
import { isStorageError } from '../../errors.js';
import { Definitions } from '../../state/definitions.js';
import type { ResourceState } from '../../state/resource-state.js';
import { TableFolder } from '../../tables/folder/folder.js';
import { Checkpointer } from '../../tables/work/checkpointer.js';
import { loadAll, type Opened, text } from '../backend/fixture.js';
import { DASHBOARDS, DEFINITIONS, FOLDERS, NOTES, objectOf, Refused } from './resources.js';

/** One server: an engine and a cache on a backend. */
export interface Server {
  readonly backend: Backend;
  readonly cacher: Cacher;
  readonly engine: Engine;
  /** Absent: objects stay in memory. */
  readonly tables: ServerTables | undefined;
}

interface ServerTables {
  readonly folder: TableFolder;
  readonly checkpointer: Checkpointer;
}

/** Everything is written as soon as possible, so that reads meet tables in all states. */
const EAGER = { bytes: 1, age: 1, interval: 1 };

export type ServerOptions = Pick<CacherOptions, 'ringLimits' | 'now' | 'onError'>;

/** The store of the running test and its servers. */
export class World {
  readonly opened: Opened;
  readonly #servers: Server[] = [];
  /** A folder for the tables of each server. Absent: objects stay in memory. */
  readonly #folder: string | undefined;

  constructor(opened: Opened, folder?: string) {
    this.opened = opened;
    this.#folder = folder;
  }

  /** Starts a server on the store's backend, or on the backend that a test made from it. */
  async start(options: ServerOptions = {}, backend: Backend = this.opened.backend): Promise<Server> {
    const folder = await this.#openFolder();
    const cacher = await Cacher.open(backend, { definitions: DEFINITIONS, folder, ...options });
    const tables = folder && { folder, checkpointer: startCheckpointer(backend, cacher, folder) };
    const server = { backend, cacher, engine: new Engine(backend, cacher), tables };
    this.#servers.push(server);
    return server;
  }

  async stop(): Promise<void> {
    const servers = this.#servers.splice(0);
    await Promise.all(servers.map(({ engine }) => engine.close()));
    await Promise.all(servers.map(({ tables }) => tables?.checkpointer.close()));
    await Promise.all(servers.map(({ cacher }) => cacher.close()));
    await Promise.all(servers.map(({ tables }) => tables?.folder.close()));
  }

  /** The server that starts at the same place in the list has what the one before it kept. */
  async #openFolder(): Promise<TableFolder | undefined> {
    if (this.#folder === undefined) return undefined;
    const path = join(this.#folder, String(this.#servers.length));
    return TableFolder.open({ path, program: 'test', inMemory: () => false }, new Definitions(DEFINITIONS));
  }

  /** Closes everything and starts one server on the same data. */
  async restart(options: ServerOptions = {}): Promise<Server> {
    await this.stop();
    return this.start(options, await this.opened.reopen());
  }

  /** Checks after each test that every cache agrees with the store. */
  async check(): Promise<void> {
    for (const server of this.#servers) {
      if (!server.cacher.closed) await expectConsistent(server);
    }
  }
}

function startCheckpointer(backend: Backend, cacher: Cacher, folder: TableFolder): Checkpointer {
  const onError = (error: unknown): void => {
    // A store that a test has closed or broken cannot prove anything.
    if (!isStorageError(error)) throw error;
  };
  const checkpointer = new Checkpointer({ backend, cacher, folder, limits: EAGER, onError });
  checkpointer.start();
  return checkpointer;
}

/** Returns the world of the running test. */
export type Current = () => World;

/** Skips a test that needs a second server if the store allows only one. */
export async function another(test: Mocha.Context, world: World): Promise<Backend> {
  if (world.opened.another === undefined) return test.skip();
  return world.opened.another();
}

export interface Held {
  readonly key: string;
  readonly revision: number;
  readonly value: string;
}

/** The content of a resource in a form that can be compared. */
export function contents(state: ResourceState, resource: string): readonly Held[] {
  return [...state.entries(`${resource}/`, `${resource}0`)].map(({ key, revision, value }) => ({
    key,
    revision,
    value: text(value),
  }));
}

export async function expectConsistent({ backend, cacher }: Server): Promise<void> {
  await cacher.fresh();
  // After a write whose answer was lost, the engine reads the log beside other work.
  await cacher.reach(await backend.end());
  expect(cacher.state.revision, 'the revision of the cache').to.equal(await backend.end());
  for (const resource of [FOLDERS, DASHBOARDS]) {
    const stored = await loadAll(backend, resource);
    const expected = stored.map(({ key, revision, value }) => ({ key, revision, value: text(value) }));
    expect(contents(cacher.state.resource(resource), resource)).to.have.deep.members(expected);
    expect(cacher.state.resource(resource).count('default')).to.equal(expected.length);
  }
  for (const resource of [FOLDERS, DASHBOARDS, NOTES]) {
    const counted = (await backend.counters()).get(resource);
    expect(cacher.state.counters.get(resource), `the id counter of ${resource}`).to.equal(counted);
  }
  expectTree(cacher);
}

/** The invariants of the transactions: every parent exists, and nothing is inside itself. */
export function expectTree({ state }: Cacher): void {
  const parents = new Map<string, string>();
  for (const resource of [FOLDERS, DASHBOARDS]) {
    for (const entry of state.resource(resource).entries(`${resource}/`, `${resource}0`)) {
      const { metadata, spec } = objectOf(entry);
      if (resource === FOLDERS) parents.set(metadata.name, spec.parent ?? '');
      else expectFolder(state.resource(FOLDERS), spec.parent ?? '');
    }
  }
  for (const [name, parent] of parents) {
    expectFolder(state.resource(FOLDERS), parent);
    const seen = new Set([name]);
    for (let up = parent; up !== ''; up = parents.get(up) ?? '') {
      expect(seen.has(up), `a cycle through ${up}`).to.equal(false);
      seen.add(up);
    }
  }
}

function expectFolder(folders: ResourceState, name: string): void {
  if (name === '') return;
  const found = [...folders.entries(`${FOLDERS}/default/${name}`, `${FOLDERS}/default/${name} `)];
  expect(found, `the folder ${name}, in which something lies`).to.have.length(1);
}

/**
 * The result of a transaction in a form that can be compared: its revisions, the reason of its refusal, or the code of
 * the error.
 */
export async function told(work: Promise<Outcome>): Promise<readonly number[] | string> {
  try {
    return (await work).applied.map(({ revision }) => revision);
  } catch (error) {
    if (error instanceof Refused) return error.reason;
    if (isStorageError(error)) return error.code;
    throw error;
  }
}

export function allTold(works: readonly Promise<Outcome>[]): Promise<readonly (readonly number[] | string)[]> {
  return Promise.all(works.map(told));
}
