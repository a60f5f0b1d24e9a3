import { fold } from '../../../pkg/kube/meta/fold.js';
import { column, field, uidAndIdScopes } from '../../../registry/kinds/fields.js';
import { defineKind, type Kind } from '../../../registry/kinds/kind.js';
import { resourceName, UID_NAMES } from '../../../registry/kinds/names.js';
import { escalationReports } from '../../authorization/escalation.js';
import type { ApisEnvironment } from '../../environment.js';
import { GRANT } from '../creator.js';
import { SERVICE_ACCOUNT_PREFIX } from '../names.js';
import { BY_TITLE, ServiceAccountSpec } from './schema.js';
import { serviceAccountStrategy } from './strategy.js';
import { tokenSubresource } from './token-subresource.js';

export function serviceAccount(environment: ApisEnvironment): Kind<ServiceAccountSpec> {
  return defineKind<ServiceAccountSpec>(environment, {
    identity: {
      group: 'iam',
      version: 'v1beta1',
      kind: 'ServiceAccount',
      resource: 'serviceaccounts',
      singular: 'serviceaccount',
      shortNames: ['sa'],
      scope: 'Namespaced',
      description: 'ServiceAccount is a program that calls the server with tokens.',
      spec: ServiceAccountSpec,
      names: UID_NAMES,
    },
    storage: {
      indexers: {
        [BY_TITLE]: ({ metadata, spec }) => [[metadata.namespace ?? '', fold((spec as ServiceAccountSpec).title)]],
      },
      uniques: {
        [BY_TITLE]: { field: 'spec.title', message: 'another service account of the organization has this title' },
      },
      ownKeys: [GRANT],
      internalId: true,
      // The legacy API identifies users and service accounts by numbers of one sequence.
      idSequence: resourceName('iam/users', environment.domain),
    },
    access: {
      permissions: {
        get: ['serviceaccounts:read'],
        create: ['serviceaccounts:create'],
        update: ['serviceaccounts:write'],
        delete: ['serviceaccounts:delete'],
        scopes: uidAndIdScopes('serviceaccounts', environment.domain),
        allowSelf: ({ metadata: { namespace, name } }, caller, verb) =>
          verb === 'get' && caller.name === `${SERVICE_ACCOUNT_PREFIX}${namespace}:${name}`,
      },
      reports: escalationReports,
    },
    serving: {
      subresources: [tokenSubresource(environment)],
      columns: [
        column<ServiceAccountSpec>('Title', 'Name shown to people', ({ title }) => title),
        column<ServiceAccountSpec>('Role', 'Role in the organization', ({ role }) => role),
        column<ServiceAccountSpec>('Disabled', 'Whether its tokens are refused', ({ disabled }) => disabled),
      ],
      selectableFields: { 'spec.title': field<ServiceAccountSpec>(({ title }) => title) },
      searchText: ({ spec }) => fold((spec as ServiceAccountSpec).title),
    },
    strategy: serviceAccountStrategy(environment),
  });
}
