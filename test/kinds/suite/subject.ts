import type { Example, ExpectedAnswers, KindExamples } from '../../../apis/testing/kind-examples.js';
import type { Kind } from '../../../registry/kinds/kind.js';
import type { Resource } from '../../harness/resource.js';
import type { Server } from '../../harness/server.js';

/** The subject of a part of the suite: one kind on one server. */
export interface Subject {
  readonly server: () => Server;
  readonly kind: Kind;
  readonly examples: KindExamples;
  readonly resource: Resource;
  readonly answers: ExpectedAnswers;
  /** Returns a name that the kind allows and no object has. */
  name(): string;
}

/** The kind as the server has it. It makes its own from a definition. */
export function servedKind({ server, kind }: Subject): Kind {
  const { kinds } = server().api.registry;
  return kinds.find((one) => one.apiVersion === kind.apiVersion && one.kind === kind.kind) ?? kind;
}

/** A whole object of the kind. */
export function objectOf({ kind }: Subject, example: Example, name: string): ExampleObject {
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    ...named(example, name),
    metadata: { ...example.metadata, name },
  };
}

/** The annotations that every object of the kind needs, such as its folder. */
export function annotationsOf({ examples }: Subject): Readonly<Record<string, unknown>> {
  return examples.minimal.metadata?.annotations ?? {};
}

export function specOf(example: Example, name: string): Readonly<Record<string, unknown>> {
  return named(example, name).spec as Readonly<Record<string, unknown>>;
}

function named(example: Example, name: string): Example {
  return JSON.parse(JSON.stringify(example).replaceAll('{name}', name)) as Example;
}

export interface ExampleObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string };
  readonly spec?: unknown;
}
