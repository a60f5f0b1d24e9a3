import { fold } from '../../../pkg/kube/meta/fold.js';
import { defineKind, type Kind } from '../../../registry/kinds/kind.js';
import { resourceName, UID_NAMES } from '../../../registry/kinds/names.js';
import type { ApisEnvironment } from '../../environment.js';
import { BY_ACCOUNT, BY_HASH, BY_TITLE, TokenSpec } from './schema.js';
import { tokenStrategy } from './strategy.js';

const specOf = ({ spec }: { readonly spec?: unknown }) => spec as TokenSpec;

/** A bearer token of a service account. Only the hash of the token is stored. */
export function token(environment: ApisEnvironment): Kind<TokenSpec> {
  const accounts = resourceName('iam/serviceaccounts', environment.domain);
  return defineKind<TokenSpec>(environment, {
    identity: {
      group: 'internal',
      version: 'v1beta1',
      kind: 'Token',
      resource: 'tokens',
      singular: 'token',
      scope: 'Namespaced',
      description: 'Token holds the hash of a bearer token of a service account.',
      spec: TokenSpec,
      names: UID_NAMES,
    },
    storage: {
      indexers: {
        [BY_HASH]: (object) => [[specOf(object).hash]],
        [BY_ACCOUNT]: (object) => [[object.metadata.namespace ?? '', specOf(object).serviceAccountRef.name]],
        [BY_TITLE]: (object) => {
          const { serviceAccountRef, title } = specOf(object);
          return [[object.metadata.namespace ?? '', serviceAccountRef.name, fold(title)]];
        },
      },
      uniques: {
        [BY_HASH]: { field: 'spec.hash', message: 'this token exists already' },
        [BY_TITLE]: { field: 'spec.title', message: 'another token of the service account has this title' },
      },
      references: (object) => [
        {
          resource: accounts,
          namespace: object.metadata.namespace ?? '',
          name: specOf(object).serviceAccountRef.name,
          field: 'spec.serviceAccountRef.name',
        },
      ],
      internalId: true,
    },
    serving: { served: false },
    strategy: tokenStrategy(environment),
  });
}
