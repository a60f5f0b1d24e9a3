import { type Access, accessIn } from './access.js';
import type { Attempts } from './attempts.js';
import type { Deletions } from './deletions.js';
import type { Held } from './held.js';
import { topsOf } from './listing.js';
import { hasPending } from './pending.js';
import { type Key, keyOf, partsOf } from './resources.js';
import type { Step } from './step.js';
import { deleteTeam, fillTeam, narrowTeam } from './team-step.js';

const LATE = 'it gets members when everything has arrived that it may see';

/** The teams of one look: they lose members before anything else is sent, and get members after all else. */
export class TeamPass {
  readonly #step: Step;
  readonly #held: Held;
  readonly #attempts: Attempts;
  readonly #deletions: Deletions;

  constructor(step: Step, held: Held, attempts: Attempts, deletions: Deletions) {
    this.#step = step;
    this.#held = held;
    this.#attempts = attempts;
    this.#deletions = deletions;
  }

  async narrow(): Promise<void> {
    const { queue, source } = this.#step;
    const due = [...queue.due()].filter((key) => partsOf(key).kind === 'team');
    // First the names that become free.
    for (const key of due) if (source.isGone(key)) await this.#delete(key);
    const known = due.filter((key) => this.#step.memory.has(key));
    for (const key of [...known, ...due.filter((key) => !known.includes(key))]) await this.#send(key);
  }

  async #delete(key: Key): Promise<void> {
    if (this.#deletions.isStopped(key)) return;
    await this.#deletions.gone(key, () => deleteTeam(this.#step, key));
    this.#lookAtPlaces(key);
  }

  async #send(key: Key): Promise<void> {
    const { source, memory, queue } = this.#step;
    const node = source.teams.node(partsOf(key).name);
    if (node === undefined) return;
    const before = memory.get(key);
    await this.#attempts.attempt(key, async () => {
      const isLeft = await narrowTeam(this.#step, node);
      if (isLeft) this.#held.lateTeams.add(key);
      else this.#held.lateTeams.delete(key);
    });
    if (queue.has(key)) return;
    const now = memory.get(key);
    if (now?.hash !== before?.hash || now?.id !== before?.id) this.#lookAtPlaces(key);
    for (const place of this.#held.withheld.get(key) ?? []) queue.addNow(place);
    this.#held.withheld.delete(key);
  }

  /** Lists there name teams by number, so where it has something is read again when another team has its name. */
  #lookAtPlaces(team: Key): void {
    const { source, memory, queue } = this.#step;
    const places = [...source.teams.places(partsOf(team).name)];
    const areAll = places.every((place) => memory.has(place));
    for (const place of new Set([...places, ...(areAll ? [] : topsOf(memory))])) {
      if (!memory.has(place)) continue;
      memory.doubt([place]);
      queue.addNow(place);
    }
  }

  /** Who comes into a team sees at once what it may see, so all of that has to be there as it is here. */
  async widen(): Promise<void> {
    const { source, memory, queue } = this.#step;
    if (this.#held.lateTeams.size === 0) return;
    const unfinished = this.#unfinished();
    for (const key of this.#held.lateTeams) {
      const node = source.teams.node(partsOf(key).name);
      if (node === undefined || !memory.has(key) || queue.has(key)) continue;
      if (unfinished.has(`team:${node.title}`)) {
        this.#held.partial.set(key, LATE);
        continue;
      }
      await this.#attempts.attempt(key, async () => {
        const isLeft = await fillTeam(this.#step, node);
        if (!isLeft) this.#held.lateTeams.delete(key);
      });
    }
  }

  /** The teams that have something on a place there that is not what it is here, or that has such contents. */
  #unfinished(): ReadonlySet<string> {
    const { memory, queue } = this.#step;
    const teams = new Set<string>();
    for (const key of memory.keys()) {
      const { access } = memory.get(key) ?? {};
      const { kind, name } = partsOf(key);
      // Most lists name no team, and need not be parsed.
      if (kind === 'team' || access?.includes('"team:') !== true) continue;
      if (queue.has(key) || (kind === 'folder' && hasPending(this.#step, name)))
        for (const subject of accessIn(access).keys()) teams.add(subject);
    }
    return teams;
  }
}

/** Decides which teams a list may name: those that are there as they are here, and those that are not mirrored. */
export function allowedIn({ source, memory, queue }: Pick<Step, 'source' | 'memory' | 'queue'>, held: Held) {
  const isReady = (subject: string, place: Key): boolean => {
    if (!subject.startsWith('team:')) return true;
    const name = source.teams.named(subject.slice('team:'.length));
    if (name === undefined || source.teams.node(name) === undefined) return true;
    const key = keyOf('team', name);
    if (held.kept.has(key) || (memory.has(key) && !queue.has(key))) return true;
    held.withheld.set(key, (held.withheld.get(key) ?? new Set()).add(place));
    return false;
  };
  return (access: Access, place: Key): Access => new Map([...access].filter(([subject]) => isReady(subject, place)));
}
