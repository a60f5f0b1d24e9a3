import type { StatusCause } from '../../../../pkg/kube/status/status.js';
import type { JsonSchema, ValidationRule } from '../../../../pkg/kube/structural/json-schema.js';
import { partsOf } from '../../../../pkg/kube/structural/schema-parts.js';
import type { Steps } from '../../../../pkg/system/yielding/steps.js';
import { checkForms } from './forms.js';
import { checkLists } from './lists.js';
import { placeOf, rootPlace, type SchemaPosition } from './place.js';
import { checkRules } from './rules.js';
import { collectCauses, STEP } from './steps.js';
import type { Tolerance } from './tolerance.js';

/** What a compiler of rules must know of a schema with rules. */
export interface RuleContext {
  /** The path of the rules: `….x-kubernetes-validations`. */
  readonly path: string;
  readonly isRoot: boolean;
  /** How often the value can be in an object. `undefined` if there is no limit. */
  readonly cardinality: number | undefined;
  /** The path of the part within which oldSelf may not be used. */
  readonly uncorrelatable: string | undefined;
}

/** What compiling the rules of one schema gave. */
export interface CompiledRules {
  readonly causes: readonly StatusCause[];
  /** What the expressions cost at most, with the path of each. */
  readonly costs?: readonly ExpressionCost[];
}

export interface ExpressionCost {
  readonly path: string;
  readonly cost: number;
}

export type CompileRules = (
  schema: JsonSchema & { readonly 'x-kubernetes-validations': readonly ValidationRule[] },
  context: RuleContext,
) => CompiledRules;

export interface SchemaCauses {
  /** Those of rules come last. */
  readonly causes: readonly StatusCause[];
  readonly costs: readonly ExpressionCost[];
}

interface Node {
  readonly schema: JsonSchema;
  readonly place: SchemaPosition;
  /** The number of causes before its parts were checked. `undefined` until then. */
  readonly before?: number;
}

/**
 * Checks each schema in `root`, in Kubernetes' order: forbidden members before its parts, and what must fit together
 * after them.
 */
export function* schemaCauses(
  root: JsonSchema,
  path: string,
  tolerance: Tolerance,
  compile: CompileRules | undefined,
): Steps<SchemaCauses> {
  const causes = collectCauses();
  const ruleCauses = collectCauses();
  const costs: ExpressionCost[] = [];
  const waiting: Node[] = [{ schema: root, place: rootPlace(path, compile !== undefined) }];
  let visited = 0;
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (++visited % STEP === 0) yield;
    const { schema, place, before } = node;
    if (before === undefined) {
      const parts = partsOf(schema, place.path);
      waiting.push({ schema, place, before: causes.list.length });
      checkForms(schema, place, tolerance, causes);
      for (const part of parts.reverse()) {
        waiting.push({ schema: part.schema, place: placeOf(part, schema, place) });
      }
      continue;
    }
    checkLists(schema, place.path, tolerance, causes);
    if ((schema['x-kubernetes-validations']?.length ?? 0) === 0) continue;
    yield* checkRules(schema, place.path, causes);
    if (causes.list.length > before || compile === undefined) continue;
    const compiled = compiledRules(schema, place, compile);
    ruleCauses.add(...compiled.causes);
    costs.push(...(compiled.costs ?? []));
  }
  return { causes: [...causes.list, ...ruleCauses.list], costs };
}

const NOTHING: CompiledRules = { causes: [] };

function compiledRules(schema: JsonSchema, place: SchemaPosition, compile: CompileRules): CompiledRules {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0 || place.rules === undefined) return NOTHING;
  return compile(
    { ...schema, 'x-kubernetes-validations': rules },
    {
      path: `${place.path}.x-kubernetes-validations`,
      isRoot: place.isRoot,
      cardinality: place.rules.cardinality,
      uncorrelatable: place.uncorrelatable,
    },
  );
}
