import { isTerminating, type KubeObject } from '../../pkg/kube/meta/types.js';
import { flat } from '../../pkg/system/text/flat.js';
import type { Attributes } from '../../storage/state/resource.js';
import type { Kind } from './kind.js';
import { isWaiting } from './ready-condition.js';

/** The attributes that only some kinds have. */
type Rare = Pick<
  Attributes,
  'fields' | 'reading' | 'about' | 'owner' | 'uid' | 'isTerminating' | 'isOwned' | 'isRestricted' | 'isWaiting'
>;

const NONE: Rare = { fields: undefined, isTerminating: false };

/** The attributes of an object in as little memory as possible, because there are as many as objects. */
class ObjectAttributes implements Attributes {
  readonly labels: Attributes['labels'];
  readonly container: string | undefined;
  readonly text: string | undefined;
  readonly summary: unknown;
  /** Most objects have one, which is kept without an array. */
  readonly #scopes: string | readonly string[] | undefined;
  readonly #rare: Rare;

  constructor(all: Omit<Attributes, keyof Rare>, rare: Rare) {
    this.labels = all.labels;
    this.container = all.container;
    this.text = all.text;
    this.summary = all.summary;
    this.#scopes = all.scopes?.length === 1 ? flat(all.scopes[0] ?? '') : all.scopes?.map(flat);
    this.#rare = rare;
  }

  get scopes(): readonly string[] | undefined {
    return typeof this.#scopes === 'string' ? [this.#scopes] : this.#scopes;
  }

  get fields(): Attributes['fields'] {
    return this.#rare.fields;
  }

  get reading(): Attributes['reading'] {
    return this.#rare.reading;
  }

  get about(): string | undefined {
    return this.#rare.about;
  }

  get owner(): Attributes['owner'] {
    return this.#rare.owner;
  }

  get uid(): string | undefined {
    return this.#rare.uid;
  }

  get isTerminating(): boolean {
    return this.#rare.isTerminating === true;
  }

  get isOwned(): boolean {
    return this.#rare.isOwned === true;
  }

  get isRestricted(): boolean {
    return this.#rare.isRestricted === true;
  }

  get isWaiting(): boolean {
    return this.#rare.isWaiting === true;
  }
}

/** Returns what extracts the attributes of a kind. `isOwner`: objects of other kinds depend on its objects. */
export function extractor(kind: Kind, isOwner: boolean): (object: KubeObject) => Attributes {
  const fields = Object.entries(kind.selectableFields ?? {});
  return (object) => {
    const common = {
      labels: object.metadata.labels,
      scopes: kind.permissions?.scopes(object),
      container: kind.containment?.container(object),
      text: kind.searchText?.(object),
      summary: kind.summary?.(object),
    };
    const rare: Rare = {
      fields: fields.length === 0 ? undefined : fieldsOf(fields, object),
      reading: kind.permissions?.actionsOf?.(object)?.get,
      about: kind.permissions?.about?.name(object),
      owner: kind.dependsOn?.owner(object),
      uid: isOwner ? object.metadata.uid : undefined,
      isTerminating: isTerminating(object),
      isOwned: object.metadata.ownerReferences !== undefined,
      isRestricted: kind.permissions?.restriction?.restricts(object) === true,
      isWaiting: kind.waits && isWaiting(object),
    };
    return new ObjectAttributes(common, isNone(rare) ? NONE : rare);
  };
}

function isNone(rare: Rare): boolean {
  const { fields, reading, about, owner, uid, isTerminating: ends, isOwned, isRestricted, isWaiting: waits } = rare;
  const isPlain = ends !== true && isOwned !== true && isRestricted !== true && waits !== true;
  return isPlain && (fields ?? reading ?? about ?? owner ?? uid) === undefined;
}

function fieldsOf(
  fields: readonly (readonly [string, (object: KubeObject) => string])[],
  object: KubeObject,
): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [name, read] of fields) values[name] = read(object);
  return values;
}
