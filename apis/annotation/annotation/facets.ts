import { hash } from 'node:crypto';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { Tuple } from '../../../registry/kinds/kind.js';
import { ownedKeys } from '../../../registry/kinds/owned-keys.js';
import { type AnnotationSpec, specOf } from './schema.js';
import { type Tag, tagOf } from './tags.js';

/**
 * The indexes that all queries read: `[namespace, …facet, class of the length, end, start]`. Tags have an index of
 * their own, because there are many of them. docs/adr/0022 has the reasons.
 */
export const BY_FACET = 'byFacet';
export const BY_TAG = 'byTag';

/** The number of elements of a tuple up to the facet, and up to the class. */
export const TO_FACET = 4;
export const TO_CLASS = 5;

/** A property that queries ask for, such as a dashboard or a tag. */
export type Facet = readonly [name: string, value: string | number, more: string | number];

export const EVERY: Facet = ['every', '', ''];
export const ANY_ALERT: Facet = ['alerts', '', ''];
export const ofAlert = (id: number): Facet => ['alert', id, ''];
export const ofDashboard = (uid: string): Facet => ['dashboard', short(uid), ''];
export const ofPanel = (uid: string, panel: number): Facet => ['panel', short(uid), panel];
/** `identity` is the value of `createdBy`. */
export const ofAuthor = (identity: string): Facet => ['author', short(identity), ''];
/** The annotations with a tag that has this key and any value. Tags without a value have only their own facet. */
export const ofKey = (key: string): Facet => [KEY, short(key), ''];
/** The annotations with exactly this tag. */
export const ofTag = ({ key, value }: Tag): Facet => [TAG, short(key), short(value)];

/** The first elements of the facets of tags and of their keys. */
export const TAG = 'tag';
const KEY = 'key';

export function indexOf([name]: Facet): string {
  return name === TAG || name === KEY ? BY_TAG : BY_FACET;
}

/** The most bytes of a text in a tuple. A longer tuple would be cut, and would no longer be in the order of time. */
const LONGEST = 130;
/** Begins a text that was shortened. No text of a facet has control characters. */
const SHORTENED = '\u0001';

/** A long text becomes a hash. */
function short(text: string): string {
  return Buffer.byteLength(text) <= LONGEST ? text : `${SHORTENED}${hash('sha256', text, 'base64url')}`;
}

export function isShortened(value: string | number): boolean {
  return typeof value === 'string' && value.startsWith(SHORTENED);
}

const MINUTE = 60_000;

/**
 * The longest region of each class, in milliseconds. An annotation of a class that overlaps a range of time ends at
 * most this long after the range, so a query reads no others. Each class is four times as long as the one before, up to
 * 127 years. So a query reads few annotations that it does not return.
 */
export const LENGTHS: readonly number[] = [
  0,
  ...Array.from({ length: 14 }, (_, power) => MINUTE * 4 ** power),
  Number.MAX_SAFE_INTEGER,
];

export function endOf({ time, timeEnd = time }: AnnotationSpec): number {
  return timeEnd;
}

/** The rows of an annotation in an index: one for each of its facets. */
export function rowsOf(annotation: KubeObject, domain: string, index: string): readonly Tuple[] {
  const spec = specOf(annotation);
  if (spec === undefined) return [];
  const { namespace = '' } = annotation.metadata;
  const end = endOf(spec);
  const lengthClass = LENGTHS.findIndex((longest) => end - spec.time <= longest);
  const facets = index === BY_TAG ? tagFacets(spec.tags) : facetsOf(annotation, spec, domain);
  return facets.map((facet) => [namespace, ...facet, lengthClass, end, spec.time]);
}

function facetsOf({ metadata }: KubeObject, spec: AnnotationSpec, domain: string): readonly Facet[] {
  const { dashboardUID = '', panelID, alertID } = spec;
  const author = metadata.annotations?.[ownedKeys(domain).createdBy];
  return [
    EVERY,
    ...(dashboardUID === '' ? [] : [ofDashboard(dashboardUID)]),
    ...(dashboardUID === '' || panelID === undefined ? [] : [ofPanel(dashboardUID, panelID)]),
    ...(author === undefined ? [] : [ofAuthor(author)]),
    ...(alertID === undefined ? [] : [ANY_ALERT, ofAlert(alertID)]),
  ];
}

/** A key occurs once, however many values it has. */
function tagFacets(texts: readonly string[] = []): readonly Facet[] {
  const tags = texts.map(tagOf);
  const keys = new Set(tags.filter(({ value }) => value !== '').map(({ key }) => key));
  return [...[...keys].map(ofKey), ...tags.map(ofTag)];
}
