import type { ApiRequest } from '../../../pkg/http/handler.js';
import type { ListMeta } from '../../../pkg/kube/meta/types.js';
import { parseRequirements } from '../../../pkg/kube/selectors/label-parser.js';
import { badRequest } from '../../../pkg/kube/status/errors.js';
import { trashLabel, trashPage } from '../../history/trash.js';
import type { Kind } from '../../kinds/kind.js';
import type { Entry } from '../../read/reader.js';
import { apiErrorOf } from '../../signals/storage-errors.js';
import { decodeContinue, encodeContinue } from '../options/continue-token.js';
import { awaitCaller } from '../options/freshness.js';
import type { ListOptions } from '../options/query.js';
import { parseSelection } from '../options/selection.js';
import type { VerbTarget } from '../verb.js';

/** Whether a list selects the trash: the label selector contains `<domain>/get-trash=true`. */
export function selectsTrash(kind: Kind, { labelSelector }: ListOptions): boolean {
  const label = trashLabel(kind);
  if (kind.conversion !== undefined || kind.trash !== true || !labelSelector.includes(label)) return false;
  return parseRequirements(labelSelector).some(
    ({ key, operator, values }) => key === label && ['=', '==', 'in'].includes(operator) && values.includes('true'),
  );
}

interface TrashList {
  readonly entries: readonly Entry[];
  readonly metadata: ListMeta;
}

/**
 * A page of the deleted objects that can come back. Pages are not of one revision: an object that comes back meanwhile
 * is left out.
 */
export async function listTrash(
  request: ApiRequest,
  { registry, kind, info }: VerbTarget,
  options: ListOptions,
): Promise<TrashList> {
  const { namespace } = info;
  if (options.watch) throw badRequest('the trash cannot be watched');
  if (namespace === '') throw badRequest('the trash is listed in one namespace');
  const selection = parseSelection(kind, options.labelSelector, options.fieldSelector);
  const binding = [kind.qualified, namespace, selection.toString(), request.user.name];
  const token = options.continue === '' ? { after: '', given: 0 } : decodeContinue(options.continue, binding);
  await awaitCaller(registry.cacher, request);
  const { revision } = registry.cacher.state;
  try {
    const { limit } = options;
    const { entries, last } = await trashPage(registry, {
      kind,
      namespace,
      user: request.user,
      limit,
      after: token.after,
      matches: selection.matches,
    });
    const next = last !== undefined && { after: last, given: token.given + entries.length, revision };
    return {
      entries,
      metadata: { resourceVersion: String(revision), ...(next && { continue: encodeContinue(next, binding) }) },
    };
  } catch (error) {
    throw apiErrorOf(error);
  }
}
