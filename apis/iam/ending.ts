import { isTerminating } from '../../pkg/kube/meta/types.js';
import { resourceName } from '../../registry/kinds/names.js';
import type { WriteContext } from '../../registry/kinds/strategy.js';

/** Whether the organization of a write is being deleted. Rules that keep objects in it do not apply then. */
export function isEnding({ reader, namespace }: WriteContext, domain: string): boolean {
  const organization = reader.get(resourceName('iam/organizations', domain), '', namespace);
  return organization !== undefined && isTerminating(organization);
}
