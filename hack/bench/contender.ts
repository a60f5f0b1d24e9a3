/** A server that is measured. It starts empty. */
export interface Contender {
  readonly name: string;
  readonly base: string;
  readonly token: string;
  readonly caFile: string;
  /** The path of what is measured. Absent: the folders. */
  readonly collection?: string;
  /** The processes of the server, and of its database. They change with `restart`. */
  pids(): { readonly server: number; readonly database: number | undefined };
  /** The operations that it has, by name. Absent: all. */
  readonly operations?: RegExp;
  /**
   * Stops the server and starts it on the same data. Resolves with the milliseconds from its start to its first list.
   * Absent if it cannot.
   */
  restart?(): Promise<number>;
  stop(): Promise<void>;
}
