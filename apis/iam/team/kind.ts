import { fold } from '../../../pkg/kube/meta/fold.js';
import { column, field, uidAndIdScopes } from '../../../registry/kinds/fields.js';
import { defineKind, type Kind } from '../../../registry/kinds/kind.js';
import { UID_NAMES } from '../../../registry/kinds/names.js';
import { escalationReports } from '../../authorization/escalation.js';
import type { AccessEnvironment } from '../../environment.js';
import { BY_EXTERNAL_UID, BY_GROUP, BY_TITLE, TeamSpec } from './schema.js';
import { teamStrategy } from './strategy.js';

export function team(environment: AccessEnvironment): Kind<TeamSpec> {
  return defineKind<TeamSpec>(environment, {
    identity: {
      group: 'iam',
      version: 'v1beta1',
      kind: 'Team',
      resource: 'teams',
      singular: 'team',
      scope: 'Namespaced',
      description: 'Team is a group of users of the organization.',
      spec: TeamSpec,
      names: UID_NAMES,
    },
    storage: {
      indexers: {
        [BY_TITLE]: ({ metadata, spec }) => [[metadata.namespace ?? '', fold((spec as TeamSpec).title)]],
        [BY_EXTERNAL_UID]: ({ metadata, spec }) => {
          const { externalUID } = spec as TeamSpec;
          return externalUID === undefined ? [] : [[metadata.namespace ?? '', externalUID]];
        },
        [BY_GROUP]: ({ spec }) => ((spec as TeamSpec).groups ?? []).map((group) => [group]),
      },
      uniques: { [BY_TITLE]: { field: 'spec.title', message: 'another team of the organization has this title' } },
      internalId: true,
    },
    access: {
      permissions: {
        get: ['teams:read'],
        create: ['teams:create'],
        update: ['teams:write'],
        delete: ['teams:delete'],
        scopes: uidAndIdScopes('teams', environment.domain),
      },
      reports: escalationReports,
    },
    serving: {
      columns: [
        column<TeamSpec>('Title', 'Name shown to people', ({ title }) => title),
        column<TeamSpec>('Email', 'E-mail address', ({ email }) => email),
      ],
      selectableFields: {
        'spec.title': field<TeamSpec>(({ title }) => title),
        'spec.email': field<TeamSpec>(({ email }) => email),
      },
      searchText: ({ spec }) => fold((spec as TeamSpec).title),
    },
    strategy: teamStrategy(environment),
  });
}
