import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { badRequest } from '../../../pkg/kube/status/errors.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { groupName } from '../../../registry/kinds/kind.js';
import { CONTAINER_INDEX, containerTuple } from '../../../registry/kinds/registry.js';
import type { Strategy, WriteContext } from '../../../registry/kinds/strategy.js';
import { withAnnotation } from '../../../registry/kinds/with-annotation.js';
import { nameOf } from '../../../registry/read/reader.js';
import type { ApisEnvironment } from '../../environment.js';
import { creatorGrants, ON_FOLDER } from '../../iam/creator.js';
import { isEnding } from '../../iam/ending.js';
import { basicRolesCauses, withoutBasicRoles } from '../basic-roles.js';
import { ROOT, withoutRoot } from '../placement.js';
import { accessConsequences } from './consequences.js';
import { type FolderSpec, RESERVED_NAMES } from './schema.js';

type Folder = KubeObject<FolderSpec>;

/** The beginnings of messages about an invalid parent. The legacy API recognizes the problem by them. */
export const PARENT_PROBLEMS = {
  own: 'folder cannot be parent of itself',
  circular: 'Circular reference detected',
  depth: 'Maximum nested folder depth reached',
} as const;

export const NESTED_DISABLED = 'nested folders are disabled on this server (features.nested_folders)';

/**
 * While nested folders are disabled, all folders are listed side by side: callers could not see what would be deleted
 * with one.
 */
export const NOT_EMPTY = 'Folder cannot be deleted: folder is not empty';

/** A folder lies below an existing folder, at most `max_folder_depth` levels deep, and never below itself. */
export function folderStrategy(environment: ApisEnvironment): Strategy<FolderSpec> {
  const parentKey = `${environment.domain}/folder`;
  const grants = creatorGrants(environment.domain, ON_FOLDER);
  const resource = `folders.${groupName('folder', environment.domain)}`;
  const field = `metadata.annotations[${parentKey}]`;
  const isPrivate = withoutBasicRoles(environment.domain);
  const parentOf = (folder: KubeObject): string | undefined => folder.metadata.annotations?.[parentKey] || undefined;

  const levelOf = (name: string | undefined, ctx: WriteContext): number => ancestors(name, ctx).length;

  /** The names from the folder itself up to the root, or up to a folder that does not exist. */
  const ancestors = (name: string | undefined, ctx: WriteContext): readonly string[] => {
    const names: string[] = [];
    for (let at = name; at !== undefined && !names.includes(at); ) {
      names.push(at);
      const folder = ctx.reader.get(resource, ctx.namespace, at);
      at = folder === undefined ? undefined : parentOf(folder);
    }
    return names;
  };

  const hasFolders = (name: string, { reader, namespace }: WriteContext): boolean =>
    reader.range(resource, CONTAINER_INDEX, containerTuple(namespace, name), 1).length > 0;

  function* parentProblem(
    folder: Folder,
    old: Folder | undefined,
    ctx: WriteContext,
  ): Generator<undefined, string | undefined, undefined> {
    const { name } = folder.metadata;
    const parent = parentOf(folder);
    if (parent === undefined || parent === (old && parentOf(old))) return undefined;
    if (!environment.features.nestedFolders) return NESTED_DISABLED;
    if (parent === name) return PARENT_PROBLEMS.own;
    // Folders may wait below a folder that is created only now.
    if (ancestors(parent, ctx).includes(name)) return `${PARENT_PROBLEMS.circular}: a folder cannot lie below itself`;
    const { maxFolderDepth } = environment.features;
    const level = levelOf(parent, ctx);
    const depth = level + (yield* heightOf(resource, name, ctx, maxFolderDepth - level + 1));
    return depth > maxFolderDepth
      ? `${PARENT_PROBLEMS.depth}: at most ${maxFolderDepth} levels, this would make ${old === undefined ? '' : 'at least '}${depth}`
      : undefined;
  }

  return {
    prepareForCreate: (folder) => grants.without(withoutRoot(folder, environment.domain)),
    prepareForUpdate: (sent, old) => {
      const folder = grants.without(sent);
      return environment.features.nestedFolders
        ? withoutRoot(folder, environment.domain)
        : keepParent(folder, old, parentKey);
    },
    // The administrators of the parent folder administer a nested folder. Its creator gets permissions of their own
    // only if it is private, because what they have as Editor does not hold there.
    alsoCreate: (folder, sent, ctx) =>
      parentOf(folder) === undefined || isPrivate(folder) ? grants.create(folder, sent, ctx) : [],
    *validateInSteps(folder, old, ctx) {
      const causes: StatusCause[] = old === undefined ? [...nameCauses(folder)] : [];
      causes.push(...basicRolesCauses(folder, environment.domain), ...grants.causes(folder));
      if (folder.spec?.title.toLowerCase() === ROOT) causes.push(TITLE_TAKEN);
      const problem = yield* parentProblem(folder, old, ctx);
      return problem === undefined ? causes : [...causes, { reason: 'FieldValueInvalid', message: problem, field }];
    },
    consequences: (folder, old, ctx) => accessConsequences('Folder', folder, old, ctx, environment),
    validateDelete: ({ metadata: { name } }, ctx) => {
      if (environment.features.nestedFolders || !hasFolders(name, ctx) || isEnding(ctx, environment.domain)) return;
      throw badRequest(NOT_EMPTY);
    },
  };
}

/**
 * The number of levels of the subtree, of which at most `limit` are counted: 1 for a folder without subfolders. The
 * last level is not looked at one by one, because there may be thousands of folders in it: whether a folder has one is
 * enough. Pauses after each folder of the other levels.
 */
function* heightOf(
  resource: string,
  name: string,
  ctx: WriteContext,
  limit: number,
): Generator<undefined, number, undefined> {
  if (limit <= 1) return 1;
  let height = 0;
  for (const child of ctx.reader.walk(resource, CONTAINER_INDEX, containerTuple(ctx.namespace, name))) {
    height = Math.max(height, yield* heightOf(resource, nameOf(child), ctx, limit - 1));
    if (height === limit - 1) break;
    yield;
  }
  return 1 + height;
}

const TITLE_TAKEN: StatusCause = {
  reason: 'FieldValueDuplicate',
  message: 'a folder with that name already exists: "General" is the root folder',
  field: 'spec.title',
};

function nameCauses({ metadata }: Folder): readonly StatusCause[] {
  if (!RESERVED_NAMES.some((name) => name === metadata.name)) return [];
  const message = `invalid uid for folder provided: ${JSON.stringify(metadata.name)} is reserved`;
  return [{ reason: 'FieldValueInvalid', message, field: 'metadata.name' }];
}

/** Keeps the stored parent if none was sent, so that disabling nested folders loses no hierarchy. */
function keepParent(folder: Folder, old: Folder, parentKey: string): Folder {
  const sent = folder.metadata.annotations?.[parentKey];
  const stored = old.metadata.annotations?.[parentKey];
  return sent === undefined || sent === '' || sent === ROOT ? withAnnotation(folder, parentKey, stored) : folder;
}
