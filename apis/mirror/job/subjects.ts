import { z } from 'zod';
import type { LegacyClient } from '../../../pkg/legacyclient/client.js';
import type { Access } from './access.js';

const Teams = z.object({ teams: z.array(z.object({ id: z.int(), name: z.string().max(1000) })) });
const Members = z.array(z.object({ userId: z.int(), login: z.string().max(1000) }));

const PAGE = 1000;
/** Milliseconds before the lists are read again because somebody is not in them. */
const STALE = 60_000;
/** The same, although everybody is in them: others may have the name or the number now. */
const OLD = 300_000;

/** An entry of a list of permissions, as it is sent. */
type Item = Readonly<Record<string, string | number>>;

/** The teams and users of the other organization, by name and login: their numbers differ from those here. */
export class Subjects {
  readonly #client: LegacyClient;
  #teams = new Map<string, number>();
  #users = new Map<string, number>();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(client: LegacyClient) {
    this.#client = client;
  }

  /** Numbers that were read are not right any more. */
  readAgain(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  /** Leaves out who is not there, so that nobody else gets what they have here. */
  async itemsOf(access: Access): Promise<{ readonly items: readonly Item[]; readonly known: Access }> {
    const isMissing = [...access.keys()].some((subject) => this.#named(subject) === undefined);
    // Roles have no numbers.
    const hasNumbers = [...access.keys()].some((subject) => !subject.startsWith('role:'));
    if (hasNumbers && performance.now() - this.#readAt > (isMissing ? STALE : OLD)) await this.#read();
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
    for (let page = 1; ; page++) {
      const found = (await this.#client.get('/api/teams/search', Teams, { perpage: PAGE, page })).teams;
      for (const { id, name } of found) teams.set(name, id);
      if (found.length < PAGE) break;
    }
    const users = await this.#client.get('/api/org/users', Members);
    this.#teams = teams;
    this.#users = new Map(users.map(({ userId, login }) => [login, userId]));
    this.#readAt = performance.now();
  }
}
