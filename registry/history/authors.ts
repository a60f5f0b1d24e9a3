import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { entryAttributes } from '../kinds/authorizer.js';
import type { Kind } from '../kinds/kind.js';
import { namespaceOf, type Registry } from '../kinds/registry.js';
import { objectOf } from '../read/reader.js';
import { formerAttributes } from './deletion-record.js';
import { ObjectHistory } from './history.js';
import { RetainedReader } from './versions.js';

/** One object, which may be deleted. */
export interface AuthoredObject {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  /** Also the authors of versions with a number below this one. */
  readonly below?: number | undefined;
}

/** The most versions whose authors are read at once. */
const MOST_VERSIONS = 50;
/** The most deletions of objects with one name that are looked at. */
const MOST_DELETIONS = 10;

/**
 * The authors that the caller can read in an object, as in `createdBy` and `updatedBy`: of the object, of its versions,
 * and of its deletions. Empty if the caller may not view it, and if there is none.
 */
export function authorsOf(registry: Registry, user: UserInfo, asked: AuthoredObject): readonly string[] {
  // Clients may write the annotations of other kinds.
  if (!asked.kind.namesAuthors) return [];
  const found = [
    ...authorsNow(registry, user, asked),
    ...(asked.below === undefined ? [] : authorsOfVersions(registry, user, asked, asked.below)),
    ...authorsOfDeletions(registry, user, asked),
  ];
  return [...new Set(found)].filter((author) => author !== '');
}

function authorsNow(
  { reader, authorizer }: Registry,
  user: UserInfo,
  { kind, namespace, name }: AuthoredObject,
): readonly string[] {
  const where = namespaceOf(kind, namespace);
  const entry = reader.entry(kind.qualified, where, name);
  if (entry === undefined) return [];
  const attributes = { user, verb: 'get', kind, namespace: where, name, object: entryAttributes(entry) };
  if (authorizer.missing(attributes, reader)?.length !== 0) return [];
  const { annotations = {} } = objectOf(entry).metadata;
  return [kind.ownedKeys.createdBy, kind.ownedKeys.updatedBy].map((key) => annotations[key] ?? '');
}

function authorsOfVersions(
  registry: Registry,
  user: UserInfo,
  { kind, namespace, name }: AuthoredObject,
  below: number,
): readonly string[] {
  if (kind.history === undefined) return [];
  try {
    const { versions } = new ObjectHistory(registry, user, kind, namespace).page(name, { below, limit: MOST_VERSIONS });
    return versions.flatMap(({ author, deleted }) => [author, deleted?.by ?? '']);
  } catch (error) {
    if (error instanceof ApiError && (error.code === 403 || error.code === 404)) return [];
    throw error;
  }
}

/** The authors of deletions, as the trash shows them. */
function authorsOfDeletions(
  registry: Registry,
  user: UserInfo,
  { kind, namespace, name }: AuthoredObject,
): readonly string[] {
  if (kind.history === undefined) return [];
  const { reader, authorizer } = registry;
  const where = namespaceOf(kind, namespace);
  const records = new RetainedReader(registry, kind, where).deletionsOf(name, MOST_DELETIONS);
  return records.flatMap((record) => {
    const object = formerAttributes(registry, kind, record, reader);
    const missing = authorizer.missing({ user, verb: 'get', kind, namespace: where, name, object }, reader);
    return missing?.length === 0 ? [record.spec.deletion.by] : [];
  });
}
