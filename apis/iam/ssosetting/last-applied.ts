import { isSecretKey } from '../../../pkg/identity/signon/values.js';
import { LAST_APPLIED, readLastApplied } from '../../../pkg/kube/fieldmanager/last-applied.js';
import { isObject } from '../../../pkg/system/object/is-object.js';
import { MASKED } from './schema.js';

type Annotations = Readonly<Record<string, string>>;

/** The annotations, with the secrets in the copy of kubectl masked. A copy that cannot be read is left out. */
export function withoutAppliedSecrets(annotations: Annotations): Annotations {
  const { [LAST_APPLIED]: applied, ...others } = annotations;
  if (applied === undefined) return annotations;
  const masked = maskedCopy(applied);
  return masked === undefined ? others : { ...others, [LAST_APPLIED]: masked };
}

function maskedCopy(text: string): string | undefined {
  const copy = readLastApplied(text);
  if (!isObject(copy)) return undefined;
  const { spec } = copy;
  if (!isObject(spec) || !isObject(spec['settings'])) return text;
  return `${JSON.stringify({ ...copy, spec: { ...spec, settings: withoutSecrets(spec['settings']) } })}\n`;
}

/** Masks the secrets also in lists and objects, such as those of the servers of a directory. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, member]) => [
    key,
    isSecretKey(key) ? hidden(member) : withoutSecrets(member),
  ]);
  return Object.fromEntries(entries);
}

const hidden = (value: unknown): unknown => (value === '' || value === null ? value : MASKED);
