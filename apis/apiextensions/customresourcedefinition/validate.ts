import type { StatusCause } from '../../../pkg/status/status.js';
import type { Definition } from '../customresource/conditions.js';
import { DEPENDENCIES } from './dependencies.js';
import type { Unhurried } from './unhurried.js';
import { validateDefinition, validateDefinitionUpdate } from './validation/definition.js';

/** What is wrong with a definition, in the words and order of Kubernetes. Throws Suspended if it takes time to find out. */
export function definitionCauses(
  definition: Definition,
  old: Definition | undefined,
  { run }: Unhurried,
): readonly StatusCause[] {
  if (old === undefined) return run('create', [definition], () => validateDefinition(definition, DEPENDENCIES));
  return run('update', [definition, old], () => validateDefinitionUpdate(definition, old, DEPENDENCIES));
}
