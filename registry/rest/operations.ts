import type { Operation } from '../../pkg/http/operation.js';
import type { RequestInfo } from './request-info.js';

/** The verbs that Kubernetes' metrics know by other names. */
const NAMES: Readonly<Record<string, string>> = { create: 'POST', update: 'PUT' };

/**
 * The operations of one resource, each made once. Call the result only for verbs that the resource has, because each combination stays in the
 * table.
 */
export function operationTable(): (verb: string, info: RequestInfo) => Operation {
  const known = new Map<string, Operation>();
  return (verb, info) => {
    const { group, version, resource, subresource } = info;
    const scope = scopeOf(info);
    const key = subresource === '' ? `${verb} ${scope}` : `${verb} ${scope} ${subresource}`;
    let operation = known.get(key);
    if (operation === undefined) {
      operation = { verb: NAMES[verb] ?? verb.toUpperCase(), group, version, resource, subresource, scope, route: '' };
      known.set(key, operation);
    }
    return operation;
  };
}

/** As Kubernetes: what a request is about, not where its kind lives. */
function scopeOf({ name, namespace }: RequestInfo): Operation['scope'] {
  if (name !== '') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}
