import { fold } from '../../../pkg/kube/meta/fold.js';
import { column, field, uidAndIdScopes } from '../../../registry/kinds/fields.js';
import { defineKind, type Kind } from '../../../registry/kinds/kind.js';
import { UID_NAMES } from '../../../registry/kinds/names.js';
import type { AccountEnvironment } from '../../environment.js';
import { isUser } from '../names.js';
import { skeletonsOf } from './look-alike.js';
import {
  BY_ADMINISTRATOR,
  BY_CREATED_IN,
  BY_EMAIL,
  BY_LOGIN,
  BY_NAME,
  BY_SKELETON,
  isAdministrator,
  UserSpec,
} from './schema.js';
import { userStrategy } from './strategy.js';

export function user(environment: AccountEnvironment): Kind<UserSpec> {
  return defineKind<UserSpec>(environment, {
    identity: {
      group: 'iam',
      version: 'v1beta1',
      kind: 'User',
      resource: 'users',
      singular: 'user',
      scope: 'Cluster',
      description: 'User is a person who can log in.',
      spec: UserSpec,
      names: UID_NAMES,
    },
    storage: {
      indexers: {
        [BY_LOGIN]: ({ spec }) => [[fold((spec as UserSpec).login)]],
        [BY_EMAIL]: ({ spec }) => [[fold((spec as UserSpec).email)]],
        [BY_SKELETON]: ({ spec }) => skeletonsOf(spec as UserSpec).map((text) => [text]),
        [BY_ADMINISTRATOR]: (object) => (isAdministrator(object) ? [[1]] : []),
        [BY_CREATED_IN]: ({ spec }) => {
          const { createdIn } = spec as UserSpec;
          return createdIn === undefined ? [] : [[createdIn]];
        },
        [BY_NAME]: ({ spec }) => [[fold((spec as UserSpec).name), fold((spec as UserSpec).login)]],
      },
      uniques: {
        [BY_LOGIN]: { field: 'spec.login', message: 'another user has this login' },
        [BY_EMAIL]: { field: 'spec.email', message: 'another user has this e-mail address' },
      },
      internalId: true,
    },
    access: {
      permissions: {
        get: ['users:read'],
        create: ['users:create'],
        update: ['users:write'],
        delete: ['users:delete'],
        scopes: uidAndIdScopes('users', environment.domain),
        allowSelf: ({ metadata }, caller, verb) => verb === 'get' && isUser(caller, metadata.name),
      },
    },
    serving: {
      columns: [
        column<UserSpec>('Login', 'Name to log in with', ({ login }) => login),
        column<UserSpec>('Email', 'E-mail address', ({ email }) => email),
        column<UserSpec>('Disabled', 'Whether logging in is refused', ({ disabled }) => disabled),
        column<UserSpec>('Admin', 'Whether they administer the server', ({ grafanaAdmin }) => grafanaAdmin, 1),
      ],
      selectableFields: {
        'spec.login': field<UserSpec>(({ login }) => login),
        'spec.email': field<UserSpec>(({ email }) => email),
      },
      searchText: ({ spec }) => {
        const { login, email, name } = spec as UserSpec;
        return fold([login, email, name].join('\n'));
      },
    },
    strategy: userStrategy(environment),
  });
}
