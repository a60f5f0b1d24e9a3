import { residencyPeriod } from '../../storage/state/residency.js';
import type { Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';
import type { Entry, Reader } from '../read/reader.js';

/** Containers farther out are read when they are needed. */
const DEEPEST = 16;

/** An object that a request names. */
interface NamedObject {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
}

/**
 * Resolves when an object and its containers can be read without waiting for the disk. `undefined` if they can be now.
 * The verbs that read do not wait, and others would have to wait with them. Commits begin again instead
 * (storage/state/cold-reads.ts).
 */
export function readAhead(registry: Pick<Registry, 'reader'>, named: NamedObject): Promise<void> | undefined {
  // The next reads depend on the content of an entry that only the disk has.
  return firstWait(registry, named)?.then(() => readAhead(registry, named));
}

function firstWait(
  { reader }: Pick<Registry, 'reader'>,
  { kind, namespace, name }: NamedObject,
): Promise<void> | undefined {
  const period = residencyPeriod();
  const entry = reader.entry(kind.qualified, namespace, name);
  return wait(entry, period) ?? waitForContainers(reader, kind, namespace, entry, period);
}

function wait(entry: Entry | undefined, period: number): Promise<void> | undefined {
  return entry === undefined || entry.isResident(period, 'all') ? undefined : entry.load('all');
}

/** The container of an entry, then the one that it lies in, and so on. */
function waitForContainers(
  reader: Reader,
  kind: Kind,
  namespace: string,
  innermost: Entry | undefined,
  period: number,
): Promise<void> | undefined {
  if (kind.containment === undefined) return undefined;
  let entry = innermost;
  for (let depth = 0; entry !== undefined && depth < DEEPEST; depth++) {
    entry = containerOf(reader, kind, namespace, entry.attributes.container);
    const waiting = wait(entry, period);
    if (waiting !== undefined) return waiting;
  }
  return undefined;
}

function containerOf(reader: Reader, { containment }: Kind, namespace: string, name: string | undefined) {
  return containment && name !== undefined ? reader.entry(containment.resource, namespace, name) : undefined;
}
