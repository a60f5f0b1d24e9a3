import { z } from 'zod';
import type { Schema } from '../../pkg/kube/openapi/schema.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

const STRING: Schema = { type: 'string' };
const BOOLEAN: Schema = { type: 'boolean' };
const INTEGER: Schema = { type: 'integer' };

const query = (name: string, description: string, schema: Schema = STRING): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
});

const path = (name: string, description: string): Parameter => ({
  name,
  in: 'path',
  description,
  required: true,
  schema: STRING,
});

export const NAMESPACE = path('namespace', 'Namespace of the objects.');
export const NAME = path('name', 'Name of the object.');
export const PRETTY = query('pretty', 'If true, the answer is indented.');

const DRY_RUN = query('dryRun', 'If All, the request is checked and nothing is changed.');
const FIELD_MANAGER = query(
  'fieldManager',
  'Name of the client that makes the change, at most 128 printable characters.',
);
const FIELD_VALIDATION = query(
  'fieldValidation',
  'How unknown and duplicate fields are handled: Ignore drops them, Warn drops them with a warning, Strict refuses the request.',
);
const KEEP_ORIGIN = query(
  'keepOrigin',
  'If true, the object keeps the times, the authors, the generation and the integer id that it is sent with. For administrators of the server.',
  BOOLEAN,
);
export const FORCE = query('force', 'If true, an apply takes over fields that other managers own.', BOOLEAN);

export const WRITING: readonly Parameter[] = [DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION];
/** The parameters of writes of whole objects. */
export const KEEPING: readonly Parameter[] = [...WRITING, KEEP_ORIGIN];
export const PATCHING: readonly Parameter[] = [...WRITING, FORCE];

const DELETING: readonly Parameter[] = [
  DRY_RUN,
  query('gracePeriodSeconds', 'Seconds before the object is deleted. 0 means at once.', INTEGER),
  query('operation', 'The same text for deletions that belong together. The trash has it in an annotation.'),
  query('orphanDependents', 'Deprecated: use propagationPolicy.', BOOLEAN),
  query('propagationPolicy', 'How dependents are deleted: Background, Foreground or Orphan.'),
];

/** The parameters of DELETE, with those that only this kind has. */
export function deleting(options: Readonly<Record<string, z.ZodType>> = {}): readonly Parameter[] {
  const own = Object.entries(options).map(([name, schema]) => {
    const { $schema: _, description: __, ...rest } = z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' });
    return query(name, schema.description ?? '', rest as Schema);
  });
  return [...DELETING, ...own];
}

const CONTINUE = query('continue', 'Token of the next page, from the answer with the page before.');
const FIELD_SELECTOR = query('fieldSelector', 'Selects objects by their fields.');
const LABEL_SELECTOR = query('labelSelector', 'Selects objects by their labels.');
const LIMIT = query('limit', 'Maximum number of objects in one page.', INTEGER);
const RESOURCE_VERSION = query('resourceVersion', 'Version that a get or list reads, or that a watch starts after.');
const RESOURCE_VERSION_MATCH = query('resourceVersionMatch', 'How resourceVersion is applied: Exact or NotOlderThan.');
const SEND_INITIAL_EVENTS = query('sendInitialEvents', 'If true, a watch first sends the objects that exist.', BOOLEAN);
const TIMEOUT = query('timeoutSeconds', 'Seconds after which the request ends.', INTEGER);

export const SELECTING: readonly Parameter[] = [
  CONTINUE,
  FIELD_SELECTOR,
  LABEL_SELECTOR,
  LIMIT,
  RESOURCE_VERSION,
  RESOURCE_VERSION_MATCH,
  SEND_INITIAL_EVENTS,
  TIMEOUT,
];

export const LISTING: readonly Parameter[] = [
  ...SELECTING,
  query('allowWatchBookmarks', 'If true, a watch sends bookmarks.', BOOLEAN),
  query('watch', 'If true, the answer is a stream of changes instead of a list.', BOOLEAN),
];
