import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { residencyPeriod, whenResident } from '../../storage/state/residency.js';
import type { Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';
import type { Entry, Reader } from '../read/reader.js';

type Known = Pick<Registry, 'reader' | 'namespaces'>;

/** Containers farther out are read when they are needed. */
const DEEPEST = 16;

/** An object that a request names, or the one that it sends. */
interface Named {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  readonly sent?: KubeObject;
}

/**
 * Resolves when an object, and those that a request for it reads because of it, can be read without waiting for the
 * disk: its containers, and the namespace, the container and the references of the sent object. `undefined` if they can
 * be now. Verbs and commits read without waiting, and others would have to wait with them.
 */
export function readAhead(registry: Known, named: Named): Promise<void> | undefined {
  // The next reads depend on the content of an entry that only the disk has.
  return firstWait(registry, named)?.then(() => readAhead(registry, named));
}

function firstWait({ reader, namespaces }: Known, { kind, namespace, name, sent }: Named): Promise<void> | undefined {
  const period = residencyPeriod();
  const entry = reader.entry(kind.qualified, namespace, name);
  const own = wait(entry, period) ?? waitForContainers(reader, kind, namespace, entry, period);
  if (own !== undefined || sent === undefined) return own;
  const around = namespaces && wait(reader.entry(namespaces.qualified, '', namespace), period);
  return around ?? waitForNamed(reader, kind, namespace, sent, period);
}

function wait(entry: Entry | undefined, period: number): Promise<void> | undefined {
  return entry === undefined || entry.isResident(period, 'all') ? undefined : entry.load('all');
}

/** What a new object names: its container, and what it references. */
function waitForNamed(
  reader: Reader,
  kind: Kind,
  namespace: string,
  sent: KubeObject,
  period: number,
): Promise<void> | undefined {
  const container = containerOf(reader, kind, namespace, kind.containment?.container(sent));
  const waiting = wait(container, period) ?? waitForContainers(reader, kind, namespace, container, period);
  if (waiting !== undefined) return waiting;
  const others = (kind.references?.(sent) ?? []).map((one) => reader.entry(one.resource, one.namespace, one.name));
  return whenResident(others.filter((one) => one !== undefined));
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
