import type { Kind } from './kind.js';

/** Names a compiled kind by its group, without the domain, and its kind: `iam/User`. The core group is `core`. */
export type KindName = `${string}/${string}`;

/**
 * The kinds that are compiled in, by group and kind. Code that means one of them finds it here, and not in the list of
 * all kinds: definitions of the store may have the same kind names in other groups.
 */
export class CompiledKinds {
  readonly #byName: ReadonlyMap<string, Kind>;

  /** Throws if a kind is defined by an object of the store, or if two kinds have one name. */
  constructor(kinds: readonly Kind[]) {
    const byName = new Map<string, Kind>();
    for (const kind of kinds) {
      const name = kindNameOf(kind);
      if (kind.definedBy !== undefined) throw new Error(`the kind ${name} is not compiled in`);
      if (byName.has(name)) throw new Error(`two kinds are compiled in as ${name}`);
      byName.set(name, kind);
    }
    this.#byName = byName;
  }

  find(name: KindName): Kind | undefined {
    return this.#byName.get(name);
  }

  has(name: KindName): boolean {
    return this.#byName.has(name);
  }

  /** Throws if the kind is not compiled in. */
  get(name: KindName): Kind {
    const kind = this.#byName.get(name);
    if (kind === undefined) throw new Error(`the kind ${name} is not compiled into this server`);
    return kind;
  }
}

function kindNameOf({ group, domain, kind }: Kind): KindName {
  const suffix = `.${domain}`;
  const own = group.endsWith(suffix) ? group.slice(0, -suffix.length) : group;
  return `${own === '' ? 'core' : own}/${kind}`;
}
