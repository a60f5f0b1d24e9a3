import { z } from 'zod';
import type { ApiResponse } from '../../../../pkg/http/handler.js';
import { ulidGenerator } from '../../../../pkg/kube/meta/ulid.js';
import { notFound } from '../../../../pkg/kube/status/errors.js';
import { yielding } from '../../../../pkg/system/yielding/yielding.js';
import type { IndexRange } from '../../../../registry/client/object-reader.js';
import type { ObjectClient } from '../../../../registry/client/objects.js';
import { flag, isEditOnly, positive } from '../../../../registry/legacy/body.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { accessDenied, LegacyError, plainFailure } from '../../../../registry/legacy/errors.js';
import { deleted, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRouter, legacyRouter, routes } from '../../../../registry/legacy/router.js';
import { each, okArray } from '../../../../registry/legacy/stream.js';
import { NO_DELETE_OPTIONS } from '../../../../registry/write/delete.js';
import type { ApisEnvironment, ConfiguredServices } from '../../../environment.js';
import { DEFAULT_GRANT, GRANT } from '../../../iam/creator.js';
import { accessControlRoutes } from '../../../iam/rolebinding/legacy/access-control.js';
import { permissionRoutes } from '../../../iam/rolebinding/legacy/permissions.js';
import { folderOf, ROOT } from '../../placement.js';
import { BY_PARENT, FORCE_DELETE_RULES, type FolderSpec, folderAnnotation } from '../schema.js';
import { NESTED_DISABLED } from '../strategy.js';
import { FOLDER, FOLDER_COUNTS, FOLDER_DELETED, FOLDERS } from './answers.js';
import { descendantCounts, FOLDER_ANSWERED, type Folder, folderDto } from './dto.js';
import {
  ACCESS_ESCALATION,
  FALLBACK,
  FOLDER_ERRORS,
  FORBIDDEN_CREATION,
  FORBIDDEN_MOVE,
  PARENT_ERRORS,
  VERSION_MISMATCH,
  VERSION_MISSING,
} from './errors.js';
import { FOLDER_NOTES } from './notes.js';
import { folderPlace } from './place.js';

const LIMIT = 1000;

const newUid = ulidGenerator();

const CreateBody = z.object({
  uid: z.string().nullish(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  parentUid: z.string().nullish(),
});

const UpdateBody = z.object({
  title: z.string().nullish(),
  description: z.string().nullish(),
  version: z.int().nullish().describe('The version that was read. Send this or `overwrite`.'),
  overwrite: z.boolean().nullish().describe('Whether the folder is changed although its version may be another one.'),
});

const MoveBody = z.object({ parentUid: z.string().nullish() });

function handlersOf(environment: ApisEnvironment) {
  const folders = (call: LegacyCall): ObjectClient<FolderSpec> => call.objects<FolderSpec>('folder/Folder');
  const dto = (call: LegacyCall, folder: Folder): ApiResponse => ok(folderDto(call, folder, environment));
  const parentKey = folderAnnotation(environment.domain);
  const grantKey = `${environment.domain}/${GRANT}`;

  const list: LegacyHandler = (call) => listed(call, folders(call), environment);
  const get: LegacyHandler = (call) => dto(call, folders(call).get(call.param('uid')));
  const counts: LegacyHandler = (call) => ok(descendantCounts(call, folders(call).get(call.param('uid'))));

  const byId: LegacyHandler = (call) => {
    const found = folders(call).findById(call.id('id'));
    if (found === undefined) throw notFound(folders(call).kind, call.param('id'));
    return dto(call, folders(call).get(found.metadata.name));
  };

  const create: LegacyHandler = async (call) => {
    // The answer to callers who may create folders nowhere. Others are told that they may not create one here.
    if (!folders(call).may('folders:create')) throw accessDenied(['folders:create', 'folders:write']);
    const body = call.body(CreateBody);
    const folder = await folders(call).create({
      metadata: {
        name: body.uid || newUid(),
        annotations: { [grantKey]: DEFAULT_GRANT, ...(body.parentUid && { [parentKey]: body.parentUid }) },
      },
      spec: { title: body.title ?? '', ...(body.description && { description: body.description }) },
    });
    return dto(call, folder);
  };

  const update: LegacyHandler = async (call) => {
    const name = call.param('uid');
    folders(call).getFor('update', name);
    const body = call.body(UpdateBody);
    const folder = await folders(call).update(name, (old) => {
      checkVersion(old, body);
      const { title, description } = body;
      return {
        ...old,
        spec: { ...specOf(old), ...(title != null && { title }), ...(description != null && { description }) },
      };
    });
    call.keeps({
      id: folders(call).idOf(folder),
      orgId: call.organization.id,
      parentUid: folderOf(folder, environment.domain) ?? ROOT,
    });
    return dto(call, folder);
  };

  const move: LegacyHandler = async (call) => {
    folders(call).getFor('update', call.param('uid'));
    const parent = call.body(MoveBody).parentUid ?? '';
    const folder = await folders(call).update(call.param('uid'), (old) => ({
      ...old,
      metadata: { ...old.metadata, annotations: { ...old.metadata.annotations, [parentKey]: parent } },
    }));
    return dto(call, folder);
  };

  const remove: LegacyHandler = async (call) => {
    const parameters = deleteParameters(call);
    const folder = await folders(call).delete(call.param('uid'), { ...NO_DELETE_OPTIONS, parameters });
    return deleted(folder, 'Folder deleted', { id: folders(call).idOf(folder) });
  };

  return { list, get, counts, byId, create, update, move, remove };
}

/** `/api/folders`. */
export function folderRouter(services: ConfiguredServices): LegacyRouter {
  const { environment } = services;
  const { list, get, counts, byId, create, update, move, remove } = handlersOf(environment);
  const place = folderPlace(environment);
  const errors = [...FOLDER_ERRORS, ...PARENT_ERRORS];
  return legacyRouter(
    services,
    routes(
      { notes: FOLDER_NOTES, errors, fallback: FALLBACK, answerMembers: FOLDER_ANSWERED },
      {
        'GET /folders': {
          answer: FOLDERS,
          summary: 'Lists the folders in a folder, or at the root',
          query: ['parentUid', 'permission', 'limit', 'page'],
          handle: list,
        },
        'GET /folders/:uid': {
          single: true,
          answer: FOLDER,
          summary: 'Reads a folder',
          query: ['accesscontrol'],
          handle: get,
        },
        'GET /folders/id/:id': { single: true, answer: FOLDER, summary: 'Reads a folder by its number', handle: byId },
        'PUT /folders/:uid': {
          answer: FOLDER,
          summary: 'Changes the title and the description of a folder',
          body: UpdateBody,
          handle: update,
        },
        'DELETE /folders/:uid': {
          answer: FOLDER_DELETED,
          summary: 'Deletes a folder with everything in it',
          query: ['forceDeleteRules'],
          handle: remove,
        },
        'GET /folders/:uid/counts': {
          single: true,
          answer: FOLDER_COUNTS,
          summary: 'Counts what is in a folder',
          handle: counts,
        },
      },
    ),
    routes(
      {
        notes: FOLDER_NOTES,
        errors: [...errors, FORBIDDEN_CREATION],
        fallback: FALLBACK,
        answerMembers: FOLDER_ANSWERED,
      },
      { 'POST /folders': { answer: FOLDER, summary: 'Creates a folder', body: CreateBody, handle: create } },
    ),
    environment.features.nestedFolders
      ? routes(
          {
            notes: FOLDER_NOTES,
            errors: [...errors, ACCESS_ESCALATION, FORBIDDEN_MOVE],
            fallback: FALLBACK,
            answerMembers: FOLDER_ANSWERED,
          },
          {
            'POST /folders/:uid/move': {
              answer: FOLDER,
              summary: 'Moves a folder into another one',
              body: MoveBody,
              handle: move,
            },
          },
        )
      : [],
    permissionRoutes(place),
    accessControlRoutes(place),
  );
}

/** The version is the generation that the caller has read. Without `overwrite` it must be the current one. */
function checkVersion(old: Folder, { version, overwrite }: z.infer<typeof UpdateBody>): void {
  if (overwrite === true || version === old.metadata.generation) return;
  throw new LegacyError(412, version == null ? VERSION_MISSING : VERSION_MISMATCH);
}

function specOf({ spec, metadata }: Folder): FolderSpec {
  if (spec === undefined) throw new Error(`the folder ${metadata.name} has no spec`);
  return spec;
}

/** The parameters of DELETE that folders have on this server. */
function deleteParameters(call: LegacyCall): ReadonlyMap<string, string> {
  const isKnown = FORCE_DELETE_RULES in (call.kind('folder/Folder').deleteOptions ?? {});
  return isKnown ? new Map([[FORCE_DELETE_RULES, `${flag(call.query, FORCE_DELETE_RULES)}`]]) : new Map();
}

/**
 * A page of the folders in a folder or at the root that the caller may view, by title. A page may have all folders, so
 * others get their turns in between.
 */
async function listed(
  call: LegacyCall,
  folders: ObjectClient<FolderSpec>,
  environment: ApisEnvironment,
): Promise<ApiResponse> {
  const { query } = call;
  const limit = positive(query, 'limit', LIMIT);
  const first = (positive(query, 'page', 1) - 1) * limit;
  const range = rangeOf(call, folders, environment);
  const isEditable = (folder: Folder): boolean => folders.may('folders:write', folder);
  const found = isEditOnly(query)
    ? await part(folders.list(range), isEditable, first, limit)
    : await part(folders.list(range, first), () => true, 0, limit);
  return okArray(each(found, (folder) => itemOf(folders, folder)));
}

/** The matching folders from `first` on, at most `limit`. Reads no further than needed. */
async function part(all: Iterable<Folder>, fits: (folder: Folder) => boolean, first: number, limit: number) {
  const found: Folder[] = [];
  let seen = 0;
  for await (const folder of yielding(all)) {
    if (fits(folder) && seen++ >= first) found.push(folder);
    // Checked here, because the loop would read on for the next one.
    if (found.length === limit) break;
  }
  return found;
}

/** While nested folders are disabled, all folders are listed side by side, and none lies in another one. */
function rangeOf(
  { query, organization: { namespace } }: LegacyCall,
  folders: ObjectClient<FolderSpec>,
  { features }: ApisEnvironment,
): IndexRange {
  const asked = query.get('parentUid') ?? '';
  const parent = asked === ROOT ? '' : asked;
  if (!features.nestedFolders) {
    if (parent !== '') throw plainFailure(400, `parentUid: ${NESTED_DISABLED}`);
    return { index: BY_PARENT, prefix: [namespace] };
  }
  if (parent !== '') folders.get(parent);
  return { index: BY_PARENT, prefix: [namespace, parent] };
}

function itemOf(folders: ObjectClient<FolderSpec>, folder: Folder): unknown {
  return { id: folders.idOf(folder), uid: folder.metadata.name, title: specOf(folder).title };
}
