import type { Socket } from 'node:net';
import { Ranking } from '../system/collections/ranking.js';
import { addressKey } from '../system/net/address.js';
import type { TrustedProxies } from '../system/net/proxies.js';

export interface ConnectionLimits {
  /** The most connections of all ports together. */
  readonly max: number;
  /** Milliseconds after which an anonymous connection is closed on which no request is being served. */
  readonly anonymousIdle: number;
}

/**
 * Why a connection was refused or closed: there is no room, it rested without credentials, or it made room for another
 * one.
 */
export const CLOSE_REASONS = ['refused', 'idle', 'displaced'] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];

/** Milliseconds between two looks for connections that have rested too long. */
const LOOK_EVERY = 1_000;

/** Everything that is known of one address. */
interface Holder {
  count: number;
  /** The anonymous connections. Those that have rested for the longest time come first. */
  readonly anonymous: Set<Connection>;
}

const connections = new WeakMap<object, Connection>();

/** The connection of a request, by its socket. */
export const connectionOf = (socket: object): Connection | undefined => connections.get(socket);

/** A connection over TCP. It is anonymous until a request on it has had valid credentials. */
export class Connection {
  /** `undefined`: a trusted proxy, which has the connections of many clients. */
  readonly key: string | undefined;
  readonly #all: Connections;
  readonly #socket: Socket;
  /** Tells the client politely that the connection ends. Without it, the socket is closed. */
  leave: (() => void) | undefined;
  isAnonymous: boolean;
  /** Since when no request is being served, in milliseconds of `performance.now()`. */
  restsSince = performance.now();
  #serving = 0;

  constructor(all: Connections, socket: Socket, key: string | undefined) {
    this.#all = all;
    this.#socket = socket;
    this.key = key;
    this.isAnonymous = key !== undefined;
    connections.set(socket, this);
  }

  /** `socket` belongs to the same connection, such as that of TLS. */
  alsoOf(socket: Socket): void {
    connections.set(socket, this);
  }

  /** A request has come. */
  begin(): void {
    this.#serving++;
    if (this.isAnonymous && this.#serving === 1) this.#all.busy(this);
  }

  /** A request is answered, or cut off. */
  end(): void {
    this.#serving--;
    if (this.isAnonymous && this.#serving === 0) this.#all.rests(this);
  }

  /** A request had valid credentials. */
  identify(): void {
    if (!this.isAnonymous) return;
    this.#all.identified(this);
    this.isAnonymous = false;
  }

  /** The seconds that an anonymous client of HTTP/1.1 may wait with its next request; undefined for others. */
  get keepAlive(): number | undefined {
    return this.isAnonymous ? Math.max(1, Math.floor(this.#all.limits.anonymousIdle / 1000)) : undefined;
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

/**
 * The open connections of a server, and who gets one.
 *
 * - An address has at most as many as are free. So one address gets half of all, and n addresses that take as much as
 *   they can get one of n+1 equal parts each.
 * - A new connection beyond that takes the place of an anonymous one: of the address with the most of them, if that has
 *   more than the new one's address has in all, and otherwise of its own address. The one that has rested for the
 *   longest time goes.
 * - An anonymous connection on which no request is being served is closed after a short time. That covers the handshake
 *   of TLS, slow headers, and clients of both protocols that rest.
 *
 * The connections of trusted proxies count, but they have no share and are never anonymous, because they are those of
 * many clients.
 */
export class Connections {
  readonly limits: ConnectionLimits;
  readonly #proxies: TrustedProxies | undefined;
  readonly #open = new Set<Connection>();
  readonly #holders = new Map<string, Holder>();
  readonly #anonymous = new Ranking();
  /**
   * Anonymous connections on which no request is being served. Those that have rested for the longest time come first.
   */
  readonly #resting = new Set<Connection>();
  readonly #closed: Record<CloseReason, number> = { refused: 0, idle: 0, displaced: 0 };
  #looking: NodeJS.Timeout | undefined;
  #anonymousCount = 0;

  constructor(limits: ConnectionLimits, proxies?: TrustedProxies) {
    this.limits = limits;
    this.#proxies = proxies;
  }

  /** Begins to close connections that rest for too long. */
  start(): void {
    this.#looking = setInterval(() => this.#look(), Math.min(LOOK_EVERY, this.limits.anonymousIdle / 2)).unref();
  }

  stop(): void {
    clearInterval(this.#looking);
  }

  /** How many are open. */
  get counts(): { readonly identified: number; readonly anonymous: number } {
    return { identified: this.#open.size - this.#anonymousCount, anonymous: this.#anonymousCount };
  }

  /** How many were closed for each reason. */
  get closed(): Readonly<Record<CloseReason, number>> {
    return this.#closed;
  }

  /**
   * Counts a new connection until it closes. Returns undefined if there is no room for it; then it is closed already.
   */
  admit(socket: Socket): Connection | undefined {
    const address = socket.remoteAddress;
    // The client is gone already.
    if (address === undefined) {
      socket.destroy();
      return undefined;
    }
    const key = this.#proxies?.trusts(address) === true ? undefined : addressKey(address);
    if (!this.#hasRoom(key) && !this.#makeRoom(key)) {
      this.#closed.refused++;
      socket.destroy();
      return undefined;
    }
    const connection = new Connection(this, socket, key);
    this.#add(connection);
    socket.on('close', () => this.#remove(connection));
    return connection;
  }

  busy(connection: Connection): void {
    this.#resting.delete(connection);
  }

  rests(connection: Connection): void {
    if (!this.#open.has(connection)) return;
    connection.restsSince = performance.now();
    this.#resting.add(connection);
    const anonymous = this.#holderOf(connection)?.anonymous;
    anonymous?.delete(connection);
    anonymous?.add(connection);
  }

  identified(connection: Connection): void {
    if (!this.#holderOf(connection)?.anonymous.delete(connection)) return;
    this.#resting.delete(connection);
    this.#anonymousCount--;
    this.#anonymous.remove(connection.key ?? '');
  }

  #holderOf({ key }: Connection): Holder | undefined {
    return this.#holders.get(key ?? '');
  }

  #held(key: string): number {
    return this.#holders.get(key)?.count ?? 0;
  }

  #hasRoom(key: string | undefined): boolean {
    const free = this.limits.max - this.#open.size;
    return key === undefined ? free > 0 : this.#held(key) < free;
  }

  /** Closes an anonymous connection in favour of a new one. */
  #makeRoom(key: string | undefined): boolean {
    const largest = this.#anonymous.largest;
    if (largest === undefined) return false;
    const isMore = key === undefined || this.#anonymous.countOf(largest) > this.#held(key);
    const [victim] = this.#holders.get(isMore ? largest : key)?.anonymous ?? [];
    if (victim === undefined) return false;
    this.#close(victim, 'displaced');
    return true;
  }

  #add(connection: Connection): void {
    this.#open.add(connection);
    const { key } = connection;
    if (key === undefined) return;
    const holder = this.#holders.get(key) ?? { count: 0, anonymous: new Set() };
    holder.count++;
    holder.anonymous.add(connection);
    this.#holders.set(key, holder);
    this.#anonymousCount++;
    this.#anonymous.add(key);
    this.#resting.add(connection);
  }

  #remove(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    const { key } = connection;
    const holder = this.#holderOf(connection);
    if (key === undefined || holder === undefined) return;
    this.identified(connection);
    holder.count--;
    if (holder.count === 0) this.#holders.delete(key);
  }

  #close(connection: Connection, reason: CloseReason): void {
    this.#closed[reason]++;
    // Its place is free at once, and not when the system has closed the socket.
    this.#remove(connection);
    if (reason === 'idle' && connection.leave !== undefined) connection.leave();
    else connection.destroy();
  }

  #look(): void {
    const before = performance.now() - this.limits.anonymousIdle;
    for (const connection of this.#resting) {
      if (connection.restsSince > before) return;
      this.#close(connection, 'idle');
    }
  }
}
