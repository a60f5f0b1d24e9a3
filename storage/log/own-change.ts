import type { Bytes, Change, Put } from '../backend.js';

/** The change with copies of its bytes, because the caller may use its buffers again. */
export function ownChange({ key, revision, value, previous }: Put): Change {
  return {
    key,
    revision,
    ...(value && { value: ownBytes(value) }),
    ...(previous && { previous: { ...previous, value: ownBytes(previous.value) } }),
  };
}

/** A copy with its own memory: a slice of Node's pool would keep 8 KiB alive for each small object. */
export function ownBytes(bytes: Bytes): Bytes {
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength);
  copy.set(bytes);
  return copy;
}
