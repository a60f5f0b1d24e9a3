import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server as PlainServer,
  type ServerResponse,
} from 'node:http';
import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer as createHttpsServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../identity/authn/authenticator.js';
import { defer } from '../system/yielding/yielding.js';
import { goOnAccepting, type OnAcceptError, sometimes } from './accept-errors.js';
import type { App } from './app.js';
import { CIPHERS } from './ciphers.js';
import type { Connection, Connections } from './connections.js';
import { HEADER_OVERHEAD, MAX_HEADER_BYTES } from './header-limit.js';
import { Http2Request, Http2Response } from './http2.js';
import { Liveness } from './liveness.js';
import { certificateOf } from './peer.js';
import { oneAfterAnother } from './pipelined.js';
import { Resets } from './resets.js';
import { Turns } from './turns.js';
import { answerUnreadable } from './unreadable.js';

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
  /** Called at most every ten seconds if a connection could not be accepted. The server goes on. */
  readonly onAcceptError: OnAcceptError;
  /** Decides who gets a connection. */
  readonly connections: Connections;
  /** Milliseconds between checks whether the clients of HTTP/2 are still there. Absent: half a minute. */
  readonly livenessInterval?: number | undefined;
}

export interface Listening {
  readonly http: AddressInfo | undefined;
  readonly https: AddressInfo | undefined;
}

/**
 * Memory in MiB for one connection. With the default, some hundred slow streams would end the connection for all others
 * on it.
 */
const SESSION = {
  maxSessionMemory: 256,
  settings: { maxConcurrentStreams: 1_000, maxHeaderListSize: MAX_HEADER_BYTES },
  // The limit in bytes is the only limit, so this allows as many headers as fit.
  maxHeaderListPairs: MAX_HEADER_BYTES / HEADER_OVERHEAD,
};
/** Node's types have no `rawHeaders`. */
type StreamEvent = [stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number, rawHeaders: string[]];
const HANDSHAKE_TIMEOUT = 10_000;
/**
 * Timeouts of HTTP/1.1 for clients that are known. For others, see Connections. `limits.request_timeout` normally ends
 * a slow request earlier than `requestTimeout`.
 */
const TIMEOUTS = { headersTimeout: 20_000, requestTimeout: 300_000, keepAliveTimeout: 75_000 };
const HTTP1 = { ...TIMEOUTS, maxHeaderSize: MAX_HEADER_BYTES };
/**
 * Milliseconds. An HTTP/2 connection is closed if it sends no request within the first time, or later has no open
 * stream for the second. A watch is an open stream. An anonymous connection is closed earlier.
 */
const FIRST_REQUEST = 30_000;
const SESSION_IDLE = 10 * 60_000;
const LIVENESS_INTERVAL = 30_000;
/** Milliseconds after GOAWAY until a connection is destroyed. */
const LEAVE = 1_000;
/** Milliseconds before the end in which clients of HTTP/2 connect elsewhere. */
const LAST_PART = 1_000;

/** Listens on the plain and the secure port, and closes both in order. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #callback: ReturnType<App['callback']>;
  readonly #plain: PlainServer;
  readonly #secure: SecureServer;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #liveness = new Liveness();
  readonly #sockets = new Set<Socket>();
  /** The connections of the secure server whose TLS handshake has not ended, by the client's address and port. */
  readonly #strangers = new Map<string, Connection>();
  /** The connections over TLS, with their sessions over HTTP/2. */
  readonly #secured = new Map<TLSSocket, ServerHttp2Session | undefined>();
  readonly #turns = new Turns();
  #checks: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    const callback = options.app.callback();
    this.#callback = callback;
    const inOrder = oneAfterAnother(callback);
    this.#plain = createHttpServer(HTTP1, inOrder);
    this.#secure = createHttpsServer({ ...HTTP1, ...secureOptions(options.tls) }, inOrder);
    this.#takeHttp2();
    for (const server of [this.#plain, this.#secure]) {
      // Only the bytes of headers are limited. With a limit of their number, Node would silently drop the last ones,
      // for example Impersonate-User.
      server.maxHeadersCount = 0;
      // Without a listener, Node would ask for the body before it is known whether the request is refused.
      server.on('checkContinue', inOrder);
      server.on('clientError', (error, socket) => {
        answerUnreadable(error, socket, (answer) => options.app.unreadable(answer, (socket as Socket).remoteAddress));
      });
      this.#admitConnections(server);
    }
  }

  /** Node sees only the connections that have room. */
  #admitConnections(server: PlainServer | SecureServer): void {
    const others = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      const connection = this.#options.connections.admit(socket);
      if (connection === undefined) return;
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      if (server === this.#secure) this.#awaitHandshake(socket, connection);
      for (const listener of others) listener.call(server, socket);
    });
  }

  #awaitHandshake(socket: Socket, connection: Connection): void {
    const end = endOf(socket);
    this.#strangers.set(end, connection);
    socket.on('close', () => this.#strangers.delete(end));
  }

  /** Node's own server for both versions makes objects that look like HTTP/1's for every stream; see docs/adr/0010. */
  #takeHttp2(): void {
    const others = this.#secure.listeners('secureConnection');
    this.#secure.removeAllListeners('secureConnection');
    this.#secure.on('secureConnection', (socket) => {
      const connection = this.#strangers.get(endOf(socket));
      this.#strangers.delete(endOf(socket));
      connection?.alsoOf(socket);
      const session = socket.alpnProtocol === 'h2' ? performServerHandshake(socket, SESSION) : undefined;
      this.#secured.set(socket, session);
      socket.on('close', () => this.#secured.delete(socket));
      if (session !== undefined) this.#onSession(session, socket, connection);
      else for (const listener of others) listener.call(this.#secure, socket);
    });
  }

  #onSession(session: ServerHttp2Session, socket: TLSSocket, connection: Connection | undefined): void {
    this.#sessions.add(session);
    this.#liveness.add(session);
    session.on('close', () => this.#sessions.delete(session));
    session.on('error', () => undefined);
    let streams = 0;
    const resets = new Resets();
    const onClosed = (code: number | undefined): void => {
      streams--;
      if (!resets.isTooMany(code)) return;
      session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      defer(() => session.destroy());
    };
    session.on('stream', (...[stream, headers, , rawHeaders]: StreamEvent) => {
      streams++;
      const req = new Http2Request(stream, headers, rawHeaders, socket);
      const res = new Http2Response(stream, onClosed);
      // The types name Node's own classes. These objects have what Koa uses of them.
      const begin = () => this.#callback(req as unknown as IncomingMessage, res as unknown as ServerResponse);
      this.#turns.begin(begin, () => res.destroyed);
    });
    // A client that connects and sends no request may be gone.
    session.setTimeout(FIRST_REQUEST);
    session.once('stream', () => session.setTimeout(SESSION_IDLE));
    const leave = (): void => {
      session.close();
      setTimeout(() => session.destroy(), LEAVE).unref();
    };
    if (connection !== undefined) connection.leave = leave;
    session.on('timeout', () => {
      if (streams === 0) leave();
    });
    if (this.#isClosing) session.close();
  }

  /** Rejects with a message for the operator if it cannot listen on an address. */
  async listen(): Promise<Listening> {
    const onError = sometimes(this.#options.onAcceptError);
    const http = await listenOn(this.#plain, this.#options.http, onError);
    try {
      const https = await listenOn(this.#secure, this.#options.https, onError);
      this.#options.connections.start();
      this.#checks = setInterval(() => this.#liveness.check(), this.#options.livenessInterval ?? LIVENESS_INTERVAL);
      return { http, https };
    } catch (error) {
      this.#plain.close();
      throw error;
    }
  }

  /**
   * Ends connections by their client certificates; requests in progress have a moment to finish. Clients with a new
   * certificate connect again.
   */
  endConnections(isRevoked: (certificate: ClientCertificate) => boolean): void {
    for (const [socket, session] of this.#secured) {
      const certificate = certificateOf(socket);
      if (certificate === undefined || !isRevoked(certificate)) continue;
      session?.close();
      setTimeout(() => socket.destroy(), LEAVE).unref();
    }
  }

  /** For connections made from now on. */
  renew(tls: TlsMaterial): void {
    this.#secure.setSecureContext(contextOptions(tls));
  }

  /**
   * Goes on for `delay` milliseconds, so that load balancers can see that this server is not ready. Clients of HTTP/1.1
   * are asked to connect again after each request, and those of HTTP/2 at the end (GOAWAY). So few connections are left
   * that a client could use while they are being closed.
   */
  async leave(delay: number): Promise<void> {
    this.#options.app.beginLeave();
    const last = Math.min(LAST_PART, delay / 2);
    await sleep(delay - last);
    for (const session of this.#sessions) session.close();
    await sleep(last);
  }

  /**
   * Stops accepting, ends watches, tells HTTP/2 clients to go elsewhere (GOAWAY), and lets requests finish; what is
   * left after `bound` milliseconds is cut off. Before all that, it goes on for `delay` milliseconds.
   */
  async close(bound: number, delay = 0): Promise<void> {
    if (delay > 0) await this.leave(delay);
    const closed = Promise.all([closeServer(this.#plain), closeServer(this.#secure)]);
    this.#isClosing = true;
    this.#options.app.beginDrain();
    for (const session of this.#sessions) session.close();
    for (const connection of this.#strangers.values()) connection.destroy();
    const idle = setInterval(() => this.#closeIdle(), 100);
    const timer = setTimeout(() => this.#cutOff(), bound);
    try {
      this.#closeIdle();
      await closed;
    } finally {
      clearInterval(idle);
      clearTimeout(timer);
      clearInterval(this.#checks);
      this.#options.connections.stop();
      this.#options.app.close();
    }
  }

  #closeIdle(): void {
    this.#plain.closeIdleConnections();
    this.#secure.closeIdleConnections();
  }

  #cutOff(): void {
    this.#options.app.abortAll();
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }
}

const endOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** A new context needs all of these: it takes none from the one before. */
const contextOptions = (tls: TlsMaterial) => ({
  cert: tls.certificate,
  key: tls.key,
  ca: tls.clientCa,
  minVersion: 'TLSv1.2' as const,
  ciphers: CIPHERS,
  honorCipherOrder: true,
});

const secureOptions = (tls: TlsMaterial) => ({
  ...contextOptions(tls),
  ALPNProtocols: ['h2', 'http/1.1'],
  // A caller without a certificate of ours may still have a token or a password.
  requestCert: true,
  rejectUnauthorized: false,
  handshakeTimeout: HANDSHAKE_TIMEOUT,
});

async function listenOn(
  server: PlainServer | SecureServer,
  { host, port }: ListenAddress,
  onError: OnAcceptError,
): Promise<AddressInfo | undefined> {
  if (port === -1) return undefined;
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(new Error(sentenceOf(error, host, port), { cause: error }));
    server.once('error', fail);
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off('error', fail);
      goOnAccepting(server, onError);
      resolve();
    });
  });
  return server.address() as AddressInfo;
}

function sentenceOf(error: NodeJS.ErrnoException, host: string, port: number): string {
  const where = `${host}:${port}`;
  if (error.code === 'EADDRINUSE') return `Cannot listen on ${where}: another program already listens there.`;
  if (error.code === 'EACCES') return `Cannot listen on ${where}: this user may not.`;
  if (error.code === 'EADDRNOTAVAIL') return `Cannot listen on ${where}: this machine has no such address.`;
  return `Cannot listen on ${where}: ${error.message}.`;
}

const closeServer = (server: PlainServer | SecureServer): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
  });
