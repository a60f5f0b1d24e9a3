/** A file of MongoDB's driver that it does not describe. `stuck-writes.ts` says what it is needed for. */
declare module 'mongodb/lib/cmap/connection.js' {
  import type { Socket } from 'node:net';

  export interface WritingConnection {
    /** Why the connection was closed. */
    readonly error: Error | null;
    readonly socket: Socket;
    writeCommand(command: unknown, options: unknown): Promise<void>;
  }
  export const Connection: { readonly prototype: WritingConnection };
}
