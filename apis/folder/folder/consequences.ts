import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { Steps } from '../../../pkg/system/yielding/steps.js';
import type { WriteContext } from '../../../registry/kinds/strategy.js';
import type { AccessEnvironment } from '../../environment.js';
import { positionConsequences } from '../../iam/access/consequences.js';
import type { AccessTarget, Position } from '../../iam/access/place.js';
import { withoutBasicRoles } from '../basic-roles.js';
import { folderOf } from '../placement.js';

/**
 * Warnings about access after a write of a folder or a dashboard. A move and a change of the annotation may give access
 * and take it away.
 */
export function* accessConsequences(
  kind: AccessTarget['kind'],
  object: KubeObject | undefined,
  old: KubeObject | undefined,
  context: WriteContext,
  environment: AccessEnvironment,
): Steps<readonly string[]> {
  if (object === undefined) return [];
  const { domain } = environment;
  const isPrivate = withoutBasicRoles(domain);
  const positionOf = (one: KubeObject): Position => ({ container: folderOf(one, domain), isPrivate: isPrivate(one) });
  const target = { kind, name: object.metadata.name };
  return yield* positionConsequences(target, positionOf(object), old && positionOf(old), context, environment);
}
