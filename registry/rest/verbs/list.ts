import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import type { ListMeta } from '../../../pkg/kube/meta/types.js';
import { badRequest, expired } from '../../../pkg/kube/status/errors.js';
import { extended } from '../../../pkg/system/object/extended.js';
import { isStorageError } from '../../../storage/errors.js';
import { keyOf, partsOf } from '../../../storage/key.js';
import type { Entry } from '../../../storage/state/entry.js';
import {
  type Collection,
  collectionAt,
  keysIn,
  keysOf,
  recallRevision,
  type ScanRange,
  scan,
  steps,
} from '../../collection/collection.js';
import { isMaster, type ReadFilter } from '../../kinds/authorizer.js';
import type { Kind } from '../../kinds/kind.js';
import { isOrphaned } from '../../kinds/orphans.js';
import { servedEntries } from '../../kinds/served-entries.js';
import type { Reader } from '../../read/reader.js';
import { apiErrorOf } from '../../signals/storage-errors.js';
import { hasStoredBytes, renderList, renderStored } from '../answer/render-list.js';
import { batchesOf } from '../answer/whole-list.js';
import { decodeContinue, encodeContinue } from '../options/continue-token.js';
import { awaitRevision } from '../options/freshness.js';
import { type ListOptions, parseListOptions } from '../options/query.js';
import { parseSelection, type Selection } from '../options/selection.js';
import type { Verb, VerbTarget } from '../verb.js';
import { listHistory, selectsHistory } from './history-list.js';
import { madeEntries } from './made-entries.js';
import { listTrash, selectsTrash } from './trash.js';
import { watch } from './watch.js';

/**
 * A page reads at most this many objects. If it has not found enough objects by then, it ends early, with `continue`.
 */
const SCAN_LIMIT = 10_000;

/** GET of a collection: a list, or a stream of its changes with `watch=true`. */
export const list: Verb = async (request, target) => {
  const options = parseListOptions(request.query);
  const past = pastList(target, options);
  if (options.watch && past === undefined) return watch(request, target, options);
  if (past !== undefined) return rendered(request, target, await past(request, target, options));
  const question = await questionOf(request, target, options);
  if (isWhole(request, target, options, question)) return renderWhole(target, question);
  const page = await pageOf(target, options, question);
  const made = page.metadata.continue === undefined ? madeEntries(request, target, options) : [];
  return rendered(request, target, page, made);
};

async function rendered(
  request: ApiRequest,
  target: VerbTarget,
  page: Page,
  made: readonly Entry[] = [],
): Promise<ApiResponse> {
  const { kind, entries } = await servedEntries(target.kind, page.entries);
  const all = made.length === 0 ? entries : [...entries, ...made];
  return renderList(request, extended(target, { kind }), all, page.metadata);
}

/** The function that lists the trash or the history, if the selectors ask for one of them. */
function pastList({ kind }: VerbTarget, options: ListOptions): typeof listTrash | undefined {
  if (selectsTrash(kind, options)) return listTrash;
  return selectsHistory(kind, options) ? listHistory : undefined;
}

interface Page {
  readonly entries: readonly Entry[];
  readonly metadata: ListMeta;
}

interface PagePosition {
  readonly collection: Collection;
  readonly after: string;
  /** Number of objects on the earlier pages. */
  readonly given: number;
}

/** What is listed, and what the caller may see of it. */
interface ListQuestion {
  readonly selection: Selection;
  readonly binding: readonly string[];
  readonly position: PagePosition;
  /** Those that do not allow all objects. */
  readonly partial: readonly ReadFilter[];
  /** Whether all objects are selected and allowed. */
  readonly isAll: boolean;
}

async function questionOf(
  request: ApiRequest,
  target: VerbTarget,
  options: ListOptions,
  verb = 'list',
): Promise<ListQuestion> {
  const { kind, info } = target;
  const selection = parseSelection(kind, options.labelSelector, options.fieldSelector);
  const binding = [kind.qualified, info.namespace, selection.toString(), request.user.name];
  const position = await start(target, options, binding, request);
  const partial = await partialFilters(request, target, position.collection, verb).catch((error: unknown) => {
    throw pageError(error, position, binding);
  });
  return { selection, binding, position, partial, isAll: selection.all && partial.length === 0 };
}

/**
 * Whether all objects of the newest state are listed as they are stored. Then they need not be looked at before the
 * answer.
 */
function isWhole(
  request: ApiRequest,
  { kind }: VerbTarget,
  { limit }: ListOptions,
  { isAll, position }: ListQuestion,
): boolean {
  if (!isAll || limit > 0 || position.after !== '' || position.collection.count() === undefined) return false;
  const isMade = kind.madeFor !== undefined || kind.serve !== undefined || kind.dependsOn !== undefined;
  return !isMade && hasStoredBytes(request, kind);
}

function renderWhole(
  target: VerbTarget,
  { position: { collection }, selection }: ListQuestion,
): ApiResponse | Promise<ApiResponse> {
  const batches = batchesOf(collection, keysOfList(target, selection));
  return renderStored(target, batches, { resourceVersion: String(collection.revision) });
}

/**
 * A page of the objects that the caller may view. With another `verb`: of those that the caller may also use this verb
 * on.
 */
export async function listPage(
  request: ApiRequest,
  target: VerbTarget,
  options: ListOptions,
  verb?: string,
): Promise<Page> {
  return pageOf(target, options, await questionOf(request, target, options, verb));
}

async function pageOf(target: VerbTarget, options: ListOptions, question: ListQuestion): Promise<Page> {
  const { kind, info } = target;
  const { selection, binding, position, partial, isAll } = question;
  const { collection } = position;
  const { reader } = target.registry;
  const isWanted = (entry: Entry, selected = selection.matches(entry)): boolean =>
    selected && partial.every((filter) => filter.allows(entry)) && !isOrphaned(kind, entry, reader);
  const page = new PageScan(options.limit, isWanted);
  try {
    const range = rangeOf(target, position, options.limit, selection);
    if (kind.serve === undefined || selection.all) await scan(collection, range, (entry) => page.add(entry));
    else await scanServed(target, collection, range, { selection, page });
  } catch (error) {
    throw pageError(error, position, binding);
  }
  const { entries, last } = page;
  const metadata: ListMeta = { resourceVersion: String(collection.revision) };
  if (last === undefined) return { entries, metadata };
  collection.keep();
  const given = position.given + entries.length;
  const token = encodeContinue({ revision: collection.revision, after: last, given }, binding);
  const total = isAll ? collection.count(isEverywhere(target) ? undefined : info.namespace) : undefined;
  // This is an estimate if the list continues at a later revision than its first page.
  const remaining = total === undefined ? {} : { remainingItemCount: Math.max(1, total - given) };
  return { entries, metadata: extended(metadata, { continue: token, ...remaining }) };
}

/**
 * The filters that do not allow all objects. The caller's permissions are those of the newest state. What an object is,
 * where it lies, and what is private or waits, counts at the listed state and at the newest one: what is private now
 * must not be read from the past, and what lay in something private that is gone now is not open.
 */
async function partialFilters(
  { user }: ApiRequest,
  { registry, kind, info }: VerbTarget,
  collection: Collection,
  verb: string,
): Promise<readonly ReadFilter[]> {
  if (isMaster(user)) return [];
  const { authorizer, reader: now } = registry;
  const verbs = verb === 'list' ? ['list'] : ['list', verb];
  const filtersBy = (places: Reader): readonly ReadFilter[] =>
    verbs.map((verb) => authorizer.readFilter({ user, verb, kind, namespace: info.namespace }, now, places));
  const isPast = collection.revision < now.revision;
  const deciding = authorizer.decidingResources(kind);
  if (isPast) await recallRevision(registry, deciding, collection.revision);
  const filters = filtersBy(collection.reader(isPast ? deciding : []));
  const newest = isPast ? filtersBy(now).map((filter) => present(filter, kind, now)) : [];
  return [...filters, ...newest].filter(({ all }) => !all);
}

/** The same filter for an earlier form of objects: it decides about the present form, if there is one. */
function present(filter: ReadFilter, { qualified }: Kind, reader: Reader): ReadFilter {
  const allows = (entry: Entry): boolean => {
    const { namespace, name } = partsOf(entry.key);
    return filter.allows(reader.entry(qualified, namespace, name) ?? entry);
  };
  return extended(filter, { allows });
}

/**
 * The start of the list: the most recent state, a state that is not older than a revision, or exactly a revision
 * (docs/wire-contract.md, section 3.2).
 */
async function start(
  target: VerbTarget,
  options: ListOptions,
  binding: readonly string[],
  request: ApiRequest,
): Promise<PagePosition> {
  if (options.continue !== '') return continued(target, options.continue, binding, request);
  const { registry, kind } = target;
  await awaitRevision(registry.cacher, options.resourceVersion, request);
  const { match, limit } = options;
  // The cache has reached this revision, so it is a safe integer.
  const wanted = Number(options.resourceVersion ?? 0);
  const isExact = match === 'Exact' || (match === undefined && limit > 0 && wanted > 0);
  try {
    if (isExact) await recallRevision(registry, [kind.qualified], wanted);
    return { collection: collectionAt(registry, kind, isExact ? wanted : undefined), after: '', given: 0 };
  } catch (error) {
    throw apiErrorOf(error);
  }
}

async function continued(
  { registry, kind }: VerbTarget,
  text: string,
  binding: readonly string[],
  request: ApiRequest,
): Promise<PagePosition> {
  const { revision, after, given } = decodeContinue(text, binding);
  const wanted = revision < 0 ? undefined : revision;
  await awaitRevision(registry.cacher, wanted, request);
  try {
    if (wanted !== undefined) await recallRevision(registry, [kind.qualified], wanted);
    return { collection: collectionAt(registry, kind, wanted), after, given };
  } catch (error) {
    throw pageError(error, { after, given }, binding);
  }
}

const TOO_OLD =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** A list with a compacted revision may continue at the newest revision. */
function pageError(
  error: unknown,
  { after, given }: Omit<PagePosition, 'collection'>,
  binding: readonly string[],
): unknown {
  if (after === '' || !isStorageError(error, 'compacted')) return apiErrorOf(error);
  return expired(TOO_OLD, encodeContinue({ revision: -1, after, given }, binding));
}

/** Selectors are about what is served. If it takes time to make that, it is made for a step of the entries at once. */
async function scanServed(
  { kind }: VerbTarget,
  collection: Collection,
  range: ScanRange,
  { selection, page }: { readonly selection: Selection; readonly page: PageScan },
): Promise<void> {
  for await (const entries of steps(collection, range)) {
    const served = await servedEntries(kind, entries);
    const selects = served.entries.map((entry) => selection.matchesAs(served.kind, entry));
    if (!entries.every((entry, i) => page.add(entry, selects[i]))) return;
  }
}

/** Collects the entries of a page. */
class PageScan {
  readonly entries: Entry[] = [];
  /** The key after which the next page begins. `undefined` on the last page. */
  last: string | undefined;
  readonly #limit: number;
  readonly #isWanted: (entry: Entry, selected?: boolean) => boolean;
  #seen = 0;

  constructor(limit: number, isWanted: (entry: Entry, selected?: boolean) => boolean) {
    this.#limit = limit;
    this.#isWanted = isWanted;
  }

  /** Returns false when the page is complete. */
  add(entry: Entry, selected?: boolean): boolean {
    if (this.#isWanted(entry, selected)) {
      if (this.#limit > 0 && this.entries.length === this.#limit) return this.#endAfter(this.entries.at(-1)?.key);
      this.entries.push(entry);
    }
    this.#seen++;
    return this.#limit === 0 || this.#seen < SCAN_LIMIT || this.#endAfter(entry.key);
  }

  #endAfter(key: string | undefined): false {
    this.last = key;
    return false;
  }
}

function rangeOf(target: VerbTarget, { after }: PagePosition, limit: number, selection: Selection): ScanRange {
  const { low, high } = keysOfList(target, selection);
  if (after !== '' && (after < low || after >= high))
    throw badRequest('invalid continue token: its key is outside of this list');
  return { low: after === '' ? low : `${after}\0`, high, row: selection.row, ...(limit > 0 && { first: limit + 1 }) };
}

/** The keys of the collection, or of the one name that the field selector requires. */
function keysOfList(target: VerbTarget, { name }: Selection): ScanRange {
  const { kind, info } = target;
  if (isEverywhere(target)) return keysOf(kind);
  if (name === undefined) return keysIn(kind, info.namespace);
  const key = keyOf(kind.qualified, info.namespace, name);
  return { low: key, high: `${key}\0` };
}

function isEverywhere({ kind, info }: VerbTarget): boolean {
  return info.namespace === '' && kind.scope === 'Namespaced';
}
