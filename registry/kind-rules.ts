/** The members that a kind that is not cached cannot have, because a commit reads only single objects of it. */
interface NeedsCache {
  readonly uniques?: unknown;
  readonly nameOf?: unknown;
  readonly isNamespace?: boolean;
  readonly conversion?: unknown;
}

/** Throws for a definition that contradicts itself. */
export function checkDefinition(definition: NeedsCache & { readonly kind: string; readonly cached?: boolean }): void {
  if (definition.cached !== false) return;
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
