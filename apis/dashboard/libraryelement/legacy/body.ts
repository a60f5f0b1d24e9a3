import { z } from 'zod';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';

const Model = z.looseObject({});
const common = {
  folderId: z.int().nullish(),
  folderUid: z.string().nullish(),
  name: z.string().nullish(),
  kind: z.int(),
  uid: z.string().nullish(),
};

/** Backups of other servers have an `id`, too. The uid identifies the element, and the server numbers it itself. */
export const CreateBody = z.object({ ...common, model: Model });
export const PatchBody = z.object({ ...common, model: Model.nullish(), version: z.int() });

interface Placed {
  readonly folderId?: number | null | undefined;
  readonly folderUid?: string | null | undefined;
}

/**
 * The folder that a body names: by uid, otherwise by number. Empty and 0 are the root. `undefined` if it names none.
 */
export function folderIn(call: LegacyCall, { folderUid, folderId }: Placed): string | undefined {
  if (folderUid != null) {
    call.numberBeside('field "folderId"', folderId, 'folder/Folder', folderUid);
    return folderUid;
  }
  if (folderId == null) return undefined;
  if (folderId === 0) return '';
  const folder = folderId > 0 ? call.objects('folder/Folder').findById(folderId) : undefined;
  if (folder === undefined) throw plainFailure(400, 'failed to get folder');
  return folder.metadata.name;
}
