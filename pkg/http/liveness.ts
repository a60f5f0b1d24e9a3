import type { Http2Session } from 'node:http2';

/**
 * How many checks a connection may leave a PING unanswered. On a slow network, a client first receives what was sent
 * before it.
 */
const PATIENCE = 4;

/**
 * Finds HTTP/2 connections on which nothing comes any more, and ends them. Node 20 stops reading when a client breaks
 * the protocol, and then does not notice that the client closes the connection: its streams, such as watches, would
 * stay for ever. A client whose machine is gone does not close it either.
 */
export class Liveness {
  /** The connections, with the number of checks since the PING that is not answered yet. */
  readonly #waiting = new Map<Http2Session, number>();

  add(session: Http2Session): void {
    this.#waiting.set(session, 0);
    session.on('close', () => this.#waiting.delete(session));
  }

  /** To be called from time to time. Asks each connection (PING, RFC 9113 §6.7), and ends those that do not answer. */
  check(): void {
    for (const [session, waiting] of this.#waiting) {
      if (session.destroyed) continue;
      this.#waiting.set(session, waiting + 1);
      if (waiting === 0) session.ping(() => this.#answered(session));
      else if (waiting >= PATIENCE) session.destroy();
    }
  }

  #answered(session: Http2Session): void {
    if (this.#waiting.has(session)) this.#waiting.set(session, 0);
  }
}
