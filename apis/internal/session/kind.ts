import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { resourceName, UID_NAMES } from '../../../registry/kinds/names.js';
import type { AlsoDelete } from '../../../registry/kinds/strategy.js';
import type { Reader } from '../../../registry/read/reader.js';
import { BY_HASH, BY_NAME_ID, BY_USER, SessionSpec } from './schema.js';

const specOf = ({ spec }: { readonly spec?: unknown }) => spec as SessionSpec;

/** All sessions of a user, as objects to delete. */
export function sessionsOf(reader: Reader, domain: string, user: string): readonly AlsoDelete[] {
  const resource = resourceName('internal/sessions', domain);
  const sessions = reader.range(resource, BY_USER, [user]);
  return sessions.map(({ metadata: { name } }) => ({ resource, name }));
}

/** A login by cookie. Only the hash of the cookie is stored. */
export function session(environment: KindEnvironment): Kind<SessionSpec> {
  const users = resourceName('iam/users', environment.domain);
  return defineKind<SessionSpec>(environment, {
    identity: {
      group: 'internal',
      version: 'v1beta1',
      kind: 'Session',
      resource: 'sessions',
      singular: 'session',
      scope: 'Cluster',
      description: 'Session holds the hash of a session cookie.',
      spec: SessionSpec,
      names: UID_NAMES,
    },
    storage: {
      indexers: {
        [BY_HASH]: (object) => {
          const { hash, previousHash } = specOf(object);
          return previousHash === undefined ? [[hash]] : [[hash], [previousHash]];
        },
        [BY_USER]: (object) => [[specOf(object).userRef.name]],
        [BY_NAME_ID]: (object) => {
          const { external } = specOf(object);
          return external === undefined ? [] : [[external.provider, external.nameId]];
        },
      },
      references: (object) => [
        { resource: users, namespace: '', name: specOf(object).userRef.name, field: 'spec.userRef.name' },
      ],
      internalId: true,
    },
    serving: { served: false },
  });
}
