import type { ApiRequest } from '../../pkg/http/exchange.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import { badRequest, invalid } from '../../pkg/status/errors.js';
import type { ClientOptions } from '../client.js';
import { checkRepresentation } from './render.js';
import type { Target } from './verb.js';

/**
 * Reads what every write takes. Throws 400, 422 for a dryRun that is not `All`, and 406 for an answer that we cannot give: after the write
 * it would be too late to refuse.
 */
export function writeOptions(request: ApiRequest, { info }: Target): ClientOptions {
  const answersWithList = request.method === 'DELETE' && info.name === '';
  checkRepresentation(request, answersWithList ? 'list' : 'object');
  const options = OPTIONS[request.method] ?? 'CreateOptions';
  checkFieldManager(request.query.get('fieldManager'), options);
  const dryRun = isDryRun(request.query.getAll('dryRun'), options);
  return { user: request.user, isDryRun: dryRun, signal: request.signal };
}

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions';

/** Kubernetes' name for the options of a write, by HTTP method. */
const OPTIONS: Readonly<Record<string, OptionsKind>> = {
  POST: 'CreateOptions',
  PUT: 'UpdateOptions',
  PATCH: 'PatchOptions',
  DELETE: 'DeleteOptions',
};

/** Throws 422 for a value that is not `All`, naming the options it is one of. */
export function isDryRun(values: readonly string[], kind: OptionsKind): boolean {
  const asked = values.filter((value) => value !== '');
  if (asked.every((value) => value === 'All')) return asked.length > 0;
  const message = `Unsupported value: ${JSON.stringify(asked.join(',').slice(0, 100))}: supported values: "All"`;
  throw invalid({ group: 'meta.k8s.io', kind }, '', [{ reason: 'FieldValueNotSupported', message, field: 'dryRun' }]);
}

function checkFieldManager(manager: string | null, kind: OptionsKind): void {
  if (manager === null || /^[\x20-\x7e]{0,128}$/.test(manager)) return;
  const message = 'Invalid value: must be at most 128 printable characters';
  throw invalid({ group: 'meta.k8s.io', kind }, '', [{ reason: 'FieldValueInvalid', message, field: 'fieldManager' }]);
}

/** The namespace of a body may be left out; another one than the path's is an error. */
export function checkNamespaceInBody({ kind, info }: Target, object: Pick<KubeObject, 'metadata'>): void {
  const { namespace } = object.metadata;
  if (namespace === undefined || namespace === '' || (kind.scope === 'Namespaced' && namespace === info.namespace))
    return;
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}
