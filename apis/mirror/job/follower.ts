import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { eventsAfter } from '../../../registry/garbage/changes.js';
import type { Registry } from '../../../registry/kinds/registry.js';
import { nameOf, objectOf, placeOf } from '../../../registry/read/reader.js';
import { BY_SUBJECT, type RoleBindingSpec } from '../../iam/rolebinding/schema.js';
import type { TeamSpec } from '../../iam/team/schema.js';
import { BY_USER, type TeamBindingSpec } from '../../iam/teambinding/schema.js';
import { loginOf } from './people.js';
import { type ContentWord, keyOf, type Resources } from './resources.js';
import type { Worker } from './worker.js';

type RingEvent = NonNullable<ReturnType<typeof eventsAfter>>[number];

/** Follows the changes here by the rings of the cache, and tells the workers which objects have changed. */
export class Follower {
  readonly #registry: Registry;
  readonly #resources: Resources;
  readonly #workersIn: (namespace: string) => Iterable<Worker>;
  readonly #allWorkers: () => Iterable<Worker>;
  readonly #followed: readonly (readonly [resource: string, tell: (event: RingEvent, worker: Worker) => void])[];
  /** What decides which mirrors are kept. */
  readonly #deciding: readonly string[];
  #handled: number;
  #logId: number;

  constructor(
    registry: Registry,
    resources: Resources,
    workers: { in(namespace: string): Iterable<Worker>; all(): Iterable<Worker> },
  ) {
    this.#registry = registry;
    this.#resources = resources;
    this.#workersIn = (namespace) => workers.in(namespace);
    this.#allWorkers = () => workers.all();
    this.#followed = [
      [resources.folders, folderChanged],
      [resources.dashboards, contentChanged('dashboard')],
      [resources.elements, contentChanged('element')],
      [resources.bindings, bindingChanged],
      [resources.teams, this.#teamChanged()],
      [resources.members, memberChanged],
      [resources.preferences, preferencesChanged],
      [resources.users, this.#subjectChanged('User', loginOf)],
    ];
    this.#deciding = [resources.mirrors, resources.organizations];
    this.#handled = registry.cacher.state.revision;
    this.#logId = registry.cacher.logId;
  }

  /** Takes all changes up to the newest state. What is read next, without waiting, has no other. */
  catchUp(): void {
    const { cacher } = this.#registry;
    const { revision } = cacher.state;
    if (cacher.logId !== this.#logId) for (const worker of this.#allWorkers()) worker.beginAgain();
    this.#logId = cacher.logId;
    for (const [resource, tell] of this.#followed) this.#take(resource, tell);
    this.#handled = revision;
  }

  /** Resolves at the next change of these objects or of a mirror, and about once a second. */
  async changed(signal: AbortSignal): Promise<void> {
    const { cacher } = this.#registry;
    const ended = new AbortController();
    const either = AbortSignal.any([signal, ended.signal]);
    const resources = [...this.#followed.map(([resource]) => resource), ...this.#deciding];
    const waits = resources.map((resource) => cacher.ring(resource).changed.waitOrAbort(either));
    await Promise.race(waits);
    ended.abort();
  }

  #take(resource: string, tell: (event: RingEvent, worker: Worker) => void): void {
    const ring = this.#registry.cacher.ring(resource);
    for (let after = this.#handled; ; ) {
      const events = eventsAfter(ring, after);
      if (events === undefined) {
        this.#lookAgain();
        return;
      }
      for (const event of events) this.#tell(event, tell);
      const last = events.at(-1);
      if (last === undefined) return;
      after = last.revision;
    }
  }

  #tell(event: RingEvent, tell: (event: RingEvent, worker: Worker) => void): void {
    const entry = event.current ?? event.previous;
    if (entry === undefined) return;
    const [namespace] = placeOf(entry);
    // Users belong to no namespace.
    const workers = namespace === '' ? this.#allWorkers() : this.#workersIn(namespace);
    for (const worker of workers) tell(event, worker);
  }

  #teamChanged() {
    const renamed = this.#subjectChanged('Team', ({ title }: Partial<TeamSpec>) => title);
    return (event: RingEvent, worker: Worker): void => {
      const entry = event.current ?? event.previous;
      if (entry !== undefined) worker.add(keyOf('team', nameOf(entry)));
      renamed(event, worker);
    };
  }

  /** Who has a new name is somebody else there. */
  #subjectChanged<Spec>(kind: 'Team' | 'User', nameOfSpec: (spec: Partial<Spec>) => string | undefined) {
    return ({ current, previous }: RingEvent, worker: Worker): void => {
      const names = [current, previous].map((entry) => entry && nameOfSpec(objectOf<Spec>(entry).spec ?? {}));
      const entry = current ?? previous;
      if (entry === undefined || names[0] === names[1]) return;
      const { bindings } = this.#resources;
      const subject = [worker.namespace, kind, nameOf(entry)];
      for (const binding of this.#registry.reader.range<RoleBindingSpec>(bindings, BY_SUBJECT, subject))
        placeChanged(binding, worker);
      if (kind === 'User') this.#memberRenamed(nameOf(entry), worker);
    };
  }

  #memberRenamed(user: string, worker: Worker): void {
    for (const member of this.#registry.reader.range<TeamBindingSpec>(this.#resources.members, BY_USER, [user]))
      if (member.metadata.namespace === worker.namespace && member.spec !== undefined)
        worker.add(keyOf('team', member.spec.teamRef.name));
  }

  #lookAgain(): void {
    for (const worker of this.#allWorkers()) worker.lookAgain();
  }
}

function folderChanged({ current, previous }: RingEvent, worker: Worker): void {
  const entry = current ?? previous;
  if (entry === undefined) return;
  worker.add(keyOf('folder', nameOf(entry)));
  worker.addTops();
}

function contentChanged(word: ContentWord) {
  return ({ current, previous }: RingEvent, worker: Worker): void => {
    const entry = current ?? previous;
    if (entry !== undefined) worker.add(keyOf(word, nameOf(entry)));
  };
}

function memberChanged({ current, previous }: RingEvent, worker: Worker): void {
  for (const entry of [current, previous]) {
    const team = entry && objectOf<TeamBindingSpec>(entry).spec?.teamRef.name;
    if (team !== undefined) worker.add(keyOf('team', team));
  }
}

function preferencesChanged({ current, previous }: RingEvent, worker: Worker): void {
  const entry = current ?? previous;
  if (entry !== undefined) worker.add(keyOf('preferences', nameOf(entry)));
}

function bindingChanged({ current, previous }: RingEvent, worker: Worker): void {
  for (const entry of [current, previous])
    if (entry !== undefined) placeChanged(objectOf(entry) as KubeObject<RoleBindingSpec>, worker);
}

function placeChanged({ spec }: KubeObject<RoleBindingSpec>, worker: Worker): void {
  const { dashboard, folder } = spec?.scope ?? {};
  if (dashboard !== undefined) worker.add(keyOf('dashboard', dashboard));
  if (folder === undefined) return;
  worker.add(keyOf('folder', folder));
  worker.addTops();
}
