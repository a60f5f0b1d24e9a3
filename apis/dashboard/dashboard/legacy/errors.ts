import type { ErrorRule, FailureBody } from '../../../../registry/legacy/errors.js';
import { TITLE_TAKEN } from '../schema.js';

export const VERSION_MISMATCH: FailureBody = {
  message: 'The dashboard has been changed by someone else',
  status: 'version-mismatch',
};

export const NOT_FOUND: ErrorRule = { reason: 'NotFound', status: 404, body: { message: 'Dashboard not found' } };

const EMPTY_TITLE: FailureBody = { message: 'Dashboard title cannot be empty', status: 'empty-name' };

/** The errors of dashboards, with the messages on which clients of the legacy API depend. */
export const DASHBOARD_ERRORS: readonly ErrorRule[] = [
  {
    reason: 'NotFound',
    message: /, version \d+" not found$/,
    status: 404,
    body: { message: 'Dashboard version not found' },
  },
  NOT_FOUND,
  { reason: 'AlreadyExists', status: 412, body: VERSION_MISMATCH },
  {
    field: 'spec.title',
    cause: 'FieldValueDuplicate',
    status: 412,
    body: { message: TITLE_TAKEN, status: 'name-exists' },
  },
  { field: 'spec.title', says: /title cannot be empty$/, status: 400, body: EMPTY_TITLE },
  { field: 'spec.title', cause: 'FieldValueRequired', status: 400, body: EMPTY_TITLE },
  {
    field: 'metadata.name',
    says: /must be no more than 40 characters$/,
    status: 400,
    body: { message: 'uid too long, max 40 characters' },
  },
  { field: 'metadata.name', status: 400, body: { message: 'uid contains illegal characters' } },
  { cause: 'FieldValueNotFound', status: 400, body: { message: 'folder not found' } },
];

export const FALLBACK = 'Dashboard API error';
