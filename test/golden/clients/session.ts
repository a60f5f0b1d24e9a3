/** The input of a recorded client. */
export interface Recording {
  /** The address of the server. It needs no credentials. */
  readonly url: string;
  /** A kubeconfig for this address, with the namespace `default`. */
  readonly kubeconfig: string;
  /** An empty folder, which is removed afterwards. */
  readonly folder: string;
}

/** Runs a real client, and resolves with its name and version. */
export type Session = (recording: Recording) => Promise<string>;
