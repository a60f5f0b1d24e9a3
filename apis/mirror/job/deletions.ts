import type { Attempts } from './attempts.js';
import { deleteFolder } from './folder-step.js';
import type { Held } from './held.js';
import { type ContentWord, type Key, keyOf, partsOf } from './resources.js';
import type { Step } from './step.js';

/** Deletes there what is gone here, unless it is too much at once. */
export class Deletions {
  readonly #step: Step;
  readonly #held: Held;
  readonly #attempts: Attempts;

  constructor(step: Step, held: Held, attempts: Attempts) {
    this.#step = step;
    this.#held = held;
    this.#attempts = attempts;
  }

  /** Decides whether this look may delete. It counts all that is to be deleted, with what lies in folders. */
  judge(): void {
    const { queue, memory, guard, spec } = this.#step;
    const gone = new Set<Key>();
    if (spec.delete) for (const key of queue.due()) this.#count(key, gone);
    this.#held.stop = guard.stop({ gone: gone.size, sent: memory.size });
  }

  #count(key: Key, gone: Set<Key>): void {
    const { memory, source } = this.#step;
    if (gone.has(key) || !memory.isCreated(key) || !source.isGone(key)) return;
    gone.add(key);
    const { kind, name } = partsOf(key);
    if (kind === 'folder') for (const inside of memory.in(name)) this.#count(inside, gone);
  }

  /** Whether the object is to be deleted there, and may not be. */
  isStopped(key: Key): boolean {
    const { memory, spec } = this.#step;
    return this.#held.stop !== undefined && spec.delete && memory.isCreated(key);
  }

  /** A content that is gone here. */
  content(key: Key, word: ContentWord): Promise<void> {
    return this.gone(key, () => this.#remove(key, word));
  }

  /** An object that is gone here: `remove` deletes it there. Without `spec.delete`, it stays there as it is. */
  gone(key: Key, remove: () => Promise<void>): Promise<void> {
    const { memory, spec, guard } = this.#step;
    return this.#attempts.attempt(key, async () => {
      if (!memory.isCreated(key) || !spec.delete) memory.abandon(key);
      else {
        await remove();
        guard.count();
      }
      this.#held.forget(key);
    });
  }

  /** A content that may not be there, also if others have created it. */
  async forbidden(key: Key, word: ContentWord, reason: string): Promise<void> {
    const { memory, queue } = this.#step;
    await this.#attempts.attempt(key, async () => {
      if (memory.has(key) || memory.mayHaveMade(key)) await this.#remove(key, word);
    });
    if (!memory.has(key)) queue.fail(key, reason);
  }

  async #remove(key: Key, word: ContentWord): Promise<void> {
    const { target, memory } = this.#step;
    const { name } = partsOf(key);
    await (word === 'element' ? target.deleteElement(name) : target.deleteDashboard(name));
    memory.delete(key);
    this.#held.forget(key);
  }

  /** From below, because a folder is deleted when it is empty. */
  async folders(): Promise<void> {
    const { queue, source, memory, spec } = this.#step;
    const gone = [...queue.due()].filter((key) => partsOf(key).kind === 'folder' && source.isGone(key));
    for (const key of gone.toSorted((a, b) => this.#depthThere(b) - this.#depthThere(a))) {
      const { name } = partsOf(key);
      const inside = memory.in(name);
      for (const one of inside) if (!queue.has(one)) queue.addNow(one);
      if (this.isStopped(key) || (spec.delete && memory.has(key) && inside.length > 0)) continue;
      this.#held.late.delete(key);
      await this.gone(key, () => deleteFolder(this.#step, name));
    }
  }

  #depthThere(key: Key): number {
    let depth = 0;
    for (let at = this.#step.memory.get(key)?.folder ?? ''; at !== ''; depth++)
      at = this.#step.memory.get(keyOf('folder', at))?.folder ?? '';
    return depth;
  }
}
