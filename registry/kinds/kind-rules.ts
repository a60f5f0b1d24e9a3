/** The members of a kind with a past. */
interface RuleInput {
  readonly kind: string;
  readonly history?: unknown;
  readonly trash?: boolean;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly conversion?: { readonly isVersion?: boolean };
}

/** Throws for a definition that contradicts itself. */
export function checkDefinition({ kind, history, trash, scope, conversion }: RuleInput): void {
  if (history === undefined && trash === undefined) return;
  if (scope === 'Namespaced' && (conversion === undefined || conversion.isVersion === true)) return;
  throw new Error(`${kind} cannot have history or trash: only stored kinds that are in namespaces have them`);
}
