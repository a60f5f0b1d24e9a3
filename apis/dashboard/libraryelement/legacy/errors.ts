import type { ErrorRule, FailureBody } from '../../../../registry/legacy/errors.js';
import { IN_USE } from '../../../folder/placement.js';

const plain = (message: string): FailureBody => ({ message });

const EXISTS = { status: 400, body: plain('library element with that name or UID already exists') };
const NOT_FOUND = { status: 404, body: plain('library element could not be found') };

export const CHANGED_BY_OTHERS = plain('the library element has been changed by someone else');

/** The errors of library elements, with the messages on which clients of the legacy API depend. */
export const ELEMENT_ERRORS: readonly ErrorRule[] = [
  { code: 404, ...NOT_FOUND },
  { reason: 'AlreadyExists', ...EXISTS },
  { field: 'spec.name', cause: 'FieldValueDuplicate', ...EXISTS },
  {
    field: 'metadata.name',
    says: /must be no more than 40 characters$/,
    status: 400,
    body: plain('uid too long, max 40 characters'),
  },
  { field: 'metadata.name', cause: 'FieldValueInvalid', status: 400, body: plain('uid contains illegal characters') },
  { cause: 'FieldValueNotFound', status: 400, body: plain('failed to get folder') },
  { field: 'spec.kind', status: 400, body: plain('the element kind is not supported') },
  { cause: IN_USE, status: 403, body: plain('the library element has connections') },
];

/** An element that the caller may not view gets the same answer as one that does not exist. */
export const HIDDEN: ErrorRule = { code: 403, ...NOT_FOUND };

/** Creating or moving an element needs the permission to create elements in the folder. */
export const FORBIDDEN_FOLDER: ErrorRule = {
  code: 403,
  says: /^library\.panels:create$/,
  status: 403,
  body: plain('access denied to folder'),
};
