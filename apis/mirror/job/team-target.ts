import { z } from 'zod';
import type { Access } from './access.js';
import { hasStatus } from './refusal.js';
import type { Requests } from './requests.js';
import { ADMIN, MEMBER } from './teams.js';

const Line = z.string().max(1000);
const TeamAnswer = z.object({ id: z.int(), name: Line, email: Line.default('') });
const Created = z.object({ teamId: z.int() });
const MOST_MEMBERS = 20_000;
const Members = z.array(z.object({ userId: z.int(), login: Line, permission: z.int().default(0) })).max(MOST_MEMBERS);
const Groups = z.array(z.object({ groupId: Line })).max(MOST_MEMBERS);

/** A team of the other server. */
export interface TeamThere {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly members: Access;
  /** The numbers of its members, by subject. */
  readonly ids: ReadonlyMap<string, number>;
}

/** The teams of the other server, by the documented routes of its legacy API. */
export class TeamTarget {
  readonly #requests: Requests;
  #hasGroups = true;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** Whether teams have groups of providers there. It is not known before a team was read. */
  get hasGroups(): boolean {
    return this.#hasGroups;
  }

  async team(id: number): Promise<TeamThere | undefined> {
    const team = await this.#requests.find(`/api/teams/${id}`, TeamAnswer);
    if (team === undefined) return undefined;
    const list = await this.#requests.get(`/api/teams/${id}/members`, Members);
    const subject = (login: string): string => `user:${login}`;
    return {
      ...team,
      members: new Map([
        ...list.map(({ login, permission }): [string, number] => [subject(login), permission === 4 ? ADMIN : MEMBER]),
        ...(await this.#groups(id)).map((group): [string, number] => [`group:${group}`, MEMBER]),
      ]),
      ids: new Map(list.map(({ login, userId }) => [subject(login), userId])),
    };
  }

  /** Not every server has groups of teams. */
  async #groups(id: number): Promise<readonly string[]> {
    try {
      const groups = await this.#requests.get(`/api/teams/${id}/groups`, Groups);
      this.#hasGroups = true;
      return groups.map(({ groupId }) => groupId);
    } catch (error) {
      if (!hasStatus(error, 404)) throw error;
      this.#hasGroups = false;
      return [];
    }
  }

  /** Returns its number. */
  async create(name: string, email: string): Promise<number> {
    return (await this.#requests.send('POST', '/api/teams', { name, email }, Created)).teamId;
  }

  async change(id: number, name: string, email: string): Promise<void> {
    await this.#requests.send('PUT', `/api/teams/${id}`, { name, email }, z.unknown());
  }

  delete(id: number): Promise<void> {
    return this.#requests.delete(`/api/teams/${id}`);
  }

  /** Adds a user, or changes what they may in it. */
  async putMember(id: number, userId: number, level: number, isMember: boolean): Promise<void> {
    const path = `/api/teams/${id}/members`;
    if (!isMember) await this.#add(path, { userId });
    if (isMember || level === ADMIN)
      await this.#requests.send('PUT', `${path}/${userId}`, { permission: level === ADMIN ? 4 : 0 }, z.unknown());
  }

  removeMember(id: number, userId: number): Promise<void> {
    return this.#requests.delete(`/api/teams/${id}/members/${userId}`);
  }

  addGroup(id: number, groupId: string): Promise<void> {
    return this.#add(`/api/teams/${id}/groups`, { groupId });
  }

  removeGroup(id: number, groupId: string): Promise<void> {
    return this.#requests.delete(`/api/teams/${id}/groups`, { groupId });
  }

  /** 400 also says that it is in it already. What is not is found when the team is read again. */
  async #add(path: string, body: object): Promise<void> {
    try {
      await this.#requests.send('POST', path, body, z.unknown());
    } catch (error) {
      if (!hasStatus(error, 400)) throw error;
    }
  }
}
