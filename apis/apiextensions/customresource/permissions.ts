import type { Permissions } from '../../../registry/kinds/kind.js';
import { customActions } from '../names.js';

/** The permissions on the objects of a definition. `name` is that of the definition, `<plural>.<group>`. */
export function customPermissions(name: string): Permissions {
  const actions = customActions(name);
  return {
    get: [actions.read],
    create: [actions.create],
    update: [actions.write],
    delete: [actions.delete],
    scopes: ({ metadata }) => [`${name}:uid:${metadata.name}`],
  };
}
