import { decodeText } from '../../kube/json/decode.js';
import { DEFAULT_LIMITS } from '../../kube/json/limits.js';
import type { DecodeLimits } from '../../kube/json/members.js';
import { parseJson } from '../../kube/json/parse.js';
import { prettyItem } from '../../kube/json/pretty.js';
import { toYamlItem } from '../../kube/json/to-yaml.js';
import { parseYaml } from '../../kube/json/yaml.js';
import { decodeKubernetesProtobuf } from '../../kube/protobuf/decode.js';
import { preferredForm } from '../negotiation/preferred-form.js';

/** What a job is about. */
export interface Input {
  readonly bytes: Uint8Array;
  readonly limits?: DecodeLimits | undefined;
  /** The header `Accept` of who gets the output. */
  readonly accept?: string | undefined;
}

/** What a job has made. */
export interface Output {
  readonly bytes: Uint8Array;
  /** The repeated fields of a document that was decoded. */
  readonly duplicates?: readonly string[];
  /** The media type, if it is not JSON. */
  readonly type?: string;
}

const encoder = new TextEncoder();

/**
 * Work on one large document that cannot pause, because a library does it. It takes bytes and returns bytes, because
 * the event loop would need as long to take a value from another thread as to decode its text, and could not do that in
 * steps.
 */
export const JOBS = {
  /** The same document in JSON. Throws 400 if it is not valid UTF-8 or no YAML, and 413 above the limits. */
  yamlToJson: ({ bytes, limits = DEFAULT_LIMITS }) => {
    const { value, duplicates } = parseYaml(decodeText(bytes), limits);
    return { bytes: encoder.encode(JSON.stringify(value)), duplicates };
  },
  /** The same for an object in Kubernetes' protobuf. */
  protobufToJson: ({ bytes, limits = DEFAULT_LIMITS }) => ({
    bytes: encoder.encode(JSON.stringify(decodeKubernetesProtobuf(bytes, limits))),
  }),
  /** An answer in JSON in the form that its client prefers. The same bytes if that is JSON. */
  jsonToForm: ({ bytes, accept = '' }) => {
    const form = preferredForm(accept, parseJson(decodeText(bytes)));
    return form === undefined ? { bytes } : { bytes: Uint8Array.from(form.bytes), type: form.type };
  },
  /** An item in JSON as an item of a list in YAML. */
  jsonToYamlItem: ({ bytes }) => ({ bytes: encoder.encode(toYamlItem(parseJson(decodeText(bytes)))) }),
  /** An item in JSON as an item of a list for people. */
  jsonToPrettyItem: ({ bytes }) => ({ bytes: encoder.encode(prettyItem(parseJson(decodeText(bytes)))) }),
  /** An answer in JSON for people. */
  jsonToPretty: ({ bytes }) => ({
    bytes: encoder.encode(`${JSON.stringify(parseJson(decodeText(bytes)), null, 2)}\n`),
  }),
} as const satisfies Readonly<Record<string, (input: Input) => Output>>;

export type JobName = keyof typeof JOBS;
