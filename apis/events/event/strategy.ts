import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import type { Strategy } from '../../../registry/kinds/strategy.js';
import type { CoreEvent } from './schema.js';

/** As in Kubernetes: an event is in the namespace of its object. Events of cluster-scoped objects may be in any. */
export const eventStrategy: Strategy = {
  validate: (object, _old, { namespace }) => namespaceCauses(object, namespace),
};

function namespaceCauses(object: KubeObject, namespace: string): readonly StatusCause[] {
  const { namespace: named = '' } = (object as unknown as CoreEvent).involvedObject;
  if (named === '' || named === namespace) return [];
  const message = 'Invalid value: must be the namespace of the event';
  return [{ reason: 'FieldValueInvalid', message, field: 'involvedObject.namespace' }];
}
