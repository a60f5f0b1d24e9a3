import { isSameJson } from '../../pkg/kube/json/same.js';
import { badRequestData } from './errors.js';

/** Members of a body that name the thing that a request is about, and its name there. */
export type BodyIdentity = Readonly<Record<string, string | number | undefined>>;

/**
 * What a body may call the thing of the path: a parameter by its own name (`teamId`), and the last one by `uid` or
 * `id`, too. The body of a POST may describe another thing, which has another `id`. The organization of the path is not
 * part of it.
 */
export function identityOf(method: string, params: Readonly<Record<string, string>>): BodyIdentity {
  const names = Object.entries(params).filter(([name]) => name !== ORGANIZATION);
  const named = names.flatMap(([name, value]) => namesOf(name, value));
  const [name, value] = names.at(-1) ?? ['', ''];
  const isAboutIt = method === 'PUT' || method === 'PATCH';
  return {
    ...Object.fromEntries(named.filter(([one]) => isAboutIt || one !== 'id')),
    ...(isAboutIt && last(name, value)),
  };
}

/** Every server numbers its organizations itself, and scripts send to one what they have read from another. */
const ORGANIZATION = 'orgId';

/** The organization of the path, which a body may call otherwise, with a warning. */
export function organizationIn({ orgId }: Readonly<Record<string, string>>): BodyIdentity {
  return { [ORGANIZATION]: orgId };
}

/** A number does not say which uid it stands for, nor a uid which number. */
function namesOf(name: string, value: string): readonly [string, string][] {
  return !isNumbered(name) || isNumber(value) ? [[name, value]] : [];
}

function last(name: string, value: string): BodyIdentity {
  if (isNumbered(name)) return isNumber(value) ? { id: value } : { uid: value };
  return /uid$/i.test(name) ? { uid: value } : {};
}

/** Whether a parameter is called `id`, `teamId`, …, but not `uid`. */
function isNumbered(name: string): boolean {
  return /(^i|I)d$/.test(name);
}

function isNumber(value: string): boolean {
  return /^[0-9]{1,15}$/.test(value);
}

/**
 * Throws 400 if the body names another thing than the request: it would be left alone, and the caller takes it for
 * changed, or for renamed.
 */
export function refuseOther(body: unknown, identity: BodyIdentity): void {
  for (const { name, sent, expected } of differences(body, identity)) {
    const shown = isText(sent) ? JSON.stringify(String(sent).slice(0, MOST_SHOWN)) : 'something that is no name';
    throw badRequestData(
      undefined,
      `${name}: this request is for ${JSON.stringify(expected)}, and the body names ${shown}`,
    );
  }
}

const MOST_SHOWN = 100;

/** Whether the value has a text of its own. */
function isText(value: unknown): boolean {
  return typeof value !== 'object';
}

/** Warnings of members that have another value than the thing has, and that the request does not change. */
export function otherThan(body: unknown, kept: Readonly<Record<string, unknown>>): readonly string[] {
  return differences(body, kept).map(({ name }) => ignored(name));
}

/** The same for the items of a list: one warning for each name. */
export function otherItems(
  list: string,
  items: readonly unknown[],
  kept: Readonly<Record<string, unknown>>,
): readonly string[] {
  const names = new Set(items.flatMap((item) => differences(item, kept).map(({ name }) => name)));
  return [...names].map((name) => ignored(`${list}[].${name}`));
}

function ignored(path: string): string {
  return `ignored field ${JSON.stringify(path)}: this request does not change it`;
}

interface Difference {
  readonly name: string;
  readonly sent: unknown;
  readonly expected: string;
}

/** Clients written in Go send 0 and an empty text for what is not set. Numbers may come as text. */
function differences(body: unknown, expected: Readonly<Record<string, unknown>>): readonly Difference[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const values = new Map(Object.entries(expected).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.entries(body).flatMap(([name, sent]) => {
    const value = values.get(name.toLowerCase());
    const isSame = value === undefined || UNSET.has(sent) || isSameJson(sent, value) || isSameText(sent, value);
    return isSame ? [] : [{ name: name.slice(0, MOST_SHOWN), sent, expected: String(value) }];
  });
}

function isSameText(sent: unknown, value: unknown): boolean {
  return isText(sent) && String(sent) === String(value);
}

const UNSET: ReadonlySet<unknown> = new Set([undefined, null, '', 0]);
