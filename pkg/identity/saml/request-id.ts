import { randomBytes } from 'node:crypto';

/** An ID for a request. An ID of XML does not begin with a digit. */
export const newRequestId = (): string => `_${randomBytes(20).toString('hex')}`;
