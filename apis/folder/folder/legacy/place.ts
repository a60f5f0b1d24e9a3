import type { LegacyCall } from '../../../../registry/legacy/call.js';
import type { ApisEnvironment } from '../../../environment.js';
import { ON_FOLDER } from '../../../iam/creator.js';
import { slug } from '../../../iam/legacy/formats.js';
import type { BindingTarget, ListedPlace, Located, TargetSource } from '../../../iam/rolebinding/legacy/place.js';
import { BY_FOLDER } from '../../../iam/rolebinding/schema.js';
import { privacyIn } from '../../basic-roles.js';
import { folderOf } from '../../placement.js';
import type { FolderSpec } from '../schema.js';
import { type Folder, folderUrl, REDACTED } from './dto.js';
import { FALLBACK, FOLDER_ERRORS } from './errors.js';

export function folderPlace({ access, domain }: ApisEnvironment): ListedPlace {
  const place: ListedPlace = {
    kind: 'folder/Folder',
    plural: 'folders',
    path: '/folders/:uid/permissions',
    index: BY_FOLDER,
    sets: access.folders,
    errors: FOLDER_ERRORS.filter(({ reason }) => reason === 'NotFound'),
    fallback: FALLBACK,
    ...ON_FOLDER,
    basicRoles: {
      privacy: privacyIn(domain),
      isAtRoot: (object) => folderOf(object, domain) === undefined,
      listsDecideInside: true,
    },
    fields: (call, object) => fields(call, object as Folder),
    updated: (call, object) => ({
      message: 'Folder permissions updated',
      id: call.objects('folder/Folder').idOf(object),
      title: (object as Folder).spec?.title,
    }),
    above: (source, object) => locatedFolder(source, place, folderOf(object, domain)),
  };
  return place;
}

/** The folder of this name. `undefined` for the root. */
export function locatedFolder(
  source: TargetSource,
  place: BindingTarget,
  name: string | undefined,
): Located | undefined {
  const object = name === undefined ? undefined : source.objects<FolderSpec>('folder/Folder').find(name);
  return object && { place, object };
}

/**
 * Administrators of a folder see who has access through a parent folder. They see the name of that parent only if they
 * may read it.
 */
function fields(call: LegacyCall, folder: Folder): Readonly<Record<string, unknown>> {
  const folders = call.objects('folder/Folder');
  if (!folders.may('folders:read', folder)) return { ...REDACTED, isFolder: true };
  const title = folder.spec?.title ?? '';
  return {
    uid: folder.metadata.name,
    folderId: folders.idOf(folder),
    title,
    slug: slug(title),
    isFolder: true,
    url: folderUrl(folder),
  };
}
