import type { Operation } from '../../pkg/http/operation.js';
import type { RequestInfo } from './request-info.js';

/** The verbs that Kubernetes' metrics know by other names. */
const NAMES: Readonly<Record<string, string>> = { create: 'POST', update: 'PUT' };

/**
 * The operations of the resource API, each made once. Call the result only for resources that are served and verbs that
 * they have, because each combination stays in the table.
 */
export function operationTable(): (verb: string, info: RequestInfo) => Operation {
  const known = new Map<string, Map<string, Operation>>();
  return (verb, info) => {
    const { group, version, resource, subresource, type } = info;
    const scope = scopeOf(info);
    let ofType = known.get(type);
    if (ofType === undefined) {
      ofType = new Map();
      known.set(type, ofType);
    }
    const key = subresource === '' ? `${verb} ${scope}` : `${verb} ${scope} ${subresource}`;
    let operation = ofType.get(key);
    if (operation === undefined) {
      operation = { verb: NAMES[verb] ?? verb.toUpperCase(), group, version, resource, subresource, scope, route: '' };
      ofType.set(key, operation);
    }
    return operation;
  };
}

/** As in Kubernetes, the scope of the request, and not that of its kind. */
function scopeOf({ name, namespace }: RequestInfo): Operation['scope'] {
  if (name !== '') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}
