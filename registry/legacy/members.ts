import { z } from 'zod';
import { isObject, type Members } from '../../pkg/system/object/is-object.js';

/**
 * The value with the members' names that the schema has, matched as servers written in Go do it: exactly, otherwise
 * without regard to case. If a name comes in several spellings, the last one counts, and `onAgain` gets its path.
 * Members of open objects and maps (the JSON of a dashboard) keep their names.
 */
export function withKnownNames(schema: z.core.$ZodType, value: unknown, onAgain: OnAgain = ignore, path = ''): unknown {
  const inner = unwrapped(schema);
  if (Array.isArray(value)) {
    if (!(inner instanceof z.ZodArray)) return value;
    const { element } = inner;
    return value.map((one, index) => withKnownNames(element, one, onAgain, `${path}[${index}]`));
  }
  return isObject(value) && isClosed(inner) ? renamed(inner, value, onAgain, path) : value;
}

type OnAgain = (path: string) => void;
const ignore: OnAgain = () => undefined;

/**
 * The names of all members of the body, if the schema has none of them. A request whose body says nothing that the
 * route understands must not be answered with "updated". An empty object says something: clients written in Go leave
 * out empty values.
 */
export function allUnknown(schema: z.core.$ZodType, value: unknown): readonly string[] {
  const inner = unwrapped(schema);
  if (!isObject(value) || !isClosed(inner)) return [];
  const names = Object.keys(value);
  return names.some((name) => Object.hasOwn(inner.shape, name)) ? [] : names;
}

/**
 * The paths of members that the schema does not have, without those that answers have. They are ignored, so the caller
 * is warned of them. One that several items have is named once: `items[].foo`.
 */
export function unknownIn(
  schema: z.core.$ZodType,
  value: unknown,
  answerMembers: readonly string[] = [],
): readonly string[] {
  const found = new Map<string, string>();
  collectUnknown(found, answerMembers, unwrapped(schema), value, { path: '', name: '' });
  return [...found.values()];
}

/** What answers tell of a thing, and nobody can ask for. */
const FACTS: ReadonlySet<string> = new Set(
  `accessControl avatarUrl canAdmin canDelete canEdit canSave created createdAt createdBy hasAcl lastSeenAt lastSeenAtAge lastUsedAt memberCount meta
  parents slug status updated updatedAt updatedBy url version`.split(/\s+/),
);

/**
 * Those members of answers that the body of a POST asks for and the schema does not have: a thing that is made would
 * not be as its caller says.
 */
export function ignoredMembersOf(
  schema: z.core.$ZodType,
  value: unknown,
  answerMembers: readonly string[],
): readonly string[] {
  if (!isObject(value)) return [];
  const [known, shown] = [new Set(namesIn(schema)), new Set(answerMembers)];
  return Object.entries(value)
    .filter(([name, member]) => shown.has(name) && !known.has(name) && !FACTS.has(name) && !isEmpty(member))
    .map(([name]) => name);
}

/** Clients written in Go send such values for what is not set. */
function isEmpty(value: unknown): boolean {
  return !value || (typeof value === 'object' && Object.keys(value).length === 0);
}

const MOST_UNKNOWN = 100;

/** A place in a body: its path, and the path without the indices. */
interface At {
  readonly path: string;
  readonly name: string;
}

/** `found` gets the paths of unknown members, by their names. */
function collectUnknown(
  found: Map<string, string>,
  answerMembers: readonly string[],
  schema: z.core.$ZodType,
  value: unknown,
  { path, name }: At,
): void {
  if (Array.isArray(value) && schema instanceof z.ZodArray) {
    const inner = unwrapped(schema.element);
    for (const [at, one] of value.entries())
      collectUnknown(found, answerMembers, inner, one, { path: `${path}[${at}]`, name: `${name}[]` });
  }
  if (!isObject(value) || !isClosed(schema)) return;
  for (const [member, below] of Object.entries(value)) {
    const [at, by] = path === '' ? [member, member] : [`${path}.${member}`, `${name}.${member}`];
    const inner = Object.hasOwn(schema.shape, member) ? schema.shape[member] : undefined;
    if (inner !== undefined) collectUnknown(found, answerMembers, unwrapped(inner), below, { path: at, name: by });
    else if (!answerMembers.includes(member)) addUnknown(found, at, by);
  }
}

function addUnknown(found: Map<string, string>, path: string, name: string): void {
  if (found.has(name)) found.set(name, name);
  else if (found.size < MOST_UNKNOWN) found.set(name, path);
}

/** The names of the members that the schema has. */
export function namesIn(schema: z.core.$ZodType): readonly string[] {
  const inner = unwrapped(schema);
  return isClosed(inner) ? Object.keys(inner.shape) : [];
}

/** An object whose members are all in its schema. */
function isClosed(schema: z.core.$ZodType): schema is z.ZodObject {
  return schema instanceof z.ZodObject && schema.def.catchall === undefined;
}

/** The schema of the value itself, below what makes it optional, has its default, or checks its length first. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return unwrapped(schema.unwrap());
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return unwrapped(schema.unwrap());
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  return schema;
}

function renamed(schema: z.ZodObject, value: Members, onAgain: OnAgain, path: string): Members {
  const { shape } = schema;
  const folded = foldedNames(schema);
  const members = new Map<string, unknown>();
  for (const [sent, member] of Object.entries(value)) {
    const name = Object.hasOwn(shape, sent) ? sent : (folded.get(folding(sent)) ?? sent);
    const at = path === '' ? sent : `${path}.${sent}`;
    if (members.has(name)) onAgain(at);
    const inner = Object.hasOwn(shape, name) ? shape[name] : undefined;
    members.set(name, inner === undefined ? member : withKnownNames(inner, member, onAgain, at));
  }
  return Object.fromEntries(members);
}

const KNOWN = new WeakMap<z.ZodObject, ReadonlyMap<string, string>>();

function foldedNames(schema: z.ZodObject): ReadonlyMap<string, string> {
  const known = KNOWN.get(schema);
  if (known !== undefined) return known;
  // The first member of several that differ in case only, as in Go.
  const names = new Map([...Object.keys(schema.shape)].reverse().map((name) => [folding(name), name]));
  KNOWN.set(schema, names);
  return names;
}

/** Go also takes the long s for s, and the Kelvin sign for k. */
function folding(name: string): string {
  return name.replaceAll(/[A-Z\u017f\u212a]/g, (letter) => (letter === '\u017f' ? 's' : letter.toLowerCase()));
}
