import type { Enum } from './check-enum.js';
import type { FormatTest } from './formats.js';
import type { JsonSchema, ValidationRule } from './json-schema.js';

/**
 * A schema that values are pruned, filled and checked with. A part of it is compiled when a value first needs it,
 * because most of a large schema is never used. The schema is kept by reference and must not change.
 */
export interface Structural {
  readonly schema: JsonSchema;
}

/** What a value can be walked with: a part of a compiled schema, without its parts. */
export interface Node {
  readonly properties: ReadonlyMap<string, Structural> | undefined;
  /** `true`: any, which have no schema. */
  readonly additionalProperties: Structural | boolean | undefined;
  readonly items: Structural | undefined;
  readonly type: string;
  readonly isNullable: boolean;
  /** x-kubernetes-preserve-unknown-fields */
  readonly preservesUnknown: boolean;
  /** x-kubernetes-embedded-resource */
  readonly isEmbedded: boolean;
  /** x-kubernetes-int-or-string */
  readonly isIntOrString: boolean;
  readonly listType: string;
  readonly listMapKeys: readonly string[];
  readonly mapType: string;
  /** x-kubernetes-validations */
  readonly rules: readonly ValidationRule[];
  /** Undefined without one. A default of null counts as none, as in Kubernetes. */
  readonly default: unknown;
  /** The properties that have a default. */
  readonly defaults: readonly (readonly [string, Structural])[];
  readonly checks: Checks;
}

/**
 * The constraints of one part of a schema, by the sort of value that they are for. Most parts have few, so that most
 * groups are absent.
 */
export interface Checks {
  readonly types: readonly string[];
  /**
   * The format that is enforced, as it was written, or '': Kubernetes ignores those that it does not know for the type.
   */
  readonly format: string;
  readonly hasFormat: FormatTest | undefined;
  readonly isNullable: boolean;
  readonly enum: Enum | undefined;
  readonly string: StringChecks | undefined;
  readonly number: NumberChecks | undefined;
  readonly list: ListChecks | undefined;
  readonly object: ObjectChecks | undefined;
  readonly junctors: Junctors | undefined;
}

export interface StringChecks {
  readonly minLength: number | bigint | undefined;
  readonly maxLength: number | bigint | undefined;
  readonly pattern: string;
}

export interface NumberChecks {
  readonly multipleOf: number | bigint | undefined;
  readonly maximum: number | bigint | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | bigint | undefined;
  readonly exclusiveMinimum: boolean;
}

export interface ListChecks {
  readonly minItems: number | bigint | undefined;
  readonly maxItems: number | bigint | undefined;
  readonly uniqueItems: boolean;
}

export interface ObjectChecks {
  readonly minProperties: number | bigint | undefined;
  readonly maxProperties: number | bigint | undefined;
  readonly required: readonly string[];
}

export interface Junctors {
  readonly anyOf: readonly Structural[];
  readonly oneOf: readonly Structural[];
  readonly allOf: readonly Structural[];
  readonly not: Structural | undefined;
}
