import { int, type Message, many, microTime, one, optional, text, texts, time } from './message.js';
import { ObjectMeta } from './meta-messages.js';

/** Field numbers of k8s.io/api core/v1, events/v1 and coordination/v1 generated.proto, v0.37.2. */

const metadata = one('metadata', ObjectMeta);

const EventSource: Message = { 1: text('component'), 2: text('host') };
const EventSeries: Message = { 1: int('count'), 2: microTime('lastObservedTime') };
const ObjectReference: Message = {
  1: text('kind'),
  2: text('namespace'),
  3: text('name'),
  4: text('uid'),
  5: text('apiVersion'),
  6: text('resourceVersion'),
  7: text('fieldPath'),
};

export const CoreEvent: Message = {
  1: metadata,
  2: one('involvedObject', ObjectReference),
  3: text('reason'),
  4: text('message'),
  5: one('source', EventSource),
  6: time('firstTimestamp'),
  7: time('lastTimestamp'),
  8: int('count'),
  9: text('type'),
  10: microTime('eventTime'),
  11: one('series', EventSeries),
  12: text('action'),
  13: one('related', ObjectReference),
  14: text('reportingComponent'),
  15: text('reportingInstance'),
};

export const Event: Message = {
  1: metadata,
  2: microTime('eventTime'),
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

const NamespaceCondition: Message = {
  1: text('type'),
  2: text('status'),
  4: time('lastTransitionTime'),
  5: text('reason'),
  6: text('message'),
};

export const Namespace: Message = {
  1: metadata,
  2: one('spec', { 1: texts('finalizers') }),
  3: one('status', { 1: text('phase'), 2: many('conditions', NamespaceCondition) }),
};

export const Lease: Message = {
  1: metadata,
  2: one('spec', {
    1: optional(text('holderIdentity')),
    2: optional(int('leaseDurationSeconds')),
    3: microTime('acquireTime'),
    4: microTime('renewTime'),
    5: optional(int('leaseTransitions')),
    6: optional(text('strategy')),
    7: optional(text('preferredHolder')),
  }),
};
