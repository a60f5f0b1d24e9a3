/** What a route is found by. `path` is relative to the mount point: `/folders/:uid/permissions`. */
export interface Pattern {
  readonly method: string;
  readonly path: string;
}

export interface Match<R> {
  readonly route: R;
  /** Percent-encoded, as they were sent. */
  readonly params: Readonly<Record<string, string>>;
}

interface Node<R> {
  readonly fixed: Map<string, Node<R>>;
  readonly methods: Map<string, R>;
  any: Node<R> | undefined;
}

const node = <R>(): Node<R> => ({ fixed: new Map(), methods: new Map(), any: undefined });

/**
 * Finds routes by method and path. A fixed segment goes before a parameter, whatever the order of the routes; a parameter is one segment and
 * never empty; one slash at the end does not matter. HEAD finds GET's route. Throws for two routes that could not be told apart.
 */
export function routeMatcher<R extends Pattern>(
  routes: readonly R[],
): (method: string, path: string) => Match<R> | undefined {
  const root = node<R>();
  for (const route of routes) add(root, route);
  return (method, path) => {
    const segments = segmentsOf(path.endsWith('/') ? path.slice(0, -1) : path);
    const route = find(root, segments, 0, method === 'HEAD' ? 'GET' : method);
    return route && { route, params: paramsOf(route, segments) };
  };
}

function segmentsOf(path: string): readonly string[] {
  return path === '' ? [] : path.slice(1).split('/');
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':');
}

function add<R extends Pattern>(root: Node<R>, route: R): void {
  let at = root;
  for (const segment of segmentsOf(route.path)) at = isParameter(segment) ? below(at) : fixedBelow(at, segment);
  if (at.methods.has(route.method)) throw new Error(`There are two legacy routes ${route.method} ${route.path}.`);
  at.methods.set(route.method, route);
}

function below<R>(at: Node<R>): Node<R> {
  at.any ??= node();
  return at.any;
}

function fixedBelow<R>(at: Node<R>, segment: string): Node<R> {
  const next = at.fixed.get(segment) ?? node();
  at.fixed.set(segment, next);
  return next;
}

function find<R>(at: Node<R>, segments: readonly string[], depth: number, method: string): R | undefined {
  const segment = segments[depth];
  if (segment === undefined) return at.methods.get(method);
  const fixed = at.fixed.get(segment);
  const found = fixed && find(fixed, segments, depth + 1, method);
  if (found !== undefined || at.any === undefined || segment === '') return found;
  return find(at.any, segments, depth + 1, method);
}

function paramsOf({ path }: Pattern, segments: readonly string[]): Readonly<Record<string, string>> {
  const params: Record<string, string> = {};
  for (const [index, segment] of segmentsOf(path).entries()) {
    if (isParameter(segment)) params[segment.slice(1)] = segments[index] ?? '';
  }
  return params;
}
