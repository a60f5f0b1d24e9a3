import { createHash } from 'node:crypto';

/** What the form of an answer in JSON depends on beside the URL: browsers and curl get it indented. */
export const FORM_HEADERS = 'Accept, User-Agent';

/**
 * Whether a client may prefer another form. Handlers answer in JSON, and afterwards the answer is converted
 * (`inAcceptedForm`).
 */
export const mayPreferOtherForm = (accept: string | undefined): accept is string =>
  accept !== undefined && /yaml|protobuf/i.test(accept);

const GZIP = '-gzip';

/**
 * The entity tag of an answer, without quotes. Each form of one value has its own tag, because a cache that is told
 * that nothing has changed shows the form that it has (RFC 9110, section 8.8.3). `body` is the answer in JSON, if it is
 * not the usual form.
 */
export function formTag(value: string, accept: string | undefined, body?: Uint8Array): string {
  const form = mayPreferOtherForm(accept) ? accept : undefined;
  if (form === undefined && body === undefined) return value;
  const hash = createHash('sha256')
    .update(form ?? '')
    .update('\0')
    .update(body ?? '');
  return `${value}-${hash.digest('base64url').slice(0, 22)}`;
}

/** The version that the tag of any form of an object was made from. Another tag stays as it is. */
export function versionOfTag(tag: string): string {
  return /^(\d+)-[\w-]+$/.exec(tag)?.[1] ?? tag;
}

/** The header `ETag` of the same answer after its compression. */
export function gzipTag(etag: string): string {
  return etag.replace(/"$/, `${GZIP}"`);
}

/**
 * Whether the header `If-None-Match` has the entity tag `"<value>"`, also of its compressed form (RFC 9110, section
 * 13.1.2).
 */
export function matchesTag(ifNoneMatch: string | undefined, value: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(`"${value}"`) || tags.includes(`"${value}${GZIP}"`);
}
