import { randomUUID } from 'node:crypto';
import { warningHeaders } from '../../../pkg/http/warnings.js';
import { serviceUnavailable } from '../../../pkg/kube/status/errors.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { partsOf } from '../../../storage/key.js';
import type { Entry } from '../../../storage/state/entry.js';
import { Client } from '../../client/client.js';
import { Retry } from '../../signals/retry.js';
import type { DeleteOptions } from '../../write/delete.js';
import { renderList } from '../answer/render-list.js';
import { deleteOptions } from '../body/delete-options.js';
import { parseListOptions } from '../options/query.js';
import type { Verb, VerbTarget } from '../verb.js';
import { listPage } from './list.js';

/** Number of concurrent deletions. They share commits. */
const CONCURRENT = 100;

/**
 * DELETE of a collection: deletes the selected objects that the caller may view and delete, and returns them as a list.
 * An object that was already deleted with its container is skipped. Each deletion is a commit of its own, so some may
 * be done when one fails.
 */
export const removeCollection: Verb = async (request, target) => {
  const { caller, options: sent, warnings: ignored } = deleteOptions(request, target);
  const options = { ...sent, operation: sent.operation ?? randomUUID() };
  const client = new Client(target.registry, caller);
  const page = await listPage(request, target, parseListOptions(request.query), 'deletecollection');
  // Made before the deletions, because after them it would be too late to fail.
  const answer = await renderList(request, target, page.entries, page.metadata);
  const warnings = new Set<string>(ignored);
  for (let from = 0; from < page.entries.length; from += CONCURRENT) {
    const some = page.entries.slice(from, from + CONCURRENT);
    const all = await Promise.all(some.map((entry) => removeOne(client, target, entry, options))).catch(partly);
    for (const warning of all.flat()) warnings.add(warning);
  }
  return { ...answer, headers: { ...answer.headers, ...warningHeaders([...warnings]) } };
};

/**
 * The error of one deletion says that nothing was changed, and tells the client to repeat the request. Other objects
 * may be deleted. So the request does not begin again by itself either: it would list, and delete, other objects.
 */
function partly(error: unknown): never {
  if (error instanceof Retry)
    throw serviceUnavailable('the definition has just changed; some may be deleted', error, 1);
  if (!(error instanceof ApiError) || error.details?.retryAfterSeconds === undefined) throw error;
  throw serviceUnavailable('the store could not delete all objects; some may be deleted', error);
}

/** Returns warnings. */
async function removeOne(
  client: Client,
  { kind, info }: VerbTarget,
  entry: Entry,
  options: DeleteOptions,
): Promise<readonly string[]> {
  try {
    const { warnings = [] } = await client.delete(kind, info.namespace, partsOf(entry.key).name, options);
    return warnings;
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== 'NotFound') throw error;
    return [];
  }
}
