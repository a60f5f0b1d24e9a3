import type { FailureCode } from '../../signon/failure.js';
import type { JobName } from './jobs.js';

/** A job for the thread. */
export interface Question {
  readonly job: JobName;
  readonly input: unknown;
}

/** What became of it: its output, why the sign-in fails, or an error of the server. */
export type Answer = { readonly output: unknown } | { readonly failure: Failure } | { readonly fault: string };

/** A SignOnFailure. Errors lose their class between threads. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly cause: string | undefined;
  readonly isUnknownSignature: boolean;
}
