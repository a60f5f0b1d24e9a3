import type { IncomingHttpHeaders } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';

/** What HTTP/1.1 and HTTP/2 requests of Node have in common, as far as we use it. */
export interface Incoming {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly httpVersionMajor: number;
  readonly complete: boolean;
  readonly socket: Socket;
  /** HTTP/2 only. */
  readonly stream?: ServerHttp2Stream;
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
  /** HTTP/2 only. */
  readonly stream?: ServerHttp2Stream;
  writeHead(status: number, headers: Record<string, string | number | string[]>): unknown;
  flushHeaders(): void;
  write(chunk: Uint8Array): boolean;
  end(chunk?: Uint8Array): unknown;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: string, listener: (...args: never[]) => void): unknown;
  destroy(error?: Error): unknown;
}

/** Cuts the answer off, so that the client sees it is not whole. */
export function abortOutgoing(out: Outgoing): void {
  const INTERNAL_ERROR = 2;
  if (out.stream === undefined) out.destroy();
  else out.stream.close(INTERNAL_ERROR);
}
