import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { unlessAbsent } from '../../../pkg/legacyclient/failure.js';
import type { Draft } from './draft.js';
import { type Move, storing } from './move.js';
import type { Subject } from './people.js';
import type { Resource } from './resources.js';
import { OPTION } from './trust.js';

/** The object of that name if it is here. In a dry run, what would have been created is not. */
export async function liveOf(move: Move, kind: Resource, name: string): Promise<KubeObject | undefined> {
  const { target } = move;
  const namespace = kind.isGlobal === true ? '' : move.namespace;
  return (await target.has(kind, namespace, name)) ? unlessAbsent(target.get(kind, namespace, name)) : undefined;
}

/** Whether the object was here before, so that the source may not say what it is. */
export function wasBefore({ trust, target }: Move, live: KubeObject | undefined): boolean {
  return live !== undefined && !trust.isGiven && trust.from !== undefined && !trust.hasMade(live, target.domain);
}

/** Stores what gives somebody something. Who was here before keeps what they have. */
export async function granting(move: Move, resource: Resource, draft: Draft, subject: Subject): Promise<void> {
  const { trust, target, namespace } = move;
  if (!trust.isStranger(namespace, subject) || (await target.isSame(resource, namespace, draft)))
    return storing(move, resource, draft);
  trust.withhold(namespace, subject, resource.plural);
}

/** The row of what only somebody who administers the server may decide. */
export function withheld({ report }: Pick<Move, 'report'>, what: string, text: string): void {
  report.leaveOut(what, `${text}. ${OPTION} changes that`);
}
