import { quotaExceeded } from '../../pkg/kube/status/errors.js';
import { partsOf, resourceOf } from '../../storage/key.js';
import type { AppliedWrite } from '../../storage/state/applied-write.js';
import type { Kind } from '../kinds/kind.js';
import { kindOf, type Registry } from '../kinds/registry.js';
import { usageIn, usageOf } from '../kinds/usage.js';
import type { Transaction } from './transaction.js';

/**
 * Refuses a write after which the personal objects of a user take more than their bound, unless they take no more than
 * before. Everybody who may sign in may write personal objects, so without it many objects of an allowed size would
 * fill the disk. It holds for all callers: the bound is of the owner.
 */
export function refuseMorePersonal({ registry, state, reader }: Transaction): void {
  const limit = registry.limits?.personalBytes;
  if (limit === undefined) return;
  const growth = growthByAccount(registry, state.written());
  if (growth.size === 0) return;
  const kinds = registry.kinds.filter(
    ({ chargedTo, conversion }) => chargedTo !== undefined && conversion === undefined,
  );
  for (const [account, { bytes, largest }] of growth) {
    const used = bytes > 0 ? usageOf(reader, kinds, account) : 0;
    if (used > limit) throw refusal(registry, kinds, largest, `${limit} bytes together, and would take ${used}`);
  }
}

interface Growth {
  bytes: number;
  /** A write that takes more. */
  largest: AppliedWrite;
}

/** How much more than before the written objects take of each account. */
function growthByAccount(registry: Registry, written: readonly AppliedWrite[]): ReadonlyMap<string, Growth> {
  const growth = new Map<string, Growth>();
  const add = (account: string, bytes: number, applied: AppliedWrite): void => {
    const known = growth.get(account);
    if (known === undefined) growth.set(account, { bytes, largest: applied });
    else Object.assign(known, { bytes: known.bytes + bytes, ...(bytes > 0 && { largest: applied }) });
  };
  for (const applied of written) {
    if (kindOf(registry, resourceOf(applied.key))?.chargedTo === undefined) continue;
    const [before, after] = [applied.previous && usageIn(applied.previous), applied.entry && usageIn(applied.entry)];
    if (before !== undefined) add(before.account, -before.bytes, applied);
    if (after !== undefined) add(after.account, after.bytes, applied);
  }
  return growth;
}

function refusal(registry: Registry, kinds: readonly Kind[], { key }: AppliedWrite, amount: string): Error {
  registry.limits?.onRefused?.('personal-bytes');
  const { name } = partsOf(key);
  const [resource = '', ...group] = resourceOf(key).split('.');
  const names = kinds.map(({ kind }) => kind).join(', ');
  const detail = `all personal objects of a user (${names}) take at most ${amount} (limits.personal_bytes of the server, over all organizations). Delete some`;
  return quotaExceeded({ group: group.join('.'), resource }, name, detail);
}
