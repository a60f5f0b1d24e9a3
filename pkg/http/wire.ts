import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';

/** What a request over HTTP/1.1 (Node's own object) and over HTTP/2 (`http2.ts`) have in common, as far as we use it. */
export interface Incoming {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Names and values by turns. */
  readonly rawHeaders: readonly string[];
  readonly httpVersionMajor: number;
  /** The body has come whole. */
  readonly complete: boolean;
  readonly socket: Socket;
  /** HTTP/2 only: whether a body follows, which HTTP/1.1 tells by its headers. */
  readonly hasBody?: boolean;
  /** HTTP/2 only: the parser of HTTP/1.1 refuses them itself. */
  readonly hasTooLargeHeaders?: boolean;
  /** HTTP/2 only: leaves the rest of the body unread. The connection is not only this request's. */
  discard?(): void;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'end' | 'close' | 'aborted', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: string, listener: (...args: never[]) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** The answering half. */
export interface Outgoing {
  readonly writableLength: number;
  writeHead(status: number, headers: Record<string, string | number | string[]>): unknown;
  flushHeaders(): void;
  write(chunk: Uint8Array): boolean;
  end(chunk?: Uint8Array): unknown;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: string, listener: (...args: never[]) => void): unknown;
  /** Cuts the answer off, so that the client sees it is not whole. */
  destroy(error?: Error): unknown;
}
