import type { ErrorRule, FailureBody } from '../../../../registry/legacy/errors.js';
import { LAST_ADMINISTRATOR } from '../../last-administrator.js';

const plain = (message: string): FailureBody => ({ message });

export const ORGANIZATION_ERRORS: readonly ErrorRule[] = [
  { reason: 'NotFound', status: 404, body: plain('Organization not found') },
  {
    code: 403,
    message: /this organization may not be deleted$/,
    status: 400,
    body: plain('The first organization cannot be deleted'),
  },
  { field: 'spec.title', cause: 'FieldValueDuplicate', status: 409, body: plain('Organization name taken') },
  { field: 'spec.title', status: 400, body: plain('bad request data') },
];

/** The errors of routes about members. `NotFound` means that the user is not a member. */
export const MEMBER_ERRORS: readonly ErrorRule[] = [
  { cause: LAST_ADMINISTRATOR, status: 400, body: plain('Cannot remove last organization admin') },
  { reason: 'AlreadyExists', status: 409, body: plain('User is already member of this organization') },
  { reason: 'NotFound', status: 404, body: plain('User not found') },
  // Somebody deleted the user after the route had found them.
  { field: 'spec.userRef.name', cause: 'FieldValueNotFound', status: 404, body: plain('User not found') },
];
