import { covers, type Grants, type Scopes } from '../../pkg/authz/grants.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import type { Access, AccessRequest, AccessView, GrantSource, Guarded } from '../access.js';
import type { Actions, Kind } from '../kind.js';
import { actionsOf, coversKind, deedOf, readsMany } from './actions.js';
import { accessDenied } from './denied.js';
import { escalationDenied, gainedByMove } from './escalation.js';
import { isMaster } from './masters.js';
import { type Places, placesOf } from './places.js';
import { visibilityOf } from './visibility.js';
import { watchVisibility } from './watching.js';

/** A request as it is judged: what is wanted, by whom, on what. */
interface Case {
  readonly request: AccessRequest;
  readonly deed: keyof Actions;
  readonly grants: Grants;
  /** Whether the caller belongs where this is: to others nothing is their own. */
  readonly isInside: boolean;
  readonly places: Places;
  readonly view: AccessView;
}

const ALLOWED: readonly string[] = [];

/** The authorizer over the kinds' `permissions`, with grants from `source`. */
export function createAccess(kinds: readonly Kind[], source: GrantSource): Access {
  const byQualified = new Map(kinds.map((kind) => [kind.qualified, kind]));
  const places = new Map(kinds.map((kind) => [kind, placesOf(kind, byQualified)]));
  const placesFor = (kind: Kind): Places => places.get(kind) ?? placesOf(kind, byQualified);

  const caseOf = (request: AccessRequest, view: AccessView): Case | undefined => {
    const { user, verb, kind, namespace } = request;
    const deed = deedOf(verb);
    if (deed === undefined || kind.permissions === undefined) return undefined;
    const standing = source.standingOf(user, view);
    const [grants, isInside] = [standing.grants(namespace), standing.belongs(namespace)];
    return { request, deed, grants, isInside, places: placesFor(kind), view };
  };

  /** Lists and watches are let in and show what the caller may view, where that can be told only object by object. */
  const missingAtDoor = (request: AccessRequest, view: AccessView): readonly string[] | undefined => {
    const { user, kind, namespace, verb } = request;
    const deed = deedOf(verb);
    if (deed === undefined || kind.permissions === undefined) return undefined;
    if (kind.permissions.allowSelf !== undefined || kind.permissions.actionsOf !== undefined) return ALLOWED;
    if (namespace === '' && kind.scope === 'Namespaced') return ALLOWED;
    const grants = source.standingOf(user, view).grants(namespace);
    const actions = actionsOf(kind, deed, request.subresource ?? '', undefined);
    return actions.filter((action) => grants.scopesOf(action) === undefined);
  };

  const missing = (request: AccessRequest, view: AccessView): readonly string[] | undefined => {
    if (isMaster(request.user)) return ALLOWED;
    if (readsMany(request)) return missingAtDoor(request, view);
    const judged = caseOf(request, view);
    if (judged === undefined) return undefined;
    const lacking = missingOf(judged);
    return lacking.length > 0 ? lacking : gainedBy(judged);
  };

  const check = (request: AccessRequest, view: AccessView): void => {
    if (isMaster(request.user)) return;
    const judged = caseOf(request, view);
    const lacking = judged && missingOf(judged);
    if (judged === undefined || lacking === undefined || lacking.length > 0) throw accessDenied(request, lacking ?? []);
    const gained = gainedBy(judged);
    if (gained.length > 0) throw escalationDenied(request, gained);
  };

  const admit = (request: AccessRequest, view: AccessView): void => {
    if (isMaster(request.user)) return;
    const lacking = missingAtDoor(request, view);
    if (lacking === undefined || lacking.length > 0) throw accessDenied(request, lacking ?? []);
  };

  return {
    admit,
    missing,
    check,
    visible: (question, view) => visibilityOf(question, placesFor(question.kind), source, view),
    watching: (question, cacher, after) => watchVisibility(question, placesFor(question.kind), source, cacher, after),
    grantsOf: (user, namespace, view) => source.standingOf(user, view).grants(namespace),
  };
}

function gainedBy({ request, deed, grants, places, view }: Case): readonly string[] {
  return deed === 'update' ? gainedByMove(request, grants, places, view) : ALLOWED;
}

function missingOf(judged: Case): readonly string[] {
  const { request, deed } = judged;
  const { object, old } = request;
  if (object === undefined) return missingOnAbsent(judged);
  if (deed === 'create') return missingOnNew(judged, object);
  if (deed !== 'update' || old === undefined) return missingOn(judged, object, deed);
  return missingOnChange(judged, object, old);
}

/** Nothing has the name: that is for those to know who may do it to whatever there could be. */
function missingOnAbsent({ request, deed, grants, isInside, places }: Case): readonly string[] {
  const { kind, name, namespace, user, subresource = '' } = request;
  const stub: KubeObject = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name, namespace } };
  if (name !== '' && isInside && kind.permissions?.allowSelf?.(stub, user, deed) === true) return ALLOWED;
  return actionsOf(kind, deed, subresource, undefined).filter((action) => {
    const scopes = grants.scopesOf(action);
    return scopes === undefined || (name !== '' && !coversKind(places.container, kind, action, scopes));
  });
}

/** A new object is judged by the place it is put in; a new container has no place of its own yet. */
function missingOnNew(judged: Case, object: Guarded, actions?: readonly string[]): readonly string[] {
  const { kind } = judged.request;
  const isContainer = judged.places.container === kind;
  const judgedAs: Guarded = isContainer ? { ...object, scopes: [] } : object;
  return missingOn(judged, judgedAs, 'create', actions, true);
}

/** The object as it is must be the caller's to change; so must what it becomes, and the place that it is moved to. */
function missingOnChange(judged: Case, object: Guarded, old: Guarded): readonly string[] {
  const lacking = missingOn(judged, old, 'update');
  if (lacking.length > 0) return lacking;
  const { kind } = judged.request;
  if (old.container !== object.container) {
    const lackingThere = missingOnNew(judged, object, kind.permissions?.move);
    if (lackingThere.length > 0) return lackingThere;
  }
  const isSame = object.scopes.length === old.scopes.length && object.scopes.every((one, i) => one === old.scopes[i]);
  return isSame ? ALLOWED : missingOn(judged, object, 'update');
}

function missingOn(
  { request, grants, isInside, places, view }: Case,
  object: Guarded,
  deed: keyof Actions,
  actions?: readonly string[],
  isDestination = false,
): readonly string[] {
  const { kind, user, namespace, subresource = '' } = request;
  const { permissions } = kind;
  const wanted =
    actions ?? actionsOf(kind, deed, subresource, permissions?.actionsOf === undefined ? undefined : object.read());
  const isCovered = (scopes: Scopes): boolean => {
    if (scopes.everything) return true;
    const passes = (scope: string): boolean => covers(scopes, scope);
    return object.scopes.some(passes) || places.around(object, namespace, view, isDestination, passes);
  };
  const lacking = wanted.filter((action) => {
    const scopes = grants.scopesOf(action);
    return scopes === undefined || !isCovered(scopes);
  });
  if (lacking.length === 0 || !isInside) return lacking;
  return permissions?.allowSelf?.(object.read(), user, deed) === true ? ALLOWED : lacking;
}
