import { parseJson } from '../../kube/json/parse.js';

/** What is recorded instead of a secret. */
export const MASK = '*********';

export type Mask = (value: unknown) => unknown;

/** In this annotation, kubectl apply keeps a copy of the object that it sent, as JSON. */
const COPY = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Replaces the values of members with these names, at any depth and in any case. It also does this in the copies of
 * kubectl apply, and with values that a JSON patch gives to such members.
 */
export function maskOf(names: readonly string[]): Mask {
  const secret = new Set([COPY, ...names].map((name) => name.toLowerCase()));
  const isSecret = (name: string): boolean => secret.has(name.toLowerCase());
  const mask: Mask = (value) => {
    if (Array.isArray(value)) return value.map(mask);
    if (typeof value !== 'object' || value === null) return value;
    const hides =
      typeof (value as PatchOperation).path === 'string' && isOfSecret((value as PatchOperation).path, isSecret);
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        name === COPY && typeof member === 'string'
          ? maskedCopy(member, mask)
          : isSecret(name) || (hides && name === 'value')
            ? masked(member)
            : mask(member),
      ]),
    );
  };
  return mask;
}

/** A copy that cannot be read is replaced as a whole. */
function maskedCopy(text: string, mask: Mask): string {
  try {
    return JSON.stringify(mask(parseJson(text)));
  } catch {
    return MASK;
  }
}

/** An operation of a JSON patch. */
interface PatchOperation {
  readonly path: string;
}

function isOfSecret(path: string, isSecret: (name: string) => boolean): boolean {
  return path.split('/').some((segment) => isSecret(segment.replaceAll('~1', '/').replaceAll('~0', '~')));
}

/** Keeps an empty value, which shows that there was none. */
function masked(value: unknown): unknown {
  return value === undefined || value === null || value === '' ? value : MASK;
}

/** Query parameters in which clients send credentials, whether or not this server reads them. */
const CREDENTIAL = /token|password|passwd|secret|credential|signature|api_?key|session|jwt|^code$/i;
/** The token of a paged list is not a credential. */
const HARMLESS = 'continue';

/** The URI of a request without the credentials in its query. */
export function maskUri(uri: string): string {
  const mark = uri.indexOf('?');
  if (mark === -1) return uri;
  const parameters = uri.slice(mark + 1).split('&');
  return `${uri.slice(0, mark + 1)}${parameters.map(maskParameter).join('&')}`;
}

function maskParameter(parameter: string): string {
  const equals = parameter.indexOf('=');
  if (equals === -1) return parameter;
  const name = decoded(parameter.slice(0, equals));
  return name !== HARMLESS && CREDENTIAL.test(name) ? `${parameter.slice(0, equals)}=${MASK}` : parameter;
}

function decoded(name: string): string {
  return new URLSearchParams(`${name}=`).keys().next().value ?? '';
}
