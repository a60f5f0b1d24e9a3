import type { Handler } from '../../pkg/http/handler.js';
import { JSON_TYPE } from '../../pkg/http/json.js';
import { ref, type Schemas } from '../../pkg/kube/openapi/schema.js';
import { convertZod } from '../../pkg/kube/openapi/zod.js';
import { jsonDocumentRoute } from '../openapi/formats.js';
import { SECURITY, SECURITY_SCHEMES } from '../openapi/v3.js';
import { DONE } from './answers.js';
import { noteOf } from './parameter-notes.js';
import type { LegacyRoute } from './router.js';

/** The routes of a table, below a prefix such as `/api`. */
export interface PlacedTable {
  readonly prefix: string;
  readonly table: readonly LegacyRoute[];
}

export interface LegacyDocumentOptions {
  readonly title: string;
  readonly version: string;
}

/** The handler of the OpenAPI document of the legacy API. The document is made at its first request. */
export function legacyOpenApiRoute(tables: readonly PlacedTable[], options: LegacyDocumentOptions): Handler {
  return jsonDocumentRoute(() => legacyOpenApi(tables, options));
}

/** The OpenAPI document of the legacy API. It follows from the tables of its routes. */
export function legacyOpenApi(tables: readonly PlacedTable[], { title, version }: LegacyDocumentOptions) {
  const operations = tables.flatMap(({ prefix, table }) => table.map((route) => operationOf(prefix, route)));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { path, method, operation } of operations) paths[path] = { ...paths[path], [method]: operation };
  const bodies: Schemas = Object.assign({}, ...operations.map(({ schemas }) => schemas));
  return {
    openapi: '3.0.0',
    info: { title, version },
    paths,
    components: { schemas: { ...bodies, [FAILURE]: FAILURE_SCHEMA }, securitySchemes: SECURITY_SCHEMES },
    security: SECURITY,
  };
}

const FAILURE = 'legacy.Failure';
const FAILURE_SCHEMA = {
  type: 'object',
  description: 'Why the server refuses a request. Some routes have more members.',
  required: ['message'],
  properties: { message: { type: 'string', description: 'The reason, for people.' } },
};

function operationOf(prefix: string, route: LegacyRoute) {
  const { method, path, summary, body, answer = DONE } = route;
  const operationId = idOf(route);
  const converted = body === undefined ? undefined : convertZod(body, 'legacy', `${operationId}Body`);
  const answered = answer === 'none' ? undefined : convertZod(answer(), 'legacy', `${operationId}Answer`);
  const operation = {
    tags: [tagOf(path)],
    summary,
    operationId,
    parameters: parametersOf(route),
    ...(converted && { requestBody: { required: true, content: json(ref(converted.name)) } }),
    responses: {
      '2XX': {
        description: 'The request has succeeded.',
        ...(answered && { content: json(ref(answered.name)) }),
      },
      default: { description: 'The request is refused.', content: json(ref(FAILURE)) },
    },
  };
  const shown = `${prefix}${path.replaceAll(/:(\w+)/g, '{$1}')}`;
  return {
    path: shown,
    method: method.toLowerCase(),
    operation,
    schemas: { ...converted?.schemas, ...answered?.schemas },
  };
}

function parametersOf({ path, query = [], lists = [], notes = {} }: LegacyRoute): readonly object[] {
  const inPath = namesIn(path).map((name) => ({ name, in: 'path', required: true, ...noteOf(name, notes) }));
  const inQuery = query.map((name) => {
    const { schema, ...more } = noteOf(name, notes);
    return { name, in: 'query', ...more, schema: lists.includes(name) ? { type: 'array', items: schema } : schema };
  });
  return [...inPath, ...inQuery];
}

const json = (schema: unknown) => ({ [JSON_TYPE]: { schema } });

function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/** The first segment that is no version: operations of one kind are shown together. */
function tagOf(path: string): string {
  return path.split('/').find((segment) => segment !== '' && segment !== 'v1') ?? '';
}

/** `GET /teams/:teamId` → `getTeamsByTeamId`. */
function idOf({ method, path }: LegacyRoute): string {
  const parts = path.split(/[/-]/).map((word) => (word.startsWith(':') ? `By${pascal(word.slice(1))}` : pascal(word)));
  return `${method.toLowerCase()}${parts.join('')}`;
}

const pascal = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
