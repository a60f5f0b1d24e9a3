import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The most requests of one connection that wait for the answer to an earlier one. Clients that send ahead at all have a
 * few.
 */
export const MOST_WAITING = 32;

/**
 * Serves the requests of a connection of HTTP/1.1 one after another. A client may send the next ones before it has the
 * answer (pipelining, RFC 9112 §9.3.2). Node would begin all of them at once, as many as arrive. If the connection is
 * lost then, Node does not tell those whose turn has not come, and the server would keep them for ever.
 */
export function oneAfterAnother(serve: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  const add = (socket: Socket, change: 1 | -1): number => {
    const count = (waiting.get(socket) ?? 0) + change;
    waiting.set(socket, count);
    return count;
  };
  return (req: IncomingMessage, res: ServerResponse) => {
    // A response gets the socket when it is its turn.
    if (res.socket !== null) return serve(req, res);
    if (add(req.socket, 1) > MOST_WAITING) return void req.socket.destroy();
    res.once('socket', () => {
      add(req.socket, -1);
      serve(req, res);
    });
  };
}
