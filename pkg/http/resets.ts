import { constants } from 'node:http2';

const { NGHTTP2_PROTOCOL_ERROR, NGHTTP2_FLOW_CONTROL_ERROR, NGHTTP2_STREAM_CLOSED, NGHTTP2_FRAME_SIZE_ERROR } =
  constants;
const OFFENCES = new Set([
  NGHTTP2_PROTOCOL_ERROR,
  NGHTTP2_FLOW_CONTROL_ERROR,
  NGHTTP2_STREAM_CLOSED,
  NGHTTP2_FRAME_SIZE_ERROR,
]);
/** The most streams of a connection that may break the protocol within `WITHIN` milliseconds. */
export const MOST_OFFENCES = 100;
const WITHIN = 10_000;

/**
 * Counts the streams of a connection that were reset because they break the protocol (RFC 9113 §5.4.2). A client can
 * make the server reset its streams as fast as it opens them (CVE-2025-8671). nghttp2 bounds only the resets that a
 * client sends.
 */
export class Resets {
  #count = 0;
  #since = 0;

  /**
   * `code` is that of a stream which was closed. Returns true once, when the connection has had too many that break the
   * protocol.
   */
  isTooMany(code: number | undefined): boolean {
    if (code === undefined || !OFFENCES.has(code)) return false;
    const now = Date.now();
    if (now - this.#since > WITHIN) [this.#count, this.#since] = [0, now];
    return ++this.#count === MOST_OFFENCES;
  }
}
