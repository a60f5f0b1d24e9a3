import { APPLIED_MEMBERS } from '../../../registry/applyset/names.js';
import { APPLIED_INDEXERS, type AppliedSpec, setOf } from '../../../registry/applyset/record.js';
import { defineKind, groupName, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { AppliedMembersSpec } from './schema.js';

/** What is remembered of the members of apply sets, so that the server sees when one differs from what was applied. */
export function appliedMembers(environment: KindEnvironment): Kind<AppliedSpec> {
  const sets = `applysets.${groupName('apply', environment.domain)}`;
  return defineKind<AppliedSpec>(environment, {
    identity: {
      group: 'internal',
      version: 'v1beta1',
      kind: APPLIED_MEMBERS,
      resource: 'appliedmembers',
      singular: 'appliedmembers',
      scope: 'Namespaced',
      description: 'AppliedMembers holds what an apply set has applied to some of its members.',
      spec: AppliedMembersSpec,
    },
    storage: { indexers: APPLIED_INDEXERS, references: (object) => setOf(object, sets) },
    serving: { served: false },
  });
}
