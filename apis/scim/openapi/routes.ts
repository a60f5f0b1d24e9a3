import { ref, type Schema } from '../../../pkg/kube/openapi/schema.js';
import { DEFAULT_PAGE, LARGEST_PAGE } from '../../../pkg/scim/query.js';
import { GROUP, type ResourceSchema, USER } from '../../../pkg/scim/schema.js';

/** A route of SCIM, as its document describes it. `test/scim/openapi.test.ts` compares them with the router. */
export interface ScimRoute {
  readonly path: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly summary: string;
  readonly parameters?: readonly object[];
  /** The name of a schema. */
  readonly body?: string;
  readonly answer?: Schema;
  /** Absent: 200. */
  readonly status?: string;
}

const parameter = (name: string, description: string, schema: Schema = { type: 'string' }, where = 'query') => ({
  name,
  in: where,
  description,
  schema,
});
const integer = { type: 'integer', format: 'int64' };
const SHOWN = [
  parameter('attributes', 'The attributes of the answer, separated by commas.'),
  parameter('excludedAttributes', 'The attributes that the answer does not have, separated by commas.'),
];
const LISTED = [
  parameter('filter', 'Such as `userName eq "ada"` (RFC 7644 §3.4.2.2).'),
  parameter('sortBy', 'The attribute that gives the order. Absent: that of ids.'),
  parameter('sortOrder', 'The direction.', { type: 'string', enum: ['ascending', 'descending'] }),
  parameter('startIndex', 'The number of the first resource, from 1.', integer),
  parameter('count', 'The most resources of the page.', { ...integer, default: DEFAULT_PAGE, maximum: LARGEST_PAGE }),
  parameter('cursor', 'Empty for the first page, and then nextCursor of the page before.'),
  ...SHOWN,
];
const IF_MATCH = parameter('If-Match', 'The entity tag that the resource must have.', { type: 'string' }, 'header');
const IF_NONE_MATCH = parameter('If-None-Match', 'An entity tag that it must not have.', { type: 'string' }, 'header');

/** The routes of a type of resources. */
function resourceRoutes({ type, endpoint }: ResourceSchema): readonly ScimRoute[] {
  const name = type.toLowerCase();
  const [one, many] = [ref(`scim.${type}`), ref(`scim.${type}s`)];
  const [path, search, body] = [`${endpoint}/{id}`, 'scim.SearchRequest', `scim.${type}`];
  const patched = type === 'User' ? { answer: one } : { status: '204' };
  return [
    { path: endpoint, method: 'get', summary: `List ${name}s`, parameters: LISTED, answer: many },
    {
      path: endpoint,
      method: 'post',
      summary: `Create a ${name}`,
      parameters: SHOWN,
      body,
      answer: one,
      status: '201',
    },
    { path: `${endpoint}/.search`, method: 'post', summary: `Search ${name}s`, body: search, answer: many },
    { path, method: 'get', summary: `Get a ${name}`, parameters: [...SHOWN, IF_NONE_MATCH], answer: one },
    { path, method: 'put', summary: `Replace a ${name}`, parameters: [...SHOWN, IF_MATCH], body, answer: one },
    {
      path,
      method: 'patch',
      summary: `Change a ${name}`,
      parameters: [...SHOWN, IF_MATCH],
      body: 'scim.PatchOp',
      ...patched,
    },
    { path, method: 'delete', summary: `Delete a ${name}`, parameters: [IF_MATCH], status: '204' },
  ];
}

const found = (description: string): Schema => ({ type: 'object', description });

export function routesOfScim(): readonly ScimRoute[] {
  const lists = ['ResourceTypes', 'Schemas'].flatMap((path): readonly ScimRoute[] => [
    { path: `/${path}`, method: 'get', summary: `List ${WORDS[path]}`, answer: found('A list of all.') },
    { path: `/${path}/{id}`, method: 'get', summary: `Get one of the ${WORDS[path]}`, answer: found('One of them.') },
  ]);
  return [
    ...resourceRoutes(USER),
    ...resourceRoutes(GROUP),
    {
      path: '/.search',
      method: 'post',
      summary: 'Search users and groups',
      body: 'scim.SearchRequest',
      answer: ref('scim.Resources'),
    },
    {
      path: '/Bulk',
      method: 'post',
      summary: 'Do several requests',
      body: 'scim.BulkRequest',
      answer: ref('scim.BulkResponse'),
    },
    { path: '/Me', method: 'get', summary: 'Get the caller', parameters: SHOWN, answer: ref('scim.User') },
    {
      path: '/ServiceProviderConfig',
      method: 'get',
      summary: 'Get what the server can do',
      answer: found('The abilities and limits of the server (RFC 7643 §5).'),
    },
    ...lists,
  ];
}

const WORDS: Readonly<Record<string, string>> = { ResourceTypes: 'types of resources', Schemas: 'schemas' };
