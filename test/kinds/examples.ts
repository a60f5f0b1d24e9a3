/** What the conformance suite needs to know of a kind. It is data, so the suite knows no kind. */
export interface KindExamples {
  /** The least that is accepted. */
  readonly minimal: Example;
  /** Every field is there. */
  readonly full: Example;
  /** A valid object with another spec than `minimal`. */
  readonly changed: Example;
  /** What must be refused as Invalid, and the field at fault. */
  readonly invalid: readonly { readonly why: string; readonly body: Example; readonly field: string }[];
  /** Paths of text fields that keep any text as it is, as JSON pointers. */
  readonly freeText: readonly string[];
  /** Paths of fields that keep any JSON as it is. */
  readonly freeJson: readonly string[];
  /** Members of the spec that refer to other objects or have rules beyond the schema: the fuzz takes them from `minimal`. */
  readonly fixed?: readonly string[];
  /** Objects that the examples refer to: they are created first. */
  readonly needs?: readonly Need[];
  /** For kinds with a status. */
  readonly status?: StatusExamples;
  /** A name for each number, where not every name will do; then no names are generated either. */
  readonly nameOf?: (number: number) => string;
}

export interface StatusExamples {
  /** The least that is accepted. */
  readonly minimal: object;
  /** Valid, and another one than `minimal`. */
  readonly changed: object;
  /** Statuses that must be refused as Invalid, and the wrong field. */
  readonly invalid: readonly { readonly why: string; readonly status: unknown; readonly field: string }[];
}

export interface Need {
  /** Of the collection. */
  readonly path: string;
  readonly body: unknown;
}

/** An object without apiVersion, kind and name; `{name}` in any of its texts stands for its name. */
export interface Example {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, unknown>>;
    readonly annotations?: Readonly<Record<string, unknown>>;
  };
  readonly spec?: unknown;
}
