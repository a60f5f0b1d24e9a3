import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { badRequest, expired, internalError } from '../../../pkg/kube/status/errors.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { extended } from '../../../pkg/system/object/extended.js';
import { defer } from '../../../pkg/system/yielding/yielding.js';
import type { IndexRow } from '../../../storage/backend.js';
import type { Ring } from '../../../storage/cacher/ring.js';
import { Watch } from '../../../storage/cacher/watch.js';
import type { WatchScope } from '../../../storage/cacher/watchers.js';
import { isStorageError } from '../../../storage/errors.js';
import { partsOf } from '../../../storage/key.js';
import type { Entry } from '../../../storage/state/entry.js';
import { type Collection, collectionAt, keysIn, keysOf, type ScanRange, steps } from '../../collection/collection.js';
import type { WatchFilter } from '../../kinds/authorizer.js';
import { isOrphaned } from '../../kinds/orphans.js';
import { objectKey } from '../../kinds/registry.js';
import { asServed, servedEntries } from '../../kinds/served-entries.js';
import { apiErrorOf } from '../../signals/storage-errors.js';
import { includeObjectOf, negotiate } from '../../table/negotiate.js';
import type { FrameEncoder } from '../answer/frame-encoder.js';
import { frameEncoder } from '../answer/frames.js';
import { initialFrames, preparedFrames } from '../answer/large-frames.js';
import { PreparedWatch, type StepSource } from '../answer/prepared-watch.js';
import { PROTOBUF_STREAM } from '../answer/protobuf-frames.js';
import { type LiveFrames, WatchBody } from '../answer/watch-body.js';
import { awaitRevision } from '../options/freshness.js';
import type { ListOptions } from '../options/query.js';
import { parseSelection, type Selection } from '../options/selection.js';
import type { VerbTarget } from '../verb.js';
import { servedStep } from './served-step.js';

/**
 * Without timeoutSeconds, or with 0, a watch lasts a random time of 30 to 60 minutes, so that clients do not all
 * reconnect at once.
 */
const LEAST_TIMEOUT_SECONDS = 1800;
const BOOKMARK_EVERY = 60_000;
/**
 * The last bookmark comes this long before the end, so that a client continues from a recent revision
 * (docs/wire-contract.md, section 4.7).
 */
const LAST_BOOKMARK = 2000;
/** Existing objects are sent in chunks of this many. */
const INITIAL_STEP = 200;

interface Session {
  readonly request: ApiRequest;
  readonly target: VerbTarget;
  readonly options: ListOptions;
  readonly encoder: FrameEncoder;
  /** Milliseconds. */
  readonly lasts: number;
  readonly scope: WatchScope | undefined;
  /** The row that all selected objects have, if there is one. */
  readonly row: IndexRow | undefined;
  readonly selection: Selection;
  selects(entry: Entry): boolean;
}

/** A session that has started. */
interface Live extends Session {
  readonly signal: AbortSignal;
  /** On the registry's clock. */
  readonly endsAt: number;
  readonly filter: WatchFilter;
}

/**
 * Answers with the stream of changes. An invalid request gets an HTTP error. A later failure is an ERROR event of the
 * stream (docs/wire-contract.md, section 4.5).
 */
export async function watch(request: ApiRequest, target: VerbTarget, options: ListOptions): Promise<ApiResponse> {
  const { kind, registry, info } = target;
  const selection = parseSelection(kind, options.labelSelector, options.fieldSelector);
  if (info.name !== '' && selection.name !== undefined && selection.name !== info.name) {
    throw badRequest(
      `fieldSelector metadata.name does not match the name in the path (${JSON.stringify(info.name.slice(0, 300))})`,
    );
  }
  const form = negotiate(request.headers['accept'], 'watch', kind);
  if (form.as === 'Table') includeObjectOf(request.query);
  const scope = watchScope(target, info.name === '' ? selection.name : info.name);
  // If making the served objects takes time, they are selected after that.
  const isLate = kind.serve !== undefined;
  const session: Session = {
    request,
    target,
    options,
    encoder: frameEncoder(request, extended(target, { kind: asServed(kind) }), form),
    selection,
    lasts: timeoutOf(options),
    scope,
    row: selection.row,
    selects: (entry) => (scope?.key !== undefined || isNamed(entry, info.name)) && (isLate || selection.matches(entry)),
  };
  // A watch without a revision starts at the most recent state of the store. A watch after a revision waits until it
  // exists.
  await awaitRevision(registry.cacher, options.resourceVersion, request);
  const headers = {
    'content-type': form.isProtobuf ? PROTOBUF_STREAM : 'application/json',
    'cache-control': 'no-cache, private',
  };
  return { status: 200, headers, body: bodyOf(session), longRunning: true };
}

/** Without a name, every entry matches. */
function isNamed({ key }: Entry, name: string): boolean {
  return name === '' || partsOf(key).name === name;
}

/** A watch of one object is woken only by its changes, and a watch of a namespace only by the changes in it. */
function watchScope({ kind, info: { namespace } }: VerbTarget, name: string | undefined): WatchScope | undefined {
  const isOne = name !== undefined && (namespace !== '' || kind.scope === 'Cluster');
  if (isOne) return { key: objectKey(kind, namespace, name) };
  return namespace === '' ? undefined : { namespace };
}

function timeoutOf({ timeoutSeconds }: ListOptions): number {
  const seconds = timeoutSeconds || LEAST_TIMEOUT_SECONDS * (1 + Math.random());
  return Math.ceil(Math.min(seconds, 24 * 3600) * 1000);
}

function bodyOf(session: Session): WatchBody {
  return new WatchBody({
    signal: session.request.signal,
    lasts: session.lasts,
    begin: (signal) => frames(session, signal),
    errorFrame: (error) => session.encoder.error(inStream(error).toStatus()),
  });
}

/** Yields the existing objects, if the client wants them, and returns the changes after them. */
async function* frames(session: Session, signal: AbortSignal): AsyncGenerator<Buffer, LiveFrames, undefined> {
  const { options, target } = session;
  const { cacher } = target.registry;
  const { qualified: resource } = target.kind;
  const collection = collectionAt(target.registry, target.kind);
  // The cache has reached this revision, so it is a safe integer.
  const wanted = Number(options.resourceVersion ?? 0);
  const existing = options.sendInitialEvents ?? wanted === 0;
  const after = existing ? collection.revision : wanted || collection.revision;
  await cacher.past.recall(after);
  const live = begin(session, signal, after);
  const watch = new Watch(cacher, extended(live, { resource, after }));
  const changes = new Changes(live, prepared(watch, session), cacher.ring(resource));
  let isWhole = false;
  try {
    if (existing) yield* initialEvents(live, collection);
    isWhole = true;
    return changes;
  } finally {
    if (!isWhole) changes.close();
  }
}

/** The steps of the watch, with the objects and the frames that take time to make. */
function prepared(watch: Watch, { target: { kind }, selection, encoder }: Session): StepSource {
  const served =
    kind.serve === undefined ? watch : new PreparedWatch(watch, (step) => servedStep(kind, selection, step));
  return encoder.ahead === undefined ? served : new PreparedWatch(served, (step) => preparedFrames(encoder, step));
}

/** Starts the session. Its selection leaves out objects that the caller may not view. */
function begin(session: Session, signal: AbortSignal, after: number): Live {
  const { request, target } = session;
  const { kind, info, registry } = target;
  const attributes = { user: request.user, verb: 'watch', kind, namespace: info.namespace };
  const filter = registry.authorizer.watchFilter(attributes, registry.cacher, after);
  const endsAt = registry.clock.now() + session.lasts;
  const selects = (entry: Entry): boolean => session.selects(entry) && filter.allows(entry);
  return extended(session, { signal, endsAt, filter, selects });
}

function rangeOf({ target: { kind }, scope }: Session): ScanRange {
  if (scope?.key !== undefined) return { low: scope.key, high: `${scope.key}\0` };
  return scope?.namespace === undefined ? keysOf(kind) : keysIn(kind, scope.namespace);
}

/**
 * The existing objects, as ADDED events. With sendInitialEvents and bookmarks, a bookmark marks their end (KEP-3157).
 */
async function* initialEvents(session: Live, collection: Collection): AsyncGenerator<Buffer, void, undefined> {
  const { target, options, encoder, row } = session;
  const { kind } = target;
  for await (const entries of steps(collection, { ...rangeOf(session), row, first: INITIAL_STEP })) {
    if (session.signal.aborted) return;
    const visible = entries.filter(
      (entry) => session.selects(entry) && !isOrphaned(kind, entry, target.registry.reader),
    );
    yield* initialFrames(encoder, await selectedEntries(session, visible));
  }
  if (options.sendInitialEvents === true && options.bookmarks) yield encoder.bookmark(collection.revision, true);
}

/** The entries as they are served. They are selected already, unless it takes time to make them. */
async function selectedEntries({ target, selection }: Session, entries: readonly Entry[]): Promise<readonly Entry[]> {
  if (target.kind.serve === undefined) return entries;
  const served = await servedEntries(target.kind, entries);
  return served.entries.filter((entry) => selection.matchesAs(served.kind, entry));
}

/** The events of a watch as frames, with a bookmark now and then. */
class Changes implements LiveFrames {
  readonly #session: Live;
  readonly #watch: StepSource;
  readonly #ring: Ring;
  readonly #bookmarks: boolean;
  /** When the last bookmark was sent. */
  #marked: number;
  #isLastSent = false;
  #isEnding = false;

  constructor(session: Live, watch: StepSource, ring: Ring) {
    this.#session = session;
    this.#watch = watch;
    this.#ring = ring;
    this.#bookmarks = session.options.bookmarks;
    this.#marked = session.target.registry.clock.now();
  }

  set onReady(wake: () => void) {
    this.#watch.onReady = wake;
  }

  poll(): Buffer | undefined | null {
    if (this.#isEnding) return null;
    const step = this.#watch.isDue ? this.#watch.take() : undefined;
    if (step === undefined) return undefined;
    const isGone = this.#isGone();
    // Before anything is sent, because the caller may no longer be allowed to see it.
    if (isGone === undefined || !this.#mayShow(isGone)) return null;
    const { deliveries, through, frames } = step;
    const { encoder } = this.#session;
    const out = frames === undefined ? deliveries.map((delivery) => encoder.event(delivery)) : [...frames];
    if (this.#bookmarks && through !== undefined) out.push(...this.#bookmarksAt(through));
    if (isGone && through !== undefined) this.#end();
    if (out.length > 0) return out.length === 1 ? out[0] : this.#ring.joined(out);
    // A watcher that is far behind may have nothing to write, and so never waits for its socket. Others must run too.
    if (through === undefined) defer(() => this.#watch.wake());
    return this.#isEnding ? null : undefined;
  }

  /**
   * Whether the definition of the kind is gone. Its objects were deleted before, so what is left are their deletions.
   * `undefined`: the kind is defined in another way. As in Kubernetes, the watch ends then, and the client begins
   * again.
   */
  #isGone(): boolean | undefined {
    const { registry, kind } = this.#session.target;
    const fate = registry.fateOf(kind, registry.cacher);
    return fate === 'changed' ? undefined : fate === 'gone';
  }

  /**
   * Throws if the grants of the caller are others now. Those that came from the definition go with it: then the watch
   * only ends.
   */
  #mayShow(isGone: boolean): boolean {
    try {
      this.#session.filter.check();
      return true;
    } catch (error) {
      if (!isGone) throw error;
      return false;
    }
  }

  /** The next poll finds that there is no more. */
  #end(): void {
    this.#isEnding = true;
    defer(() => this.#watch.wake());
  }

  close(): void {
    this.#watch.close();
  }

  #bookmarksAt(through: number): readonly Buffer[] {
    const { endsAt, encoder, target } = this.#session;
    const now = target.registry.clock.now();
    const isEnding = !this.#isLastSent && now >= endsAt - LAST_BOOKMARK;
    if (!isEnding && now - this.#marked < BOOKMARK_EVERY) return [];
    this.#isLastSent = isEnding;
    this.#marked = now;
    return [encoder.bookmark(through, false)];
  }
}

function inStream(error: unknown): ApiError {
  if (isStorageError(error, 'compacted')) return expired(error.message);
  const translated = apiErrorOf(error);
  return translated instanceof ApiError ? translated : internalError('the watch could not continue', error);
}
