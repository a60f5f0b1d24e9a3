import type { Socket } from 'node:net';
import { serverNameOf } from './peer.js';

/** A year, in seconds. */
const MAX_AGE = 365 * 86_400;

/** Strict-Transport-Security (RFC 6797). */
export const STRICT_TRANSPORT = `max-age=${MAX_AGE}`;

/**
 * Whether browsers should use only HTTPS for the host name of this connection from now on. This is not so for
 * `localhost`, because browsers apply it to all ports, and other programs of this machine may serve HTTP. Browsers
 * ignore it for addresses.
 */
export function wantsStrictTransport(socket: Socket): boolean {
  const name = serverNameOf(socket);
  return name !== undefined && !/^(.*\.)?localhost\.?$/i.test(name);
}
