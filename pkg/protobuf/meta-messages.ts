import { bool, int, type Message, many, one, optional, text, texts, time } from './message.js';

/** Field numbers of k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto, v0.37.2. */

const OwnerReference: Message = {
  1: text('kind'),
  3: text('name'),
  4: text('uid'),
  5: text('apiVersion'),
  6: optional(bool('controller')),
  7: optional(bool('blockOwnerDeletion')),
};

const ManagedFieldsEntry: Message = {
  1: text('manager'),
  2: text('operation'),
  3: text('apiVersion'),
  4: time('time'),
  6: text('fieldsType'),
  7: { name: 'fieldsV1', type: 'json' },
  8: text('subresource'),
};

export const ObjectMeta: Message = {
  1: text('name'),
  2: text('generateName'),
  3: text('namespace'),
  4: text('selfLink'),
  5: text('uid'),
  6: text('resourceVersion'),
  7: int('generation'),
  8: time('creationTimestamp'),
  9: time('deletionTimestamp'),
  10: optional(int('deletionGracePeriodSeconds')),
  11: { name: 'labels', type: { map: 'string' } },
  12: { name: 'annotations', type: { map: 'string' } },
  13: many('ownerReferences', OwnerReference),
  14: texts('finalizers'),
  17: many('managedFields', ManagedFieldsEntry),
};

const Preconditions: Message = { 1: optional(text('uid')), 2: optional(text('resourceVersion')) };

export const DeleteOptions: Message = {
  1: optional(int('gracePeriodSeconds')),
  2: one('preconditions', Preconditions),
  3: optional(bool('orphanDependents')),
  4: optional(text('propagationPolicy')),
  5: texts('dryRun'),
  6: optional(bool('ignoreStoreReadErrorWithClusterBreakingPotential')),
};

/** Field and label selectors' requirements have the same form. */
export const SelectorRequirement: Message = { 1: text('key'), 2: text('operator'), 3: texts('values') };
