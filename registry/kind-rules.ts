/** The members that a kind that is not cached cannot have, because a commit reads only single objects of it. */
interface NeedsCache {
  readonly uniques?: unknown;
  readonly nameOf?: unknown;
  readonly isNamespace?: boolean;
  readonly conversion?: unknown;
}

/** The members that only a kind that is not cached can have, because they are about its indexes in the store. */
interface NeedsStore {
  readonly counted?: Readonly<Record<string, number>>;
}

interface Definition extends NeedsCache, NeedsStore {
  readonly kind: string;
  readonly cached?: boolean;
  readonly indexers?: Readonly<Record<string, unknown>>;
}

/** Throws for a definition that contradicts itself. */
export function checkDefinition(definition: Definition): void {
  if (definition.cached === false) checkUncached(definition);
  else checkCached(definition);
}

function checkCached({ kind, counted }: Definition): void {
  if (counted !== undefined) throw new Error(`${kind} is cached, so it cannot have counted`);
}

function checkUncached(definition: Definition): void {
  const { kind, counted = {}, indexers = {} } = definition;
  for (const [index, length] of Object.entries(counted)) {
    if (!(index in indexers)) throw new Error(`${kind} has no index ${index}, so it cannot be counted`);
    if (length < 1) throw new Error(`${kind} must count ${index} by at least one element of its tuples`);
  }
  const { uniques, nameOf, isNamespace, conversion } = definition;
  const used = Object.entries({ uniques, nameOf, isNamespace, conversion }).filter(([, value]) => value !== undefined);
  if (used.length === 0) return;
  throw new Error(`${definition.kind} is not cached, so it cannot have ${used.map(([name]) => name).join(', ')}`);
}

interface RelatedKind {
  readonly kind: string;
  readonly qualified: string;
  readonly cached: boolean;
  readonly containment?: { readonly resource: string };
  readonly conversion?: { readonly storageKind: string };
}

/** Throws if a kind depends on another kind that would have to be cached, but is not. */
export function checkKinds(kinds: readonly RelatedKind[]): void {
  const uncached = new Set(kinds.filter(({ cached }) => !cached).map(({ qualified }) => qualified));
  for (const { kind, containment, conversion } of kinds) {
    const container = containment?.resource ?? '';
    if (uncached.has(container)) throw new Error(`${kind} cannot lie in ${container}, which is not cached`);
    const stored = conversion?.storageKind ?? '';
    if (uncached.has(stored)) throw new Error(`${kind} cannot be converted from ${stored}, which is not cached`);
  }
}
