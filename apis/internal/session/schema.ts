import { z } from 'zod';
import { line, localReference } from '../../../registry/kinds/fields.js';

const Hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex');

const ExternalSession = z
  .strictObject({
    provider: line(40).min(1, 'must not be empty'),
    nameId: line(256).min(1, 'must not be empty'),
    format: line(500).optional(),
    nameQualifier: line(500).optional(),
    spNameQualifier: line(500).optional(),
    sessionIndex: line(500).optional(),
  })
  .meta({ id: 'ExternalSession' });

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
    /** The session at a SAML provider, which the provider can end. */
    external: ExternalSession.optional(),
    createdAt: z.iso.datetime(),
    /** The session ends at this time at the latest, because its provider says so. */
    endsAt: z.iso.datetime().optional(),
    seenAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'SessionSpec' });
export type SessionSpec = z.infer<typeof SessionSpec>;

/**
 * Sessions by hash (`[hash]`, also the previous one), by user (`[user]`), and by what a provider calls the person
 * (`[provider, nameId]`).
 */
export const BY_HASH = 'byHash';
export const BY_USER = 'byUser';
export const BY_NAME_ID = 'byNameId';
