import type { Worker } from 'node:cluster';
import { nextTick } from 'node:process';

/** A connection, as `cluster` sends it with a message that names the port on which it came. */
interface Connection {
  close(): void;
}

/**
 * Closes the connections that a worker was given and did not take before it ended.
 *
 * `cluster` closes its own end of a connection when the worker says that it has it. If the worker ends before,
 * `cluster` forgets the connection and leaves it open, and its client would wait for ever. Another worker must not have
 * it, because the one that ended may have read the request. `cluster` gives a worker one connection of each port at a
 * time, so at most the last of each port is lost. Closing a closed connection does nothing.
 */
export function closeLostConnections({ process }: Worker): void {
  const last = new Map<unknown, Connection>();
  const send = process.send.bind(process) as (...args: unknown[]) => boolean;
  process.send = (...args: unknown[]) => {
    const [message, connection] = args;
    if (isConnection(connection)) last.set((message as { readonly key?: unknown }).key, connection);
    return send(...args);
  };
  process.once('disconnect', () => {
    for (const connection of last.values()) connection.close();
  });
  tellOfTheEnd(process);
}

/**
 * Node calls `disconnect` when the worker is gone and all of its messages are read. But it emits the event only when
 * the last connection was taken, so in this case never, and `cluster` would give more connections to this worker.
 */
function tellOfTheEnd(process: Worker['process']): void {
  const disconnect = process.disconnect.bind(process);
  process.disconnect = () => {
    disconnect();
    nextTick(() => process.emit('disconnect'));
  };
}

function isConnection(sent: unknown): sent is Connection {
  return typeof sent === 'object' && sent !== null && 'close' in sent;
}
