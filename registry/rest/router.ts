import type { ApiRequest, Handler } from '../../pkg/http/exchange.js';
import { badRequest, methodNotAllowed, notFound, pathNotFound } from '../../pkg/status/errors.js';
import { stateView } from '../access/views.js';
import type { AccessRequest } from '../access.js';
import type { Kind } from '../kind.js';
import type { Registry } from '../registry.js';
import { apiErrorOf } from '../storage-errors.js';
import type { Store } from '../store.js';
import { create } from './create.js';
import { remove } from './delete.js';
import { removeCollection } from './delete-collection.js';
import { awaitCaller } from './freshness.js';
import { get } from './get.js';
import { list } from './list.js';
import { patch } from './patch.js';
import { parseBoolean } from './query.js';
import { parseRequestPath, type RequestInfo } from './request-info.js';
import { update } from './update.js';
import type { Verb } from './verb.js';

const COLLECTION: Readonly<Record<string, readonly [string, Verb]>> = {
  GET: ['list', list],
  POST: ['create', create],
  DELETE: ['deletecollection', removeCollection],
};

const OBJECT: Readonly<Record<string, readonly [string, Verb]>> = {
  GET: ['get', get],
  PUT: ['update', update],
  PATCH: ['patch', patch],
  DELETE: ['delete', remove],
};

export interface ResourceApi {
  readonly registry: Registry;
  /** One a served kind. */
  readonly stores: readonly Store[];
}

/** The resource API below `/apis/<group>/<version>/` and `/api/v1/`: finds the kind and the verb, asks whether it is allowed, calls it. */
export function resourceHandler({ registry, stores }: ResourceApi): Handler {
  const byPath = new Map(
    stores.map((store) => [pathOf(store.kind.group, store.kind.version, store.kind.resource), store]),
  );
  return async (request) => {
    const info = parseRequestPath(request.path);
    const store = byPath.get(pathOf(info.group, info.version, info.resource));
    if (store === undefined || info.subresource !== '') throw pathNotFound();
    const [name, verb] = verbOf(request, info);
    if (!store.kind.verbs.includes(name)) throw methodNotAllowed(name);
    checkScope(store.kind, info, name);
    await admit(registry, request, requestOf(request, store.kind, info, name), info);
    try {
      return await verb(request, { registry, kind: store.kind, store, info });
    } catch (error) {
      throw apiErrorOf(error);
    }
  };
}

function pathOf(group: string, version: string, resource: string): string {
  return `${group}/${version}/${resource}`;
}

/** What looks refused or missing may only be news from another server that have not come yet. */
async function admit(
  registry: Registry,
  request: ApiRequest,
  question: AccessRequest,
  info: RequestInfo,
): Promise<void> {
  const ask = (): void => {
    registry.access.admit(question, stateView(registry.cacher.state));
    checkNamespaceExists(registry, info);
  };
  try {
    ask();
  } catch (error) {
    if (!registry.cacher.shared || request.isCaughtUp === true) throw error;
    await awaitCaller(registry.cacher, request);
    ask();
  }
}

/** GET of a name with `watch=true` is a watch of that one object; HEAD has no body to stream. */
function verbOf(request: ApiRequest, info: RequestInfo): readonly [string, Verb] {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const watching = method === 'GET' && parseBoolean(request.query, 'watch') === true;
  if (watching && request.method === 'HEAD') throw methodNotAllowed('HEAD of a watch');
  if (watching) return ['watch', list];
  const found = (info.name === '' ? COLLECTION : OBJECT)[method];
  if (found === undefined) throw methodNotAllowed(method);
  return found;
}

function checkScope(kind: Kind, info: RequestInfo, verb: string): void {
  if (kind.scope === 'Cluster' && info.namespace !== '') throw pathNotFound();
  if (kind.scope !== 'Namespaced' || info.namespace !== '' || verb === 'list' || verb === 'watch') return;
  throw badRequest(
    `${verb} of ${kind.resource} needs a namespace in the path: /apis/${kind.apiVersion}/namespaces/<namespace>/${kind.resource}`,
  );
}

/** A namespace is an organization: one that does not exist holds nothing, not even an empty list. */
function checkNamespaceExists(registry: Registry, { namespace }: RequestInfo): void {
  if (namespace === '' || registry.hasNamespace(namespace)) return;
  throw notFound({ group: '', resource: 'namespaces' }, namespace.slice(0, 300));
}

function requestOf({ user }: ApiRequest, kind: Kind, info: RequestInfo, verb: string): AccessRequest {
  const { subresource, namespace, name } = info;
  return { user, verb, kind, namespace, name, subresource };
}
