import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { invalidCause, requiredCause, type Values } from '../values/rules.js';

interface Typed {
  readonly type?: string;
  readonly data?: Values;
  readonly metadata: { readonly annotations?: Values };
}

const ACCOUNT = 'kubernetes.io/service-account.name';

/** The rules of Kubernetes for the types of Secrets that it knows, such as `kubernetes.io/tls`. */
export function typeCauses({ type, data = {}, metadata }: Typed): readonly StatusCause[] {
  const required = (...keys: readonly string[]): readonly StatusCause[] =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => requiredCause(`data[${key}]`));
  const json = (key: string): readonly StatusCause[] => {
    const value = Object.hasOwn(data, key) ? data[key] : undefined;
    if (value === undefined) return [requiredCause(`data[${key}]`)];
    return isJsonObject(value)
      ? []
      : [invalidCause(`data[${key}]`, '"<secret contents redacted>": it is no JSON object')];
  };
  switch (type) {
    case 'kubernetes.io/service-account-token':
      return (metadata.annotations?.[ACCOUNT] ?? '') === '' ? [requiredCause(`metadata.annotations[${ACCOUNT}]`)] : [];
    case 'kubernetes.io/dockercfg':
      return json('.dockercfg');
    case 'kubernetes.io/dockerconfigjson':
      return json('.dockerconfigjson');
    case 'kubernetes.io/basic-auth':
      return required('username', 'password').length === 2 ? required('username', 'password') : [];
    case 'kubernetes.io/ssh-auth':
      return (data['ssh-privatekey'] ?? '') === '' ? [requiredCause('data[ssh-privatekey]')] : [];
    case 'kubernetes.io/tls':
      return required('tls.crt', 'tls.key');
    default:
      return [];
  }
}

const NO_TOKEN =
  'type: this server writes no token into a Secret of the type kubernetes.io/service-account-token: ask for one with "kubectl create token", and store it in a Secret of the type Opaque';

/** Advice about a Secret for which Kubernetes would do something, and this server does not. */
export function typeWarnings({ type, data = {} }: Pick<Typed, 'type' | 'data'>): readonly string[] {
  return type === 'kubernetes.io/service-account-token' && !Object.hasOwn(data, 'token') ? [NO_TOKEN] : [];
}

function isJsonObject(base64: string): boolean {
  try {
    const value: unknown = JSON.parse(Buffer.from(base64, 'base64').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
