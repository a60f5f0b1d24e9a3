import type { ApiRequest, Handler } from '../../pkg/http/handler.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import {
  badRequest,
  methodNotAllowed,
  notFound,
  pathNotFound,
  serviceUnavailable,
  verbNotSupported,
} from '../../pkg/kube/status/errors.js';
import { following } from '../../pkg/system/collections/following.js';
import { APPLY, MEMBERS } from '../applyset/names.js';
import type { Kind } from '../kinds/kind.js';
import { hasNamespace } from '../kinds/namespaces.js';
import { HISTORY, RESTORE } from '../kinds/past-subresources.js';
import type { Registry } from '../kinds/registry.js';
import { aliasesOf, STATUS, type Subresource } from '../kinds/subresource.js';
import { retrying } from '../signals/retry.js';
import { apiErrorOf } from '../signals/storage-errors.js';
import { asCalled } from './answer/called.js';
import { warning } from './answer/warnings.js';
import { awaitCaller } from './options/freshness.js';
import { refuseIfMatch } from './options/if-match.js';
import { parseBoolean } from './options/query.js';
import { parameterWarnings } from './options/unknown-parameters.js';
import { operationTable, parseRequestPath, type RequestInfo, typeOf } from './request-info.js';
import type { Methods, Verb, VerbTarget } from './verb.js';
import { applyObjects } from './verbs/apply-set.js';
import { applySetMembers } from './verbs/apply-set-members.js';
import { create } from './verbs/create.js';
import { remove } from './verbs/delete.js';
import { removeCollection } from './verbs/delete-collection.js';
import { get } from './verbs/get.js';
import { history } from './verbs/history.js';
import { list } from './verbs/list.js';
import { isApply, patch } from './verbs/patch.js';
import { restore } from './verbs/restore.js';
import { subresourceMethods } from './verbs/subresource.js';
import { update } from './verbs/update.js';

const COLLECTION: Methods = {
  GET: ['list', list],
  POST: ['create', create],
  DELETE: ['deletecollection', removeCollection],
};

const OBJECT: Methods = {
  GET: ['get', get],
  PUT: ['update', update],
  PATCH: ['patch', patch],
  DELETE: ['delete', remove],
};

/** The verbs of an object also serve its status. */
const STATUS_VERBS: Methods = { GET: ['get', get], PUT: ['update', update], PATCH: ['patch', patch] };

/** A resource at a path. */
interface Served {
  readonly kind: Kind;
  /** Only its subresources are served at this path. */
  readonly isAlias: boolean;
  readonly subresources: ReadonlyMap<string, Methods>;
}

/** Finds the handler of a path. */
export type HandlerOf = (path: string) => Handler | undefined;

/**
 * The resource API below `/apis/<group>/<version>/` and `/api/v1/`. It finds the kind and the verb, checks whether the
 * caller may use the verb at all, and runs the verb. `elsewhere` finds the handlers of paths at which no kind is
 * served, such as discovery. Few requests are for these, so it is asked last.
 */
export function resourceHandler(registry: Registry, elsewhere: HandlerOf = () => undefined): Handler {
  const paths = following(
    () => registry.kinds,
    (kinds) => servedPaths(kinds.filter(({ served }) => served)),
  );
  const operationOf = operationTable();
  const admitted = (verb: Verb, request: ApiRequest, target: VerbTarget, name: string): ReturnType<Verb> => {
    try {
      admit(request, target, name);
    } catch (error) {
      // On a shared store, a refusal may be wrong until this server has caught up.
      if (!registry.cacher.shared || request.isCaughtUp === true) throw error;
      return awaitCaller(registry.cacher, request).then(() => {
        admit(request, target, name);
        return run(verb, request, target);
      });
    }
    return run(verb, request, target);
  };
  const servedAt = (info: RequestInfo): Served | undefined => {
    const served = paths().get(info.type);
    return served !== undefined && hasPath(served, info) ? served : undefined;
  };
  /** On a shared store, a definition may have this kind, subresource or scope before this server has heard of it. */
  const unknown = (request: ApiRequest, info: RequestInfo): ReturnType<Handler> => {
    const other = elsewhere(request.path);
    if (other !== undefined) return other(request);
    if (!registry.cacher.shared || request.isCaughtUp === true) throw pathNotFound();
    return awaitCaller(registry.cacher, request).then(() => {
      if (servedAt(info) === undefined) throw pathNotFound();
      return handle(request);
    });
  };
  const handle: Handler = (request) => {
    let info: RequestInfo;
    try {
      info = parseRequestPath(request.path);
    } catch (error) {
      const other = elsewhere(request.path);
      if (other === undefined) throw error;
      return other(request);
    }
    const served = servedAt(info);
    if (served === undefined) return unknown(request, info);
    const { kind } = served;
    const [name, verb] = info.subresource === '' ? verbOf(request, info) : subresourceVerb(request, served, info);
    if (info.subresource === '' && !kind.verbs.includes(name)) throw verbNotSupported(kind, name);
    if (isAcross(kind, info) && !ACROSS.has(name)) throw pathNotFound();
    request.operation = operationOf(name === 'patch' && isApply(request) ? 'apply' : name, info);
    refuseOtherConditions(request);
    if (name === 'create') refuseIfMatch(request, 'what is made by a POST has no version yet');
    const target = { registry, kind, info };
    if (kind.deprecation === undefined && request.query.size === 0) return admitted(verb, request, target, name);
    const deprecation = kind.deprecation === undefined ? [] : [kind.deprecation];
    const texts = [...deprecation, ...parameterWarnings(request.query, kind, name, info.subresource)];
    if (texts.length === 0) return admitted(verb, request, target, name);
    return warning(texts, request, async () => admitted(verb, request, target, name));
  };
  return (request) => retrying(() => handle(request));
}

/** Errors of the store become those of the API, about the kind that the request names. */
function run(verb: Verb, request: ApiRequest, target: VerbTarget): ReturnType<Verb> {
  try {
    const response = verb(request, target);
    return response instanceof Promise ? response.catch((error: unknown) => refuse(error, target)) : response;
  } catch (error) {
    return refuse(error, target);
  }
}

function refuse(error: unknown, target: VerbTarget): never {
  throw asCalled(apiErrorOf(error), target);
}

function servedPaths(kinds: readonly Kind[]): ReadonlyMap<string, Served> {
  const served = (kind: Kind, isAlias: boolean, subresources: readonly Subresource[]): Served => {
    return { kind, isAlias, subresources: methodsOf(subresources) };
  };
  const own = kinds.map((kind): [string, Served] => {
    return [typeOf(kind.group, kind.version, kind.resource), served(kind, false, kind.subresources)];
  });
  const aliases = aliasesOf(kinds).map(({ group, version, kind, subresources }): [string, Served] => {
    return [typeOf(group, version, kind.resource), served(kind, true, subresources)];
  });
  return new Map([...aliases, ...own]);
}

function methodsOf(subresources: readonly Subresource[]): ReadonlyMap<string, Methods> {
  return new Map(
    subresources.map((subresource) => [
      subresource.name,
      (SERVED_BY_SERVER[subresource.name] ?? subresourceMethods)(subresource),
    ]),
  );
}

/** The subresources that the server itself provides. */
const SERVED_BY_SERVER: Readonly<Record<string, (subresource: Subresource) => Methods>> = {
  [STATUS]: statusMethods,
  [HISTORY]: () => ({ GET: ['get', history] }),
  [RESTORE]: () => ({ POST: ['create', restore] }),
  [APPLY]: () => ({ POST: ['create', applyObjects] }),
  [MEMBERS]: () => ({ GET: ['get', applySetMembers] }),
};

function statusMethods({ verbs }: Subresource): Methods {
  return Object.fromEntries(
    Object.entries(STATUS_VERBS).filter(([, [verb]]) => (verbs as readonly string[]).includes(verb)),
  );
}

/** The verbs on a collection. As in Kubernetes, a namespace that does not exist has an empty collection. */
const ON_COLLECTIONS: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);

/**
 * Throws 403 if the caller may not use the verb at all, and 404 if the object cannot exist, because its namespace does
 * not. For callers who may not learn that, the namespace is like one of others, in which they have no rights. The
 * commit of a create checks the namespace.
 */
function admit({ user }: ApiRequest, { registry, kind, info }: VerbTarget, verb: string): void {
  const { subresource, namespace, name } = info;
  registry.authorizer.admit({ user, verb, kind, namespace, name, subresource }, registry.reader);
  const outage = kind.outage?.(registry.reader);
  if (outage !== undefined) throw serviceUnavailable(outage);
  const isExempt = ON_COLLECTIONS.has(verb) || (verb === 'create' && subresource === '');
  if (isExempt || namespace === '' || hasNamespace(registry, namespace)) return;
  if (!mayLearnOf(registry, user, namespace)) return;
  throw notFound({ group: '', resource: 'namespaces' }, namespace.slice(0, 300));
}

/** Whether the caller may learn that a namespace does not exist. */
function mayLearnOf({ namespaces, authorizer, reader }: Registry, user: UserInfo, name: string): boolean {
  if (namespaces === undefined) return true;
  return authorizer.missing({ user, verb: 'get', kind: namespaces, namespace: '', name }, reader)?.length === 0;
}

/** Throws 400 for a condition that is not checked: reads have `If-None-Match`, and writes have `If-Match`. */
function refuseOtherConditions({ headers, method }: ApiRequest): void {
  const isRead = method === 'GET' || method === 'HEAD';
  for (const name of [isRead ? 'if-match' : 'if-none-match', 'if-unmodified-since'])
    if (headers[name] !== undefined)
      throw badRequest(
        `${name} is not possible here: ${isRead ? 'compare' : 'name'} the resourceVersion that the object must have`,
      );
}

/** GET of a name with `watch=true` watches that one object. HEAD has no body to stream. */
function verbOf(request: ApiRequest, info: RequestInfo): readonly [string, Verb] {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const watching = method === 'GET' && request.query.size > 0 && parseBoolean(request.query, 'watch') === true;
  if (watching && request.method === 'HEAD') throw methodNotAllowed();
  if (watching) return ['watch', list];
  const found = (info.name === '' ? COLLECTION : OBJECT)[method];
  if (found === undefined) throw methodNotAllowed();
  return found;
}

function subresourceVerb({ method }: ApiRequest, { subresources }: Served, info: RequestInfo): readonly [string, Verb] {
  const methods = subresources.get(info.subresource);
  if (methods === undefined) throw pathNotFound();
  const found = methods[method === 'HEAD' ? 'GET' : method];
  if (found === undefined) throw methodNotAllowed();
  return found;
}

/**
 * There is no object at a path in a namespace if its kind has none, nor at one without if it has: then no method is
 * right.
 */
function hasPath({ kind, isAlias, subresources }: Served, info: RequestInfo): boolean {
  const isMisplaced = kind.scope === 'Cluster' ? info.namespace !== '' : isAcross(kind, info) && info.name !== '';
  return !isMisplaced && (info.subresource === '' ? !isAlias : subresources.has(info.subresource));
}

/** Whether the path is that of the objects in all namespaces. */
function isAcross({ scope }: Kind, { namespace }: RequestInfo): boolean {
  return scope === 'Namespaced' && namespace === '';
}

const ACROSS: ReadonlySet<string> = new Set(['list', 'watch']);
