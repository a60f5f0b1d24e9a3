import type { StatusCause } from '../../../pkg/status/status.js';
import type { Definition } from '../customresource/conditions.js';
import { DEPENDENCIES } from './dependencies.js';
import { validateDefinition, validateDefinitionUpdate } from './validation/definition.js';
import { finished } from './validation/steps.js';

/** What is wrong with a definition, in the words and order of Kubernetes. */
export function definitionCauses(definition: Definition, old: Definition | undefined): readonly StatusCause[] {
  const steps =
    old === undefined
      ? validateDefinition(definition, DEPENDENCIES)
      : validateDefinitionUpdate(definition, old, DEPENDENCIES);
  return finished(steps);
}
