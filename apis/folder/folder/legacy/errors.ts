import { ESCALATION } from '../../../../registry/authorization/move-escalation.js';
import { type ErrorRule, type FailureBody, structured } from '../../../../registry/legacy/errors.js';
import { IN_USE } from '../../placement.js';
import { NOT_EMPTY, PARENT_PROBLEMS } from '../strategy.js';

export const VERSION_MISMATCH: FailureBody = {
  message: 'the folder has been changed by someone else',
  status: 'version-mismatch',
};

export const VERSION_MISSING: FailureBody = {
  message: 'version: is missing: send the version that you have read, or overwrite: true',
  status: 'version-mismatch',
};

const plain = (message: string): FailureBody => ({ message });

const starting = (text: string): RegExp => new RegExp(`^${text}`);

/** The errors of folders, with the messages on which clients of the legacy API depend. */
export const FOLDER_ERRORS: readonly ErrorRule[] = [
  { reason: 'NotFound', status: 404, body: { message: 'folder not found', status: 'not-found' } },
  { reason: 'AlreadyExists', status: 412, body: VERSION_MISMATCH },
  {
    field: 'spec.title',
    says: /folder title cannot be empty$/,
    status: 400,
    body: plain('folder title cannot be empty'),
  },
  {
    field: 'spec.title',
    cause: 'FieldValueDuplicate',
    status: 400,
    body: plain('a folder with that name already exists'),
  },
  {
    field: 'metadata.name',
    says: /^invalid uid for folder provided/,
    status: 400,
    body: plain('invalid uid for folder provided'),
  },
  {
    field: 'metadata.name',
    says: /must be no more than 40 characters$/,
    status: 400,
    body: plain('uid too long, max 40 characters'),
  },
  { field: 'metadata.name', status: 400, body: plain('uid contains illegal characters') },
  {
    message: starting(NOT_EMPTY),
    status: 400,
    body: structured(400, 'folder.not-empty', NOT_EMPTY),
  },
  {
    cause: IN_USE,
    status: 403,
    body: plain('Folder could not be deleted because it contains library elements in use'),
  },
  { says: starting(PARENT_PROBLEMS.own), status: 400, body: plain('folder cannot be parent of itself') },
  {
    says: starting(PARENT_PROBLEMS.depth),
    status: 400,
    body: structured(400, 'folder.maximum-depth-reached', 'Maximum nested folder depth reached'),
  },
  {
    says: starting(PARENT_PROBLEMS.circular),
    status: 400,
    body: structured(400, 'folder.circular-reference', 'Circular reference detected'),
  },
];

/** The errors of the parent of a folder. */
export const PARENT_ERRORS: readonly ErrorRule[] = [
  { cause: 'FieldValueNotFound', status: 400, body: plain('parent folder not found') },
];

export const FORBIDDEN_CREATION: ErrorRule = {
  code: 403,
  status: 403,
  body: structured(
    403,
    'folders.forbiddenCreation',
    'not enough permissions to create a folder in the selected location',
  ),
};

export const FORBIDDEN_MOVE: ErrorRule = {
  code: 403,
  says: /^folders:create$/,
  status: 403,
  body: structured(403, 'folders.forbiddenMove', 'Access denied to the destination folder'),
};

export const ACCESS_ESCALATION: ErrorRule = {
  cause: ESCALATION,
  status: 403,
  body: structured(
    403,
    'folders.accessEscalation',
    'Cannot move a folder to a folder where you have higher permissions',
  ),
};

export const FALLBACK = 'Folder API error';
