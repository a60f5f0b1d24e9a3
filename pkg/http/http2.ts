import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { isHeaderListTooLarge } from './header-limit.js';
import type { Incoming, Outgoing } from './wire.js';

const { NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR } = constants;

/** One stream of HTTP/2 as request and answer: Node's objects that look like HTTP/1's cost a third of a small request. */
export class Http2Wire implements Incoming, Outgoing {
  readonly httpVersionMajor = 2;
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly socket: Socket;
  readonly #stream: ServerHttp2Stream;

  /** `socket` is the session's own; the one it shows is a proxy, which cannot be recognised. */
  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[], socket: Socket) {
    this.#stream = stream;
    this.headers = headers;
    this.rawHeaders = rawHeaders;
    this.method = headers[':method'];
    this.url = headers[':path'];
    this.socket = socket;
    // RFC 9110 §10.1.1; few clients ask.
    if (headers['expect']?.toLowerCase() === '100-continue' && this.#isOpen)
      stream.additionalHeaders({ ':status': 100 });
  }

  /** The client may have taken its request back in the same packet. */
  get #isOpen(): boolean {
    return !this.#stream.destroyed && !this.#stream.closed;
  }

  /** A stream that its client resets ends, too, in the middle of the body. */
  get complete(): boolean {
    return this.#stream.readableEnded && !this.#stream.aborted;
  }

  get hasTooLargeHeaders(): boolean {
    return isHeaderListTooLarge(this.rawHeaders);
  }

  get hasBody(): boolean {
    return !this.#stream.endAfterHeaders;
  }

  get writableLength(): number {
    return this.#stream.writableLength;
  }

  writeHead(status: number, headers: Record<string, string | number | string[]>): void {
    if (!this.#isOpen) return;
    headers[':status'] = status;
    this.#stream.respond(headers);
  }

  /** They are on their way already. */
  flushHeaders(): void {}

  write(chunk: Uint8Array): boolean {
    return this.#stream.write(chunk);
  }

  end(chunk?: Uint8Array): void {
    this.#stream.end(chunk);
  }

  on(event: string, listener: (...args: never[]) => void): void {
    this.#stream.on(event, listener as (...args: unknown[]) => void);
  }

  off(event: string, listener: (...args: never[]) => void): void {
    this.#stream.off(event, listener as (...args: unknown[]) => void);
  }

  resume(): void {
    this.#stream.resume();
  }

  pause(): void {
    this.#stream.pause();
  }

  discard(): void {
    if (!this.#stream.readableEnded) this.#stream.close(NGHTTP2_NO_ERROR);
  }

  destroy(): void {
    this.#stream.close(NGHTTP2_INTERNAL_ERROR);
  }
}
