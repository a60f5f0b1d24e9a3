import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { builtInConventions } from '../../../registry/kinds/conventions.js';
import {
  type Column,
  defineKind,
  type Kind,
  type KindEnvironment,
  type Permissions,
  type Question,
} from '../../../registry/kinds/kind.js';
import { ownedKeys } from '../../../registry/kinds/owned-keys.js';
import { eventOf } from './recorder.js';
import { type CoreEvent, CoreEvent as CoreMembers, NewEvent as NewMembers } from './schema.js';
import { eventStrategy } from './strategy.js';
import { coreEvent, newEvent } from './versions.js';

/** Milliseconds, as in Kubernetes. */
const KEPT = 60 * 60 * 1000;

/** Events name objects that not everybody may view, so only administrators may view them. */
const permissions: Permissions = {
  get: ['events:read'],
  create: ['events:create'],
  update: ['events:write'],
  delete: ['events:delete'],
  scopes: ({ metadata }) => [`events:uid:${metadata.name}`],
};

const identity = {
  version: 'v1',
  kind: 'Event',
  resource: 'events',
  singular: 'event',
  shortNames: ['ev'],
  scope: 'Namespaced',
  description: 'Event tells people what happened to an object. It is kept for an hour.',
} as const;

const serving = { acceptsStrategicMerge: true, conventions: builtInConventions } as const;

/** Events as kubectl and most recorders know them. This is what is stored. */
export function event(environment: KindEnvironment): Kind {
  return defineKind(environment, {
    identity: { ...identity, group: '', members: CoreMembers },
    storage: {
      expiry: { since: (object) => lastWritten(object, environment.domain), lasts: KEPT },
    },
    access: { permissions },
    serving: { ...serving, columns: COLUMNS, selectableFields: SELECTABLE, madeFor: describing },
    strategy: eventStrategy,
  });
}

/** The same events as newer recorders write them. */
export function newEvents(environment: KindEnvironment): Kind {
  return defineKind(environment, {
    identity: { ...identity, group: 'events.k8s.io', members: NewMembers },
    access: { permissions },
    serving: {
      ...serving,
      columns: COLUMNS.map((column) => ({ ...column, cell: (object, now) => column.cell(coreEvent(object), now) })),
      selectableFields: NEW_SELECTABLE,
    },
    versions: { conversion: { storageKind: 'events', convert: newEvent, restore: coreEvent } },
  });
}

function membersOf(object: KubeObject): CoreEvent {
  return object as unknown as CoreEvent;
}

/** When the event was last written. Times that its writer sends do not keep it for longer. */
function lastWritten({ metadata }: KubeObject, domain: string): number {
  const written = metadata.annotations?.[ownedKeys(domain).updatedTimestamp] ?? metadata.creationTimestamp;
  return Date.parse(written ?? '') || 0;
}

type Read = (object: KubeObject) => string;

/** The fields that `kubectl describe` and `kubectl events --for` select by. */
function referenceFields(prefix: string, of: (object: KubeObject) => CoreEvent): Readonly<Record<string, Read>> {
  const names = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;
  return Object.fromEntries(
    names.map((name) => [`${prefix}.${name}`, (object) => of(object).involvedObject?.[name] ?? '']),
  );
}

const SELECTABLE: Readonly<Record<string, Read>> = {
  ...referenceFields('involvedObject', membersOf),
  reason: (object) => membersOf(object).reason ?? '',
  type: (object) => membersOf(object).type ?? '',
  source: (object) => membersOf(object).source?.component ?? membersOf(object).reportingComponent ?? '',
  reportingComponent: (object) => membersOf(object).reportingComponent ?? '',
};

const coreOf = (object: KubeObject): CoreEvent => membersOf(coreEvent(object));

const NEW_SELECTABLE: Readonly<Record<string, Read>> = {
  ...referenceFields('regarding', coreOf),
  reason: (object) => coreOf(object).reason ?? '',
  type: (object) => coreOf(object).type ?? '',
  reportingController: (object) => coreOf(object).reportingComponent ?? '',
};

/**
 * `kubectl describe` asks for the events of one object by its uid. It gets what the object's kind says about it, too.
 */
function describing({ time, required, describe }: Question): readonly KubeObject[] {
  const [kind, name, uid] = ['kind', 'name', 'uid'].map((field) => required(`involvedObject.${field}`));
  if (kind === undefined || name === undefined || uid === undefined) return [];
  return describe({ kind, name, uid }).map((report) => {
    const event = eventOf(report, time);
    const { namespace = '' } = event.metadata;
    const own = { name: `${name}.${report.reason.toLowerCase()}`, namespace, creationTimestamp: time };
    return { ...event, metadata: own };
  });
}

const COLUMNS: readonly Column[] = [
  {
    name: 'Last Seen',
    type: 'date',
    description: 'When it last happened',
    priority: 0,
    cell: (object) => {
      const { series, lastTimestamp, eventTime } = membersOf(object);
      return series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? object.metadata.creationTimestamp ?? '';
    },
  },
  text('Type', 'Normal or Warning', ({ type }) => type),
  text('Reason', 'Why it happened', ({ reason }) => reason),
  text('Object', 'What it is about', ({ involvedObject: { kind = '', name = '' } }) => `${kind.toLowerCase()}/${name}`),
  text('Message', 'What happened', ({ message }) => message?.trim().slice(0, 1000)),
];

function text(name: string, description: string, value: (event: CoreEvent) => string | undefined): Column {
  return { name, type: 'string', description, priority: 0, cell: (object) => value(membersOf(object)) ?? '' };
}
