import { z } from 'zod';
import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kind.js';
import type { Dismissal, ObjectView } from '../../../registry/strategy.js';
import { line, localReference } from '../../iam/fields.js';
import { resourceName, UID_NAMES } from '../../iam/names.js';

const Hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex');

export const SessionSpec = z
  .strictObject({
    userRef: localReference('SessionUserRef', 'user'),
    hash: Hash,
    /** The hash before the last rotation: a request that was under way with the old cookie still counts for a moment. */
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

/** Sessions by hash (`[hash]`, the previous one too) and by user (`[user]`). */
export const BY_HASH = 'byHash';
export const BY_USER = 'byUser';

const specOf = ({ spec }: { readonly spec?: unknown }) => spec as SessionSpec;

/** All sessions of a user, to be dismissed. */
export function sessionsOf(view: ObjectView, domain: string, user: string): readonly Dismissal[] {
  const resource = resourceName('sessions', domain);
  const found = view.range(resource, BY_USER, [user], Number.POSITIVE_INFINITY);
  return found.map(({ metadata: { name } }) => ({ resource, name }));
}

/** A login by cookie; the cookie itself is nowhere kept. */
export function session(environment: KindEnvironment): Kind<SessionSpec> {
  const users = resourceName('users', environment.domain);
  return defineKind<SessionSpec>(environment, {
    group: 'internal',
    version: 'v1beta1',
    kind: 'Session',
    resource: 'sessions',
    singular: 'session',
    scope: 'Cluster',
    description: 'Session holds the hash of a session cookie.',
    spec: SessionSpec,
    names: UID_NAMES,
    indexers: {
      [BY_HASH]: (object) => {
        const { hash, previousHash } = specOf(object);
        return previousHash === undefined ? [[hash]] : [[hash], [previousHash]];
      },
      [BY_USER]: (object) => [[specOf(object).userRef.name]],
    },
    references: (object) => [
      { resource: users, namespace: '', name: specOf(object).userRef.name, field: 'spec.userRef.name' },
    ],
    served: false,
    internalId: true,
  });
}
