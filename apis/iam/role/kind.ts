import { column } from '../../../registry/kinds/fields.js';
import { defineKind, type Kind } from '../../../registry/kinds/kind.js';
import { UID_NAMES } from '../../../registry/kinds/names.js';
import { escalationReports } from '../../authorization/escalation.js';
import type { AccessEnvironment } from '../../environment.js';
import { BY_GLOBAL, BY_NAME, RoleSpec } from './schema.js';
import { roleStrategy } from './strategy.js';

export function role(environment: AccessEnvironment, compiled?: () => readonly Kind[]): Kind<RoleSpec> {
  return defineKind<RoleSpec>(environment, {
    identity: {
      group: 'iam',
      version: 'v1beta1',
      kind: 'Role',
      resource: 'roles',
      singular: 'role',
      scope: 'Namespaced',
      description: 'Role is a set of permissions that RoleBindings give.',
      spec: RoleSpec,
      names: UID_NAMES,
    },
    storage: {
      indexers: {
        [BY_NAME]: ({ metadata, spec }) => nameRows(metadata.namespace ?? '', (spec as RoleSpec).name),
        [BY_GLOBAL]: ({ metadata, spec }) => ((spec as RoleSpec).global === true ? [[metadata.name]] : []),
      },
      uniques: { [BY_NAME]: { field: 'spec.name', message: 'another role of the organization has this name' } },
    },
    access: {
      permissions: {
        get: ['roles:read'],
        create: ['roles:write'],
        update: ['roles:write'],
        delete: ['roles:delete'],
        scopes: ({ metadata }) => [`roles:uid:${metadata.name}`],
      },
      reports: escalationReports,
    },
    serving: {
      columns: [column<RoleSpec>('Title', 'Name shown to people', ({ title }) => title)],
    },
    strategy: roleStrategy(environment, compiled),
  });
}

function nameRows(namespace: string, name: string | undefined): readonly (readonly string[])[] {
  return name === undefined ? [] : [[namespace, name]];
}
