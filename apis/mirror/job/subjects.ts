import { z } from 'zod';
import type { Access } from './access.js';
import type { Requests } from './requests.js';

const TeamPage = z
  .object({ teams: z.array(z.object({ id: z.int(), name: z.string().max(1000) })) })
  .transform(({ teams }) => teams);
const Members = z.array(z.object({ userId: z.int(), login: z.string().max(1000) })).max(200_000);

const PAGE = 1000;
/** Nobody here has a longer name. */
const LONGEST = 190;
/** Milliseconds before the lists are read again because somebody is not in them. */
const STALE = 60_000;
/** The same, although everybody is in them: others may have the name or the number now. */
const OLD = 300_000;

/** An entry of a list of permissions, as it is sent. */
type Item = Readonly<Record<string, string | number>>;

/** The teams and users of the other organization, by name and login: their numbers differ from those here. */
export class Subjects {
  readonly #requests: Requests;
  #teams = new Map<string, number>();
  #users = new Map<string, number>();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** Numbers that were read are not right any more. */
  readAgain(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  /** Reads the lists, unless they are new enough for these subjects. */
  async ensure(subjects: Iterable<string>): Promise<void> {
    // Roles and groups have no numbers.
    const numbered = [...subjects].filter((subject) => subject.startsWith('team:') || subject.startsWith('user:'));
    const isMissing = numbered.some((subject) => this.#named(subject) === undefined);
    if (numbered.length > 0 && performance.now() - this.#readAt > (isMissing ? STALE : OLD)) await this.#read();
  }

  /** Of `user:login`. Absent: there is no such user. */
  userId(subject: string): number | undefined {
    return subject.startsWith('user:') ? this.#users.get(subject.slice('user:'.length)) : undefined;
  }

  async teamId(name: string): Promise<number | undefined> {
    await this.ensure([`team:${name}`]);
    return this.#teams.get(name);
  }

  /** The names of all teams there. */
  async teamNames(): Promise<ReadonlyMap<string, number>> {
    await this.#read();
    return this.#teams;
  }

  /** Leaves out who is not there, so that nobody else gets what they have here. */
  async itemsOf(access: Access): Promise<{ readonly items: readonly Item[]; readonly known: Access }> {
    await this.ensure(access.keys());
    const all = [...access].flatMap(([subject, permission]) => {
      const named = this.#named(subject);
      return named === undefined ? [] : [{ subject, permission, item: { ...named, permission } }];
    });
    return {
      items: all.map(({ item }) => item),
      known: new Map(all.map(({ subject, permission }) => [subject, permission])),
    };
  }

  #named(subject: string): Item | undefined {
    const [kind, name] = [subject.slice(0, subject.indexOf(':')), subject.slice(subject.indexOf(':') + 1)];
    if (kind === 'role') return { role: name };
    const id = kind === 'team' ? this.#teams.get(name) : this.#users.get(name);
    if (id === undefined) return undefined;
    return kind === 'team' ? { teamId: id } : { userId: id };
  }

  async #read(): Promise<void> {
    const teams = new Map<string, number>();
    const options = { path: '/api/teams/search', schema: TeamPage, size: PAGE, sizeParameter: 'perpage' };
    for await (const page of this.#requests.pages(options))
      for (const { id, name } of page) if (name.length <= LONGEST) teams.set(name, id);
    const users = await this.#requests.get('/api/org/users', Members);
    this.#teams = teams;
    const known = users.filter(({ login }) => login.length <= LONGEST);
    this.#users = new Map(known.map(({ userId, login }) => [login, userId]));
    this.#readAt = performance.now();
  }
}
