import type { ApiRequest, ApiResponse, Handler } from '../../pkg/http/handler.js';
import { ScimError } from '../../pkg/scim/errors.js';
import { listQuery, searchQuery } from '../../pkg/scim/query.js';
import { GROUP, USER } from '../../pkg/scim/schema.js';
import { groupName } from '../../registry/kinds/kind.js';
import { decodeParam } from '../../registry/legacy/params.js';
import { awaitRevision } from '../../registry/rest/options/freshness.js';
import { apiErrorOf } from '../../registry/signals/storage-errors.js';
import type { IamServices } from '../iam/legacy/services.js';
import { isUser } from '../iam/names.js';
import { bulk } from './bulk.js';
import { ScimCall } from './call.js';
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.js';
import { createGroup, deleteGroup, getGroup, groupCollection, patchGroup, replaceGroup } from './groups.js';
import { listResponse } from './list.js';
import { searchAll } from './search.js';
import { createUser, deleteUser, getUser, patchUser, replaceUser, userCollection } from './users.js';

type Answer = Promise<ApiResponse> | ApiResponse;
/** The handlers of a path by method. */
type Methods = Readonly<Record<string, (call: ScimCall) => Answer>>;

/** The first part of all paths. */
export function scimMount(domain: string): `/${string}` {
  return `/apis/${groupName('scim', domain)}`;
}

/**
 * SCIM 2.0 (RFC 7643, RFC 7644, RFC 9865). Its routes are adapters, as those of the legacy API: users are the members
 * of the organization, and groups are its teams.
 */
export function scimHandler(services: IamServices): Handler {
  const prefix = `${scimMount(services.environment.domain)}/v0alpha1/namespaces/`;
  return async (request) => {
    const [namespace = '', ...rest] = request.path.startsWith(prefix)
      ? request.path.slice(prefix.length).split('/')
      : [];
    if (namespace === '' || rest.length === 0) throw notFound();
    const base = `${rootOf(services, request)}${prefix}${namespace}`;
    const call = new ScimCall(services, request, decodeParam(namespace), base);
    try {
      // Reads see all writes that were acknowledged before the request arrived.
      await awaitRevision(services.registry.cacher, undefined, request);
      return await dispatch(call, `/${rest.join('/')}`);
    } catch (error) {
      throw apiErrorOf(error);
    }
  };
}

/** The address at which people reach the server. Without a setting it is the one that the client used. */
function rootOf({ environment }: IamServices, { headers, client }: ApiRequest): string {
  const { rootUrl } = environment.scim ?? {};
  if (rootUrl !== undefined) return rootUrl.replace(/\/+$/, '');
  const host = headers[':authority'] ?? headers['host'] ?? '';
  return `${client?.isSecure === true ? 'https' : 'http'}://${host}`;
}

const notFound = (): ScimError => new ScimError(404, undefined, 'there is no such path');

function dispatch(call: ScimCall, path: string): Answer {
  const [, first = '', encoded, ...more] = path.replace(/\/$/, '').split('/');
  const id = encoded === undefined ? undefined : decodeParam(encoded);
  const methods = more.length > 0 ? undefined : methodsOf(first, id);
  if (methods === undefined) throw notFound();
  const { method } = call.request;
  const handle = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (handle !== undefined) return handle(call);
  // Callers without any permission learn nothing, not even which methods there are.
  call.requireAny();
  throw new ScimError(405, undefined, `${method} is not possible here: use ${Object.keys(methods).join(', ')}`);
}

function methodsOf(first: string, id: string | undefined): Methods | undefined {
  switch (first) {
    case 'Users':
      return id === undefined ? USERS : id === '.search' ? { POST: (one) => search(one, 'Users') } : userMethods(id);
    case 'Groups':
      return id === undefined ? GROUPS : id === '.search' ? { POST: (one) => search(one, 'Groups') } : groupMethods(id);
    case 'ResourceTypes':
      return { GET: reading((one) => resourceTypes(one, id)) };
    case 'Schemas':
      return { GET: reading((one) => schemas(one, id)) };
    default:
      return id === undefined && Object.hasOwn(SINGLE, first) ? SINGLE[first] : undefined;
  }
}

/** Anybody with one of the actions may read what the server can do. */
function reading(read: (call: ScimCall) => ApiResponse): (call: ScimCall) => Answer {
  return (call) => {
    call.requireAny();
    return read(call);
  };
}

const SINGLE: Readonly<Record<string, Methods>> = {
  ServiceProviderConfig: { GET: reading(serviceProviderConfig) },
  Bulk: {
    POST: (call) => {
      call.requireAny();
      return bulk(call, dispatch);
    },
  },
  '.search': { POST: searchAll },
  Me: { GET: me },
};

const USERS: Methods = {
  GET: async (call) => {
    call.require('scim.users:read');
    return call.answer(200, await listResponse(userCollection(call), listQuery(call.request.query, USER)));
  },
  POST: (call) => {
    call.require('scim.users:write');
    return createUser(call);
  },
};

const GROUPS: Methods = {
  GET: async (call) => {
    call.require('scim.groups:read');
    return call.answer(200, await listResponse(groupCollection(call), listQuery(call.request.query, GROUP)));
  },
  POST: (call) => {
    call.require('scim.groups:write');
    return createGroup(call);
  },
};

type WithId = (call: ScimCall, id: string) => Answer;

function userMethods(id: string): Methods {
  const writing = (work: WithId) => (call: ScimCall) => {
    call.require('scim.users:write');
    return work(call, id);
  };
  const get = (call: ScimCall): Answer => {
    call.require('scim.users:read');
    return getUser(call, id);
  };
  return { GET: get, PUT: writing(replaceUser), PATCH: writing(patchUser), DELETE: writing(deleteUser) };
}

function groupMethods(id: string): Methods {
  const writing = (work: WithId) => (call: ScimCall) => {
    call.require('scim.groups:write');
    return work(call, id);
  };
  const get = (call: ScimCall): Answer => {
    call.require('scim.groups:read');
    return getGroup(call, id);
  };
  return { GET: get, PUT: writing(replaceGroup), PATCH: writing(patchGroup), DELETE: writing(deleteGroup) };
}

async function search(call: ScimCall, type: 'Users' | 'Groups'): Promise<ApiResponse> {
  call.require(type === 'Users' ? 'scim.users:read' : 'scim.groups:read');
  const schema = type === 'Users' ? USER : GROUP;
  const collection = type === 'Users' ? userCollection(call) : groupCollection(call);
  return call.answer(200, await listResponse(collection, searchQuery(call.body(), schema)));
}

/** The caller, if it is a member of the organization (RFC 7644 §3.11). Everybody may read what SCIM says about them. */
function me(call: ScimCall): Answer {
  const { user } = call;
  if (!isUser(user, user.uid)) throw new ScimError(404, undefined, 'the caller is no user');
  return getUser(call, user.uid);
}
