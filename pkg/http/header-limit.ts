import { ApiError } from '../kube/status/status.js';

/**
 * Maximum bytes of the headers of one request with its path, for both protocols. nghttp2 reads values up to this
 * length. A longer one ends the whole connection, with the watches on it. HTTP/2 tells clients this limit
 * (SETTINGS_MAX_HEADER_LIST_SIZE), and Go clients respect it. For other clients, only the stream with the long header
 * is reset.
 */
export const MAX_HEADER_BYTES = 64 * 1024;
/** The bytes that HTTP/2 adds for each header to its name and value (RFC 9113 §6.5.2). */
export const HEADER_OVERHEAD = 32;

/**
 * nghttp2 enforces our settings only after a client has acknowledged them. Until then, a few bytes could expand to
 * megabytes, because HPACK can repeat earlier headers.
 */
export function isHeaderListTooLarge(rawHeaders: readonly string[]): boolean {
  let bytes = (rawHeaders.length / 2) * HEADER_OVERHEAD;
  for (const part of rawHeaders) bytes += part.length;
  return bytes > MAX_HEADER_BYTES;
}

export function headersTooLarge(): ApiError {
  const message = `the path and the headers of a request may have ${MAX_HEADER_BYTES} bytes together`;
  return new ApiError({ code: 431, reason: 'RequestEntityTooLarge', message });
}
