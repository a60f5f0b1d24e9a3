import { kinds } from '../../apis/kinds.js';
import { examplesOf } from '../harness/kind-examples.js';
import { ENVIRONMENT } from '../harness/server.js';
import type { KindOfCaller } from './callers.js';

/** The members of an object that the model needs. */
export interface Known {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Whether it is being deleted. */
  readonly isEnding: boolean;
  readonly isWaiting: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: Spec;
}

interface Named {
  readonly kind?: string;
  readonly name: string;
}

interface Spec {
  readonly userRef?: Named;
  readonly teamRef?: Named;
  readonly subject?: Named;
  readonly roleRef?: Named;
  readonly role?: string;
  readonly grafanaAdmin?: boolean;
  readonly dashboardUID?: string;
  readonly scope?: { readonly folder?: string; readonly dashboard?: string; readonly serviceAccount?: string };
}

/** What the folders of the kinds say of who sees their objects, by resource. */
const SEEN_BY = new Map(kinds(ENVIRONMENT).map((kind) => [kind.qualified, examplesOf(kind).permissions?.seenBy]));

/**
 * `members`: objects in folders, or about objects in folders. `owner`: only administrators of the server see those of
 * others.
 */
function seenBy({ resource, name }: Pick<Known, 'resource' | 'name'>): 'members' | 'owner' | undefined {
  const seen = SEEN_BY.get(resource);
  return typeof seen === 'function' ? seen(name) : seen;
}

/**
 * Who may see which object, in one state of the store. It implements the promises of docs/security.md,
 * docs/specification.md and docs/extending.md without the code that decides. It assumes that a custom role may give
 * anything.
 */
export class Oracle {
  readonly #sights = new Map<string, (object: Known) => boolean>();
  readonly #all: readonly Known[];

  /** The objects by `<resource>/<namespace>/<name>`. */
  readonly objects: ReadonlyMap<string, Known>;

  constructor(objects: ReadonlyMap<string, Known>) {
    this.objects = objects;
    this.#all = [...objects.values()].filter(({ resource }) => resource.endsWith('.iam.svc.app'));
  }

  maySee(caller: KindOfCaller, object: Known): boolean {
    const key = `${caller}/${object.namespace}`;
    const sees = this.#sights.get(key) ?? this.#sightOf(caller, object.namespace);
    this.#sights.set(key, sees);
    return sees(object);
  }

  #sightOf(caller: KindOfCaller, namespace: string): (object: Known) => boolean {
    if (caller === 'anon') return () => false;
    const isAdministrator = this.#get('users.iam.svc.app', '', caller)?.spec.grafanaAdmin === true;
    if (caller === 'operator' || caller === 'root' || isAdministrator) return () => true;
    return namespace === '' ? this.#ofServer(caller) : this.#inOrganization(caller, namespace);
  }

  /**
   * Users are visible to themselves, to administrators of their organizations, and in their teams. Organizations are
   * visible to their members.
   */
  #ofServer(caller: string): (object: Known) => boolean {
    const teams = this.#teamsOf(caller);
    const isAdminOf = ({ namespace }: Known): boolean => this.#roleIn(caller, namespace) === 'Admin';
    const isShared = ({ spec }: Known): boolean => teams.has(spec.teamRef?.name ?? '');
    return ({ resource, name }) => {
      if (resource === 'organizations.iam.svc.app') return this.#roleIn(caller, name) !== undefined;
      if (resource !== 'users.iam.svc.app') return false;
      const bindings = this.#all.filter(({ spec }) => spec.userRef?.name === name);
      return name === caller || bindings.some((one) => isAdminOf(one) || isShared(one));
    };
  }

  #inOrganization(caller: string, namespace: string): (object: Known) => boolean {
    const role = this.#roleIn(caller, namespace);
    const teams = this.#teamsOf(caller);
    const bound = this.#boundTo(caller, namespace, role);
    const wide = bound.filter(({ spec }) => spec.scope === undefined);
    const isAdmin = role === 'Admin' || wide.some(({ spec }) => /^(Admin|\*)$/.test(given(spec)));
    const isBound = (places: readonly Known[], least: RegExp): boolean =>
      bound.some(({ spec }) => least.test(given(spec)) && reaches(spec, places));
    return (object) => {
      const { resource, name, spec } = object;
      if (seenBy(object) === 'owner') return name === `user-${caller}` || authorOf(object) === caller;
      if (isAdmin) return true;
      if (resource.startsWith('preferences.'))
        return role !== undefined && (name === 'namespace' || teams.has(name.slice(5)));
      if (resource === 'teams.iam.svc.app') return teams.has(name);
      if (resource === 'teambindings.iam.svc.app') return teams.has(spec.teamRef?.name ?? '');
      if (resource === 'serviceaccounts.iam.svc.app') return name === caller || isBound([object], /./);
      if (resource === 'rolebindings.iam.svc.app') return isBound(this.#placesOf(object), /Admin|\*/);
      const places = this.#placesOf(object);
      if (isBound(places, /./)) return true;
      return this.#isForMembers(object, role) && (wide.length > 0 || (role !== undefined && isOpen(places)));
    };
  }

  /**
   * Members may see objects in folders, and those of a custom kind if its definition says so. Editors may see all that
   * Viewers may.
   */
  #isForMembers(object: Known, role = 'Viewer'): boolean {
    const { labels = {} } = this.#get('customresourcedefinitions.apiextensions.k8s.io', '', object.resource) ?? {};
    const isForViewers = labels['svc.app/viewer'] !== undefined;
    return (
      seenBy(object) === 'members' || isForViewers || (role === 'Editor' && labels['svc.app/editor'] !== undefined)
    );
  }

  /**
   * The object, the object that it is about, and the folders above, up to the one at the root. A missing one counts as
   * waiting.
   */
  #placesOf(object: Known): readonly Known[] {
    const above = placeOf(object);
    if (above === undefined) return [object];
    const next = this.#get(above.resource, object.namespace, above.name);
    // An annotation of a missing dashboard is visible to all who may see annotations (docs/adr/0022).
    if (next === undefined && object.resource.startsWith('annotations.')) return [object];
    return [object, ...(next === undefined ? [{ ...object, ...above, isWaiting: true }] : this.#placesOf(next))];
  }

  #roleIn(caller: string, namespace: string): string | undefined {
    if (this.#get('organizations.iam.svc.app', '', namespace)?.isEnding !== false) return undefined;
    const isOwn = (one: Known): boolean => one.namespace === namespace && one.spec.userRef?.name === caller;
    const membership = this.#all.find((one) => one.resource.startsWith('organizationbindings.') && isOwn(one));
    const holder = membership ?? this.#get('serviceaccounts.iam.svc.app', namespace, caller);
    return holder !== undefined && grants(holder) ? holder.spec.role : undefined;
  }

  #teamsOf(caller: string): ReadonlySet<string> {
    const own = this.#all.filter((one) => one.spec.teamRef && one.spec.userRef?.name === caller && grants(one));
    return new Set(own.map(({ spec }) => spec.teamRef?.name ?? ''));
  }

  #boundTo(caller: string, namespace: string, role: string | undefined): readonly Known[] {
    const teams = this.#teamsOf(caller);
    return this.#all.filter((one) => {
      const { kind, name = '' } = one.spec.subject ?? {};
      if (one.namespace !== namespace || kind === undefined || !grants(one)) return false;
      return kind === 'Team' ? teams.has(name) : name === (kind === 'BasicRole' ? role : caller);
    });
  }

  #get(resource: string, namespace: string, name: string): Known | undefined {
    return this.objects.get(keyOf({ resource, namespace, name }));
  }
}

export function keyOf({ resource, namespace, name }: Pick<Known, 'resource' | 'namespace' | 'name'>): string {
  return `${resource}/${namespace}/${name}`;
}

/** Whether an object grants its permissions: not while it is being deleted or waits. */
const grants = ({ isEnding, isWaiting }: Known): boolean => !isEnding && !isWaiting;

/** The role that a binding gives. `*` is a custom role. */
const given = ({ roleRef }: Spec): string => (roleRef?.kind === 'BuiltIn' ? roleRef.name : '*');

const authorOf = ({ annotations }: Known): string | undefined => annotations['svc.app/createdBy']?.split(':').at(-1);

const isPrivate = ({ annotations }: Known): boolean => annotations['svc.app/basic-roles'] === 'none';

/** Nothing in the chain is private, and all objects of the chain must exist. */
const isOpen = (places: readonly Known[]): boolean => places.every((place) => !place.isWaiting && !isPrivate(place));

/** Whether a binding is on one of the places. That of a basic role ends at the first private place below it. */
function reaches(spec: Spec, places: readonly Known[]): boolean {
  const at = places.findIndex((place) => isAt(place, spec));
  const isEnded = spec.subject?.kind === 'BasicRole' && places.slice(0, at).some(isPrivate);
  return at >= 0 && !isEnded;
}

const isAt = ({ resource, name }: Known, { scope = {} }: Spec): boolean =>
  scope[
    resource.startsWith('folders.') ? 'folder' : resource.startsWith('dashboards.') ? 'dashboard' : 'serviceAccount'
  ] === name;

function placeOf({ resource, annotations, spec }: Known): Pick<Known, 'resource' | 'name'> | undefined {
  const { scope = {} } = resource.startsWith('rolebindings.') ? spec : {};
  const dashboard = resource.startsWith('annotations.') ? spec.dashboardUID : scope.dashboard;
  if (dashboard) return { resource: 'dashboards.dashboard.svc.app', name: dashboard };
  const folder = scope.folder ?? annotations['svc.app/folder'];
  return folder ? { resource: 'folders.folder.svc.app', name: folder } : undefined;
}
