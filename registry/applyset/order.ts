import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { type Key, keyOf } from '../../storage/key.js';
import type { Kind } from '../kinds/kind.js';
import { kindOf, namespaceOf, type Registry } from '../kinds/registry.js';

/**
 * The keys of the objects that must be there before an object: its namespace, its container, and those that it
 * references or is about.
 */
export function prerequisites(registry: Registry, kind: Kind, namespace: string, sent: KubeObject): readonly Key[] {
  const object = namespace === '' ? sent : { ...sent, metadata: { ...sent.metadata, namespace } };
  const { containment, references, permissions } = kind;
  const container = containment?.container(object);
  const about = permissions?.about?.name(object);
  const named = [
    ...(containment && container !== undefined ? [{ resource: containment.resource, namespace, name: container }] : []),
    ...(permissions?.about && about !== undefined
      ? [{ resource: permissions.about.resource, namespace, name: about }]
      : []),
    ...(references?.(object) ?? []),
  ];
  const keys = named.flatMap(({ resource, namespace: where, name }): readonly Key[] => {
    const kind = kindOf(registry, resource);
    return kind === undefined ? [] : [keyOf(kind.qualified, namespaceOf(kind, where), name)];
  });
  const { namespaces } = registry;
  return namespaces === undefined || namespace === '' ? keys : [keyOf(namespaces.qualified, '', namespace), ...keys];
}

/** A piece of work that is done after others. */
export interface Node<Self> {
  /** Finds out what comes before, in steps. It is called once, before `run`. */
  before(): Steps<readonly Self[]>;
  run(): Steps<void>;
}

/**
 * Runs each node after those before it, and yields after each step. A circle is run in any order, because a rule
 * refuses it later. It uses its own stack, because a chain may have thousands of nodes.
 */
export function* inOrder<N extends Node<N>>(nodes: readonly N[]): Generator<undefined, void, undefined> {
  const begun = new Set<N>();
  const done = new Set<N>();
  for (const node of nodes) {
    const stack = [node];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      if (done.has(top)) stack.pop();
      else if (begun.has(top)) {
        yield* top.run();
        done.add(top);
        stack.pop();
      } else {
        begun.add(top);
        stack.push(...(yield* top.before()).filter((item) => !begun.has(item)));
      }
      yield;
    }
  }
}
