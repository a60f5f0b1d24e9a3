/** A bug that the checks must find: a text of a source file, and its replacement. */
export interface Bug {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Whether it is looked for while a definition changes. */
  readonly definitions?: boolean;
  /** Whether it is looked for while the store is set back again and again. */
  readonly setsBack?: boolean;
  /** The default is the memory store, which is the fastest. */
  readonly store?: 'memory' | 'lmdb';
  /** The default is 1. */
  readonly servers?: number;
  /** The number of random clients. With fewer, more time is left for the racers. */
  readonly clients?: number;
  /**
   * The delay of the store in milliseconds. A longer one finds more bugs about commits that a server does not know yet.
   */
  readonly delay?: number;
}

const CACHER = 'storage/cacher/cacher.ts';
const FOLLOW = 'storage/cacher/follow.ts';
const ENGINE = 'storage/engine/engine.ts';
const BATCH = 'storage/engine/batch.ts';
const WATCH = 'registry/rest/verbs/watch.ts';

const PUBLISHED =
  '      applied.map(({ key, revision, entry, previous }) => ({ key, revision, current: entry, previous })),';

const EVENTS: readonly Bug[] = [
  {
    name: 'an event is lost',
    file: CACHER,
    find: PUBLISHED,
    replace:
      '      applied.filter(({ revision }) => revision % 13 !== 0).map(({ key, revision, entry, previous }) => ({ key, revision, current: entry, previous })),',
  },
  {
    name: 'an event of another server is lost',
    file: CACHER,
    find: '      ring.push(event);',
    replace: '      if (event.revision % 13 !== 0) ring.push(event);',
    servers: 2,
  },
  {
    name: 'an event comes twice',
    file: CACHER,
    find: PUBLISHED,
    replace:
      '      applied.flatMap(({ key, revision, entry, previous }) => Array.from({ length: revision % 13 === 0 ? 2 : 1 }, () => ({ key, revision, current: entry, previous }))),',
  },
  {
    name: 'a watch that continues gets its last event again',
    file: 'storage/cacher/ring.ts',
    find: '?.event.revision ?? 0) <= revision)',
    replace: '?.event.revision ?? 0) < revision)',
  },
  {
    name: 'a WatchList misses the first change after its objects',
    file: WATCH,
    find: 'const after = existing ? collection.revision :',
    replace: 'const after = existing ? collection.revision + 1 :',
  },
  {
    name: 'the bookmark of a WatchList is of a newer state',
    file: WATCH,
    find: 'yield encoder.bookmark(collection.revision, true)',
    replace: 'yield encoder.bookmark(target.registry.cacher.revision + 1, true)',
  },
  {
    name: 'a watch is not told that an object left its selection',
    file: 'storage/cacher/event.ts',
    find: "  return before ? 'DELETED' : undefined;",
    replace: "  return before && event.current === undefined ? 'DELETED' : undefined;",
  },
  {
    name: 'a watch is told of a deletion without the last state',
    file: 'storage/cacher/event.ts',
    find: '  if (previous === undefined) throw',
    replace:
      '  if (revision % 3 === 0 && current === undefined && previous !== undefined) return withRevision(Buffer.from(Buffer.from(previous.value).toString().replace(/"t\\d"/, \'"t"\')), revision);\n  if (previous === undefined) throw',
  },
];

const WAITING: readonly Bug[] = [
  {
    name: 'what waits for a folder is not told that it has come',
    file: 'registry/write/resolve-waiting.ts',
    find: 'if (next !== old) state.put',
    replace: 'if (state.revision % 2 === 0) state.put',
  },
  {
    name: 'an object that names a missing folder does not say that it waits',
    file: 'registry/write/update.ts',
    find: 'withReadiness(target.form, managed, transaction.reader, transaction.now, old)',
    replace: 'managed',
  },
];

const READS: readonly Bug[] = [
  {
    name: 'a read does not wait for what other servers acknowledged',
    file: 'apis/authentication/fresh.ts',
    find: '      await fresh(request);\n',
    replace: '',
    servers: 3,
    clients: 1,
    delay: 20,
  },
  {
    name: 'a read ends in an error of the program',
    file: 'registry/rest/verbs/get.ts',
    find: '  if (matchesTag(',
    replace: "  if (revision % 7 === 0) throw new TypeError('planted');\n  if (matchesTag(",
  },
  {
    name: 'the next page is cut from the newest state',
    file: 'registry/rest/verbs/list.ts',
    find: 'return { collection: collectionAt(registry, kind, wanted), after, given };',
    replace: 'return { collection: collectionAt(registry, kind), after, given };',
  },
  {
    name: 'a page names a revision and shows another state',
    file: 'registry/collection/collection.ts',
    find: 'const objects = cacher.past.at(qualified, revision);',
    replace: 'const objects = cacher.state.resource(qualified);',
  },
  {
    name: 'an earlier state lacks what was deleted since',
    file: 'storage/cacher/past.ts',
    find: 'if (event?.previous !== undefined) state.put(event.previous);',
    replace: 'if (event?.previous !== undefined && event.current !== undefined) state.put(event.previous);',
  },
  {
    name: 'an earlier state that is made from the log has later changes',
    file: 'storage/cacher/past-page.ts',
    find: 'present.filter(({ key }) => !former.has(key))',
    replace: 'present.slice()',
  },
  {
    name: 'clients on another server see half a commit',
    file: 'storage/memory/backend.ts',
    find: '    yield { ...next, changes: next.changes.filter((change) => change.revision > start) };',
    replace:
      '    const [one, ...others] = next.changes.filter((change) => change.revision > start);\n    if (one === undefined) continue;\n    if (others.length > 0) yield { ...next, end: one.revision, changes: [one] };\n    yield { ...next, changes: others.length > 0 ? others : [one] };',
    servers: 2,
  },
];

const COMMITS: readonly Bug[] = [
  {
    name: 'the store takes a batch that was made on an older state',
    file: 'storage/memory/backend.ts',
    find: '  if (after !== store.end) {',
    replace: '  if (after > store.end) {',
    servers: 2,
  },
  {
    name: 'two changes show the same revision',
    file: BATCH,
    find: '    const value = encodeText(text, revision);',
    replace: '    const value = encodeText(text, revision % 11 === 0 ? revision - 1 : revision);',
  },
  {
    name: 'the writes of one batch do not see each other',
    file: BATCH,
    find: 'return this.#draft.resource(resource);',
    replace: 'return this.#draft.base.resource(resource);',
  },
  {
    name: 'what a refused request wrote is kept',
    file: BATCH,
    find: 'if (!isKept) this.#takeBack(first, undo);',
    replace: '',
  },
  {
    name: 'an integer id is given twice',
    file: BATCH,
    find: 'if (applied.length > 0) for (const [resource, id] of this.#pendingIds) this.counters.set(resource, id);',
    replace: '',
  },
  {
    name: 'a write is acknowledged that the store refused',
    file: ENGINE,
    find: '      return this.#failed(error, evaluated);',
    replace:
      '      if (isStorageError(error, "unavailable")) { answer(evaluated, evaluation.revision); return true; }\n      return this.#failed(error, evaluated);',
  },
  {
    name: 'a write is visible before it is stored',
    file: ENGINE,
    find: '      await this.#backend.append(base, batch);',
    replace:
      '      this.#cacher.publish(evaluation.finish(), evaluation.applied);\n      await this.#backend.append(base, batch);',
  },
  {
    name: 'a write is tried again although it may be stored',
    file: ENGINE,
    find: "    if (isStorageError(error, 'behind')) {",
    replace: "    if (isStorageError(error, 'behind') || isStorageError(error, 'unknown')) {",
  },
  {
    name: 'a write with unknown outcome is answered as refused',
    file: 'registry/signals/storage-errors.ts',
    find: "    case 'unknown':\n      return internalError(",
    replace: "    case 'unknown':\n      return serviceUnavailable(",
  },
  {
    name: 'a refusal rests on an old state',
    file: ENGINE,
    find: '    if (end > base) {\n      await this.#catchUp(end);\n      return false;\n    }\n    if (end < base',
    replace: '    if (end < base',
    servers: 3,
    clients: 1,
    delay: 20,
  },
];

const RULES: readonly Bug[] = [
  {
    name: 'a change of the spec is not counted',
    file: 'registry/write/prepare.ts',
    find: 'const generation = (old.metadata.generation ?? 1) + 1;',
    replace: 'const generation = (old.metadata.generation ?? 1) + (old.metadata.generation === 2 ? 0 : 1);',
  },
  {
    name: 'the permission is not asked in the commit',
    file: 'registry/write/update.ts',
    find: '  authorizeUpdate(transaction, target, name, entry);\n  if (entry === undefined)',
    replace: '  if (entry === undefined)',
  },
  {
    name: 'the permission is asked of the state before the batch',
    file: 'registry/write/write.ts',
    find: 'registry.authorizer.authorize({ user, kind, namespace, ...rest }, reader);',
    replace: 'void reader;\n  registry.authorizer.authorize({ user, kind, namespace, ...rest }, registry.reader);',
  },
  {
    name: 'a title is not reserved',
    file: 'registry/write/integrity.ts',
    find: '  if (ctx.later === undefined) check();\n  else ctx.later(check);',
    replace: '  if (ctx.later !== undefined) ctx.later(check);',
  },
  {
    name: 'a parent is not looked for',
    file: 'registry/write/integrity.ts',
    find: '  if (name === undefined) return;\n  const container',
    replace: '  if (name === undefined || name.length > 0) return;\n  const container',
  },
  {
    name: 'a deletion forgets one of the contents',
    file: 'registry/write/cascade.ts',
    find: '  for (const dependent of tied(registry, reader, kind, object)) {',
    replace: '  for (const dependent of [...tied(registry, reader, kind, object)].slice(1)) {',
  },
  {
    name: 'the resourceVersion of an update is not compared',
    file: 'registry/rest/verbs/update.ts',
    find: 'version !== undefined && version !== current);',
    replace: 'version !== undefined && current === undefined);',
  },
  {
    name: 'the resourceVersion of a patch is not compared',
    file: 'registry/write/prepare.ts',
    find: 'if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) {',
    replace: 'if (resourceVersion !== undefined && old.metadata.resourceVersion === undefined) {',
  },
];

const DEFINED: readonly Bug[] = [
  {
    name: 'a write is checked by an earlier schema',
    file: 'registry/write/write.ts',
    find: 'if (!registry.hasKind(requestedKind, state) || !registry.hasKind(kind, state)) throw definitionChanged(requestedKind);',
    replace: '',
  },
  {
    name: 'objects are left when their definition goes',
    file: 'apis/apiextensions/customresourcedefinition/cleanup.ts',
    find: `  await removeAll(client, stored);
  // Objects with finalizers may remain. The next look tries again.
  if (registry.reader.size(stored.qualified) > 0) return;`,
    replace: '',
  },
  {
    name: 'a selection misses what was stored before its field was selectable',
    file: 'registry/rest/options/selection.ts',
    find: "(kind.fieldsMayChange ? readField(kind, entry, field) : '')",
    replace: "''",
  },
  {
    name: 'objects are made while their definition goes',
    file: 'apis/apiextensions/customresource/strategy.ts',
    find: 'if (isTerminating) throw',
    replace: 'if (Date.now() < 0) throw',
  },
  {
    name: 'a watch of other kinds ends with each definition',
    file: 'registry/rest/verbs/watch.ts',
    find: "return fate === 'changed' ? undefined : fate === 'gone';",
    replace:
      'const first = globalThis as { kinds?: unknown }; first.kinds ??= registry.kinds; return first.kinds !== registry.kinds ? undefined : fate === "gone";',
  },
].map((bug) => ({ ...bug, definitions: true }));

const SET_BACK: readonly Bug[] = [
  {
    name: 'an append names the revision that it continues, and not the commit',
    file: ENGINE,
    find: 'const batch = { commitId: randomUUID(), parent, changes, counters };',
    replace: 'void parent;\n    const batch = { commitId: randomUUID(), changes, counters };',
    delay: 20,
  },
  {
    name: 'the end of the log is known by its revision, and not by its commit',
    file: 'storage/log/log-end.ts',
    find: '  return end.commitId === undefined || known.commitId === undefined || end.commitId === known.commitId;',
    replace: '  return true;',
  },
  {
    name: 'a state of a store that was set back is served until it is loaded again',
    file: FOLLOW,
    find: '    if (this.#cache.isDiverged()) throw divergedError(this.#cache.state().revision);',
    replace: '',
  },
  {
    name: 'a server does not load its state again when the store was set back',
    file: FOLLOW,
    find: 'if (isDiverged() || state().revision < compacted) await reload();',
    replace: 'if (state().revision < compacted) await reload();',
  },
  {
    name: 'watches go on when the store was set back',
    file: CACHER,
    find: '    if (logId !== this.#loads.logId) this.recent.diverged();\n',
    replace: '',
  },
].map((bug) => ({ ...bug, servers: 3, setsBack: true }));

const OBJECTS: readonly Bug[] = [
  {
    name: 'the objects of the store miss a change of the log',
    file: 'storage/lmdb/bulk.ts',
    find: '[...planObjects([...changes.values()])]',
    replace: '[...planObjects([...changes.values()])].filter(({ version = 1 }) => version % 13 !== 0)',
    store: 'lmdb',
  },
  {
    name: 'an older change of an object replaces a newer one in the store',
    file: 'storage/log/overlay.ts',
    find: 'for (const change of commit.changes) this',
    replace:
      'for (const change of commit.changes) if (change.revision % 5 !== 0 || !this.changes.has(change.key)) this',
    store: 'lmdb',
  },
  {
    name: 'what is not in the objects yet is not read from the log',
    file: 'storage/lmdb/unstored.ts',
    find: 'last.result.add(commits);',
    replace: 'if (last.end % 3 !== 0) last.result.add(commits);',
    store: 'lmdb',
  },
];

export const BUGS: readonly Bug[] = [
  ...OBJECTS,
  ...DEFINED,
  ...EVENTS,
  ...WAITING,
  ...READS,
  ...COMMITS,
  ...SET_BACK,
  ...RULES,
];
