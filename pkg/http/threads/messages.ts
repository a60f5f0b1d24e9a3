import type { ApiErrorOptions } from '../../kube/status/status.js';
import type { Input, JobName, Output } from './jobs.js';

/** A job for a thread. */
export interface Question extends Input {
  readonly job: JobName;
}

/** What became of it: its output, what is wrong with the input, or an error of the server. */
export interface Answer {
  readonly output?: Output;
  readonly refusal?: ApiErrorOptions;
  readonly fault?: string;
}
