import { expect } from 'chai';
import type { Backend } from '../../backend.js';
import { Cacher, type CacherOptions } from '../../cacher/cacher.js';
import { Engine } from '../../engine.js';
import { isStorageError } from '../../errors.js';
import type { ResourceState } from '../../resource-state.js';
import type { Outcome } from '../../transaction.js';
import { loadAll, type Opened, text } from '../backend/fixture.js';
import { DASHBOARDS, DEFINITIONS, FOLDERS, NOTES, objectOf, Refused } from './resources.js';

/** One server: an engine and a cache on a backend. */
export interface Server {
  readonly backend: Backend;
  readonly cacher: Cacher;
  readonly engine: Engine;
}

export type ServerOptions = Pick<CacherOptions, 'ringLimits' | 'now' | 'onError'>;

/** The store of the running test and its servers. */
export class World {
  readonly opened: Opened;
  readonly #servers: Server[] = [];

  constructor(opened: Opened) {
    this.opened = opened;
  }

  /** Starts a server on the store's backend, or on the backend that a test made from it. */
  async start(options: ServerOptions = {}, backend: Backend = this.opened.backend): Promise<Server> {
    const cacher = await Cacher.open(backend, { definitions: DEFINITIONS, ...options });
    const server = { backend, cacher, engine: new Engine(backend, cacher) };
    this.#servers.push(server);
    return server;
  }

  async stop(): Promise<void> {
    const servers = this.#servers.splice(0);
    await Promise.all(servers.map(({ engine }) => engine.close()));
    await Promise.all(servers.map(({ cacher }) => cacher.close()));
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

/** The result of a transaction in a form that can be compared: its revisions, the reason of its refusal, or the code of the error. */
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
