import { resourceName } from '../../../registry/kinds/names.js';
import { isEntryEffective } from '../../../registry/kinds/ready-condition.js';
import type { WriteContext } from '../../../registry/kinds/strategy.js';
import { nameOf, objectOf, placeOf } from '../../../registry/read/reader.js';
import type { AccessEnvironment } from '../../environment.js';
import type { RoleBindingSpec } from '../rolebinding/schema.js';
import type { NamedBinding } from './bindings.js';

/** The most bindings that the warnings about one write look at. */
const MOST_BINDINGS = 1000;

export interface BoundBinding extends NamedBinding {
  readonly namespace: string;
}

/** The bindings in a range that are in force, and the number of those that the author of the write may not view. */
export function boundBindings(
  { index, prefix }: { readonly index: string; readonly prefix: readonly string[] },
  { reader, visible }: Pick<WriteContext, 'reader' | 'visible'>,
  { domain }: AccessEnvironment,
): { readonly shown: readonly BoundBinding[]; readonly hidden: number } {
  const resource = resourceName('iam/rolebindings', domain);
  const all = reader.entries(resource, index, prefix, MOST_BINDINGS).filter(isEntryEffective);
  const shown = all.flatMap((entry): readonly BoundBinding[] => {
    const [namespace, name] = [placeOf(entry)[0] ?? '', nameOf(entry)];
    if (visible(resource, namespace, name) === undefined) return [];
    return [{ namespace, name, spec: objectOf<RoleBindingSpec>(entry).spec as RoleBindingSpec }];
  });
  return { shown, hidden: all.length - shown.length };
}

export function hiddenPlaces(bindings: number): readonly string[] {
  if (bindings === 0) return [];
  return [
    `access also changes by ${bindings} more ${bindings === 1 ? 'RoleBinding' : 'RoleBindings'}, which you may not view`,
  ];
}
