import { Caller } from './caller.js';
import type { Door } from './door.js';
import type { History, Intent, Operation } from './history.js';
import {
  applyRequest,
  applySetPath,
  type Content,
  GROUP,
  objectFor,
  ownLabels,
  parentOf,
  pathOf,
  revisionOf,
  SELECTOR,
  type SimObject,
  type Written,
} from './objects.js';
import type { Random } from './random.js';

const NAMES: Readonly<Record<Written, readonly string[]>> = {
  folders: ['f0', 'f1', 'f2', 'f3', 'f4'],
  dashboards: ['d0', 'd1', 'd2', 'd3', 'd4', 'd5'],
  annotations: ['a0', 'a1', 'a2', 'a3'],
  reports: ['p0', 'p1', 'p2', 'p3'],
};
const TITLES = ['t0', 't1', 't2', 't3'];

type Action = () => Promise<unknown>;

/** A client that does random operations. */
export class SimClient {
  readonly #caller: Caller;
  readonly #random: Random;
  readonly #history: History;
  /** The objects that it has seen, for updates with a resourceVersion. */
  readonly #seen = new Map<string, SimObject>();
  #count = 0;

  constructor(name: string, history: History, doors: readonly Door[], random: Random) {
    this.#caller = new Caller(name, history, doors);
    this.#random = random;
    this.#history = history;
  }

  async run(signal: AbortSignal): Promise<void> {
    const actions: readonly (readonly [Action, number])[] = [
      [() => this.#create(), 5],
      [() => this.#update(), 4],
      [() => this.#patch(), 5],
      [() => this.#delete(), 2],
      [() => this.#apply(), 3],
      [() => this.#applySet(), 1],
      [() => this.#get(), 5],
      [() => this.#list(), 4],
    ];
    while (!signal.aborted) {
      const before = this.#history.operations.length;
      await this.#random.weighted(actions)();
      const isLost = this.#history.operations.slice(before).some(({ status }) => status === 0 || status >= 500);
      await this.#random.pause(isLost ? 100 : 3);
    }
  }

  #resource(): Written {
    return this.#random.weighted<Written>([
      ['folders', 3],
      ['dashboards', 5],
      ['annotations', 3],
      ['reports', 4],
    ]);
  }

  #server(): number {
    return this.#random.below(this.#caller.doors.length);
  }

  #content(resource: Written, name: string): Omit<Content, 'op'> {
    const random = this.#random;
    const parent = resource === 'annotations' || random.chance(0.4) ? undefined : random.pick(NAMES.folders);
    const labels = { [GROUP]: random.pick(['g1', 'g2']), [this.#caller.name]: String(this.#count++) };
    return { name, title: random.pick(TITLES), parent: parent === name ? undefined : parent, labels };
  }

  #learn({ resource, name, object, status }: Operation): void {
    if (object !== undefined && status < 300) this.#seen.set(`${resource}/${name}`, object);
    if (status === 404) this.#seen.delete(`${resource}/${name}`);
  }

  async #create(): Promise<void> {
    const resource = this.#resource();
    const name = this.#random.pick(NAMES[resource]);
    const content = this.#content(resource, name);
    const intent: Intent = { kind: 'replace', labels: content.labels };
    const sent = (op: number) => ({
      method: 'POST',
      path: pathOf(resource),
      body: objectFor(resource, { ...content, op }),
    });
    this.#learn(await this.#caller.one({ verb: 'create', resource, name, intent }, this.#server(), sent));
  }

  async #update(): Promise<void> {
    const resource = this.#resource();
    const name = this.#random.pick(NAMES[resource]);
    const known = this.#seen.get(`${resource}/${name}`);
    if (known === undefined) return this.#get(resource, name);
    const fresh = this.#content(resource, name);
    const parent = this.#random.chance(0.7) ? parentOf(known) : fresh.parent;
    const labels = { ...ownLabels(known), ...fresh.labels };
    const on = this.#random.chance(0.8) ? revisionOf(known) : undefined;
    const body = (op: number): SimObject => {
      const object = objectFor(resource, { ...fresh, parent, labels, op });
      const version = on === undefined ? {} : { resourceVersion: String(on) };
      return { ...object, metadata: { ...object.metadata, ...version } };
    };
    const intent: Intent = { kind: 'replace', labels, ...(on !== undefined && { on }) };
    const sent = (op: number) => ({ method: 'PUT', path: pathOf(resource, name), body: body(op) });
    this.#learn(await this.#caller.one({ verb: 'update', resource, name, intent }, this.#server(), sent));
  }

  async #patch(): Promise<void> {
    const resource = this.#resource();
    const name = this.#random.pick(NAMES[resource]);
    const [label, value] = [this.#caller.name, String(this.#count++)];
    const isMoved = resource !== 'annotations' && this.#random.chance(0.2);
    const moved = isMoved ? { 'svc.app/folder': this.#random.pick(NAMES.folders) } : {};
    const titled = this.#random.chance(0.2) && resource !== 'annotations' ? { title: this.#random.pick(TITLES) } : {};
    const sent = (op: number) => ({
      method: 'PATCH',
      path: pathOf(resource, name),
      type: 'application/merge-patch+json',
      body: {
        metadata: { labels: { [label]: value }, annotations: { 'sim/op': String(op), ...moved } },
        spec: titled,
      },
    });
    const intent: Intent = { kind: 'set', label, value };
    this.#learn(await this.#caller.one({ verb: 'patch', resource, name, intent }, this.#server(), sent));
  }

  async #apply(): Promise<void> {
    const resource = this.#resource();
    const name = this.#random.pick(NAMES[resource]);
    const [label, value] = [`applied-${this.#caller.name}`, String(this.#count++)];
    const title = this.#random.pick(TITLES);
    const sent = (op: number) => ({
      method: 'PATCH',
      path: `${pathOf(resource, name)}?fieldManager=${this.#caller.name}&force=true`,
      type: 'application/apply-patch+yaml',
      body: objectFor(resource, { name, title, labels: { [label]: value }, op }),
    });
    const intent: Intent = { kind: 'set', label, value };
    this.#learn(await this.#caller.one({ verb: 'apply', resource, name, intent }, this.#server(), sent));
  }

  async #applySet(): Promise<void> {
    const set = this.#caller.name;
    const count = 1 + this.#random.below(3);
    const folder = `${set}-box`;
    const names = Array.from({ length: count }, (_, i) => `${set}-s${i}`);
    const labels = { [GROUP]: this.#random.pick(['g1', 'g2']), round: String(this.#count++) };
    // Sometimes two have the same title, so that the apply is refused at its end.
    const title = (name: string): string => (this.#random.chance(0.2) ? 'same' : name);
    const titles = names.map(title);
    const isPruned = this.#random.chance(0.5);
    const content = (op: number) => [
      ...names.map((name, i) =>
        objectFor('dashboards', { name, title: titles[i] ?? name, parent: folder, labels, op }),
      ),
      objectFor('folders', { name: folder, title: folder, labels, op }),
    ];
    const sent = (op: number) => ({
      method: 'POST',
      path: `${applySetPath(set)}?force=true&fieldManager=set-${set}`,
      type: 'application/json',
      body: applyRequest(content(op), isPruned),
    });
    const members = [...names.map((name) => ['dashboards', name] as const), ['folders', folder] as const];
    await this.#caller.one({ verb: 'applyset', resource: 'folders', name: set, members }, this.#server(), sent);
  }

  async #delete(): Promise<void> {
    const resource = this.#resource();
    const name = this.#random.pick(NAMES[resource]);
    const sent = () => ({ method: 'DELETE', path: pathOf(resource, name) });
    await this.#caller.one({ verb: 'delete', resource, name }, this.#server(), sent);
  }

  async #get(resource: Written = this.#resource(), name?: string): Promise<void> {
    const chosen = name ?? this.#random.pick(NAMES[resource]);
    const isAny = this.#random.chance(0.2);
    const asked = { mode: isAny ? ('any' as const) : ('newest' as const) };
    const path = `${pathOf(resource, chosen)}${isAny ? '?resourceVersion=0' : ''}`;
    const plan = { verb: 'get' as const, resource, name: chosen, asked };
    this.#learn(await this.#caller.one(plan, this.#server(), () => ({ method: 'GET', path })));
  }

  async #list(): Promise<void> {
    const resource = this.#resource();
    const random = this.#random;
    const mode = random.weighted<'newest' | 'any' | 'least' | 'exact'>([
      ['newest', 5],
      ['any', 1],
      ['least', 1],
      ['exact', 3],
    ]);
    const newest = this.#history.newest;
    const base = this.#history.bases.get(resource)?.revision ?? newest;
    const revision = mode === 'exact' ? newest - random.below(Math.min(200, newest - base + 1)) : newest;
    const isSelective = random.chance(0.3);
    const limit = random.chance(0.5) ? 1 + random.below(3) : 0;
    const query = new URLSearchParams();
    if (limit > 0) query.set('limit', String(limit));
    if (isSelective) query.set('labelSelector', SELECTOR);
    if (mode === 'any') query.set('resourceVersion', '0');
    if (mode === 'least' || mode === 'exact') query.set('resourceVersion', String(revision));
    if (mode === 'least') query.set('resourceVersionMatch', 'NotOlderThan');
    if (mode === 'exact') query.set('resourceVersionMatch', 'Exact');
    const asked = { mode, isSelective, ...(mode === 'least' || mode === 'exact' ? { revision } : {}) };
    const turn = async (): Promise<number> => {
      await random.pause(8);
      return this.#server();
    };
    const plan = { verb: 'list' as const, resource, name: '', asked };
    await this.#caller.list(plan, this.#server(), `${pathOf(resource)}?${query}`, limit, turn);
  }
}
