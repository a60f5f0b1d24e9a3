import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { LegacyClient, Method } from '../../../pkg/legacyclient/client.js';
import { LegacyFailure } from '../../../pkg/legacyclient/failure.js';
import { type Access, NOBODY, rolesOf } from './access.js';
import { PreferencesTarget } from './preferences-target.js';
import { Requests } from './requests.js';
import { Subjects } from './subjects.js';
import { TeamTarget } from './team-target.js';

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
const Elements = z
  .object({ result: z.object({ elements: z.array(ElementAnswer) }) })
  .transform(({ result }) => result.elements);

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

export interface TargetOptions {
  readonly mayWrite?: () => boolean;
  readonly id?: string;
}

/** The other server, by the documented routes of its legacy API. One method is one request, except lists. */
export class Target {
  readonly #requests: Requests;
  readonly #probes: readonly [outer: string, inner: string];
  #closesNested: boolean | undefined;
  readonly subjects: Subjects;
  readonly teams: TeamTarget;
  readonly preferences: PreferencesTarget;

  /** `mayWrite`: whether no other server keeps the mirror. `id` tells the probes of mirrors apart. */
  constructor(client: LegacyClient, { mayWrite = () => true, id = '' }: TargetOptions = {}) {
    this.#requests = new Requests(client, mayWrite);
    const probe = `mirror-probe-${createHash('sha256').update(id).digest('hex').slice(0, 16)}`;
    this.#probes = [probe, `${probe}-in`];
    this.subjects = new Subjects(this.#requests);
    this.teams = new TeamTarget(this.#requests);
    this.preferences = new PreferencesTarget(this.#requests);
  }

  /** All folders, then all dashboards. */
  async *found(): AsyncGenerator<readonly FoundThere[], void> {
    for (const type of ['dash-folder', 'dash-db']) {
      const query = { type };
      const options = { path: '/api/search', schema: FoundAnswer, size: PAGE, sizeParameter: 'limit', query };
      yield* this.#requests.pages<FoundThere>(options);
    }
  }

  folder(uid: string): Promise<FolderThere | undefined> {
    return this.#requests.find(`/api/folders/${uid}`, FolderAnswer);
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
    return this.#requests.delete(`/api/folders/${uid}`);
  }

  /** How many objects lie in a folder, by kind. Absent: there is no such folder. */
  contentsOf(folder: string): Promise<Readonly<Record<string, number>> | undefined> {
    return this.#requests.find(`/api/folders/${folder}/counts`, z.record(z.string(), z.number()));
  }

  dashboard(uid: string): Promise<DashboardThere | undefined> {
    return this.#requests.find(`/api/dashboards/uid/${uid}`, DashboardAnswer);
  }

  async saveDashboard({ uid, folder, content, version, message }: SavedDashboard): Promise<number | undefined> {
    const dashboard = { ...content, id: null, uid, ...(version !== undefined && { version }) };
    const body = { dashboard, folderUid: folder, message, overwrite: false };
    return (await this.#requests.send('POST', '/api/dashboards/db', body, SavedAnswer)).version;
  }

  deleteDashboard(uid: string): Promise<void> {
    return this.#requests.delete(`/api/dashboards/uid/${uid}`);
  }

  async element(uid: string): Promise<ElementThere | undefined> {
    return (await this.#requests.find(`/api/library-elements/${uid}`, OneElement))?.result;
  }

  /** All library elements. */
  elements(): AsyncGenerator<readonly ElementThere[], void> {
    // A page has the models of its elements, too, so it is smaller.
    return this.#requests.pages({
      path: '/api/library-elements',
      schema: Elements,
      size: 100,
      sizeParameter: 'perPage',
    });
  }

  async createElement(uid: string, folderUid: string, content: object): Promise<ElementThere> {
    return (await this.#requests.send('POST', '/api/library-elements', { uid, folderUid, ...content }, OneElement))
      .result;
  }

  async changeElement(uid: string, folderUid: string, content: object, version: number): Promise<ElementThere> {
    const body = { folderUid, ...content, version };
    return (await this.#requests.send('PATCH', `/api/library-elements/${uid}`, body, OneElement)).result;
  }

  deleteElement(uid: string): Promise<void> {
    return this.#requests.delete(`/api/library-elements/${uid}`);
  }

  /** What a list of permissions says of a place, and what is inherited from above it. */
  async permissions(place: Place, uid: string): Promise<Permissions> {
    const list = await this.#requests.get(pathOf(place, uid), ListAnswer);
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
      await this.#requests.send('POST', pathOf(place, uid), { items }, z.unknown());
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

  /**
   * Whether it can close a folder to roles in one that is open to them. If no folder there shows it, two empty ones are
   * made for a moment.
   */
  async closesNested(isShown: () => boolean): Promise<boolean> {
    this.#closesNested ??= isShown() || (await this.#tryToClose());
    return this.#closesNested;
  }

  async #tryToClose(): Promise<boolean> {
    const [outer, inner] = this.#probes;
    await this.removeProbes();
    await this.createFolder(outer, outer, '');
    try {
      await this.createFolder(inner, inner, outer);
      await this.setPermissions('folders', inner, NOBODY);
      const { own, inherited } = await this.permissions('folders', inner);
      return rolesOf(own).size === 0 && rolesOf(inherited).size === 0;
    } finally {
      await this.removeProbes();
    }
  }

  isProbe(uid: string): boolean {
    return this.#probes.includes(uid);
  }

  /** Deletes the empty folders, also those that an earlier attempt has left. */
  async removeProbes(): Promise<void> {
    for (const probe of this.#probes.toReversed()) await this.deleteFolder(probe);
  }

  close(): void {
    this.#requests.close();
  }

  async #folder(method: Method, path: string, body: object): Promise<number | undefined> {
    return (await this.#requests.send(method, path, body, FolderAnswer)).version;
  }
}

const pathOf = (place: Place, uid: string): string =>
  place === 'folders' ? `/api/folders/${uid}/permissions` : `/api/dashboards/uid/${uid}/permissions`;
