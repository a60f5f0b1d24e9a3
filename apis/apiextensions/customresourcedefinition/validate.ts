import type { StatusCause } from '../../../pkg/kube/status/status.js';
import type { DefinitionObject } from '../customresource/conditions.js';
import type { DeferredWork } from './deferred-work.js';
import { DEPENDENCIES } from './dependencies.js';
import { validateDefinition, validateDefinitionUpdate } from './validation/definition.js';

/** What is wrong with a definition, in the words and order of Kubernetes. Throws Retry if it takes time to find out. */
export function definitionCauses(
  definition: DefinitionObject,
  old: DefinitionObject | undefined,
  { run }: DeferredWork,
): readonly StatusCause[] {
  const known = withOldStatus(definition, old);
  if (old === undefined) return run('create', [known], () => validateDefinition(known, DEPENDENCIES));
  return run('update', [known, old], () => validateDefinitionUpdate(known, old, DEPENDENCIES));
}

/**
 * With the old status, because the names that the server has just accepted are those of the spec, where they are
 * checked.
 */
function withOldStatus(definition: DefinitionObject, old: DefinitionObject | undefined): DefinitionObject {
  const { storedVersions } = definition.status ?? {};
  return { ...definition, status: { ...old?.status, storedVersions } };
}
