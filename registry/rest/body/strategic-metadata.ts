import { mergePatch } from '../../../pkg/kube/patch/merge.js';
import { badRequest } from '../../../pkg/kube/status/errors.js';
import { isObject, type Members } from '../../../pkg/system/object/is-object.js';
import { refuseDirectives } from './directives.js';
import type { ListPatch } from './strategic-list.js';

/** An owner, or as much of it as the patch says. */
type Owner = Members & { readonly uid: string };

/** What a patch does to a list of the metadata, and the members of the patch that say it. */
interface MetadataList<Element> extends ListPatch<Element> {
  readonly members: readonly string[];
}

const REMOVED = '$deleteFromPrimitiveList/finalizers';
const orderOf = (list: string): string => `$setElementOrder/${list}`;

/** Absent if the patch does not mention finalizers, or has null, which removes all of them, as in a merge patch. */
export function finalizersIn(metadata: Members): MetadataList<string> | undefined {
  const members = ['finalizers', orderOf('finalizers'), REMOVED];
  if (!isMerged(metadata, members)) return undefined;
  const [items, order, removed] = members.map((name) => listIn(metadata, name, isText, 'strings'));
  checkOrder('finalizers', items, order);
  return {
    members,
    keyOf: (finalizer) => finalizer,
    merge: (finalizer) => finalizer,
    items,
    removed: new Set(removed),
    order,
  };
}

/** Absent if the patch does not mention owners, or has null, which removes all of them, as in a merge patch. */
export function ownersIn(metadata: Members): MetadataList<Owner> | undefined {
  const members = ['ownerReferences', orderOf('ownerReferences')];
  if (!isMerged(metadata, members)) return undefined;
  const elements = listIn(metadata, 'ownerReferences', isOwnerOrReplace, 'objects with a uid');
  const order = listIn(metadata, orderOf('ownerReferences'), isOwner, 'objects with a uid')?.map(uidOf);
  elements?.forEach(checkDirectives);
  const items = elements?.filter(isOwner).filter((element) => !Object.hasOwn(element, '$patch'));
  checkOrder('ownerReferences', items?.map(uidOf), order);
  checkOnce(items?.map(uidOf));
  return {
    members,
    keyOf: uidOf,
    merge: (old, item) => mergePatch(old, item) as Owner,
    items,
    isWhole: elements?.some(isReplace) ?? false,
    dropped: new Set(elements?.filter(isDelete).map((element) => String(element['uid']))),
    order,
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isOwner = (value: unknown): value is Owner => isObject(value) && isText(value['uid']);
const isReplace = (value: unknown): value is Members => isObject(value) && value['$patch'] === 'replace';
const isDelete = (value: Members): boolean => value['$patch'] === 'delete';
const isOwnerOrReplace = (value: unknown): value is Members => isOwner(value) || isReplace(value);
const uidOf = ({ uid }: Owner): string => uid;

/** An element may be a directive, and must have no other ones. */
function checkDirectives(element: Members): void {
  const { $patch: _, ...rest } = element;
  refuseDirectives(isReplace(element) || isDelete(element) ? rest : element);
}

/** Without a list or a directive, a merge patch does the same. */
function isMerged(metadata: Members, [list = '', ...directives]: readonly string[]): boolean {
  return Array.isArray(metadata[list]) || directives.some((name) => Object.hasOwn(metadata, name));
}

function listIn<E>(
  metadata: Members,
  name: string,
  isElement: (value: unknown) => value is E,
  what: string,
): readonly E[] | undefined {
  if (!Object.hasOwn(metadata, name)) return undefined;
  const list = metadata[name];
  if (Array.isArray(list) && list.every(isElement)) return list;
  throw badRequest(`metadata.${name} of a strategic merge patch must be a list of ${what}`);
}

/** As in Kubernetes, the order names all items of the patch, and they are in this order already. */
function checkOrder(list: string, items: readonly string[] = [], order: readonly string[] | undefined): void {
  if (order === undefined) return;
  let next = 0;
  for (const key of order) if (key === items[next]) next++;
  if (next === items.length) return;
  const name = `metadata.${orderOf(list)}`;
  throw badRequest(`${name} of a strategic merge patch must have all elements of metadata.${list}, in the same order`);
}

/**
 * Each merge copies the owner. So merging thousands of elements into one owner would keep the server busy for seconds.
 */
function checkOnce(uids: readonly string[] = []): void {
  if (new Set(uids).size === uids.length) return;
  throw badRequest('metadata.ownerReferences of a strategic merge patch must have each uid once');
}
