import type { Permissions } from '../../../registry/kinds/kind.js';
import { customActions } from '../names.js';

/** Who may do what with the objects of a definition, which is named `<plural>.<group>`. */
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
