import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { Described, ReportedEvent } from '../../../registry/kinds/reports.js';
import { namedAccess } from '../../iam/access.js';
import { accessTo } from '../access.js';

/** The action of callers who may know who has access. */
const SEES_ACCESS = 'folders.permissions:read';

/** What is in a folder, and who has access to it, for people who describe it. */
export function descriptionOf(domain: string): (folder: KubeObject, about: Described) => readonly ReportedEvent[] {
  return (folder, { reader, namespace, contents, may }) => {
    const happening = (reason: string, message: string): ReportedEvent => ({ reason, type: 'Normal', message });
    const counts = [...contents].map(([resource, count]) => `${resource}: ${count}`).join(', ');
    const contained = happening('Contents', counts === '' ? 'it is empty' : `directly in it: ${counts}`);
    if (!may(SEES_ACCESS)) return [contained];
    const named = namedAccess(accessTo(folder, 'Folder', { reader, namespace, domain }));
    const all = ['administrators (Admin)', ...(named === '' ? [] : [named])].join(', ');
    return [contained, happening('Access', `these have access: ${all}`)];
  };
}
