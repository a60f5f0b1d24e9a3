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

/** A page looks at no more objects than this for those it selects; then it ends early, with `continue`. */
const SCAN_LIMIT = 10_000;

/** GET of a collection: a list, or with `watch=true` a stream of its changes. */
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
  /** Objects on earlier pages. */
  readonly given: number;
}

/** The objects that the caller may view and, with another `verb`, do that to. */
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
  // An estimate once the list goes on at a later revision than it began at.
  const isAll = selection.all && filters.every(({ all }) => all);
  const remaining = isAll ? { remainingItemCount: Math.max(1, total - given) } : {};
  return { entries, metadata: { ...metadata, continue: token, ...remaining } };
}

/** What the caller may view now. The containers of the listed kind are those of the listed state. */
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
  // It has happened, so it is a number.
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
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to go on with what is there now.';

function exactState(cacher: Cacher, resource: string, revision: number): ResourceState {
  try {
    return cacher.at(resource, revision);
  } catch (error) {
    throw apiErrorOf(error);
  }
}

/** Entries of the page and, if there may be more, the key to go on after. */
async function scan(
  target: Target,
  { state, after }: Position,
  limit: number,
  selection: Selection,
  isWanted: (entry: Entry) => boolean,
): Promise<{ entries: readonly Entry[]; last: string | undefined }> {
  const [low, high] = bounds(target, selection);
  if (after !== '' && (after < low || after >= high))
    throw badRequest('invalid continue token: it lies outside of this list');
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

/** The key range of a collection, or of the one name that a field selector asks for. */
function bounds({ kind, info }: Target, selection: Selection): readonly [Key, string] {
  const everywhere = info.namespace === '' && kind.scope === 'Namespaced';
  const low = everywhere ? (`${kind.qualified}/` as Key) : keyOf(kind.qualified, info.namespace, '');
  if (selection.name === undefined || everywhere) return [low, `${low.slice(0, -1)}0`];
  const key = keyOf(kind.qualified, info.namespace, selection.name);
  return [key, `${key}\0`];
}
