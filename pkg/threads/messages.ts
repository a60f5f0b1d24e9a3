import type { DecodeLimits } from '../json/members.js';
import type { ApiErrorOptions } from '../status/status.js';
import type { JobName, Output } from './jobs.js';

/** A job for a thread. */
export interface Question {
  readonly job: JobName;
  readonly input: Uint8Array;
  readonly limits: DecodeLimits;
}

/** What became of it: its output, what is wrong with the input, or an error of the server. */
export interface Answer {
  readonly output?: Output;
  readonly refusal?: ApiErrorOptions;
  readonly fault?: string;
}
