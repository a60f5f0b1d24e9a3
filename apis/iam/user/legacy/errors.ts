import { type ErrorRule, type LegacyError, plainFailure, structured } from '../../../../registry/legacy/errors.js';
import { EXTERNAL_USER } from '../../external-user.js';
import { LAST_ADMINISTRATOR } from '../../last-administrator.js';

const EMPTY = 'Need to specify either username or email';
const LAST_OF_SERVER = 'cannot remove last grafana admin';
const LAST_OF_ORGANIZATION = 'Cannot remove last organization admin';

const SHARED: readonly ErrorRule[] = [
  {
    field: 'spec.login',
    cause: 'FieldValueRequired',
    status: 400,
    body: structured(400, 'user.empty-username-and-email', EMPTY),
  },
  { code: 404, status: 404, body: { message: 'user not found' } },
  { cause: LAST_ADMINISTRATOR, says: /last grafana admin/, status: 400, body: { message: LAST_OF_SERVER } },
  // A user who is deleted also leaves their organizations.
  { cause: LAST_ADMINISTRATOR, says: /last organization admin/, status: 400, body: { message: LAST_OF_ORGANIZATION } },
];

const NO_ORGANIZATION = { status: 400, body: { message: 'organization not found' } };

/** The errors of changes of a user. */
export const USER_ERRORS: readonly ErrorRule[] = [
  {
    field: 'spec.login',
    cause: 'FieldValueDuplicate',
    status: 409,
    body: { message: 'Update would result in user login conflict' },
  },
  {
    field: 'spec.email',
    cause: 'FieldValueDuplicate',
    status: 409,
    body: structured(409, 'user.email-conflict', 'Email is already being used'),
  },
  { cause: EXTERNAL_USER, status: 403, body: { message: 'User info cannot be updated for external Users' } },
  { field: 'spec.theme', status: 400, body: { message: 'Invalid theme' } },
  ...SHARED,
];

/** Another user has the login or the e-mail address of the new user. */
export function userExists(login: string, email: string): LegacyError {
  return plainFailure(412, `User with email '${email}' or username '${login}' already exists`);
}

/**
 * The errors of the creation of a user. Only the organization can be missing: somebody deleted it after the route had
 * found it.
 */
export function creationErrors(login: string, email: string): readonly ErrorRule[] {
  const { body } = userExists(login, email);
  return [
    { cause: 'FieldValueDuplicate', status: 412, body },
    { code: 404, ...NO_ORGANIZATION },
    { cause: 'NamespaceTerminating', ...NO_ORGANIZATION },
    ...SHARED,
  ];
}
