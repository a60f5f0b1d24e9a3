/** Rules for which this server intentionally answers other than Kubernetes (docs/adr/0052). */
export const KNOWN: ReadonlySet<string> = new Set([
  // Both refuse it in new definitions, but Kubernetes runs it in stored ones.
  'self.texts.includes("a")',
  // The parser of Kubernetes continues after a syntax error, and finds others.
  'self.i = 7',
  // Rules of custom resources have no authorizer, but the checker of Kubernetes knows its functions.
  'authorizer.group("").check("x").allowed()',
]);
