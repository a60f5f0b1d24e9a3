import type { Permissions } from '../../../registry/kind.js';

/** The verbs of the actions on custom objects, such as `backups.example.com:read`. */
export const READ = 'read';
export const WRITES = ['create', 'write', 'delete'] as const;

/** Who may do what with the objects of a definition, which is named `<plural>.<group>`. */
export function customPermissions(name: string): Permissions {
  return {
    get: [`${name}:read`],
    create: [`${name}:create`],
    update: [`${name}:write`],
    delete: [`${name}:delete`],
    scopes: ({ metadata }) => [`${name}:uid:${metadata.name}`],
  };
}
