import type { ErrorRule } from '../../../../registry/legacy/errors.js';
import { TITLE_TAKEN } from '../schema.js';

/** The errors of alert rules, with the messages that clients of the provisioning API know. */
export const RULE_ERRORS: readonly ErrorRule[] = [
  { reason: 'NotFound', status: 404, body: { message: 'alert rule not found' } },
  {
    reason: 'AlreadyExists',
    status: 409,
    body: { message: 'rule UID under the same organisation should be unique' },
  },
  { field: 'spec.title', cause: 'FieldValueDuplicate', status: 400, body: { message: TITLE_TAKEN } },
  { cause: 'FieldValueNotFound', status: 400, body: { message: 'folder does not exist' } },
  {
    field: 'metadata.name',
    says: /must be no more than 40 characters$/,
    status: 400,
    body: { message: 'uid too long, max 40 characters' },
  },
  { field: 'metadata.name', status: 400, body: { message: 'uid contains illegal characters' } },
];
