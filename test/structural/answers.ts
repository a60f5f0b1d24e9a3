import type { StatusCause } from '../../pkg/kube/status/status.js';
import { applyDefaults } from '../../pkg/kube/structural/defaults.js';
import { type Coerced, coerce, validateEmbedded } from '../../pkg/kube/structural/embedded.js';
import { validateLists } from '../../pkg/kube/structural/lists.js';
import { prune } from '../../pkg/kube/structural/prune.js';
import { compile } from '../../pkg/kube/structural/structural.js';
import { validate } from '../../pkg/kube/structural/validate.js';
import type { Case } from './cases.js';

interface CoercedAnswer {
  readonly object?: unknown;
  readonly unknown: readonly string[] | null;
  readonly causes: readonly StatusCause[] | null;
}

/** The answer to a case, of this server or of Kubernetes (go/main.go). */
export interface Answer {
  readonly pruned: unknown;
  readonly unknown: readonly string[] | null;
  readonly defaulted: unknown;
  readonly causes: readonly StatusCause[] | null;
  readonly update: readonly StatusCause[] | null;
  readonly lists: readonly StatusCause[] | null;
  readonly meta: readonly StatusCause[] | null;
  readonly strict: CoercedAnswer;
  readonly dropping: CoercedAnswer;
}

export function ourAnswer({ schema, object, old }: Case): Answer {
  const structural = compile(schema);
  const { object: pruned, unknown } = prune(structural, object, { isResourceRoot: true });
  return {
    pruned,
    unknown,
    defaulted: applyDefaults(structural, pruned),
    causes: validate(structural, object),
    update: validate(structural, object, old),
    lists: validateLists(structural, object),
    meta: validateEmbedded(structural, object),
    strict: coercedAnswer(coerce(structural, object)),
    dropping: coercedAnswer(coerce(structural, object, { dropsInvalid: true })),
  };
}

function coercedAnswer({ object, unknown, causes }: Coerced<unknown>): CoercedAnswer {
  return causes.length > 0 ? { causes, unknown: [] } : { object, unknown, causes };
}

/**
 * Kubernetes visits members in random order, so only the causes of one field are in order. Of several fatal errors, it
 * reports any.
 */
export function comparable(answer: Answer, other: Answer): unknown {
  const { strict, dropping, ...rest } = answer;
  const sameField = strict.causes?.[0]?.field === other.strict.causes?.[0]?.field;
  return {
    ...rest,
    unknown: rest.unknown ?? [],
    causes: byField(rest.causes),
    update: byField(rest.update),
    lists: byField(rest.lists),
    meta: byField(rest.meta),
    strict: sameField ? settled(strict) : (strict.causes ?? []).length,
    dropping: settled(dropping),
  };
}

function settled({ object, unknown, causes }: CoercedAnswer): unknown {
  return { object: object ?? null, unknown: unknown ?? [], causes: causes ?? [] };
}

function byField(causes: readonly StatusCause[] | null): unknown {
  const fields = new Map<string, string[]>();
  for (const { field = '', reason, message } of causes ?? []) {
    fields.set(field, [...(fields.get(field) ?? []), `${reason} ${message}`]);
  }
  const lines = [...fields].map(([field, texts]) => [field, isOrdered(field, texts) ? texts : texts.sort()]);
  return Object.fromEntries(lines.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)));
}

/**
 * Whether causes of one field are in order. Those of the root, of labels and of forbidden properties come from several
 * members.
 */
function isOrdered(field: string, texts: readonly string[]): boolean {
  const comeFromMembers = texts.some((text) => text.endsWith('is a forbidden property'));
  return field !== '<nil>' && !field.includes('metadata') && !comeFromMembers;
}
