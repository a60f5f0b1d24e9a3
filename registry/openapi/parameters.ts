import type { Schema } from '../../pkg/openapi/schema.js';

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
export const PRETTY = query('pretty', 'true: the answer is indented.');

const DRY_RUN = query('dryRun', 'All: everything is checked and nothing is changed.');
const FIELD_MANAGER = query('fieldManager', 'Who makes the change; at most 128 printable characters.');
const FIELD_VALIDATION = query(
  'fieldValidation',
  'What happens to unknown and duplicate fields: Ignore drops them, Warn does so with a warning, Strict refuses the request.',
);
const FORCE = query('force', 'Takes over fields that others keep; for apply patches only.', BOOLEAN);

export const WRITING: readonly Parameter[] = [DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION];
export const PATCHING: readonly Parameter[] = [...WRITING, FORCE];

export const DELETING: readonly Parameter[] = [
  DRY_RUN,
  query('gracePeriodSeconds', 'Seconds before the object is deleted; 0 is at once.', INTEGER),
  query('orphanDependents', 'Deprecated: use propagationPolicy.', BOOLEAN),
  query('propagationPolicy', 'What happens to dependents: Background, Foreground or Orphan.'),
];

const CONTINUE = query('continue', 'Token of the next page, from the last one.');
const FIELD_SELECTOR = query('fieldSelector', 'Restricts the objects by their fields.');
const LABEL_SELECTOR = query('labelSelector', 'Restricts the objects by their labels.');
const LIMIT = query('limit', 'Most objects in one page.', INTEGER);
const RESOURCE_VERSION = query('resourceVersion', 'State that the answer is read at, or that a watch begins after.');
const RESOURCE_VERSION_MATCH = query('resourceVersionMatch', 'How resourceVersion is meant: Exact or NotOlderThan.');
const SEND_INITIAL_EVENTS = query('sendInitialEvents', 'A watch begins with the objects that exist.', BOOLEAN);
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
  query('allowWatchBookmarks', 'A watch sends bookmarks.', BOOLEAN),
  query('watch', 'Answers with a stream of changes rather than with a list.', BOOLEAN),
];
