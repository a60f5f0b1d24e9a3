import { randomUUID } from 'node:crypto';
import type { Made } from '../fill-store.js';

export interface Data {
  readonly count: number;
  readonly dashboards: number;
  /** The number of different tags. */
  readonly tags: number;
  /** Different in each run, so that queries and new annotations are not those of an earlier run. */
  readonly seed: number;
}

export const DASHBOARDS = '/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards';
const ANNOTATIONS = '/apis/annotation.svc.app/v1beta1/namespaces/default/annotations';

/** A year of annotations. */
const FROM = Date.UTC(2025, 0, 1);
const YEAR = 365 * 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;
/** One tag of each annotation is one of these. */
const FREQUENT = [
  'deploy',
  'incident',
  'release',
  'alert',
  'maintenance',
  'test',
  'rollback',
  'scale',
  'config',
  'backup',
];

export function dashboardName(i: number): string {
  return `bench-${i}`;
}

export function dashboardBody(i: number): object {
  const metadata = { name: dashboardName(i) };
  return { apiVersion: 'dashboard.svc.app/v1beta1', kind: 'Dashboard', metadata, spec: { title: `Dashboard ${i}` } };
}

/** The same number always gives the same annotation. Each tenth is a region, and each tenth belongs to no dashboard. */
export function annotationSpec(i: number, { dashboards, tags, count }: Data) {
  const time = FROM + Math.floor(scattered(i) * YEAR);
  return {
    text: `Something happened, number ${i}, which a person wrote down for others`,
    time,
    ...(i % 10 === 3 && { timeEnd: time + Math.floor(scattered(i + count) * HOUR) }),
    ...(i % 10 !== 7 && { dashboardUID: dashboardName(i % dashboards), panelID: 1 + (i % 12) }),
    tags: [`tag-${Math.floor(scattered(i * 7 + 1) * tags)}`, FREQUENT[i % FREQUENT.length] ?? ''],
  };
}

/** The annotation as it is stored. `uids` has `metadata.uid` of the dashboards. */
export function madeAnnotation(i: number, data: Data, uids: ReadonlyMap<string, string>): Made {
  const spec = annotationSpec(i, data);
  const dashboard = uids.get(spec.dashboardUID ?? '');
  const name = `annotation-${randomUUID().slice(0, 13)}`;
  return { name, author: 'admin', at: spec.time, annotations: dashboard === undefined ? {} : { dashboard }, spec };
}

/** The body of the legacy API, at any time of the year. */
export function annotationBody(i: number, data: Data): object {
  const { panelID, ...rest } = annotationSpec(data.seed + i, data);
  return { ...rest, ...(panelID !== undefined && { panelId: panelID }) };
}

/** The body of something that happens now, as most annotations are when they are written. */
export function annotationNow(i: number, data: Data): object {
  const time = Date.now();
  const body = annotationBody(i, data);
  return { ...body, time, ...('timeEnd' in body && { timeEnd: time + MINUTE }) };
}

/** From 0 to 1, spread evenly. */
function scattered(i: number): number {
  return (i * 0.618_033_988_749_895) % 1;
}

const within = (i: number, { seed }: Data, lasts: number): string => {
  const from = FROM + Math.floor(scattered(i + seed) * (YEAR - lasts));
  return `from=${from}&to=${from + lasts}`;
};
const tag = (i: number, { tags, seed }: Data): string => `tag-${(i * 31 + seed) % tags}`;
const dashboard = (i: number, { dashboards, seed }: Data): string => dashboardName((i * 17 + seed) % dashboards);

/** Each query asks for something else each time. */
export const QUERIES: readonly (readonly [name: string, path: (i: number, data: Data) => string])[] = [
  ['newest', () => '/api/annotations'],
  ['range of an hour', (i, data) => `/api/annotations?${within(i, data, HOUR)}`],
  ['range of 30 days', (i, data) => `/api/annotations?${within(i, data, 30 * 24 * HOUR)}`],
  ['dashboard', (i, data) => `/api/annotations?dashboardUID=${dashboard(i, data)}`],
  [
    'dashboard and 7 days',
    (i, data) => `/api/annotations?dashboardUID=${dashboard(i, data)}&${within(i, data, 168 * HOUR)}`,
  ],
  ['dashboard and panel', (i, data) => `/api/annotations?dashboardUID=${dashboard(i, data)}&panelId=${1 + (i % 12)}`],
  ['rare tag', (i, data) => `/api/annotations?tags=${tag(i, data)}`],
  ['frequent tag', (i) => `/api/annotations?tags=${FREQUENT[i % 10]}`],
  ['frequent tag and 30 days', (i, data) => `/api/annotations?tags=${FREQUENT[i % 10]}&${within(i, data, 720 * HOUR)}`],
  ['both tags', (i, data) => `/api/annotations?tags=${FREQUENT[i % 10]}&tags=${tag(i, data)}`],
  [
    'either of three tags',
    (i, data) =>
      `/api/annotations?matchAny=true&tags=${FREQUENT[i % 10]}&tags=${tag(i, data)}&tags=${tag(i + 1, data)}`,
  ],
  ['tag counts', () => '/api/annotations/tags'],
  ['tag counts by text', (i) => `/api/annotations/tags?tag=${i}`],
  ['tag counts by text, 1000', () => '/api/annotations/tags?tag=tag&limit=1000'],
  ['page of 500 of the resource', () => `${ANNOTATIONS}?limit=500`],
];
