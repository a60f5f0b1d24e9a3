import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { Described, ReportedEvent } from '../../../registry/kinds/reports.js';
import type { AccessEnvironment } from '../../environment.js';
import { describedAccess } from '../../iam/access/consequences.js';

/** The action of callers who may know who has access. */
const SEES_ACCESS = 'folders.permissions:read';

/** What is in a folder, and who has access to it, for people who describe it. */
export function descriptionOf(
  environment: AccessEnvironment,
): (folder: KubeObject, about: Described) => readonly ReportedEvent[] {
  return ({ metadata: { name } }, { reader, namespace, contents, may }) => {
    const happening = (reason: string, message: string): ReportedEvent => ({ reason, type: 'Normal', message });
    const counts = [...contents].map(([resource, count]) => `${resource}: ${count}`).join(', ');
    const contained = happening('Contents', counts === '' ? 'it is empty' : `directly in it: ${counts}`);
    if (!may(SEES_ACCESS)) return [contained];
    const named = describedAccess({ kind: 'Folder', name }, { reader, namespace, environment });
    return [contained, happening('Access', `these have access: ${['administrators (Admin)', ...named].join(', ')}`)];
  };
}
