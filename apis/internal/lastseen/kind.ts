import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { resourceName, UID_NAMES } from '../../../registry/kinds/names.js';
import { BY_TIME, LastSeenSpec } from './schema.js';

/**
 * The time when a user last called. It has the name of the user, but is a separate object, so that calls do not change
 * users.
 */
export function lastSeen(environment: KindEnvironment): Kind<LastSeenSpec> {
  const users = resourceName('iam/users', environment.domain);
  return defineKind<LastSeenSpec>(environment, {
    identity: {
      group: 'internal',
      version: 'v1beta1',
      kind: 'LastSeen',
      resource: 'lastseens',
      singular: 'lastseen',
      scope: 'Cluster',
      description: 'LastSeen holds when a user last called.',
      spec: LastSeenSpec,
      names: UID_NAMES,
    },
    storage: {
      indexers: { [BY_TIME]: ({ spec }) => [[Date.parse((spec as LastSeenSpec).at)]] },
      references: ({ metadata }) => [{ resource: users, namespace: '', name: metadata.name, field: 'metadata.name' }],
    },
    serving: {
      selectableFields: { 'spec.at': ({ spec }) => (spec as LastSeenSpec).at },
      served: false,
    },
  });
}
