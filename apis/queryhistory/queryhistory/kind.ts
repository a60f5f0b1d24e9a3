import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { column, field } from '../../../registry/kinds/fields.js';
import { defineKind, type Kind } from '../../../registry/kinds/kind.js';
import { resourceName, UID_NAMES } from '../../../registry/kinds/names.js';
import { ownedKeys } from '../../../registry/kinds/owned-keys.js';
import type { ApisEnvironment } from '../../environment.js';
import { isUser } from '../../iam/names.js';
import {
  BY_DATASOURCE,
  BY_OWNER,
  BY_STAR,
  datasourcesOf,
  MEMBERSHIP,
  MOST_QUERY_CHARACTERS,
  QueryHistorySpec,
} from './schema.js';
import { queryHistoryStrategy } from './strategy.js';

export function queryHistory(environment: ApisEnvironment): Kind<QueryHistorySpec> {
  const { domain } = environment;
  const ownerOf = ownersIn(domain);
  const membershipOf = ({ metadata }: KubeObject) => metadata.annotations?.[`${domain}/${MEMBERSHIP}`];
  const byTime = (object: KubeObject, ...more: readonly string[]) => [
    object.metadata.namespace ?? '',
    ownerOf(object),
    ...more,
    secondsOf(object),
  ];
  return defineKind<QueryHistorySpec>(environment, {
    identity: {
      group: 'queryhistory',
      version: 'v1beta1',
      kind: 'QueryHistory',
      resource: 'queryhistories',
      singular: 'queryhistory',
      scope: 'Namespaced',
      description: 'QueryHistory is what a user asked a data source; only that user sees it.',
      spec: QueryHistorySpec,
      names: UID_NAMES,
    },
    storage: {
      // The queries, and half of that for the comment and the metadata.
      maxBytes: MOST_QUERY_CHARACTERS * 1.5,
      chargedTo: ownerOf,
      internalId: true,
      indexers: {
        [BY_OWNER]: (object) => [byTime(object)],
        [BY_STAR]: (object) => (specOf(object).starred ? [byTime(object)] : []),
        [BY_DATASOURCE]: (object) => [...datasourcesOf(specOf(object))].map((uid) => byTime(object, uid)),
      },
      dependsOn: {
        resource: resourceName('iam/organizationbindings', domain),
        owner: (object) => {
          const uid = membershipOf(object);
          return uid === undefined ? undefined : { name: ownerOf(object).slice(USER.length), uid };
        },
      },
      expiry: {
        since: (object) => (specOf(object).starred ? undefined : secondsOf(object) * 1000),
        lasts: environment.queryHistoryRetention,
      },
      ownKeys: [MEMBERSHIP],
    },
    access: {
      permissions: {
        get: ['queryhistory:read'],
        create: ['queryhistory:write'],
        update: ['queryhistory:write'],
        delete: ['queryhistory:delete'],
        scopes: ({ metadata }) => [`queryhistory:uid:${metadata.name}`],
        // The server notes the caller as the creator, so whatever somebody creates is their own.
        allowSelf: (object, user, verb) =>
          isUser(user, user.uid) && (verb === 'create' || ownerOf(object) === `${USER}${user.uid}`),
      },
    },
    serving: {
      served: environment.features.queryHistory,
      columns: [
        column<QueryHistorySpec>('Datasource', 'Data source that was asked', ({ datasourceUid }) => datasourceUid),
        column<QueryHistorySpec>('Starred', 'Whether it is kept', ({ starred }) => starred),
        column<QueryHistorySpec>('Comment', 'What its owner says about it', ({ comment }) => comment, 1),
      ],
      selectableFields: {
        'spec.datasourceUid': field<QueryHistorySpec>(({ datasourceUid }) => datasourceUid),
        'spec.starred': field<QueryHistorySpec>(({ starred }) => String(starred)),
      },
    },
    strategy: queryHistoryStrategy(domain),
  });
}

/** The prefix of users in the annotation `createdBy`. */
const USER = 'user:';

/** Tells who created an item: `user:<uid>`. Only the server sets this. */
export function ownersIn(domain: string): (object: KubeObject) => string {
  const { createdBy } = ownedKeys(domain);
  return ({ metadata }) => metadata.annotations?.[createdBy] ?? '';
}

/** When the item was created, in seconds since the epoch. */
export function secondsOf({ metadata }: KubeObject): number {
  return Date.parse(metadata.creationTimestamp ?? '') / 1000 || 0;
}

function specOf({ spec }: KubeObject): QueryHistorySpec {
  return (spec ?? { datasourceUid: '', queries: [], comment: '', starred: false }) as QueryHistorySpec;
}
