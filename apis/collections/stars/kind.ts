import { column } from '../../../registry/kinds/fields.js';
import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { resourceName, UID_NAMES } from '../../../registry/kinds/names.js';
import { DASHBOARD_IDS } from '../../dashboard-numbers.js';
import { isUser, membershipReference } from '../../iam/names.js';
import { StarsSpec, starsOwner, USER_STARS } from './schema.js';
import { starsStrategy } from './strategy.js';

const READ = ['users:read'];
const WRITE = ['users:write'];

export function stars(environment: KindEnvironment): Kind<StarsSpec> {
  const { domain } = environment;
  return defineKind<StarsSpec>(environment, {
    identity: {
      group: 'collections',
      version: 'v1beta1',
      kind: 'Stars',
      resource: 'stars',
      singular: 'stars',
      scope: 'Namespaced',
      description: 'Stars are what a user has marked to find it again, such as dashboards.',
      spec: StarsSpec,
      names: {
        maxLength: UID_NAMES.maxLength + USER_STARS.length,
        pattern: /^user-[a-zA-Z0-9_-]+$/,
        patternMessage: 'must be "user-" and the name of a user',
      },
    },
    storage: {
      maxBytes: 128 * 1024,
      chargedTo: ({ metadata }) => `user:${starsOwner(metadata.name)}`,
      ownKeys: [DASHBOARD_IDS],
      references: ({ metadata: { name, namespace = '' } }) => {
        const [user, field] = [starsOwner(name), 'metadata.name'];
        return [
          { resource: resourceName('iam/users', domain), namespace: '', name: user, field },
          // Optional: server administrators have stars also in organizations to which they do not belong.
          { ...membershipReference(domain, namespace, user, field), optional: true },
        ];
      },
    },
    access: {
      permissions: {
        get: READ,
        create: WRITE,
        update: WRITE,
        delete: WRITE,
        scopes: ({ metadata }) => [`users:uid:${starsOwner(metadata.name)}`],
        allowSelf: ({ metadata }, caller) => isUser(caller, starsOwner(metadata.name)),
      },
    },
    serving: {
      columns: [
        column<StarsSpec>('Starred', 'Number of starred objects', ({ resource }) =>
          String(resource.reduce((sum, { names }) => sum + names.length, 0)),
        ),
      ],
    },
    strategy: starsStrategy(environment),
  });
}
