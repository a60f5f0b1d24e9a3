import type { Grants } from '../../pkg/identity/authz/grants.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import {
  type Authorizer,
  type GrantSource,
  haveSameAttributes,
  haveSameScopes,
  isMaster,
  newAttributes,
  type ObjectAttributes,
  type RequestAttributes,
} from '../kinds/authorizer.js';
import type { Actions, Kind } from '../kinds/kind.js';
import type { Reader } from '../read/reader.js';
import { actionsOf, coversKind, normalizedVerb, readsMany, selfVerb } from './actions.js';
import { hasEverywhere, isCovered, mayCoverAll, mayCoverAny, placesOf } from './covered.js';
import { permissionDenied } from './denied.js';
import { escalationDenied, gainedByMove } from './move-escalation.js';
import { readFilter } from './read-filter.js';
import { insideDenied, lackingInside } from './restricted-contents.js';
import { withRightsBefore } from './rights-before.js';
import { type ScopeHierarchy, scopeHierarchy } from './scope-hierarchy.js';
import { missingWhileWaiting, waits } from './waiting.js';
import { watchFilter } from './watch-filter.js';

/** A request, with the data that its decision needs. */
interface Decision {
  readonly attributes: RequestAttributes;
  readonly verb: keyof Actions;
  readonly grants: Grants;
  /** Whether the caller is a member of the namespace. `allowSelf` applies to members only. */
  readonly isMember: boolean;
  readonly hierarchy: ScopeHierarchy;
  readonly reader: Reader;
}

const NONE: readonly string[] = [];

/**
 * The authorizer over the `permissions` of kinds, with grants from `source`. `kinds` are those that others may lie in,
 * or be about.
 */
export function createAuthorizer(kinds: readonly Kind[], grants: GrantSource): Authorizer {
  const source = withRightsBefore(grants);
  const byResource = new Map(kinds.map((kind) => [kind.qualified, kind]));
  const hierarchies = new WeakMap<Kind, ScopeHierarchy>();
  const hierarchyOf = (kind: Kind): ScopeHierarchy => {
    const hierarchy = hierarchies.get(kind) ?? scopeHierarchy(kind, byResource);
    hierarchies.set(kind, hierarchy);
    return hierarchy;
  };

  const decisionOf = (attributes: RequestAttributes, reader: Reader): Decision | undefined => {
    const { user, kind, namespace } = attributes;
    const verb = normalizedVerb(attributes.verb);
    if (verb === undefined || kind.permissions === undefined) return undefined;
    const resolved = source.resolve(user, reader);
    const [grants, isMember] = [resolved.grants(namespace), resolved.isMember(namespace)];
    return { attributes, verb, grants, isMember, hierarchy: hierarchyOf(kind), reader };
  };

  /** Lists and watches are admitted if the permissions differ between objects. Their filter then leaves out objects. */
  const missingToAdmit = (attributes: RequestAttributes, reader: Reader): readonly string[] | undefined => {
    const { user, kind, namespace } = attributes;
    const verb = normalizedVerb(attributes.verb);
    if (verb === undefined || kind.permissions === undefined) return undefined;
    if (kind.permissions.allowSelf !== undefined || kind.permissions.actionsOf !== undefined) return NONE;
    if (namespace === '' && kind.scope === 'Namespaced') return NONE;
    const grants = source.resolve(user, reader).grants(namespace);
    const actions = actionsOf(kind, verb, attributes.subresource ?? '', undefined);
    return actions.filter((action) => grants.scopesOf(action) === undefined);
  };

  const missing = (attributes: RequestAttributes, reader: Reader): readonly string[] | undefined => {
    if (isMaster(attributes.user)) return NONE;
    if (readsMany(attributes)) return missingToAdmit(attributes, reader);
    const decision = decisionOf(attributes, reader);
    if (decision === undefined) return undefined;
    const lacking = missingFor(decision);
    if (lacking.length > 0) return lacking;
    const gained = gainedBy(decision);
    return gained.length > 0 ? gained : missingInside(decision);
  };

  const demand = (lacking: readonly string[] | undefined, attributes: RequestAttributes): void => {
    if (lacking === undefined || lacking.length > 0) throw permissionDenied(attributes, lacking ?? NONE);
  };

  /** What is moved or deleted takes its contents along. */
  const refuseContents = (decision: Decision): void => {
    const gained = gainedBy(decision);
    if (gained.length > 0) throw escalationDenied(decision.attributes, gained);
    const lacking = missingInside(decision);
    if (lacking.length > 0) throw insideDenied(decision.attributes, lacking);
  };

  return {
    admit: (attributes, reader) => {
      if (!isMaster(attributes.user)) demand(missingToAdmit(attributes, reader), attributes);
    },
    missing,
    authorize: (attributes, reader) => {
      if (isMaster(attributes.user)) return;
      const decision = decisionOf(attributes, reader);
      demand(decision && missingFor(decision), attributes);
      if (decision !== undefined) refuseContents(decision);
    },
    authorizeChange: (attributes, reader) => {
      const { user, object, old } = attributes;
      if (isMaster(user) || object === undefined || old === undefined || haveSameAttributes(object, old)) return;
      const decision = decisionOf(attributes, reader);
      demand(decision && missingForChange(decision, object, old), attributes);
      if (decision !== undefined) refuseContents(decision);
    },
    isOwnOnly: (attributes, reader) => {
      if (isMaster(attributes.user)) return false;
      const decision = decisionOf(attributes, reader);
      return decision !== undefined && missingFor({ ...decision, isMember: false }).length > 0;
    },
    ...questions(source, hierarchyOf, placesOf(kinds, byResource)),
  };
}

/** The members that answer questions and refuse nothing. */
function questions(
  source: GrantSource,
  hierarchyOf: (kind: Kind) => ScopeHierarchy,
  places: readonly string[],
): Pick<
  Authorizer,
  'hasAction' | 'mayWriteEverywhere' | 'readFilter' | 'decidingResources' | 'watchFilter' | 'grantsOf'
> {
  return {
    hasAction: ({ user, kind, namespace }, action, object, reader) => {
      if (isMaster(user)) return true;
      const scopes = source.resolve(user, reader).grants(namespace).scopesOf(action);
      if (scopes === undefined || object === undefined)
        return scopes !== undefined && mayCoverAny(scopes, hierarchyOf(kind), places);
      const place = { hierarchy: hierarchyOf(kind), namespace, reader };
      if (waits(place.hierarchy, namespace, reader)(object))
        return coversKind(place.hierarchy.container, kind, action, scopes);
      return hasEverywhere(scopes, action, object, place) || isCovered(scopes, object, place);
    },
    mayWriteEverywhere: ({ user, kind, namespace }, object, reader) => {
      if (isMaster(user)) return true;
      const grants = source.resolve(user, reader).grants(namespace);
      return (
        missingWhileWaiting(kind, hierarchyOf(kind).container, grants, NONE, newAttributes(kind, object)).length === 0
      );
    },
    readFilter: (attributes, reader, places) =>
      readFilter(attributes, hierarchyOf(attributes.kind), source, reader, places),
    watchFilter: (attributes, cacher, after) =>
      watchFilter(attributes, hierarchyOf(attributes.kind), source, cacher, after),
    decidingResources: (kind) => hierarchyOf(kind).deciding,
    grantsOf: (user, namespace, reader) => source.resolve(user, reader).grants(namespace),
  };
}

function gainedBy({ attributes, verb, grants, hierarchy, reader }: Decision): readonly string[] {
  return verb === 'update' ? gainedByMove(attributes, grants, hierarchy, reader) : NONE;
}

/** What the caller lacks on private contents of a container that is deleted or moved. */
function missingInside(decision: Decision): readonly string[] {
  const { attributes, verb, hierarchy } = decision;
  const { kind, object, old, subresource = '' } = attributes;
  if (hierarchy.container !== kind || object === undefined || subresource !== '') return NONE;
  const isMove = verb === 'update' && old !== undefined && old.container !== object.container;
  if (verb !== 'delete' && !isMove) return NONE;
  return lackingInside(decision, old ?? object, actionsOf(kind, verb, '', undefined));
}

function missingFor(decision: Decision): readonly string[] {
  const { attributes, verb } = decision;
  const { object, old, subresource = '' } = attributes;
  if (object === undefined) return missingWithoutObject(decision);
  if (verb === 'create' && subresource === '') return missingToCreate(decision, object);
  if (verb !== 'update' || old === undefined) return missingOn(decision, object);
  const lacking = missingOn(decision, old);
  return lacking.length > 0 ? lacking : missingForChange(decision, object, old);
}

/** Only a caller who may use the verb on any object with this name may learn that the object does not exist. */
function missingWithoutObject({ attributes, verb, grants, isMember, hierarchy }: Decision): readonly string[] {
  const { kind, name, namespace, user, subresource = '' } = attributes;
  const stub: KubeObject = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name, namespace } };
  const own = selfVerb(kind, verb, subresource);
  if (name !== '' && isMember && own !== undefined && kind.permissions?.allowSelf?.(stub, user, own) === true)
    return NONE;
  return actionsOf(kind, verb, subresource, undefined).filter((action) => {
    const scopes = grants.scopesOf(action);
    return scopes === undefined || (name !== '' && !mayCoverAll(hierarchy.container, kind, action, scopes));
  });
}

/** A new object is authorized by its container. A new container has no scopes of its own yet. */
function missingToCreate(decision: Decision, object: ObjectAttributes, actions?: readonly string[]): readonly string[] {
  const isContainer = decision.hierarchy.container === decision.attributes.kind;
  const attributes: ObjectAttributes = isContainer ? { ...object, scopes: NONE } : object;
  return missingOn(decision, attributes, 'create', actions, true);
}

/**
 * The caller must be allowed to move the object to its new container, to update it with its new scopes, and to take the
 * rights of the basic roles away or to give them back.
 */
function missingForChange(decision: Decision, object: ObjectAttributes, old: ObjectAttributes): readonly string[] {
  const { kind } = decision.attributes;
  if (old.container !== object.container) {
    const lacking = missingToCreate(decision, object, kind.permissions?.move);
    if (lacking.length > 0) return lacking;
  }
  if (old.isRestricted !== object.isRestricted) {
    const lacking = missingOn(decision, old, 'update', kind.permissions?.restriction?.actions);
    if (lacking.length > 0) return lacking;
  }
  return haveSameScopes(object, old) ? NONE : missingOn(decision, object);
}

function missingOn(
  { attributes, verb: requested, grants, isMember, hierarchy, reader }: Decision,
  object: ObjectAttributes,
  verb = requested,
  actions?: readonly string[],
  isDestination = false,
): readonly string[] {
  const { kind, user, namespace, subresource = '' } = attributes;
  const { permissions } = kind;
  const needed =
    actions ?? actionsOf(kind, verb, subresource, permissions?.actionsOf === undefined ? undefined : object.object());
  if (waits(hierarchy, namespace, reader)(object)) {
    return missingWhileWaiting(kind, hierarchy.container, grants, needed, object);
  }
  const lacking = needed.filter((action) => {
    const scopes = grants.scopesOf(action);
    return scopes === undefined || !isCovered(scopes, object, { hierarchy, namespace, reader, isDestination });
  });
  const own = selfVerb(kind, verb, subresource);
  if (lacking.length === 0 || !isMember || own === undefined) return lacking;
  return permissions?.allowSelf?.(object.object(), user, own) === true ? NONE : lacking;
}
