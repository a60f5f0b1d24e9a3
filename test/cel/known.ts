/** Rules for which this server says something else than Kubernetes, and why (docs/adr/0051-cel.md). */
export const KNOWN: ReadonlySet<string> = new Set([
  // Kubernetes refuses it in new definitions, too, but runs it in stored ones.
  'self.texts.includes("a")',
  // After a syntax error, the parser of Kubernetes goes on and finds others.
  'self.i = 7',
  // There is no authorizer in the rules of custom resources, but its functions are known to the checker.
  'authorizer.group("").check("x").allowed()',
]);
