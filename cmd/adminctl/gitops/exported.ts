import { DASHBOARD_IDS } from '../../../apis/dashboard-numbers.js';
import { canonicalJson } from '../../../pkg/kube/json/canonical.js';
import { parseJson } from '../../../pkg/kube/json/parse.js';
import { toYaml } from '../../../pkg/kube/json/to-yaml.js';
import { ownedKeys } from '../../../registry/kinds/owned-keys.js';
import type { ServedKind } from './kinds.js';

export interface Listed {
  readonly metadata: {
    readonly name: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [member: string]: unknown;
}

/** Members beside the metadata that are no part of a manifest. */
const LEFT_OUT: readonly string[] = ['apiVersion', 'kind', 'metadata', 'status'];

/** Tools keep these for themselves, and set them again when they apply. */
const OF_TOOLS = /^(?:applyset\.kubernetes\.io|kubectl\.kubernetes\.io)\//;

/**
 * The manifest of an object: the fields that its author has set, and none that the server or tools set. Equal objects
 * give equal text. It names no namespace, so that it can be applied in another one, and no owners, because they are
 * named by uid.
 */
export function exported({ group, version, kind }: ServedKind, object: Listed, domain: string): string {
  const { name, labels, annotations } = object.metadata;
  const metadata = { name, ...mapOf('labels', labels, domain), ...mapOf('annotations', annotations, domain) };
  const members = Object.entries(object).filter(([member]) => !LEFT_OUT.includes(member));
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return toYaml({ apiVersion, kind, metadata, ...inOrder(Object.fromEntries(members)) });
}

type Texts = Readonly<Record<string, string>>;

function mapOf(member: string, map: Texts | undefined, domain: string): object {
  const { annotations, labels, message } = ownedKeys(domain);
  // The message tells about one change, the version of the secrets counts them, and numbers of dashboards differ
  // between servers.
  const others = ['secretsVersion', DASHBOARD_IDS].map((key) => `${domain}/${key}`);
  const owned = new Set([...annotations, ...labels, message, ...others]);
  const kept = Object.entries(map ?? {}).filter(([key]) => !owned.has(key) && !OF_TOOLS.test(key));
  return kept.length === 0 ? {} : { [member]: inOrder(Object.fromEntries(kept)) };
}

/** The text of a manifest: equal objects give equal text, also that of an export. */
export function manifestText({ apiVersion, kind, metadata, ...members }: Writable): string {
  const { name, namespace, labels, annotations } = metadata;
  const maps = {
    ...(labels && { labels: inOrder(labels) }),
    ...(annotations && { annotations: inOrder(annotations) }),
  };
  return toYaml({ apiVersion, kind, metadata: { name, namespace, ...maps }, ...inOrder(members) });
}

/** An object that is made into a manifest. */
export interface Writable {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly labels?: Texts | undefined;
    readonly annotations?: Texts | undefined;
  };
  readonly [member: string]: unknown;
}

/** An object as its author would write it: without what the server sets. */
export function configurationOf(object: Writable, domain: string): Writable {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace, labels, annotations } = metadata;
  const members = Object.entries(object).filter(([member]) => !LEFT_OUT.includes(member));
  const maps = { ...mapOf('labels', labels, domain), ...mapOf('annotations', annotations, domain) };
  return { apiVersion, kind, metadata: { name, namespace, ...maps }, ...Object.fromEntries(members) };
}

/** With the keys of every object in order. */
function inOrder(value: object): object {
  return parseJson(canonicalJson(value)) as object;
}
