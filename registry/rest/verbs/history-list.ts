import type { ApiRequest } from '../../../pkg/http/handler.js';
import type { KubeObject, ListMeta } from '../../../pkg/kube/meta/types.js';
import { parseRequirements } from '../../../pkg/kube/selectors/label-parser.js';
import { badRequest } from '../../../pkg/kube/status/errors.js';
import { keyOf } from '../../../storage/key.js';
import { encodeText, textOfObject } from '../../../storage/state/codec.js';
import { type Entry, MemoryEntry } from '../../../storage/state/entry.js';
import { ObjectHistory } from '../../history/history.js';
import type { Kind } from '../../kinds/kind.js';
import { LARGEST_PAGE } from '../../kinds/past-subresources.js';
import { resourceDefinition } from '../../kinds/registry.js';
import { decodeContinue, encodeContinue } from '../options/continue-token.js';
import { awaitCaller } from '../options/freshness.js';
import type { ListOptions } from '../options/query.js';
import type { VerbTarget } from '../verb.js';

/** Whether a list selects the versions of an object: the label selector contains `<domain>/get-history=true`. */
export function selectsHistory(kind: Kind, { labelSelector }: ListOptions): boolean {
  const label = historyLabel(kind);
  if (kind.conversion !== undefined || kind.history === undefined || !labelSelector.includes(label)) return false;
  return parseRequirements(labelSelector).some(
    ({ key, operator, values }) => key === label && ['=', '==', 'in'].includes(operator) && values.includes('true'),
  );
}

const historyLabel = ({ domain }: Kind): string => `${domain}/get-history`;

interface HistoryList {
  readonly entries: readonly Entry[];
  readonly metadata: ListMeta;
}

/**
 * The versions of one object, the newest first: each is the whole object. The subresource `history` tells who wrote
 * them, and when.
 */
export async function listHistory(
  request: ApiRequest,
  { registry, kind, info }: VerbTarget,
  options: ListOptions,
): Promise<HistoryList> {
  const { namespace } = info;
  const name = nameIn(kind, options);
  if (options.watch) throw badRequest('the history cannot be watched');
  if (namespace === '' && kind.scope === 'Namespaced') throw badRequest('the history is listed in one namespace');
  const binding = [kind.qualified, namespace, `history of ${name}`, request.user.name];
  const token = options.continue === '' ? undefined : decodeContinue(options.continue, binding);
  await awaitCaller(registry.cacher, request);
  const { revision } = registry.cacher.state;
  const limit = Math.min(options.limit || LARGEST_PAGE, LARGEST_PAGE);
  const history = new ObjectHistory(registry, request.user, kind, namespace);
  const { versions, below } = await history.page(name, { limit, ...(token && { below: Number(token.after) }) });
  const given = (token?.given ?? 0) + versions.length;
  const next = below !== undefined && encodeContinue({ revision, after: String(below), given }, binding);
  return {
    entries: versions.map(({ object }) => entryOf(kind, object, revision)),
    metadata: { resourceVersion: String(revision), ...(next !== false && { continue: next }) },
  };
}

/**
 * The object whose versions are listed. Throws 400 for other selectors, because an empty list would say that there are
 * none.
 */
function nameIn(kind: Kind, { labelSelector, fieldSelector }: ListOptions): string {
  const name = /^metadata\.name==?([^,=!]+)$/.exec(fieldSelector.trim())?.[1];
  if (name !== undefined && parseRequirements(labelSelector).length === 1) return name;
  throw badRequest(
    `the history is that of one object: use labelSelector=${historyLabel(kind)}=true and fieldSelector=metadata.name=<name>, and no other selector`,
  );
}

/** A version has the revision at which it was written; those that were retained without one have that of the list. */
function entryOf(kind: Kind, object: KubeObject, listed: number): Entry {
  const { resourceVersion, ...metadata } = object.metadata;
  const version = { ...object, metadata };
  const revision = Number(resourceVersion ?? listed);
  const key = keyOf(kind.qualified, metadata.namespace ?? '', metadata.name);
  return new MemoryEntry(
    key,
    revision,
    encodeText(textOfObject(version), revision),
    resourceDefinition(kind).extract(version, key),
  );
}
