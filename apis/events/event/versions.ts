import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { CoreEvent, NewEvent } from './schema.js';

/** The names of the members that the versions call differently. */
const NAMES: readonly (readonly [keyof CoreEvent, keyof NewEvent])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];
const TO_NEW = new Map<string, string>(NAMES);
const TO_CORE = new Map<string, string>(NAMES.map(([core, other]) => [other, core]));

/** An Event of core/v1 as one of events.k8s.io/v1. */
export function newEvent(stored: KubeObject): KubeObject {
  return { ...renamed(stored, TO_NEW), apiVersion: 'events.k8s.io/v1' };
}

/** An Event of events.k8s.io/v1 as one of core/v1. */
export function coreEvent(sent: KubeObject): KubeObject {
  const core = { involvedObject: {}, ...renamed(sent, TO_CORE) };
  return { ...core, apiVersion: 'v1' };
}

function renamed(object: KubeObject, names: ReadonlyMap<string, string>): KubeObject {
  const present = Object.entries(object).filter(([, value]) => value !== undefined);
  const entries = present.map(([name, value]) => [names.get(name) ?? name, value]);
  return Object.fromEntries(entries) as KubeObject;
}
