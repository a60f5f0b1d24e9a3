/** The members that a kind that is not cached cannot have, because a commit reads only single objects of it. */
interface NeedsCache {
  readonly uniques?: unknown;
  readonly nameOf?: unknown;
  readonly isNamespace?: boolean;
}

/** The members that only a kind that is not cached can have, because they are about its indexes in the store. */
interface NeedsStore {
  readonly counted?: Readonly<Record<string, number>>;
  readonly dependsOn?: unknown;
  readonly expiry?: unknown;
}

/** The members of a kind with a past. Its objects are looked up by name in the commit of a restore. */
interface Past {
  readonly history?: unknown;
  readonly trash?: boolean;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly conversion?: unknown;
}

interface Definition extends NeedsCache, NeedsStore, Past {
  readonly kind: string;
  readonly cached?: boolean;
  readonly indexers?: Readonly<Record<string, unknown>>;
}

/** Throws for a definition that contradicts itself. */
export function checkDefinition(definition: Definition): void {
  checkPast(definition);
  if (definition.cached === false) checkUncached(definition);
  else checkCached(definition);
}

function checkCached({ kind, counted, dependsOn, expiry }: Definition): void {
  const used = namesOf({ counted, dependsOn, expiry });
  if (used !== '') throw new Error(`${kind} is cached, so it cannot have ${used}`);
}

function checkUncached(definition: Definition): void {
  const { kind, counted = {}, indexers = {} } = definition;
  for (const [index, length] of Object.entries(counted)) {
    if (!(index in indexers)) throw new Error(`${kind} has no index ${index}, so it cannot be counted`);
    if (length < 1) throw new Error(`${kind} must count ${index} by at least one element of its tuples`);
  }
  const { uniques, nameOf, isNamespace } = definition;
  const used = namesOf({ uniques, nameOf, isNamespace });
  if (used !== '') throw new Error(`${kind} is not cached, so it cannot have ${used}`);
}

function namesOf(members: Readonly<Record<string, unknown>>): string {
  const used = Object.entries(members).filter(([, value]) => value !== undefined);
  return used.map(([name]) => name).join(', ');
}

function checkPast({ kind, history, trash, scope, cached = true, conversion }: Definition): void {
  if (history === undefined && trash === undefined) return;
  if (scope === 'Namespaced' && cached && conversion === undefined) return;
  throw new Error(`${kind} cannot have history or trash: only kinds that are cached and in namespaces have them`);
}

interface RelatedKind {
  readonly kind: string;
  readonly qualified: string;
  readonly cached: boolean;
  readonly containment?: { readonly resource: string };
  readonly conversion?: { readonly storageKind: string };
  readonly dependsOn?: { readonly resource: string };
}

/** Throws if a kind depends on another kind that would have to be cached, but is not. */
export function checkKinds(kinds: readonly RelatedKind[]): void {
  const uncached = new Set(kinds.filter(({ cached }) => !cached).map(({ qualified }) => qualified));
  for (const { kind, cached, containment, conversion, dependsOn } of kinds) {
    const container = containment?.resource ?? '';
    if (uncached.has(container)) throw new Error(`${kind} cannot lie in ${container}, which is not cached`);
    const stored = conversion?.storageKind ?? '';
    if (cached && uncached.has(stored)) throw new Error(`${kind} must not be cached, because ${stored} is not`);
    const owner = dependsOn?.resource ?? '';
    if (uncached.has(owner)) throw new Error(`${kind} cannot depend on ${owner}, which is not cached`);
  }
}
