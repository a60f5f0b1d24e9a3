import { LegacyFailure } from '../../../pkg/legacyclient/failure.js';
import { sendDashboard } from './dashboard-step.js';
import { sendElement } from './element-step.js';
import { deleteFolder, sendFolder, widenFolder } from './folder-step.js';
import type { FolderNode } from './folders.js';
import { CannotClose, Drifted, hasStatus, isOutage, Kept, Outage } from './refusal.js';
import { CONTENTS, type ContentWord, type Key, keyOf, partsOf } from './resources.js';
import type { Step } from './step.js';

/** The most contents that are sent before the state here is looked at again. */
const AT_ONCE = 128;
const SHUT = 'the folder that it lies in cannot be closed there';
/** So many failures in a row are not about the objects. */
const IN_A_ROW = 5;

/** What a mirror leaves as it is, or closes, and what waits for the contents: for the time of a worker. */
export class Held {
  /** There already, and kept. */
  readonly kept = new Set<Key>();
  /** Changed there by somebody, and only reported: what differs. */
  readonly drifted = new Map<Key, string>();
  /** Folders whose access is to be widened when their contents have arrived. */
  readonly late = new Set<Key>();
}

/**
 * One look at what has changed: folders from the root down, with less access first; then contents, some at a time;
 * then what is deleted, from below; and what gives more access last. So nobody sees there what they may not see here.
 */
export class Pass {
  readonly #step: Step;
  readonly #held: Held;
  #inARow = 0;
  /** Whether something was done, so that it is worth looking again at once. */
  hasProgress = false;

  constructor(step: Step, held: Held) {
    this.#step = step;
    this.#held = held;
  }

  async run(): Promise<void> {
    await this.#folders();
    await this.#contents();
    await this.#deletedFolders();
    await this.#late();
  }

  async #folders(): Promise<void> {
    const { source, queue } = this.#step;
    const names = [...queue.due()].flatMap((key) => (partsOf(key).kind === 'folder' ? [partsOf(key).name] : []));
    const nodes = names.flatMap((name) => source.folders.node(name) ?? []);
    for (const node of nodes.toSorted((a, b) => this.#depth(a) - this.#depth(b))) await this.#folder(node);
  }

  #depth({ parent }: FolderNode): number {
    let depth = 0;
    for (let at = parent; at !== ''; at = this.#step.source.folders.node(at)?.parent ?? '') depth++;
    return depth;
  }

  async #folder(node: FolderNode): Promise<void> {
    const { memory, source, queue, there } = this.#step;
    const key = keyOf('folder', node.name);
    const state = this.#stateOf(node.parent);
    if (state === 'kept') this.#keep(key);
    // Its title must not be shown, either.
    if (state === 'shut') return queue.fail(key, SHUT);
    if (state !== 'open') return;
    const wasThere = memory.has(key);
    const before = there.rolesIn(node.name);
    await this.#attempt(key, async () => {
      const isLeft = await sendFolder(this.#step, node);
      if (!isLeft) return;
      this.#held.late.add(key);
      // What lies in it may be there only as long as it is closed.
      this.#all(node.name);
    });
    if (!wasThere && memory.has(key)) for (const inside of source.keysIn(node.name)) queue.addNow(inside);
    if (wasThere && textual(before) !== textual(there.rolesIn(node.name))) this.#inside(node.name);
  }

  /** What the folders in it have is said in lists of their own. */
  #inside(folder: string): void {
    const { memory, queue } = this.#step;
    for (const key of memory.in(folder)) if (partsOf(key).kind === 'folder') queue.addNow(key);
  }

  /** Everything in it is looked at again, before it is opened. */
  #all(folder: string): void {
    const { memory, queue } = this.#step;
    for (const key of memory.in(folder)) {
      queue.addNow(key);
      if (partsOf(key).kind === 'folder') this.#all(partsOf(key).name);
    }
  }

  async #contents(): Promise<void> {
    let left = AT_ONCE;
    for (const word of CONTENTS) {
      const keys = [...this.#step.queue.due()].filter((key) => partsOf(key).kind === word);
      left -= await this.#contentsOf(word, keys, left);
    }
  }

  /** Returns how many were sent or deleted. */
  async #contentsOf(word: ContentWord, keys: readonly Key[], most: number): Promise<number> {
    const sends: (() => Promise<void>)[] = [];
    const deletions: (() => Promise<void>)[] = [];
    for (const key of keys) {
      if (sends.length + deletions.length >= most) break;
      const work = this.#workOn(word, partsOf(key).name);
      if (work === 'gone' || work === 'impossible')
        deletions.push(() => this.#delete(key, word, work === 'impossible'));
      else if (work === 'kept') this.#keep(key);
      else if (work !== 'blocked') sends.push(() => this.#attempt(key, work));
    }
    await allOf(sends);
    await allOf(deletions);
    return sends.length + deletions.length;
  }

  /** What sends an object, or why it is not sent. */
  #workOn(word: ContentWord, name: string): (() => Promise<void>) | 'gone' | 'impossible' | 'kept' | 'blocked' {
    const { source } = this.#step;
    const folder = source.folderOf(word, name);
    if (folder === undefined) return 'gone';
    const state = this.#stateOf(folder);
    if (state === 'shut') return 'impossible';
    if (state !== 'open') return state;
    if (word === 'element') {
      const node = source.element(name);
      return node === undefined ? 'gone' : () => sendElement(this.#step, node);
    }
    const node = source.dashboard(name);
    if (node === undefined) return 'gone';
    return 'impossible' in node ? 'impossible' : () => sendDashboard(this.#step, node);
  }

  /** What is gone here, or may not be there. */
  async #delete(key: Key, word: ContentWord, isForbidden: boolean): Promise<void> {
    const { memory, queue, spec, source, target } = this.#step;
    const { name } = partsOf(key);
    await this.#attempt(key, async () => {
      const isOurs = memory.isCreated(key);
      if ((isOurs && spec.delete) || (isForbidden && (memory.has(key) || isOurs)))
        await (word === 'element' ? target.deleteElement(name) : target.deleteDashboard(name));
      memory.delete(key);
    });
    if (!isForbidden || memory.has(key)) return;
    const node = word === 'dashboard' ? source.dashboard(name) : undefined;
    const isImpossible = node !== undefined && 'impossible' in node;
    queue.fail(key, isImpossible ? node.impossible : SHUT);
  }

  /** From below, because a folder is deleted when it is empty. */
  async #deletedFolders(): Promise<void> {
    const { queue, source, memory, spec } = this.#step;
    const gone = [...queue.due()].filter(
      (key) => partsOf(key).kind === 'folder' && source.folders.node(partsOf(key).name) === undefined,
    );
    for (const key of gone.toSorted((a, b) => this.#depthThere(b) - this.#depthThere(a))) {
      const { name } = partsOf(key);
      const inside = memory.in(name);
      for (const one of inside) if (!queue.has(one)) queue.addNow(one);
      if (spec.delete && memory.has(key) && inside.length > 0) continue;
      this.#held.late.delete(key);
      await this.#attempt(key, async () => {
        if (memory.isCreated(key) && spec.delete) await deleteFolder(this.#step, name);
        memory.delete(key);
      });
    }
  }

  #depthThere(key: Key): number {
    let depth = 0;
    for (let at = this.#step.memory.get(key)?.folder ?? ''; at !== ''; depth++)
      at = this.#step.memory.get(keyOf('folder', at))?.folder ?? '';
    return depth;
  }

  async #late(): Promise<void> {
    const { source, memory } = this.#step;
    const nodes = [...this.#held.late].flatMap((key) => source.folders.node(partsOf(key).name) ?? []);
    for (const node of nodes.toSorted((a, b) => this.#depth(a) - this.#depth(b))) {
      const key = keyOf('folder', node.name);
      if (!memory.has(key) || this.#isPending(key) || this.#hasPending(node.name)) continue;
      await this.#attempt(key, async () => {
        await widenFolder(this.#step, node);
        this.#held.late.delete(key);
        this.#inside(node.name);
      });
    }
  }

  /** Whether what lies in it there is not what it is here. */
  #hasPending(folder: string): boolean {
    const { memory } = this.#step;
    if (memory.mayHold(folder)) return true;
    return memory
      .in(folder)
      .some((key) => this.#isPending(key) || (partsOf(key).kind === 'folder' && this.#hasPending(partsOf(key).name)));
  }

  #isPending(key: Key): boolean {
    return this.#step.queue.has(key);
  }

  /** Nothing is sent into a folder that is not there as it is here. Empty: the root. */
  #stateOf(folder: string): 'open' | 'blocked' | 'kept' | 'shut' {
    const { source, memory, queue } = this.#step;
    let isBlocked = false;
    for (let at = folder; at !== ''; at = source.folders.node(at)?.parent ?? '') {
      const key = keyOf('folder', at);
      if (memory.get(key)?.isShut === true) return 'shut';
      if (this.#held.kept.has(key)) return 'kept';
      isBlocked ||= !memory.has(key) || queue.has(key);
    }
    return isBlocked ? 'blocked' : 'open';
  }

  #keep(key: Key): void {
    this.#step.queue.done(key);
    this.#held.kept.add(key);
    this.hasProgress = true;
  }

  /** Sends one object. What is about it is remembered; what is about the other server is thrown. */
  async #attempt(key: Key, work: () => Promise<void>): Promise<void> {
    const { queue, memory } = this.#step;
    const mayBeThere = memory.mayHaveMade(key);
    try {
      await work();
      this.#inARow = 0;
      queue.done(key);
      this.#held.kept.delete(key);
      this.#held.drifted.delete(key);
      this.hasProgress = true;
    } catch (error) {
      const isRefused = error instanceof LegacyFailure && error.status >= 400 && error.status < 500;
      if (isRefused && !mayBeThere) memory.disown(key);
      this.#failed(key, error);
    }
  }

  #failed(key: Key, error: unknown): void {
    const { queue } = this.#step;
    if (error instanceof Kept) {
      this.#keep(key);
      return;
    }
    if (error instanceof Drifted) {
      queue.done(key);
      this.#held.drifted.set(key, error.message);
      this.hasProgress = true;
      return;
    }
    if (isOutage(error)) throw error;
    if (hasStatus(error, 404)) this.#doubt(key);
    if (error instanceof CannotClose) this.#all(partsOf(key).name);
    const reason = error instanceof Error ? error.message : String(error);
    queue.fail(key, reason);
    if (++this.#inARow >= IN_A_ROW) throw new Outage(reason);
  }

  /** Perhaps it is not there any more, nor what lies in it. */
  #doubt(key: Key): void {
    const { memory, queue } = this.#step;
    const { kind, name } = partsOf(key);
    const inside = kind === 'folder' ? memory.in(name) : [];
    memory.doubt([key, ...inside]);
    for (const one of inside) queue.addNow(one);
  }
}

/** Waits for all, also if one fails, so that nothing goes on beside the next look. */
async function allOf(works: readonly (() => Promise<void>)[]): Promise<void> {
  const results = await Promise.allSettled(works.map((work) => work()));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

const textual = (roles: ReadonlyMap<string, number>): string => JSON.stringify([...roles].toSorted());
