import { z } from 'zod';
import type { KubeObject } from '../../../pkg/meta/types.js';
import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kind.js';
import { column, field, fold, line, objectName, uidAndIdScopes } from '../fields.js';
import { isUser, UID_NAMES } from '../names.js';
import { userStrategy } from './strategy.js';

export const UserSpec = z
  .strictObject({
    login: line(190).default('').describe('Name to log in with; the e-mail address if left out.'),
    email: line(190).default('').describe('E-mail address; the login if left out.'),
    name: line(190).default('').describe('Name shown to people.'),
    disabled: z.boolean().default(false).describe('Nobody can log in as a disabled user.'),
    grafanaAdmin: z.boolean().default(false).describe('Administrator of the whole server.'),
    provisioned: z.boolean().optional().describe('Kept by a provisioning system.'),
    emailVerified: z.boolean().optional().describe('The e-mail address is known to be theirs.'),
    activeOrganization: objectName().optional().describe('Organization used where a call names none.'),
  })
  .meta({ id: 'UserSpec', description: 'What a user is.' });
export type UserSpec = z.infer<typeof UserSpec>;

/** Users by login and by e-mail address; tuples are folded (`fold`). */
export const BY_LOGIN = 'byLogin';
export const BY_EMAIL = 'byEmail';
/** Users by name (`[name, login]`), for lists in this order. */
export const BY_NAME = 'byName';

/** The administrators who are neither disabled nor on their way out. */
export const BY_ADMINISTRATOR = 'byAdministrator';

export function isAdministrator({ metadata, spec }: KubeObject): boolean {
  const { grafanaAdmin, disabled } = spec as UserSpec;
  return grafanaAdmin && !disabled && metadata.deletionTimestamp === undefined;
}

export function user(environment: KindEnvironment): Kind<UserSpec> {
  return defineKind<UserSpec>(environment, {
    group: 'iam',
    version: 'v1beta1',
    kind: 'User',
    resource: 'users',
    singular: 'user',
    scope: 'Cluster',
    description: 'User is a person who can log in.',
    spec: UserSpec,
    names: UID_NAMES,
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
    indexers: {
      [BY_LOGIN]: ({ spec }) => [[fold((spec as UserSpec).login)]],
      [BY_EMAIL]: ({ spec }) => [[fold((spec as UserSpec).email)]],
      [BY_ADMINISTRATOR]: (object) => (isAdministrator(object) ? [[1]] : []),
      [BY_NAME]: ({ spec }) => [[fold((spec as UserSpec).name), fold((spec as UserSpec).login)]],
    },
    uniques: {
      [BY_LOGIN]: { field: 'spec.login', message: 'another user has this login' },
      [BY_EMAIL]: { field: 'spec.email', message: 'another user has this e-mail address' },
    },
    permissions: {
      get: ['users:read'],
      create: ['users:create'],
      update: ['users:write'],
      delete: ['users:delete'],
      scopes: uidAndIdScopes('users', environment.domain),
      allowSelf: ({ metadata }, caller, verb) => verb === 'get' && isUser(caller, metadata.name),
    },
    strategy: userStrategy(environment),
    internalId: true,
  });
}
