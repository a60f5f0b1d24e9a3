import { column, field } from '../../../registry/kinds/fields.js';
import { defineKind, type Kind } from '../../../registry/kinds/kind.js';
import { resourceName } from '../../../registry/kinds/names.js';
import { escalationReports } from '../../authorization/escalation.js';
import type { AccessEnvironment } from '../../environment.js';
import { isUser, membershipReference } from '../names.js';
import { BY_PAIR, BY_TEAM, BY_USER, TeamBindingSpec } from './schema.js';
import { teamBindingStrategy } from './strategy.js';

const specOf = ({ spec }: { readonly spec?: unknown }) => spec as TeamBindingSpec;

export function teamBinding(environment: AccessEnvironment): Kind<TeamBindingSpec> {
  const teams = resourceName('iam/teams', environment.domain);
  const users = resourceName('iam/users', environment.domain);
  return defineKind<TeamBindingSpec>(environment, {
    identity: {
      group: 'iam',
      version: 'v1beta1',
      kind: 'TeamBinding',
      resource: 'teambindings',
      singular: 'teambinding',
      scope: 'Namespaced',
      description: 'TeamBinding makes a user a member of a team.',
      spec: TeamBindingSpec,
      names: {
        maxLength: 90,
        pattern: /^[a-zA-Z0-9_.-]+$/,
        patternMessage: 'may hold only letters, digits, ".", "-" and "_"',
      },
    },
    storage: {
      indexers: {
        [BY_TEAM]: (object) => [[object.metadata.namespace ?? '', specOf(object).teamRef.name]],
        [BY_USER]: (object) => [[specOf(object).userRef.name]],
        [BY_PAIR]: (object) => [
          [object.metadata.namespace ?? '', specOf(object).teamRef.name, specOf(object).userRef.name],
        ],
      },
      uniques: { [BY_PAIR]: { field: 'spec.userRef.name', message: 'the user is a member of this team already' } },
      references: (object) => [
        {
          resource: teams,
          namespace: object.metadata.namespace ?? '',
          name: specOf(object).teamRef.name,
          field: 'spec.teamRef.name',
        },
        // The membership comes before the user: errors must not tell whether another organization has a user of this
        // name.
        membershipReference(
          environment.domain,
          object.metadata.namespace ?? '',
          specOf(object).userRef.name,
          'spec.userRef.name',
        ),
        { resource: users, namespace: '', name: specOf(object).userRef.name, field: 'spec.userRef.name' },
      ],
    },
    access: {
      permissions: {
        get: ['teams.permissions:read'],
        create: ['teams.permissions:write'],
        update: ['teams.permissions:write'],
        delete: ['teams.permissions:write'],
        scopes: (object) => [`teams:uid:${specOf(object).teamRef.name}`],
        allowSelf: (object, caller, verb) =>
          verb === 'get' && object.spec !== undefined && isUser(caller, specOf(object).userRef.name),
      },
      reports: escalationReports,
    },
    serving: {
      columns: [
        column<TeamBindingSpec>('Team', 'The team', ({ teamRef }) => teamRef.name),
        column<TeamBindingSpec>('User', 'The member', ({ userRef }) => userRef.name),
        column<TeamBindingSpec>('Permission', 'admin or member', ({ permission }) => permission),
      ],
      selectableFields: {
        'spec.teamRef.name': field<TeamBindingSpec>(({ teamRef }) => teamRef.name),
        'spec.userRef.name': field<TeamBindingSpec>(({ userRef }) => userRef.name),
      },
    },
    strategy: teamBindingStrategy(environment),
  });
}
