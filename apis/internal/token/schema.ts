import { z } from 'zod';
import { line, localReference } from '../../../registry/kinds/fields.js';

export const TokenSpec = z
  .strictObject({
    serviceAccountRef: localReference('TokenServiceAccountRef', 'service account'),
    title: line(190).min(1, 'must not be empty'),
    hash: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex'),
    expires: z.iso.datetime().optional(),
    revoked: z.boolean().optional(),
    /** When the token was last used, exact to some minutes. */
    lastUsedAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'TokenSpec' });
export type TokenSpec = z.infer<typeof TokenSpec>;

/**
 * Tokens by hash (`[hash]`), by account (`[namespace, account]`), and by account and title (`[namespace, account,
 * title]`).
 */
export const BY_HASH = 'byHash';
export const BY_ACCOUNT = 'byAccount';
export const BY_TITLE = 'byTitle';
