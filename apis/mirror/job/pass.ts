import { allOf } from './all-of.js';
import { Attempts } from './attempts.js';
import { sendDashboard } from './dashboard-step.js';
import { Deletions } from './deletions.js';
import { sendElement } from './element-step.js';
import { closeFolder, sendFolder, widenFolder } from './folder-step.js';
import type { FolderNode } from './folders.js';
import type { Held } from './held.js';
import { hasPending } from './pending.js';
import { PreferencesPass } from './preferences-pass.js';
import { CONTENTS, type ContentWord, type Key, keyOf, partsOf } from './resources.js';
import type { Step } from './step.js';
import { TeamPass } from './team-pass.js';

/** The most contents that are sent before the state here is looked at again. */
const AT_ONCE = 128;
const SHUT = 'the folder that it lies in cannot be closed there';
const WAITS = 'it waits here for what it names, so nobody sees it here or there';

/**
 * One look at what has changed: teams lose members and folders access first, folders from the root down; then contents,
 * some at a time; then what is deleted, from below; and what gives more access last. So nobody sees there what they may
 * not see here.
 */
export class Pass {
  readonly #step: Step;
  readonly #held: Held;
  readonly #attempts: Attempts;
  readonly #deletions: Deletions;
  readonly #teams: TeamPass;
  readonly #preferences: PreferencesPass;

  constructor(step: Step, held: Held) {
    this.#step = step;
    this.#held = held;
    this.#attempts = new Attempts(step, held);
    this.#deletions = new Deletions(step, held, this.#attempts);
    this.#teams = new TeamPass(step, held, this.#attempts, this.#deletions);
    this.#preferences = new PreferencesPass(step, held, this.#attempts, this.#deletions);
  }

  /** Whether something was done, so that it is worth looking again at once. */
  get hasProgress(): boolean {
    return this.#attempts.hasProgress;
  }

  async run(): Promise<void> {
    this.#deletions.judge();
    await this.#teams.narrow();
    await this.#folders();
    await this.#contents();
    await this.#deletions.folders();
    await this.#late();
    await this.#teams.widen();
    await this.#preferences.run();
  }

  async #folders(): Promise<void> {
    const { source, queue } = this.#step;
    const names = [...queue.due()].flatMap((key) => (partsOf(key).kind === 'folder' ? [partsOf(key).name] : []));
    for (const name of names) if (source.folders.isWaiting(name)) await this.#close(name);
    const nodes = names.flatMap((name) => source.folders.node(name) ?? []);
    for (const node of nodes.toSorted((a, b) => this.#depth(a) - this.#depth(b))) await this.#folder(node);
  }

  /** A folder that waits here. */
  async #close(name: string): Promise<void> {
    const { queue, memory } = this.#step;
    const key = keyOf('folder', name);
    this.#held.waiting.add(key);
    this.#held.late.delete(key);
    await this.#attempts.attempt(key, () => closeFolder(this.#step, name));
    if (memory.has(key) && !queue.has(key)) queue.fail(key, WAITS);
  }

  #depth({ parent }: FolderNode): number {
    let depth = 0;
    for (let at = parent; at !== ''; at = this.#step.source.folders.node(at)?.parent ?? '') depth++;
    return depth;
  }

  async #folder(node: FolderNode): Promise<void> {
    const { memory, source, queue, there } = this.#step;
    const key = keyOf('folder', node.name);
    if (this.#held.waiting.delete(key)) this.#release(node.name);
    const state = this.#stateOf(node.parent);
    if (state === 'kept') this.#attempts.keep(key);
    // Its title must not be shown, either.
    if (state === 'shut') return queue.fail(key, SHUT);
    if (state !== 'open') return;
    const wasThere = memory.has(key);
    const before = there.rolesIn(node.name);
    await this.#attempts.attempt(key, async () => {
      const isLeft = await sendFolder(this.#step, node);
      if (!isLeft) return;
      this.#held.late.add(key);
      // What lies in it may be there only as long as it is closed.
      this.#attempts.lookInto(node.name);
    });
    if (!wasThere && memory.has(key)) for (const inside of source.keysIn(node.name)) queue.addNow(inside);
    if (wasThere && textual(before) !== textual(there.rolesIn(node.name))) this.#inside(node.name);
  }

  /** It does not wait any more, so what lies in it here can be sent. */
  #release(folder: string): void {
    const { source, queue } = this.#step;
    for (const key of source.keysIn(folder)) {
      queue.addNow(key);
      const { kind, name } = partsOf(key);
      if (kind === 'folder') this.#release(name);
    }
  }

  /** What the folders in it have is said in lists of their own. */
  #inside(folder: string): void {
    const { memory, queue } = this.#step;
    for (const key of memory.in(folder)) if (partsOf(key).kind === 'folder') queue.addNow(key);
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
      if (work === 'kept') this.#attempts.keep(key);
      else if (work === 'waiting') this.#step.queue.done(key);
      else if (work === 'gone') {
        if (!this.#deletions.isStopped(key)) deletions.push(() => this.#deletions.content(key, word));
      } else if (typeof work === 'object') deletions.push(() => this.#deletions.forbidden(key, word, work.impossible));
      else if (work !== 'blocked') sends.push(() => this.#attempts.attempt(key, work));
    }
    await allOf(sends);
    await allOf(deletions);
    return sends.length + deletions.length;
  }

  /** What sends an object, or why it is not sent. */
  #workOn(
    word: ContentWord,
    name: string,
  ): (() => Promise<void>) | { readonly impossible: string } | 'gone' | 'kept' | 'blocked' | 'waiting' {
    const { source, memory } = this.#step;
    const folder = source.folderOf(word, name);
    if (folder === undefined) return 'gone';
    const state = this.#stateOf(folder);
    if (state === 'shut') return { impossible: SHUT };
    if (source.folders.isWaiting(folder)) {
      const sent = memory.get(keyOf(word, name));
      // In the folder that waits it is closed, but not where it was before.
      return sent === undefined || sent.folder === folder ? 'waiting' : { impossible: WAITS };
    }
    if (state !== 'open') return state;
    if (word === 'element') {
      const node = source.element(name);
      return node === undefined ? 'gone' : () => sendElement(this.#step, node);
    }
    const node = source.dashboard(name);
    if (node === undefined || 'impossible' in node) return node ?? 'gone';
    return () => sendDashboard(this.#step, node);
  }

  async #late(): Promise<void> {
    const { source, memory, queue } = this.#step;
    const nodes = [...this.#held.late].flatMap((key) => source.folders.node(partsOf(key).name) ?? []);
    for (const node of nodes.toSorted((a, b) => this.#depth(a) - this.#depth(b))) {
      const key = keyOf('folder', node.name);
      if (!memory.has(key) || queue.has(key) || hasPending(this.#step, node.name)) continue;
      await this.#attempts.attempt(key, async () => {
        await widenFolder(this.#step, node);
        this.#held.late.delete(key);
        this.#inside(node.name);
      });
    }
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
}

const textual = (roles: ReadonlyMap<string, number>): string => JSON.stringify([...roles].toSorted());
