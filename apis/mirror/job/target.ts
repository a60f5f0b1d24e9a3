import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { LegacyClient, Method } from '../../../pkg/legacyclient/client.js';
import { LegacyFailure, unlessAbsent } from '../../../pkg/legacyclient/failure.js';
import { pages } from '../../../pkg/legacyclient/pages.js';
import { type Access, NOBODY, rolesOf } from './access.js';
import { Outage } from './refusal.js';
import { Subjects } from './subjects.js';

/** A place with permissions, as its paths name it. */
export type Place = 'folders' | 'dashboards';

/** What the other server answers is remembered, so it is not as long as it likes. */
const Uid = z.string().max(200);
const Text = z.string().max(10_000);
const Name = z.string().max(1000).optional();
const MOST_ITEMS = 5000;

const Version = z.int().optional();
const FolderAnswer = z.object({
  uid: Uid,
  title: Text,
  version: Version,
  parentUid: Uid.optional(),
});
export type FolderThere = z.infer<typeof FolderAnswer>;

const DashboardAnswer = z.object({
  dashboard: z.record(z.string(), z.unknown()),
  meta: z.object({ version: Version, folderUid: Uid.optional() }),
});
export type DashboardThere = z.infer<typeof DashboardAnswer>;

const ElementAnswer = z.object({
  uid: Uid,
  folderUid: Uid.default(''),
  name: Text,
  kind: z.int(),
  model: z.record(z.string(), z.unknown()),
  version: z.int(),
});
export type ElementThere = z.infer<typeof ElementAnswer>;
const OneElement = z.object({ result: ElementAnswer });
const Elements = z.object({ result: z.object({ elements: z.array(ElementAnswer) }) });

const SavedAnswer = z.object({ version: Version });

const FoundAnswer = z.array(z.object({ uid: Uid, type: z.string().max(100), folderUid: Uid.optional(), title: Text }));
/** What a search of the other server shows of a folder or a dashboard. */
export type FoundThere = z.infer<typeof FoundAnswer>[number];

const ListAnswer = z
  .array(
    z.object({
      role: Name,
      userLogin: Name,
      team: Name,
      permission: z.int(),
      inherited: z.boolean().optional(),
    }),
  )
  .max(MOST_ITEMS);

/** What a list gives by itself, and what is inherited from above. */
export interface Permissions {
  readonly own: Access;
  readonly inherited: Access;
}

export interface SavedDashboard {
  readonly uid: string;
  readonly folder: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** The version that is replaced. Absent: the dashboard is new there. */
  readonly version: number | undefined;
  readonly message: string;
}

const PAGE = 1000;
/** A page has the models of its elements, too. */
const ELEMENTS = 100;

/** The other server, by the documented routes of its legacy API. One method is one request, except lists. */
export class Target {
  readonly #client: LegacyClient;
  readonly #mayWrite: () => boolean;
  readonly subjects: Subjects;
  #closesNested: boolean | undefined;

  /** `mayWrite`: whether no other server keeps the mirror. */
  constructor(client: LegacyClient, mayWrite: () => boolean = () => true) {
    this.#client = client;
    this.#mayWrite = mayWrite;
    this.subjects = new Subjects(client);
  }

  /** All folders, then all dashboards. */
  async *found(): AsyncGenerator<readonly FoundThere[], void> {
    for (const type of ['dash-folder', 'dash-db']) {
      const query = { type };
      const options = { path: '/api/search', schema: FoundAnswer, size: PAGE, sizeParameter: 'limit', query };
      yield* pages<FoundThere>(this.#client, options);
    }
  }

  folder(uid: string): Promise<FolderThere | undefined> {
    return unlessAbsent(this.#client.get(`/api/folders/${uid}`, FolderAnswer));
  }

  async createFolder(uid: string, title: string, parentUid: string): Promise<number | undefined> {
    return this.#folder('POST', '/api/folders', { uid, title, ...(parentUid !== '' && { parentUid }) });
  }

  async changeFolder(uid: string, title: string, version: number | undefined): Promise<number | undefined> {
    return this.#folder('PUT', `/api/folders/${uid}`, { title, version });
  }

  async moveFolder(uid: string, parentUid: string): Promise<number | undefined> {
    return this.#folder('POST', `/api/folders/${uid}/move`, { parentUid });
  }

  deleteFolder(uid: string): Promise<void> {
    return this.#delete(`/api/folders/${uid}`);
  }

  /** How many objects lie in a folder, by kind. Absent: there is no such folder. */
  contentsOf(folder: string): Promise<Readonly<Record<string, number>> | undefined> {
    return unlessAbsent(this.#client.get(`/api/folders/${folder}/counts`, z.record(z.string(), z.number())));
  }

  dashboard(uid: string): Promise<DashboardThere | undefined> {
    return unlessAbsent(this.#client.get(`/api/dashboards/uid/${uid}`, DashboardAnswer));
  }

  async saveDashboard({ uid, folder, content, version, message }: SavedDashboard): Promise<number | undefined> {
    const dashboard = { ...content, id: null, uid, ...(version !== undefined && { version }) };
    const body = { dashboard, folderUid: folder, message, overwrite: false };
    return (await this.#send('POST', '/api/dashboards/db', body, SavedAnswer)).version;
  }

  deleteDashboard(uid: string): Promise<void> {
    return this.#delete(`/api/dashboards/uid/${uid}`);
  }

  async element(uid: string): Promise<ElementThere | undefined> {
    return (await unlessAbsent(this.#client.get(`/api/library-elements/${uid}`, OneElement)))?.result;
  }

  /** All library elements. */
  async *elements(): AsyncGenerator<readonly ElementThere[], void> {
    for (let page = 1; ; page++) {
      const query = { perPage: ELEMENTS, page };
      const { elements } = (await this.#client.get('/api/library-elements', Elements, query)).result;
      if (elements.length === 0) return;
      yield elements;
    }
  }

  async createElement(uid: string, folderUid: string, content: object): Promise<ElementThere> {
    return (await this.#send('POST', '/api/library-elements', { uid, folderUid, ...content }, OneElement)).result;
  }

  async changeElement(uid: string, folderUid: string, content: object, version: number): Promise<ElementThere> {
    const body = { folderUid, ...content, version };
    return (await this.#send('PATCH', `/api/library-elements/${uid}`, body, OneElement)).result;
  }

  deleteElement(uid: string): Promise<void> {
    return this.#delete(`/api/library-elements/${uid}`);
  }

  /** What a list of permissions says of a place, and what is inherited from above it. */
  async permissions(place: Place, uid: string): Promise<Permissions> {
    const list = await this.#client.get(pathOf(place, uid), ListAnswer);
    const [own, inherited] = [new Map<string, number>(), new Map<string, number>()];
    for (const { role, userLogin, team, permission, inherited: isInherited } of list) {
      const subject = role ? `role:${role}` : team ? `team:${team}` : `user:${userLogin ?? ''}`;
      const access = isInherited === true ? inherited : own;
      access.set(subject, Math.max(permission, access.get(subject) ?? 0));
    }
    return { own, inherited };
  }

  /** Replaces the list of permissions. Who is not known there is left out; returns what the list has. */
  async setPermissions(place: Place, uid: string, access: Access): Promise<Access> {
    const set = async (): Promise<Access> => {
      const { items, known } = await this.subjects.itemsOf(access);
      await this.#send('POST', pathOf(place, uid), { items }, z.unknown());
      return known;
    };
    try {
      return await set();
    } catch (error) {
      if (!(error instanceof LegacyFailure) || (error.status !== 400 && error.status !== 404)) throw error;
      // Somebody in the list is perhaps deleted there, and nobody else must keep what they have because of that.
      this.subjects.readAgain();
      return set();
    }
  }

  /** Whether it can close a folder to roles in one that is open to them. Two empty folders are made to see that. */
  async closesNested(): Promise<boolean> {
    this.#closesNested ??= await this.#tryToClose();
    return this.#closesNested;
  }

  async #tryToClose(): Promise<boolean> {
    const [outer, inner] = [randomName(), randomName()];
    await this.createFolder(outer, outer, '');
    try {
      await this.createFolder(inner, inner, outer);
      await this.setPermissions('folders', inner, NOBODY);
      const { own, inherited } = await this.permissions('folders', inner);
      return rolesOf(own).size === 0 && rolesOf(inherited).size === 0;
    } finally {
      await this.deleteFolder(inner);
      await this.deleteFolder(outer);
    }
  }

  close(): void {
    this.#client.close();
  }

  async #folder(method: Method, path: string, body: object): Promise<number | undefined> {
    return (await this.#send(method, path, body, FolderAnswer)).version;
  }

  async #send<T>(method: Method, path: string, body: object, schema: z.ZodType<T>): Promise<T> {
    this.#checkElected();
    const answer = await this.#client.send(method, path, { body });
    const parsed = schema.safeParse(answer.body);
    if (parsed.success) return parsed.data;
    throw new LegacyFailure({ method, path }, answer.status, 'the answer is not what this API answers');
  }

  /** What is gone already is deleted. */
  async #delete(path: string): Promise<void> {
    this.#checkElected();
    await unlessAbsent(this.#client.send('DELETE', path));
  }

  #checkElected(): void {
    if (!this.#mayWrite()) throw new Outage('another server keeps the mirror now');
  }
}

const randomName = (): string => `mirror-probe-${randomBytes(8).toString('hex')}`;

const pathOf = (place: Place, uid: string): string =>
  place === 'folders' ? `/api/folders/${uid}/permissions` : `/api/dashboards/uid/${uid}/permissions`;
