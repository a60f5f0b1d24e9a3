import { z } from 'zod';
import { microTime, secondTime } from '../../../pkg/kube/meta/times.js';

const text = (length: number, description: string) => z.string().max(length).optional().describe(description);
const count = (description: string) =>
  z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .optional()
    .describe(description);

const ObjectReference = z
  .strictObject({
    kind: text(253, 'Kind of the object.'),
    namespace: text(253, 'Namespace of the object; empty for cluster-scoped kinds.'),
    name: text(253, 'Name of the object.'),
    uid: text(253, 'UID of the object.'),
    apiVersion: text(253, 'API version of the object.'),
    resourceVersion: text(64, 'Version of the object that the event is about.'),
    fieldPath: text(1024, 'The part of the object that the event is about.'),
  })
  .meta({ id: 'ObjectReference', description: 'Names an object, which need not exist.' });

const EventSource = z
  .strictObject({ component: text(253, 'Who reports.'), host: text(253, 'Where it runs.') })
  .meta({ id: 'EventSource', description: 'Who reports an event.' });

const EventSeries = z
  .strictObject({
    count: count('How often it happened.'),
    lastObservedTime: microTime('When it last happened.').optional(),
  })
  .meta({ id: 'EventSeries', description: 'What happened several times.' });

const shared = {
  reason: text(128, 'Why it happened, as one word for programs.'),
  type: text(64, 'Normal or Warning.'),
  eventTime: microTime('When it first happened.').optional(),
  series: EventSeries.optional().describe('How often it happened.'),
  action: text(128, 'What was done.'),
  reportingInstance: text(128, 'Which of several that report.'),
};

const LONGEST = 16_384;

export const CoreEvent = z.strictObject({
  involvedObject: ObjectReference.describe('The object that the event is about.'),
  related: ObjectReference.optional().describe('Another object that has to do with it.'),
  message: text(LONGEST, 'What happened, for people.'),
  source: EventSource.optional().describe('Who reports, as older clients tell it.'),
  firstTimestamp: secondTime('When it first happened.').optional(),
  lastTimestamp: secondTime('When it last happened.').optional(),
  count: count('How often it happened.'),
  reportingComponent: text(253, 'Who reports.'),
  ...shared,
});
export type CoreEvent = z.infer<typeof CoreEvent>;

/** The members of an Event of events.k8s.io/v1. */
export const NewEvent = z.strictObject({
  regarding: ObjectReference.optional().describe('The object that the event is about.'),
  related: ObjectReference.optional().describe('Another object that has to do with it.'),
  note: text(LONGEST, 'What happened, for people.'),
  reportingController: text(253, 'Who reports.'),
  deprecatedSource: EventSource.optional().describe('Who reports, as older clients tell it.'),
  deprecatedFirstTimestamp: secondTime('When it first happened.').optional(),
  deprecatedLastTimestamp: secondTime('When it last happened.').optional(),
  deprecatedCount: count('How often it happened.'),
  ...shared,
});
export type NewEvent = z.infer<typeof NewEvent>;
