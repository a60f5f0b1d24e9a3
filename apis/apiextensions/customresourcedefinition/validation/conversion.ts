import type { StatusCause } from '../../../../pkg/kube/status/status.js';
import { forbidden, required } from '../../../../pkg/kube/structural/cause.js';
import type { CustomResourceConversion, ServiceReference, WebhookClientConfig } from '../schema.js';
import { bundleCauses } from './certificates.js';
import { invalid, notSupported } from './field-error.js';
import { labelProblems, subdomainProblems } from './names.js';
import { parsedUrl } from './url.js';

/** The versions of ConversionReview that servers understand. */
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

export interface ConversionOptions {
  /** One of the versions of ConversionReview must be one that servers understand. */
  readonly requiresReviewVersion: boolean;
  /** Certificates are not checked. */
  readonly allowsAnyBundle: boolean;
}

export function conversionCauses(
  conversion: CustomResourceConversion | null | undefined,
  path: string,
  options: ConversionOptions,
): readonly StatusCause[] {
  if (conversion == null) return [];
  const { strategy = '', webhook } = conversion;
  const client = webhook?.clientConfig ?? undefined;
  const versions = webhook?.conversionReviewVersions ?? [];
  const causes = [...oneOfCauses(strategy, ['None', 'Webhook'], `${path}.strategy`)];
  const [clientPath, versionsPath] = [`${path}.webhookClientConfig`, `${path}.conversionReviewVersions`];
  if (strategy !== 'Webhook') {
    const why = 'should not be set when strategy is not set to Webhook';
    if (client !== undefined) causes.push(forbidden(clientPath, why));
    if (versions.length > 0) causes.push(forbidden(versionsPath, why));
    return causes;
  }
  if (client === undefined) causes.push(required(clientPath, 'required when strategy is set to Webhook'));
  else causes.push(...clientCauses(client, clientPath, options));
  return [...causes, ...reviewVersionCauses(versions, versionsPath, options)];
}

export function oneOfCauses(value: string, accepted: readonly string[], path: string): readonly StatusCause[] {
  if (value === '') return [required(path)];
  return accepted.includes(value) ? [] : [notSupported(path, value, accepted)];
}

export function hasReviewVersion(versions: readonly string[]): boolean {
  return versions.some((version) => REVIEW_VERSIONS.includes(version));
}

function reviewVersionCauses(
  versions: readonly string[],
  path: string,
  { requiresReviewVersion }: ConversionOptions,
): readonly StatusCause[] {
  if (versions.length === 0) return [required(path)];
  const seen = new Set<string>();
  const causes = versions.flatMap((version, i) => {
    const at = `${path}[${i}]`;
    if (seen.has(version)) return [invalid(at, version, 'duplicate version')];
    seen.add(version);
    return labelProblems(version).map((problem) => invalid(at, version, problem));
  });
  if (!requiresReviewVersion || hasReviewVersion(versions)) return causes;
  return [...causes, invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`)];
}

function clientCauses(
  { url, service, caBundle }: WebhookClientConfig,
  path: string,
  { allowsAnyBundle }: ConversionOptions,
): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  if ((url == null) === (service == null)) causes.push(required(path, 'exactly one of url or service is required'));
  else if (url != null) causes.push(...urlCauses(url, `${path}.url`));
  else if (service != null) causes.push(...serviceCauses(service, `${path}.service`));
  return allowsAnyBundle ? causes : [...causes, ...bundleCauses(caBundle, `${path}.caBundle`)];
}

function urlCauses(text: string, path: string): readonly StatusCause[] {
  const form = '; desired format: https://host[/path]';
  const url = parsedUrl(text);
  if ('problem' in url) return [required(path, `url must be a valid URL: ${url.problem}${form}`)];
  const causes: StatusCause[] = [];
  if (url.scheme !== 'https') causes.push(invalid(path, url.scheme, `'https' is the only allowed URL scheme${form}`));
  if (url.host === '') causes.push(invalid(path, url.host, `host must be specified${form}`));
  if (url.user !== undefined) {
    causes.push(invalid(path, url.user, 'user information is not permitted in the URL'));
  }
  if (url.fragment !== '') causes.push(invalid(path, url.fragment, 'fragments are not permitted in the URL'));
  if (url.query !== '') causes.push(invalid(path, url.query, 'query parameters are not permitted in the URL'));
  return causes;
}

function serviceCauses(service: ServiceReference, path: string): readonly StatusCause[] {
  const { name = '', namespace = '', port } = service;
  const causes: StatusCause[] = [];
  // As in Kubernetes, each of the two errors names the other field.
  if (namespace === '') causes.push(required(`${path}.name`));
  if (name === '') causes.push(required(`${path}.namespace`));
  if (port != null && (port < 1 || port > 65_535)) {
    causes.push(invalid(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'));
  }
  return [...causes, ...pathCauses(service.path ?? '', `${path}.path`)];
}

function pathCauses(text: string, path: string): readonly StatusCause[] {
  if (text === '' || text === '/') return [];
  if (text === '//') return [invalid(path, text, 'segment[0] may not be empty')];
  const causes = text.startsWith('/') ? [] : [invalid(path, text, "must start with a '/'")];
  const inner = text.slice(1);
  const segments = (inner.endsWith('/') ? inner.slice(0, -1) : inner).split('/');
  for (const [i, segment] of segments.entries()) {
    if (segment === '') causes.push(invalid(path, text, `segment[${i}] may not be empty`));
    else causes.push(...subdomainProblems(segment).map((why) => invalid(path, text, `segment[${i}]: ${why}`)));
  }
  return causes;
}
