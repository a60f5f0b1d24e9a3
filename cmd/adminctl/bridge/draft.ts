import { isSameJson } from '../../../pkg/kube/json/same.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';

/** An annotation of people, accounts, teams and roles that an import has made: its source. */
export const IMPORTED_FROM = 'imported-from';

type Texts = Readonly<Record<string, string>>;

/** What the source tells of where an object comes from. */
export interface Origin {
  readonly id?: number | undefined;
  readonly created?: string | undefined;
  readonly createdBy?: string | undefined;
  readonly updated?: string | undefined;
  readonly updatedBy?: string | undefined;
  readonly version?: number | undefined;
  /** What its author said of the change. */
  readonly message?: string | undefined;
  /** The source itself. Only new objects are marked with it. */
  readonly from?: string | undefined;
}

/** An object as the source has it. */
export interface Draft {
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
  /** Annotations without the domain. One that is `undefined` is removed. */
  readonly annotations?: Readonly<Record<string, string | undefined>>;
  readonly origin?: Origin;
}

/** The metadata of a new object. */
export function newMetadata(domain: string, { name, annotations, origin = {} }: Draft): object {
  const { id, created, createdBy, version, from } = origin;
  const all = {
    ...withDomain(domain, annotations),
    ...authorsOf(domain, origin),
    ...(createdBy && { [`${domain}/createdBy`]: createdBy }),
    ...(from !== undefined && { [`${domain}/${IMPORTED_FROM}`]: from }),
  };
  return {
    name,
    annotations: all,
    ...(id !== undefined && { labels: { [`${domain}/deprecatedInternalID`]: String(id) } }),
    ...timed('creationTimestamp', created),
    ...(version !== undefined && version > 0 && { generation: version }),
  };
}

/** The live object as the source has it, or `undefined` if nothing differs. */
export function changed(domain: string, live: KubeObject, draft: Draft, isWhole: boolean): KubeObject | undefined {
  const spec = isWhole ? draft.spec : { ...(live.spec as object), ...defined(draft.spec) };
  const { annotations: before = {} } = live.metadata;
  const removed = Object.entries(draft.annotations ?? {}).flatMap(([key, value]) =>
    value === undefined ? [`${domain}/${key}`] : [],
  );
  const kept = Object.fromEntries(Object.entries(before).filter(([key]) => !removed.includes(key)));
  const annotations = { ...kept, ...withDomain(domain, draft.annotations) };
  if (isSameJson([spec, annotations], [live.spec, before])) return undefined;
  const { version = 0 } = draft.origin ?? {};
  const metadata = {
    ...live.metadata,
    annotations: { ...annotations, ...authorsOf(domain, draft.origin) },
    ...(version > (live.metadata.generation ?? 0) && { generation: version }),
  };
  return { ...live, metadata, spec };
}

/** Whether two objects say the same: everything but who wrote it when, and what the server derives. */
export function isSameContent(domain: string, a: KubeObject, b: KubeObject): boolean {
  const authors = new Set(['updatedBy', 'updatedTimestamp', 'message'].map((key) => `${domain}/${key}`));
  const content = ({ metadata, spec }: KubeObject) => [
    spec,
    Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => !authors.has(key))),
  ];
  return isSameJson(content(a), content(b));
}

function withDomain(domain: string, annotations: Draft['annotations'] = {}): Texts {
  return Object.fromEntries(
    Object.entries(annotations).flatMap(([key, value]) => (value === undefined ? [] : [[`${domain}/${key}`, value]])),
  );
}

function authorsOf(domain: string, { updated, updatedBy, message }: Origin = {}): Texts {
  return {
    ...(updatedBy && { [`${domain}/updatedBy`]: updatedBy }),
    ...timed(`${domain}/updatedTimestamp`, updated),
    ...(message && { [`${domain}/message`]: message }),
  };
}

const defined = (spec: object): object =>
  Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined));

/** Servers tell a time of the year 1 if they know none. */
const EARLIEST = Date.parse('1971-01-01T00:00:00Z');

/**
 * A time, as the server takes it. The source may tell fractions of a second, and times of another zone. Its clock may
 * be ahead. A text that is no time is left out.
 */
function timed(key: string, text = ''): Texts {
  const time = Math.min(Date.parse(text), Date.now());
  return time > EARLIEST ? { [key]: `${new Date(time).toISOString().slice(0, 19)}Z` } : {};
}
