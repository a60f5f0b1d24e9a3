import { z } from 'zod';
import { hashOf } from './memory.js';
import { filled } from './preferences-source.js';
import type { Requests } from './requests.js';

const Answer = z.record(z.string(), z.unknown());

/** The preferences of the other organization and its teams. */
export class PreferencesTarget {
  readonly #requests: Requests;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** What is set there. Absent: there is no such team. `team`: its number there. */
  async get(team: number | undefined): Promise<Readonly<Record<string, unknown>> | undefined> {
    const answer = await this.#requests.find(pathOf(team), Answer);
    return answer && filled(answer);
  }

  /** What is left out has its default there. */
  async put(team: number | undefined, content: object): Promise<void> {
    await this.#requests.send('PUT', pathOf(team), content, z.unknown());
  }

  async hash(team: number | undefined): Promise<string | undefined> {
    const there = await this.get(team);
    return there && hashOf(there);
  }
}

const pathOf = (team: number | undefined): string =>
  team === undefined ? '/api/org/preferences' : `/api/teams/${team}/preferences`;
