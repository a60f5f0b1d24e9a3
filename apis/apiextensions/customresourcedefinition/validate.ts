import type { StatusCause } from '../../../pkg/status/status.js';
import type { Definition } from '../customresource/conditions.js';
import { DEPENDENCIES } from './dependencies.js';
import { validateDefinition, validateDefinitionUpdate } from './validation/definition.js';
import { finished } from './validation/steps.js';

/** What is wrong with a definition, in the words and order of Kubernetes. */
export function definitionCauses(definition: Definition, old: Definition | undefined): readonly StatusCause[] {
  const known = withOldStatus(definition, old);
  const steps =
    old === undefined ? validateDefinition(known, DEPENDENCIES) : validateDefinitionUpdate(known, old, DEPENDENCIES);
  return finished(steps);
}

/** The names that the server has just accepted are those of the spec: what is wrong with them is told there only. */
function withOldStatus(definition: Definition, old: Definition | undefined): Definition {
  const { storedVersions } = definition.status ?? {};
  return { ...definition, status: { ...old?.status, storedVersions } };
}
