/**
 * An action on a scope: `folders:read` on `folders:uid:ops`, on `folders:*`, or on anything (`*`, or no scope at all). The action may be
 * wide, too: `folders:*`, `*`.
 */
export interface Permission {
  readonly action: string;
  readonly scope: string;
}

/** The scopes that one action is granted on. */
export interface Scopes {
  /** Whatever the scope. */
  readonly everything: boolean;
  /** Beginnings that cover all that goes on from them: `folders:` of `folders:*`. */
  readonly prefixes: readonly string[];
  /** Exact scopes. */
  readonly exact: ReadonlySet<string>;
}

/** What a caller may do. */
export interface Grants {
  /** `undefined`: nowhere. */
  scopesOf(action: string): Scopes | undefined;
  readonly permissions: readonly Permission[];
}

export const NO_GRANTS: Grants = { scopesOf: () => undefined, permissions: [] };

/** Actions that are asked for come from the kinds, so that what is remembered of them has a bound. */
export function grantsOf(permissions: readonly Permission[]): Grants {
  const byAction = new Map<string, string[]>();
  for (const { action, scope } of permissions) {
    const scopes = byAction.get(action);
    if (scopes === undefined) byAction.set(action, [scope]);
    else scopes.push(scope);
  }
  const known = new Map<string, Scopes | undefined>();
  const find = (action: string): Scopes | undefined => {
    const group = `${action.slice(0, action.indexOf(':') + 1)}*`;
    const scopes = ['*', group, action].flatMap((name) => byAction.get(name) ?? []);
    return scopes.length === 0 ? undefined : scopesOf(scopes);
  };
  return {
    permissions,
    scopesOf: (action) => {
      if (known.has(action)) return known.get(action);
      const found = find(action);
      known.set(action, found);
      return found;
    },
  };
}

function scopesOf(scopes: readonly string[]): Scopes {
  const narrow = scopes.filter((scope) => scope !== '' && scope !== '*');
  return {
    everything: narrow.length < scopes.length,
    prefixes: [...new Set(narrow.filter((scope) => scope.endsWith('*')).map((scope) => scope.slice(0, -1)))],
    exact: new Set(narrow.filter((scope) => !scope.endsWith('*'))),
  };
}

export function covers(scopes: Scopes, scope: string): boolean {
  if (scopes.everything || scopes.exact.has(scope)) return true;
  return scopes.prefixes.length > 0 && scopes.prefixes.some((prefix) => scope.startsWith(prefix));
}

/** The widest scope that an action speaks of, without its star: `folders:` of `folders:read`, `teams:` of `teams.permissions:read`. */
export function widestPrefix(action: string): string {
  return `${/^[^.:]*/.exec(action)?.[0] ?? ''}:`;
}
