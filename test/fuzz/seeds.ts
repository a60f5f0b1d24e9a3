import { expect } from 'chai';
import type { Caller } from '../../apis/testing/callers.js';
import { IAM } from '../../apis/testing/cast.js';
import { definitionOf } from '../custom/definition.js';
import { type Cast, collectionOf } from '../permissions/cast.js';
import { applySets } from '../resource-api/apply-sets.js';
import type { Markers } from './markers.js';

const FOLDER = 'folder.svc.app/v1beta1';
const DASHBOARD = 'dashboard.svc.app/v1beta1';
const RULE = 'rules.alerting.svc.app/v1beta1';
const CUSTOM = 'example.com/v1';
const PRIVATE = { 'svc.app/basic-roles': 'none' };
const MERGE = { 'content-type': 'application/merge-patch+json' };

interface Place {
  /** The name of the folder. */
  readonly folder?: string;
  readonly namespace?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Makes objects with markers in their names, labels, annotations and content. */
export class Seeds {
  readonly #cast: Cast;
  readonly #markers: Markers;

  constructor(cast: Cast, markers: Markers) {
    this.#cast = cast;
    this.#markers = markers;
  }

  /**
   * Makes objects that are open, private, shared with a team, waiting, in another organization, personal, and for
   * administrators.
   */
  async plant(): Promise<void> {
    const markers = this.#markers;
    await this.#define();
    const open = await this.#tree({});
    await this.#tree({ folder: open });
    await this.#deleted(open);
    const shut = await this.#tree({ annotations: PRIVATE });
    await this.#tree({ folder: shut });
    await this.#deleted(shut);
    const shared = await this.#tree({ annotations: PRIVATE });
    const team = await this.#team();
    await this.#bind('Team', team, { folder: shared });
    await this.#nested(open, team);
    await this.#tree({ folder: markers.name() });
    await this.#bind('BasicRole', 'Viewer', { folder: markers.name() });
    await this.#make(DASHBOARD, 'Dashboard', { title: markers.content() }, { annotations: PRIVATE });
    await this.#tree({ namespace: 'other' });
    await this.#ofAdministrators(shut);
    for (const caller of ['viewer', 'editor', 'admin', 'root'] as const) await this.#personal(caller, open);
  }

  /** Makes private objects in folders that are open to basic roles and to a team by bindings. */
  async #nested(open: string, team: string): Promise<void> {
    const outer = await this.#tree({ folder: open });
    await this.#bind('BasicRole', 'Editor', { folder: outer });
    const inner = await this.#tree({ folder: outer, annotations: PRIVATE });
    await this.#tree({ folder: inner });
    await this.#deleted(inner);
    const lowest = await this.#tree({ folder: inner, annotations: PRIVATE });
    await this.#bind('Team', team, { folder: lowest });
    const board = { title: this.#markers.content() };
    await this.#make(DASHBOARD, 'Dashboard', board, { folder: open, annotations: PRIVATE });
  }

  /** Makes a folder, objects in it, and objects about these. */
  async #tree(place: Place): Promise<string> {
    const markers = this.#markers;
    const { namespace } = place;
    const folder = await this.#make(FOLDER, 'Folder', { title: markers.content() }, place);
    const inside = { folder, ...(namespace && { namespace }) };
    const element = {
      name: markers.content(),
      kind: 1,
      description: markers.content(),
      model: { a: markers.content() },
    };
    const uid = await this.#make(DASHBOARD, 'LibraryElement', element, inside);
    const board = {
      title: markers.content(),
      tags: [markers.content()],
      panels: [{ libraryPanel: { uid, name: 'x' } }],
    };
    const dashboardUID = await this.#make(DASHBOARD, 'Dashboard', board, inside);
    await this.#changed(DASHBOARD, 'Dashboard', dashboardUID, namespace);
    const data = [{ refId: 'A', datasourceUid: markers.content(), model: { a: markers.content() } }];
    const rule = { title: markers.content(), ruleGroup: markers.content(), condition: 'A', data };
    await this.#make(RULE, 'AlertRule', rule, inside);
    const event = { text: markers.content(), time: 1, tags: [markers.content()], dashboardUID };
    await this.#make('annotation.svc.app/v1beta1', 'Annotation', event, namespace ? { namespace } : {});
    if (!namespace) await this.#make(CUSTOM, 'Report', { title: markers.content(), note: markers.content() }, inside);
    return folder;
  }

  /** Defines three kinds: in folders and for members, for administrators only, and of the server. */
  async #define(): Promise<void> {
    const kinds = [
      { plural: 'reports', kind: 'Report' },
      { plural: 'plans', kind: 'Plan', words: {} },
      { plural: 'notices', kind: 'Notice', words: { viewer: 'read' } },
      { plural: 'sites', kind: 'Site', words: {}, scope: 'Cluster' as const },
    ];
    for (const options of kinds) {
      const { apiVersion, kind, metadata, spec } = definitionOf(options);
      const labels = { ...(metadata['labels'] as object), note: this.#markers.content() };
      const body = { apiVersion, kind, metadata: { ...metadata, labels }, spec };
      await this.#created('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body);
    }
    for (const kind of ['Plan', 'Notice', 'Site']) await this.#make(CUSTOM, kind, { title: this.#markers.content() });
  }

  /** Changes an object, with other markers, so that it has a history. */
  async #changed(apiVersion: string, kind: string, name: string, namespace?: string): Promise<void> {
    const body = { metadata: { labels: { note: this.#markers.content() } }, spec: { title: this.#markers.content() } };
    const path = `${this.#path(apiVersion, kind, namespace)}/${name}`;
    const answer = await this.#cast.server.call('PATCH', path, { body, headers: MERGE });
    expect(answer.status, answer.text).to.equal(200);
  }

  /** Makes objects and deletes them, so that they are in the trash. */
  async #deleted(folder: string): Promise<void> {
    for (const [apiVersion, kind] of [
      [DASHBOARD, 'Dashboard'],
      [CUSTOM, 'Report'],
    ] as const) {
      const name = await this.#make(apiVersion, kind, { title: this.#markers.content() }, { folder });
      const answer = await this.#cast.server.call('DELETE', `${this.#path(apiVersion, kind)}/${name}`);
      expect(answer.status, answer.text).to.equal(200);
    }
  }

  /** A team of `member` and `lead`. */
  async #team(): Promise<string> {
    const team = await this.#make(IAM, 'Team', { title: this.#markers.content() });
    for (const [user, permission] of [
      ['member', 'member'],
      ['lead', 'admin'],
    ] as const) {
      const spec = { teamRef: { name: team }, userRef: { name: user }, permission };
      await this.#cast.made(IAM, 'TeamBinding', `${team}.${user}`, spec);
    }
    return team;
  }

  async #bind(kind: string, name: string, scope: object): Promise<void> {
    const spec = { subject: { kind, name }, roleRef: { kind: 'BuiltIn', name: 'View' }, scope };
    await this.#make(IAM, 'RoleBinding', spec);
  }

  async #ofAdministrators(folder: string): Promise<void> {
    const markers = this.#markers;
    await this.#make('v1', 'Secret', undefined, {}, { data: { a: markers.content() } });
    await this.#make('v1', 'ConfigMap', undefined, {}, { data: { a: markers.content() } });
    await this.#make('v1', 'Event', undefined, {}, { involvedObject: {}, message: markers.content() });
    await this.#make('coordination.k8s.io/v1', 'Lease', { holderIdentity: markers.content() });
    const permissions = [{ action: 'folders:read', scope: 'folders:*' }];
    await this.#make(IAM, 'Role', { title: markers.content(), permissions });
    await this.#make(IAM, 'ServiceAccount', { title: markers.content(), role: 'Viewer' });
    const login = markers.content();
    await this.#make(IAM, 'User', { login, email: `${login}@example.com`, name: markers.content() });
    const metadata = { name: markers.name(), annotations: { 'svc.app/folder': folder } };
    const member = { apiVersion: FOLDER, kind: 'Folder', metadata, spec: { title: markers.content() } };
    const applied = await applySets(() => this.#cast.server).apply(markers.name(), [member]);
    expect(applied.status, applied.text).to.equal(201);
  }

  async #personal(caller: Caller, folder: string): Promise<void> {
    const markers = this.#markers;
    const queries = {
      datasourceUid: markers.content(),
      queries: [{ a: markers.content() }],
      comment: markers.content(),
    };
    const own: readonly (readonly [string, string, string, object])[] = [
      ['queryhistory.svc.app/v1beta1', 'QueryHistory', markers.name(), queries],
      [
        'preferences.svc.app/v1beta1',
        'Preferences',
        `user-${caller}`,
        { homeDashboardUID: '', navbar: { bookmarkUrls: [markers.content()] } },
      ],
      ['collections.svc.app/v1beta1', 'Stars', `user-${caller}`, { resource: [] }],
    ];
    for (const [apiVersion, kind, name, spec] of own) {
      const metadata = { name, labels: { note: markers.content() } };
      await this.#created(this.#path(apiVersion, kind), { apiVersion, kind, metadata, spec }, caller);
    }
    if (caller === 'editor')
      await this.#created(
        this.#path(FOLDER, 'Folder'),
        this.#body(FOLDER, 'Folder', { title: markers.content() }, { folder }),
        caller,
      );
  }

  async #make(
    apiVersion: string,
    kind: string,
    spec: object | undefined,
    place: Place = {},
    members: object = {},
  ): Promise<string> {
    const body = { ...this.#body(apiVersion, kind, spec, place), ...members };
    await this.#created(this.#path(apiVersion, kind, place.namespace), body);
    return body.metadata.name;
  }

  #body(apiVersion: string, kind: string, spec: object | undefined, { folder, annotations }: Place) {
    const markers = this.#markers;
    const placed = { ...annotations, note: markers.content(), ...(folder && { 'svc.app/folder': folder }) };
    const labels = { [markers.content()]: markers.content() };
    return { apiVersion, kind, metadata: { name: markers.name(), labels, annotations: placed }, ...(spec && { spec }) };
  }

  #path(apiVersion: string, kind: string, namespace?: string): string {
    return collectionOf(this.#cast.server, apiVersion, kind, namespace);
  }

  async #created(path: string, body: unknown, caller?: Caller): Promise<void> {
    const { call, server } = this.#cast;
    const answer = await (caller === undefined
      ? server.call('POST', path, { body })
      : call(caller, 'POST', path, { body }));
    expect(answer.status, `${path}: ${answer.text}`).to.equal(201);
  }
}
