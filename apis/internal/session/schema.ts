import { z } from 'zod';
import { line, localReference } from '../../../registry/kinds/fields.js';

const Hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex');

export const SessionSpec = z
  .strictObject({
    userRef: localReference('SessionUserRef', 'user'),
    hash: Hash,
    /**
     * The hash before the last rotation. Its cookie is accepted until a request with the new cookie comes at least a
     * minute after the rotation.
     */
    previousHash: Hash.optional(),
    rotatedAt: z.iso.datetime().optional(),
    clientIp: line(100).optional(),
    userAgent: line(1000).optional(),
    browser: line(190).optional(),
    browserVersion: line(190).optional(),
    os: line(190).optional(),
    osVersion: line(190).optional(),
    device: line(190).optional(),
    authModule: line(190).optional(),
    createdAt: z.iso.datetime(),
    seenAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'SessionSpec' });
export type SessionSpec = z.infer<typeof SessionSpec>;

/** Sessions by hash (`[hash]`, also the previous one) and by user (`[user]`). */
export const BY_HASH = 'byHash';
export const BY_USER = 'byUser';
