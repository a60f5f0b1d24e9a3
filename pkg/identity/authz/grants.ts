/**
 * An action on a scope: `folders:read` on `folders:uid:ops`, on `folders:*`, or on everything (`*`, or an empty scope).
 * The action may also be a wildcard: `folders:*` or `*`.
 */
export interface Permission {
  readonly action: string;
  readonly scope: string;
  /**
   * It comes from the basic role Viewer or Editor, or from a binding of one of these in a folder. It ends at the first
   * restricted object below the place that the scope names (docs/adr/0045).
   */
  readonly isBasic?: true;
}

/** The scopes on which one action is granted. */
export interface Scopes {
  /** True if the action is granted on every scope. */
  readonly everything: boolean;
  /** A prefix covers every scope that starts with it: `folders:` for `folders:*`. */
  readonly prefixes: readonly string[];
  /** Scopes without a wildcard. */
  readonly exact: ReadonlySet<string>;
  /** The scopes that end at restricted objects. Absent if there are none. */
  readonly basic?: Scopes | undefined;
}

/** The permissions of a caller, indexed by action. */
export interface Grants {
  /** Undefined if the action is not granted at all. */
  scopesOf(action: string): Scopes | undefined;
  readonly permissions: readonly Permission[];
}

export const NO_GRANTS: Grants = { scopesOf: () => undefined, permissions: [] };

/**
 * The result caches the scopes of each action that is asked for. Actions come from the kinds, so the cache is bounded.
 */
export function grantsOf(permissions: readonly Permission[]): Grants {
  const byAction = new Map<string, Permission[]>();
  for (const permission of permissions) {
    const same = byAction.get(permission.action);
    if (same === undefined) byAction.set(permission.action, [permission]);
    else same.push(permission);
  }
  const known = new Map<string, Scopes | undefined>();
  const find = (action: string): Scopes | undefined => {
    const group = `${action.slice(0, action.indexOf(':') + 1)}*`;
    const relevant = ['*', group, action].flatMap((name) => byAction.get(name) ?? []);
    if (relevant.length === 0) return undefined;
    const [basic, others] = [relevant.filter(({ isBasic }) => isBasic), relevant.filter(({ isBasic }) => !isBasic)];
    return { ...scopesOf(others), ...(basic.length > 0 && { basic: scopesOf(basic) }) };
  };
  return {
    permissions,
    scopesOf: (action) => {
      if (known.has(action)) return known.get(action);
      const scopes = find(action);
      known.set(action, scopes);
      return scopes;
    },
  };
}

function scopesOf(permissions: readonly Permission[]): Scopes {
  const [prefixes, exact] = [new Set<string>(), new Set<string>()];
  let everything = false;
  for (const { scope } of permissions) {
    if (scope === '' || scope === '*') everything = true;
    else if (scope.endsWith('*')) prefixes.add(scope.slice(0, -1));
    else exact.add(scope);
  }
  return { everything, prefixes: [...prefixes], exact };
}

/** Whether the scopes cover one, wherever that is. What `basic` covers depends on the place. */
export function covers(scopes: Scopes, scope: string): boolean {
  if (scopes.everything || scopes.exact.has(scope)) return true;
  return scopes.prefixes.length > 0 && scopes.prefixes.some((prefix) => scope.startsWith(prefix));
}

/** Whether nothing is given on a single object or a place: only what a basic role has everywhere. */
export function hasNoScopes({ everything, prefixes, exact, basic }: Scopes): boolean {
  return !everything && prefixes.length === 0 && exact.size === 0 && (basic?.exact.size ?? 0) === 0;
}

/**
 * The prefix of the widest scope of an action: `folders:` for `folders:read`, `teams:` for `teams.permissions:read`.
 * The group of a kind that a definition defines has a dot, so that `reports.example.com:read` has
 * `reports.example.com:`.
 */
export function widestPrefix(action: string): string {
  const [name = '', part, ...rest] = action.slice(0, Math.max(action.indexOf(':'), 0)).split('.');
  return rest.length === 0 ? `${name}:` : `${[name, part, ...rest].join('.')}:`;
}
