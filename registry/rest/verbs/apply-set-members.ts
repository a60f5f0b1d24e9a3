import { jsonResponse } from '../../../pkg/http/json.js';
import type { UserInfo } from '../../../pkg/identity/authn/user.js';
import { Yielder } from '../../../pkg/system/yielding/yielding.js';
import { type Key, partsOf } from '../../../storage/key.js';
import type { Member } from '../../applyset/messages.js';
import { MEMBERS } from '../../applyset/names.js';
import { type AppliedMember, membersOf, recordOf, recordsOf } from '../../applyset/record.js';
import { entryAttributes, isMaster } from '../../kinds/authorizer.js';
import { kindOf, type Registry } from '../../kinds/registry.js';
import { checkRepresentation } from '../answer/render.js';
import { awaitCaller } from '../options/freshness.js';
import type { Verb } from '../verb.js';
import { authorizedEntry } from './get.js';
import { typed } from './subresource-body.js';

/** GET of the subresource `members`: the members of the set that the caller may view. */
export const applySetMembers: Verb = async (request, target) => {
  checkRepresentation(request, 'object', target.kind);
  const { registry, kind, info } = target;
  await awaitCaller(registry.cacher, request);
  authorizedEntry(request, target, 'get');
  const message = kind.subresources.find(({ name }) => name === MEMBERS)?.kind;
  const { applySets, reader } = registry;
  if (message === undefined || applySets === undefined) throw new Error(`${kind.kind} has no ${MEMBERS}`);
  const members: Member[] = [];
  const yielder = new Yielder();
  for (const entry of recordsOf(applySets, reader, info)) {
    if (yielder.isDue) await yielder.yield();
    for (const [key, member] of membersOf(recordOf(entry)))
      members.push(...memberOf(registry, request.user, key, member));
  }
  return jsonResponse(request, 200, typed(message, target, { members: members.sort(byPlace) }));
};

function memberOf(registry: Registry, user: UserInfo, key: Key, { drift, since }: AppliedMember): readonly Member[] {
  const { resource, namespace, name } = partsOf(key);
  const kind = kindOf(registry, resource);
  if (kind === undefined) return [];
  const entry = registry.reader.entry(resource, namespace, name);
  const object = entry && { object: entryAttributes(entry) };
  const missing = registry.authorizer.missing({ user, verb: 'get', kind, namespace, name, ...object }, registry.reader);
  if (missing?.length !== 0 && !isMaster(user)) return [];
  const place = { group: kind.group, kind: kind.kind, ...(namespace !== '' && { namespace }), name };
  return [{ ...place, ...(drift !== undefined && { drift, ...(since !== undefined && { since }) }) }];
}

function byPlace(a: Member, b: Member): number {
  const [left, right] = [a, b].map(({ group, kind, namespace = '', name }) => [group, kind, namespace, name].join('/'));
  return (left ?? '') < (right ?? '') ? -1 : 1;
}
