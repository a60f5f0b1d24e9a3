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
  const settings = Object.entries(spec['settings']).map(([key, value]) => [
    key,
    isSecretKey(key) ? hidden(value) : value,
  ]);
  return `${JSON.stringify({ ...copy, spec: { ...spec, settings: Object.fromEntries(settings) } })}\n`;
}

const hidden = (value: unknown): unknown => (value === '' || value === null ? value : MASKED);
