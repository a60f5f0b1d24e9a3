import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { Stream } from 'node:stream';
import { isHeaderListTooLarge } from './header-limit.js';

const { NGHTTP2_NO_ERROR } = constants;

/**
 * The request of a stream, with the members of Node's IncomingMessage that Koa and the middlewares read. See
 * docs/adr/0010.
 */
export class Http2Request {
  readonly httpVersionMajor = 2;
  readonly method: string | undefined;
  url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly socket: Socket;
  /** Where the body is read from. */
  readonly stream: ServerHttp2Stream;

  /** `socket` is the session's own. The session shows only a proxy of it. */
  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[], socket: Socket) {
    this.stream = stream;
    this.headers = headers;
    this.rawHeaders = rawHeaders;
    this.method = headers[':method'];
    this.url = headers[':path'];
    this.socket = socket;
  }

  /** Whether the whole body has arrived. A stream that its client resets also ends, but in the middle of the body. */
  get complete(): boolean {
    return this.stream.readableEnded && !this.stream.aborted;
  }

  /** The parser of HTTP/1.1 refuses too large headers itself. */
  get hasTooLargeHeaders(): boolean {
    return isHeaderListTooLarge(this.rawHeaders);
  }
}

const RESPONSE = Symbol('response');
const NO_HEADERS: OutgoingHttpHeaders = Object.freeze({});

type AnsweredStream = ServerHttp2Stream & { [RESPONSE]?: Http2Response | undefined };

/**
 * The response of a stream, with the members of Node's ServerResponse that Koa and the middlewares use. Like that one,
 * it is not a Writable itself: the buffer and its state are the stream's. It emits `close`, but not `finish`, because
 * nothing listens for that.
 */
export class Http2Response extends Stream {
  statusCode = 200;
  headersSent = false;
  /**
   * Called with its error code (RFC 9113 §7) when the stream is closed. A listener of its own for each stream takes
   * longer.
   */
  readonly onClosed: (code: number | undefined) => void;
  writableEnded = false;
  /**
   * Koa listens on the socket of each response. On a socket that many streams share, there would be more and more
   * listeners.
   */
  readonly socket = null;
  readonly #stream: AnsweredStream;
  #headers: OutgoingHttpHeaders = NO_HEADERS;

  constructor(stream: ServerHttp2Stream, onClosed: (code: number | undefined) => void = ignore) {
    super();
    this.onClosed = onClosed;
    this.#stream = stream;
    this.#stream[RESPONSE] = this;
    stream.on('error', ignore);
    stream.on('close', onClose);
  }

  /** False until everything that was written has left for the socket. */
  get writableFinished(): boolean {
    return this.writableEnded && this.#stream.writableFinished;
  }

  get writableLength(): number {
    return this.#stream.writableLength;
  }

  get writableNeedDrain(): boolean {
    return this.#stream.writableNeedDrain;
  }

  get destroyed(): boolean {
    return !isOpen(this.#stream);
  }

  writeHead(status: number, headers: OutgoingHttpHeaders): this {
    this.statusCode = status;
    this.#headers = this.#headers === NO_HEADERS ? headers : { ...this.#headers, ...headers };
    this.flushHeaders();
    return this;
  }

  setHeader(name: string, value: string | number | string[]): void {
    if (this.#headers === NO_HEADERS) this.#headers = {};
    this.#headers[name.toLowerCase()] = value;
  }

  getHeader(name: string): string | number | string[] | undefined {
    return this.#headers[name.toLowerCase()];
  }

  hasHeader(name: string): boolean {
    return this.#headers[name.toLowerCase()] !== undefined;
  }

  removeHeader(name: string): void {
    if (this.hasHeader(name)) this.#headers[name.toLowerCase()] = undefined;
  }

  getHeaderNames(): string[] {
    return Object.keys(this.#headers).filter((name) => this.hasHeader(name));
  }

  flushHeaders(): void {
    if (this.headersSent) return;
    this.headersSent = true;
    if (this.destroyed) return;
    if (this.#headers === NO_HEADERS) this.#headers = {};
    this.#headers[':status'] = this.statusCode;
    this.#stream.respond(this.#headers);
  }

  /** The client may have reset the stream in the same packet. */
  writeContinue(): void {
    if (!this.destroyed && !this.headersSent) this.#stream.additionalHeaders({ ':status': 100 });
  }

  write(chunk: Uint8Array | string): boolean {
    this.flushHeaders();
    const hasRoom = this.#stream.write(chunk);
    if (!hasRoom) this.#stream.once('drain', () => this.emit('drain'));
    return hasRoom;
  }

  end(chunk?: Uint8Array | string): this {
    if (this.writableEnded) return this;
    this.flushHeaders();
    this.writableEnded = true;
    this.#stream.end(chunk);
    // If a request is answered before all of it has arrived, the rest is not read (RFC 9113 §8.1).
    if (!this.#stream.endAfterHeaders && !this.#stream.readableEnded) this.#stream.close(NGHTTP2_NO_ERROR);
    return this;
  }

  /** Cuts the response off, so that the client sees it is not whole. */
  destroy(): this {
    // Since Node 22, `close` with a code sends END_STREAM before it, and clients take the response for whole. A stream
    // that `end` has closed stays until its client has taken the response.
    const isGone = this.writableFinished || this.#stream.destroyed;
    if (!isGone) this.#stream.destroy(new Error('the response was cut off'));
    return this;
  }
}

/**
 * Node keeps a closed stream until the next large collection of garbage. Without listeners, the stream does not keep
 * its request, too.
 */
function onClose(this: AnsweredStream): void {
  const response = this[RESPONSE];
  this[RESPONSE] = undefined;
  // The listeners of `removeListener` go first, because they would be called for each of the others.
  this.removeAllListeners('removeListener').removeAllListeners();
  response?.onClosed(this.rstCode);
  response?.emit('close');
}

function isOpen(stream: ServerHttp2Stream): boolean {
  return !stream.destroyed && !stream.closed;
}

function ignore(): void {}
