import { keyOf } from '../../storage/key.js';
import { requireKind } from '../kinds/registry.js';
import type { AlsoWrite } from '../kinds/strategy.js';
import { objectOf } from '../read/reader.js';
import { prepareForCreate, prepareForUpdate } from './prepare.js';
import type { Transaction } from './transaction.js';
import { targetOf, type WriteTarget, writeContext } from './write.js';

/**
 * Creates an object that a strategy adds to the write of another one, or gives it the spec if it exists. The rules of
 * its own kind apply, but it can neither have an integer id nor add further objects. It is written with the server's
 * permissions.
 */
export function writeAlso(
  transaction: Transaction,
  { namespace, caller }: WriteTarget,
  { resource, name, spec }: AlsoWrite,
): void {
  const kind = requireKind(transaction.registry, resource);
  const target = targetOf(kind, namespace, { ...caller, isTrusted: true });
  const context = writeContext(transaction, target);
  const entry = transaction.reader.entry(kind.qualified, target.namespace, name);
  const sent = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name }, spec };
  const object =
    entry === undefined
      ? prepareForCreate(kind, sent, { name, uid: transaction.entropy.uid() }, context)
      : prepareForUpdate(kind, { ...objectOf(entry), spec }, objectOf(entry), context);
  if (object !== undefined) transaction.state.put(keyOf(kind.qualified, target.namespace, name), object);
}
