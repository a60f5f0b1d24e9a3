import { createServer as createHttpServer, type Server as PlainServer } from 'node:http';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { App } from './app.js';

export interface TlsMaterial {
  readonly certificate: string;
  readonly key: string;
  /** Authority that client certificates must come from. */
  readonly clientCa: string;
}

export interface ListenAddress {
  readonly host: string;
  /** 0: any free one; -1: none. */
  readonly port: number;
}

export interface HttpServerOptions {
  readonly app: App;
  readonly http: ListenAddress;
  readonly https: ListenAddress;
  readonly tls: TlsMaterial;
}

export interface Listening {
  readonly http: AddressInfo | undefined;
  readonly https: AddressInfo | undefined;
}

const STREAMS = 1_000;
/** MiB for one connection: by default some hundred slow streams would end the connection for all others on it. */
const SESSION_MEMORY = 256;
const MAX_CONNECTIONS = 10_000;
const HANDSHAKE_TIMEOUT = 10_000;
const HEADERS_TIMEOUT = 20_000;
/** For the whole request to come in, over HTTP/1.1. The app's own limit is shorter unless someone raised it. */
const RECEIVE_TIMEOUT = 300_000;
const KEEP_ALIVE_TIMEOUT = 75_000;
/** A connection without a request for so long is closed. Clients that wait in a watch send pings and events. */
const SESSION_IDLE = 10 * 60_000;

/** Listens on both doors and closes them in order. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #plain: PlainServer;
  readonly #secure: Http2SecureServer;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #sockets = new Set<Socket>();

  constructor(options: HttpServerOptions) {
    this.#options = options;
    const callback = options.app.callback();
    this.#plain = createHttpServer(callback);
    this.#secure = createSecureServer(secureOptions(options.tls));
    this.#secure.on('request', callback as unknown as Parameters<Http2SecureServer['on']>[1]);
    this.#secure.on('session', (session) => this.#onSession(session));
    for (const server of [this.#plain, this.#secure]) {
      server.maxConnections = MAX_CONNECTIONS;
      server.on('connection', (socket: Socket) => {
        this.#sockets.add(socket);
        socket.on('close', () => this.#sockets.delete(socket));
      });
      Object.assign(server, {
        headersTimeout: HEADERS_TIMEOUT,
        requestTimeout: RECEIVE_TIMEOUT,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
      });
    }
  }

  #onSession(session: ServerHttp2Session): void {
    this.#sessions.add(session);
    session.on('close', () => this.#sessions.delete(session));
    session.on('error', () => undefined);
    let streams = 0;
    session.on('stream', (stream) => {
      streams++;
      stream.on('close', () => streams--);
    });
    session.setTimeout(SESSION_IDLE, () => {
      if (streams === 0) session.close();
    });
  }

  /** Rejects with a sentence when an address cannot be had. */
  async listen(): Promise<Listening> {
    const http = await listenOn(this.#plain, this.#options.http);
    try {
      return { http, https: await listenOn(this.#secure, this.#options.https) };
    } catch (error) {
      this.#plain.close();
      throw error;
    }
  }

  /** For connections made from now on. */
  renew(tls: TlsMaterial): void {
    this.#secure.setSecureContext({ cert: tls.certificate, key: tls.key, ca: tls.clientCa });
  }

  /**
   * Stops accepting, ends watches, tells HTTP/2 clients to go elsewhere (GOAWAY), and lets requests finish; what is left after
   * `bound` milliseconds is cut off.
   */
  async close(bound: number): Promise<void> {
    const closed = Promise.all([closeServer(this.#plain), closeServer(this.#secure)]);
    this.#options.app.beginDrain();
    for (const session of this.#sessions) session.close();
    const idle = setInterval(() => this.#closeIdle(), 100);
    const timer = setTimeout(() => this.#cutOff(), bound);
    try {
      this.#closeIdle();
      await closed;
    } finally {
      clearInterval(idle);
      clearTimeout(timer);
    }
  }

  #closeIdle(): void {
    this.#plain.closeIdleConnections();
    // Node's server for both versions has this for its HTTP/1.1 connections, but its types do not say so.
    (this.#secure as unknown as PlainServer).closeIdleConnections();
  }

  #cutOff(): void {
    this.#options.app.abortAll();
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }
}

const secureOptions = (tls: TlsMaterial) => ({
  allowHTTP1: true,
  cert: tls.certificate,
  key: tls.key,
  ca: tls.clientCa,
  // Whoever has no certificate of ours may still have a token or a password.
  requestCert: true,
  rejectUnauthorized: false,
  minVersion: 'TLSv1.2' as const,
  handshakeTimeout: HANDSHAKE_TIMEOUT,
  maxSessionMemory: SESSION_MEMORY,
  settings: { maxConcurrentStreams: STREAMS },
});

async function listenOn(
  server: PlainServer | Http2SecureServer,
  { host, port }: ListenAddress,
): Promise<AddressInfo | undefined> {
  if (port === -1) return undefined;
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(new Error(sentenceOf(error, host, port), { cause: error }));
    server.once('error', fail);
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off('error', fail);
      resolve();
    });
  });
  return server.address() as AddressInfo;
}

function sentenceOf(error: NodeJS.ErrnoException, host: string, port: number): string {
  const where = `${host}:${port}`;
  if (error.code === 'EADDRINUSE') return `Cannot listen on ${where}: another program does already.`;
  if (error.code === 'EACCES') return `Cannot listen on ${where}: this user may not.`;
  if (error.code === 'EADDRNOTAVAIL') return `Cannot listen on ${where}: this machine has no such address.`;
  return `Cannot listen on ${where}: ${error.message}.`;
}

const closeServer = (server: PlainServer | Http2SecureServer): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
  });
