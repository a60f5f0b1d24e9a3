import { bool, int, type Message, many, microtime, one, optional, text, texts, time } from './message.js';

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

const metadata = one('metadata', {
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
});

export const DeleteOptions: Message = {
  1: optional(int('gracePeriodSeconds')),
  2: one('preconditions', { 1: optional(text('uid')), 2: optional(text('resourceVersion')) }),
  3: optional(bool('orphanDependents')),
  4: optional(text('propagationPolicy')),
  5: texts('dryRun'),
  6: optional(bool('ignoreStoreReadErrorWithClusterBreakingPotential')),
};

/**
 * Field numbers of k8s.io/api authorization/v1 and authentication/v1 generated.proto, v0.37.2. Fields that this server ignores are left out: the
 * status of a review (it is the answer), the selectors of resourceAttributes, and attestations.
 */

const attributes = {
  1: one('resourceAttributes', {
    1: text('namespace'),
    2: text('verb'),
    3: text('group'),
    4: text('version'),
    5: text('resource'),
    6: text('subresource'),
    7: text('name'),
  }),
  2: one('nonResourceAttributes', { 1: text('path'), 2: text('verb') }),
};

export const SelfSubjectAccessReview: Message = { 1: metadata, 2: one('spec', attributes) };

export const SubjectAccessReview: Message = {
  1: metadata,
  2: one('spec', {
    ...attributes,
    3: text('user'),
    4: texts('groups'),
    5: { name: 'extra', type: { map: 'strings' } },
    6: text('uid'),
  }),
};

export const SelfSubjectRulesReview: Message = { 1: metadata, 2: one('spec', { 1: text('namespace') }) };

export const SelfSubjectReview: Message = { 1: metadata };

export const TokenReview: Message = { 1: metadata, 2: one('spec', { 1: text('token'), 2: texts('audiences') }) };

export const TokenRequest: Message = {
  1: metadata,
  2: one('spec', {
    1: texts('audiences'),
    3: one('boundObjectRef', { 1: text('kind'), 2: text('apiVersion'), 3: text('name'), 4: text('uid') }),
    4: optional(int('expirationSeconds')),
  }),
};

/** Field numbers of k8s.io/api coordination/v1, core/v1 and events/v1 generated.proto, v0.37.2. */

export const Lease: Message = {
  1: metadata,
  2: one('spec', {
    1: optional(text('holderIdentity')),
    2: optional(int('leaseDurationSeconds')),
    3: microtime('acquireTime'),
    4: microtime('renewTime'),
    5: optional(int('leaseTransitions')),
    6: optional(text('strategy')),
    7: optional(text('preferredHolder')),
  }),
};

const ObjectReference: Message = {
  1: text('kind'),
  2: text('namespace'),
  3: text('name'),
  4: text('uid'),
  5: text('apiVersion'),
  6: text('resourceVersion'),
  7: text('fieldPath'),
};

const EventSource: Message = { 1: text('component'), 2: text('host') };
const EventSeries: Message = { 1: int('count'), 2: microtime('lastObservedTime') };

/** core/v1. */
export const Event: Message = {
  1: metadata,
  2: one('involvedObject', ObjectReference),
  3: text('reason'),
  4: text('message'),
  5: one('source', EventSource),
  6: time('firstTimestamp'),
  7: time('lastTimestamp'),
  8: int('count'),
  9: text('type'),
  10: microtime('eventTime'),
  11: one('series', EventSeries),
  12: text('action'),
  13: one('related', ObjectReference),
  14: text('reportingComponent'),
  15: text('reportingInstance'),
};

/** core/v1, without the status, which the server ignores. */
export const Namespace: Message = { 1: metadata, 2: one('spec', { 1: texts('finalizers') }) };

/** core/v1. Their data is decoded so that it can be refused. */
export const Secret: Message = {
  1: metadata,
  2: { name: 'data', type: { map: 'bytes' } },
  3: text('type'),
  4: { name: 'stringData', type: { map: 'string' } },
  5: optional(bool('immutable')),
};

export const ConfigMap: Message = {
  1: metadata,
  2: { name: 'data', type: { map: 'string' } },
  3: { name: 'binaryData', type: { map: 'bytes' } },
  4: optional(bool('immutable')),
};

/** events.k8s.io/v1. */
export const EventV1: Message = {
  1: metadata,
  2: microtime('eventTime'),
  3: one('series', EventSeries),
  4: text('reportingController'),
  5: text('reportingInstance'),
  6: text('action'),
  7: text('reason'),
  8: one('regarding', ObjectReference),
  9: one('related', ObjectReference),
  10: text('note'),
  11: text('type'),
  12: one('deprecatedSource', EventSource),
  13: time('deprecatedFirstTimestamp'),
  14: time('deprecatedLastTimestamp'),
  15: int('deprecatedCount'),
};
