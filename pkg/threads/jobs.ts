import { decodeText } from '../json/decode.js';
import type { DecodeLimits } from '../json/members.js';
import { parseYaml } from '../json/yaml.js';

/** What a job has made. */
export interface Output {
  readonly bytes: Uint8Array;
  /** The repeated fields of a document that was decoded. */
  readonly duplicates: readonly string[];
}

const encoder = new TextEncoder();

type Job = (input: Uint8Array, limits: DecodeLimits) => Output;

/**
 * Work on one large document that cannot pause, because a library does it. It takes bytes and returns bytes, because the event loop would need as long to
 * take a value from another thread as to decode its text, and could not do that in steps.
 */
export const JOBS = {
  /** The same document in JSON. Throws 400 if it is not valid UTF-8 or no YAML, and 413 above the limits. */
  yamlToJson: (input, limits) => {
    const { value, duplicates } = parseYaml(decodeText(input), limits);
    return { bytes: encoder.encode(JSON.stringify(value)), duplicates };
  },
} as const satisfies Readonly<Record<string, Job>>;

export type JobName = keyof typeof JOBS;
