import { createHash } from 'node:crypto';
import { ScimError } from './errors.js';

/**
 * The weak entity tag of a representation. Addresses do not count: they depend on the name by which a client reaches
 * the server.
 */
export function tagOf(representation: unknown): string {
  const text = JSON.stringify(representation, (name, value: unknown) => (name === '$ref' ? undefined : value));
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`;
}

/** Whether a list of tags, or `*`, has the tag, compared weakly (RFC 9110 §8.8.3.2). */
function hasTag(header: string, tag: string): boolean {
  const opaque = (text: string): string => text.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((one) => opaque(one) === opaque(tag));
}

type Headers = Readonly<Record<string, string | undefined>>;

/** Throws 412 if the resource is not the one that a write is meant for. `tag` makes it, if a header asks. */
export function checkPreconditions(headers: Headers, tag: () => string): void {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match !== undefined && !hasTag(match, tag()))
    throw new ScimError(412, undefined, 'the resource has changed since: read it again');
  if (noneMatch !== undefined && hasTag(noneMatch, tag()))
    throw new ScimError(412, undefined, 'the resource is the one that If-None-Match excludes');
}

/** Whether a read can be answered 304. */
export function isUnchanged({ 'if-none-match': noneMatch }: Headers, tag: string): boolean {
  return noneMatch !== undefined && hasTag(noneMatch, tag);
}
