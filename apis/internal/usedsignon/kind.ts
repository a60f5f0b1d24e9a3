import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { UID_NAMES } from '../../../registry/kinds/names.js';
import { BY_END, UsedSignOnSpec } from './schema.js';

/** A sign-in by a provider that has succeeded, so that no server accepts it again. Its name is a hash of the state. */
export function usedSignOn(environment: KindEnvironment): Kind<UsedSignOnSpec> {
  return defineKind<UsedSignOnSpec>(environment, {
    identity: {
      group: 'internal',
      version: 'v1beta1',
      kind: 'UsedSignOn',
      resource: 'usedsignons',
      singular: 'usedsignon',
      scope: 'Cluster',
      description: 'UsedSignOn holds the state of a sign-in that was used.',
      spec: UsedSignOnSpec,
      names: UID_NAMES,
    },
    storage: {
      indexers: { [BY_END]: ({ spec }) => [[Date.parse((spec as UsedSignOnSpec).ends)]] },
    },
    serving: { served: false },
  });
}
