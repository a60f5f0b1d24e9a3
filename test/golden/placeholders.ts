/** The placeholder of a value that differs in every run: `<uid:1>`. */
const PLACEHOLDER = /<(?:uid|rv|continue|etag|token):\d+>/g;
const UID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const AGE = /^\d+[smhdy](?:\d+[smhdy])?$/;
/** Members whose whole value is replaced. */
const MEMBERS: Readonly<Record<string, string>> = { resourceVersion: 'rv', continue: 'continue', token: 'token' };

/**
 * Replaces values that differ in every run by placeholders, which are numbered in order of appearance. So equal runs
 * give equal texts, and one value always has one placeholder. All times are `<time>`, because two of them may be in one
 * second.
 */
export class Placeholders {
  readonly #byValue = new Map<string, string>();
  readonly #byPlaceholder = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** An answer of the server with placeholders. */
  ofAnswer(value: unknown, name = ''): unknown {
    return walk(inOrder(value), name, (text, member) => {
      if (member === 'platform') return '<platform>';
      const type = MEMBERS[member];
      if (type !== undefined && text !== '' && text !== '0') return this.#placeholder(type, text);
      if (member === 'cells' && AGE.test(text)) return '<age>';
      return text.replace(UID, (uid) => this.#placeholder('uid', uid)).replace(TIME, '<time>');
    });
  }

  etag(value: string): string {
    return this.#placeholder('etag', value);
  }

  /** A request, with placeholders for values from earlier answers. */
  ofRequest(value: unknown, name = ''): unknown {
    if (isVersionOperation(value)) return { ...value, value: this.ofRequest(value.value, 'resourceVersion') };
    if (Array.isArray(value)) return value.map((one) => this.ofRequest(one, name));
    return walk(value, name, (text, member) => {
      const type = MEMBERS[member];
      if (type !== undefined) return this.#byValue.get(`${type} ${text}`) ?? text;
      return text.replace(UID, (uid) => this.#byValue.get(`uid ${uid}`) ?? uid);
    });
  }

  knownEtag(value: string): string {
    return this.#byValue.get(`etag ${value}`) ?? value;
  }

  /** The request with the values of this run. */
  filled(value: unknown): unknown {
    return walk(value, '', (text) => text.replace(PLACEHOLDER, (placeholder) => this.#value(placeholder)));
  }

  #placeholder(type: string, value: string): string {
    const key = `${type} ${value}`;
    const known = this.#byValue.get(key);
    if (known !== undefined) return known;
    const count = (this.#counts.get(type) ?? 0) + 1;
    const placeholder = `<${type}:${count}>`;
    this.#counts.set(type, count);
    this.#byValue.set(key, placeholder);
    this.#byPlaceholder.set(placeholder, value);
    return placeholder;
  }

  #value(placeholder: string): string {
    const value = this.#byPlaceholder.get(placeholder);
    if (value === undefined) throw new Error(`the transcript uses ${placeholder} before an answer has it`);
    return value;
  }
}

/** Whether this is an operation of a JSON patch on the resourceVersion. */
function isVersionOperation(value: unknown): value is { readonly path: string; readonly value: unknown } {
  return typeof value === 'object' && value !== null && 'path' in value && value.path === '/metadata/resourceVersion';
}

/** A copy with every string and key replaced. `replace` also gets the name of the member that has the string. */
function walk(value: unknown, name: string, replace: (text: string, name: string) => string): unknown {
  if (typeof value === 'string') return replace(value, name);
  if (Array.isArray(value)) return value.map((element) => walk(element, name, replace));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [replace(key, ''), walk(member, key, replace)]);
  return Object.fromEntries(members) as unknown;
}

/**
 * A copy whose managedFields are ordered by manager. The server orders them by time first, which depends on the speed
 * of a run.
 */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    name === 'managedFields' && Array.isArray(member) ? member.toSorted(byManager) : inOrder(member),
  ]);
  return Object.fromEntries(members) as unknown;
}

function byManager(one: unknown, other: unknown): number {
  const [first, second] = [one, other].map((entry) => {
    const { manager = '', operation = '', subresource = '', apiVersion = '' } = entry as Record<string, string>;
    return [manager, operation, subresource, apiVersion].join(' ');
  });
  return (first ?? '') < (second ?? '') ? -1 : 1;
}
