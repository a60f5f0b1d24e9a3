import { setImmediate } from 'node:timers/promises';
import type { ApiRequest } from '../../pkg/http/exchange.js';
import type { ListMeta } from '../../pkg/meta/types.js';
import { badRequest, expired } from '../../pkg/status/errors.js';
import type { Cacher } from '../../storage/cacher/cacher.js';
import { isStorageError } from '../../storage/errors.js';
import { type Key, keyOf } from '../../storage/key.js';
import type { Entry, ResourceState } from '../../storage/state.js';
import type { ReadFilter } from '../authorization/authorizer.js';
import { Reader } from '../reader.js';
import { apiErrorOf } from '../storage-errors.js';
import { type ContinueToken, decodeContinue, encodeContinue } from './continue-token.js';
import { awaitRevision } from './freshness.js';
import { type ListOptions, parseListOptions } from './query.js';
import { renderList } from './render-list.js';
import { parseSelection, type Selection } from './selection.js';
import { TURN_EVERY } from './turns.js';
import type { Target, Verb } from './verb.js';
import { watch } from './watch.js';

/** A page reads at most this many objects. If it has not found enough objects by then, it ends early, with `continue`. */
const SCAN_LIMIT = 10_000;

/** GET of a collection: a list, or a stream of its changes with `watch=true`. */
export const list: Verb = async (request, target) => {
  const options = parseListOptions(request.query);
  if (options.watch) return watch(request, target, options);
  const page = await listPage(request, target, options);
  return renderList(request, target, page.entries, page.metadata);
};

export interface Page {
  readonly entries: readonly Entry[];
  readonly metadata: ListMeta;
}

interface Position {
  readonly state: ResourceState;
  readonly revision: number;
  readonly after: string;
  /** Number of objects on the earlier pages. */
  readonly given: number;
}

/** A page of the objects that the caller may view. With another `verb`: of those that the caller may also use this verb on. */
export async function listPage(
  request: ApiRequest,
  target: Target,
  options: ListOptions,
  verb = 'list',
): Promise<Page> {
  const { registry, kind, info } = target;
  const selection = parseSelection(kind, options.labelSelector, options.fieldSelector);
  const binding = [kind.qualified, info.namespace, selection.toString(), request.user.name];
  const position = await start(registry.cacher, target, options, binding, request);
  const filters = filtersOf(request, target, position, verb);
  const isWanted = (entry: Entry): boolean =>
    selection.matches(entry) && filters.every((filter) => filter.allows(entry));
  const { entries, last } = await scan(target, position, options.limit, selection, isWanted);
  const metadata: ListMeta = { resourceVersion: String(position.revision) };
  if (last === undefined) return { entries, metadata };
  registry.cacher.snapshots.keep(kind.qualified, position.revision, position.state);
  const given = position.given + entries.length;
  const token = encodeContinue({ revision: position.revision, after: last, given }, binding);
  const total =
    info.namespace === '' && kind.scope === 'Namespaced' ? position.state.size : position.state.count(info.namespace);
  // This is an estimate if the list continues at a later revision than its first page.
  const isAll = selection.all && filters.every(({ all }) => all);
  const remaining = isAll ? { remainingItemCount: Math.max(1, total - given) } : {};
  return { entries, metadata: { ...metadata, continue: token, ...remaining } };
}

/** The caller's permissions are those of the newest state. Containers of the listed kind are read from the listed state. */
function filtersOf(
  { user }: ApiRequest,
  { registry, kind, info }: Target,
  { state: listed, revision }: Position,
  verb: string,
): readonly ReadFilter[] {
  const { state } = registry.cacher;
  const reader = new Reader({
    revision,
    resource: (resource) => (resource === kind.qualified ? listed : state.resource(resource)),
  });
  const verbs = verb === 'list' ? ['list'] : ['list', verb];
  return verbs.map((one) =>
    registry.authorizer.readFilter({ user, verb: one, kind, namespace: info.namespace }, reader),
  );
}

/** The state to list: the most recent one, one not older than a revision, or exactly a revision (docs/wire-contract.md, section 3.2). */
async function start(
  cacher: Cacher,
  { kind }: Target,
  options: ListOptions,
  binding: readonly string[],
  request: ApiRequest,
): Promise<Position> {
  if (options.continue !== '')
    return continued(cacher, kind.qualified, decodeContinue(options.continue, binding), binding, request);
  await awaitRevision(cacher, options.resourceVersion, request);
  const { state } = cacher;
  const { match, limit } = options;
  // The cache has reached this revision, so it is a safe integer.
  const wanted = Number(options.resourceVersion ?? 0);
  const exact = match === 'Exact' || (match === undefined && limit > 0 && wanted > 0);
  if (!exact) return { state: state.resource(kind.qualified), revision: state.revision, after: '', given: 0 };
  return { state: exactState(cacher, kind.qualified, wanted), revision: wanted, after: '', given: 0 };
}

async function continued(
  cacher: Cacher,
  resource: string,
  token: ContinueToken,
  binding: readonly string[],
  request: ApiRequest,
): Promise<Position> {
  await awaitRevision(cacher, token.revision < 0 ? undefined : token.revision, request);
  const { after, given } = token;
  const { state } = cacher;
  if (token.revision < 0) return { state: state.resource(resource), revision: state.revision, after, given };
  try {
    return { state: cacher.at(resource, token.revision), revision: token.revision, after, given };
  } catch (error) {
    if (!isStorageError(error, 'compacted')) throw error;
    throw expired(TOO_OLD, encodeContinue({ revision: -1, after, given }, binding));
  }
}

const TOO_OLD =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

function exactState(cacher: Cacher, resource: string, revision: number): ResourceState {
  try {
    return cacher.at(resource, revision);
  } catch (error) {
    throw apiErrorOf(error);
  }
}

/** The entries of the page, and the key after which the next page begins. `last` is `undefined` on the last page. */
async function scan(
  target: Target,
  { state, after }: Position,
  limit: number,
  selection: Selection,
  isWanted: (entry: Entry) => boolean,
): Promise<{ entries: readonly Entry[]; last: string | undefined }> {
  const [low, high] = bounds(target, selection);
  if (after !== '' && (after < low || after >= high))
    throw badRequest('invalid continue token: its key is outside of this list');
  const entries: Entry[] = [];
  let seen = 0;
  for (const entry of state.entries(after === '' ? low : `${after}\0`, high)) {
    if (isWanted(entry)) {
      if (limit > 0 && entries.length === limit) return { entries, last: entries.at(-1)?.key };
      entries.push(entry);
    }
    seen++;
    if (limit > 0 && seen >= SCAN_LIMIT) return { entries, last: entry.key };
    if (seen % TURN_EVERY === 0) await setImmediate();
  }
  return { entries, last: undefined };
}

/** The key range of a collection, or of the one name that the field selector requires. */
function bounds({ kind, info }: Target, selection: Selection): readonly [Key, string] {
  const everywhere = info.namespace === '' && kind.scope === 'Namespaced';
  const low = everywhere ? (`${kind.qualified}/` as Key) : keyOf(kind.qualified, info.namespace, '');
  if (selection.name === undefined || everywhere) return [low, `${low.slice(0, -1)}0`];
  const key = keyOf(kind.qualified, info.namespace, selection.name);
  return [key, `${key}\0`];
}
