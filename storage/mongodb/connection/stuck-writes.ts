import { MongoNetworkError } from 'mongodb';
import { Connection, type WritingConnection } from 'mongodb/lib/cmap/connection.js';

const { prototype } = Connection;
const { writeCommand } = prototype;

/**
 * Lets writes of the driver fail when their connection is closed. Without this, a write that the socket does not take
 * at once waits for `drain` only. A socket that was destroyed, by the other side or by a timeout, never emits it, and
 * emits no error either. So the operation never ends, no time limit of the driver applies, and whatever waits for the
 * operation hangs until the server is restarted. The driver has this fault up to version 7.9.0.
 */
export function failWritesOfClosedConnections(): void {
  prototype.writeCommand = write;
}

/** Replaces `writeCommand` of the driver. */
async function write(this: WritingConnection, command: unknown, options: unknown): Promise<void> {
  const { socket } = this;
  let closed = (): void => undefined;
  const closing = new Promise<never>((_, reject) => {
    // The driver hears of it first, and sets `error`.
    closed = () => reject(this.error ?? new MongoNetworkError('the connection was closed during a write'));
  });
  socket.once('close', closed);
  try {
    await Promise.race([writeCommand.call(this, command, options), closing]);
  } finally {
    socket.off('close', closed);
  }
}
