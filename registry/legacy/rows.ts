import type { UserInfo } from '../../pkg/authn/user.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import { keyOf, partsOf } from '../../storage/key.js';
import type { ResourceState } from '../../storage/state.js';
import { encodeTuple, type Tuple } from '../../storage/tuple.js';
import { stateView } from '../access/views.js';
import type { Entry, Visibility } from '../access.js';
import type { Kind } from '../kind.js';
import { objectKey, type Registry } from '../registry.js';
import { objectOfEntry } from '../view.js';

import { atHand, inOrder, search } from './ordered.js';

export type { Entry, Visibility } from '../access.js';

/**
 * The objects of one kind as the cache holds them, for lists too long to be parsed whole: an entry has its bytes, the kind's `searchText` and
 * its selectable fields. All of it is of one moment.
 */
export interface Rows<Spec = unknown> {
  /** In the order of an index: those whose tuple begins with `prefix`. */
  by(index: string, prefix: Tuple): Iterable<Entry>;
  /** In the order of an index: all of them, walked no further than they are read. */
  each(index: string): Iterable<Entry>;
  /** In the order of an index: all of them, or those whose text holds the query, which is in lower case. Kept at hand until one changes. */
  all(index: string, query?: string): readonly Entry[];
  /** In the order of names. */
  in(namespace: string): Iterable<Entry>;
  named(namespace: string, name: string): Entry | undefined;
  count(namespace: string): number;
  object(entry: Entry): KubeObject<Spec>;
  nameOf(entry: Entry): string;
  isIn(namespace: string): (entry: Entry) => boolean;
  /** Which of them a caller may see. */
  visible(user: UserInfo, namespace: string): Visibility;
}

export function rowsOf<Spec>({ cacher, access }: Pick<Registry, 'cacher' | 'access'>, kind: Kind): Rows<Spec> {
  const { state } = cacher;
  const resource: ResourceState = state.resource(kind.qualified);
  return {
    by: (index, prefix) => resource.range(index, encodeTuple(prefix)),
    each: (index) => atHand(resource, index) ?? resource.range(index, ''),
    all: (index, query = '') => search(inOrder(resource, index), query),
    in: (namespace) => {
      const low = keyOf(kind.qualified, namespace, '');
      return resource.entries(low, `${low.slice(0, -1)}0`);
    },
    named: (namespace, name) => resource.get(objectKey(kind, namespace, name)),
    count: (namespace) => resource.count(namespace),
    object: (entry) => objectOfEntry(entry) as KubeObject<Spec>,
    nameOf: ({ key }) => partsOf(key).name,
    isIn: (namespace) => {
      const start = keyOf(kind.qualified, namespace, '');
      return ({ key }) => key.startsWith(start);
    },
    visible: (user, namespace) => access.visible({ user, verb: 'list', kind, namespace }, stateView(state)),
  };
}
