/** Rather long values for tables. */
export const LONG = {
  name: 'operations-network-1',
  title: 'Network of the old sites',
  email: 'network.team@example.com',
};

/** The data about a kind that the conformance suite needs. */
export interface KindExamples {
  /** The smallest valid object. */
  readonly minimal: Example;
  /**
   * The spec of an object whose columns are wide: with rather long names, titles and addresses. Its table must fit on a
   * screen.
   */
  readonly columnSample?: object;
  /** An object with every field. */
  readonly full: Example;
  /** A valid object with a spec that differs from `minimal`. */
  readonly changed: Example;
  /** Objects that must be refused as Invalid, with the invalid field. */
  readonly invalid: readonly { readonly why: string; readonly body: Example; readonly field: string }[];
  /** An object that names one that does not exist, for kinds whose objects wait, with the field that names it. */
  readonly waiting?: { readonly body: Example; readonly field: string; readonly name?: string };
  /** JSON pointers to fields that store any text unchanged. */
  readonly freeText: readonly string[];
  /** JSON pointers to fields that store any JSON unchanged. */
  readonly freeJson: readonly string[];
  /** Whether the spec keeps members that the schema does not have. */
  readonly isOpen?: boolean;
  /**
   * Members of the spec that refer to other objects, or have rules beyond the schema. The fuzz test takes them from
   * `minimal`.
   */
  readonly fixed?: readonly string[];
  /** Members of the spec that the server keeps if a new object does not have them. */
  readonly kept?: readonly string[];
  /** Objects that the examples refer to. They are created first. */
  readonly needs?: readonly Need[];
  /** The default is the answers of Kubernetes. */
  readonly answers?: ExpectedAnswers;
  /** For kinds with a status. */
  readonly status?: StatusExamples;
  /** Whether the server sets the whole spec. Then the parts of the suite that change it are left out. */
  readonly hasFixedSpec?: boolean;
  /**
   * The name for each number, for kinds that do not allow every name. For such kinds, generated names are not tested.
   */
  readonly nameOf?: (number: number) => string;
}

/** The HTTP codes of missing or wrong fields and of a stale PUT, and the answer to DELETE. */
export interface ExpectedAnswers {
  readonly invalid: number;
  readonly stale: number;
  readonly deletion: 'Status' | 'object';
}

export const KUBERNETES_ANSWERS: ExpectedAnswers = { invalid: 422, stale: 409, deletion: 'Status' };
export const PLAIN_ANSWERS: ExpectedAnswers = { invalid: 400, stale: 412, deletion: 'object' };

export interface StatusExamples {
  /** The smallest valid status. */
  readonly minimal: object;
  /** A valid status that differs from `minimal`. */
  readonly changed: object;
  /** Statuses that must be refused as Invalid, with the invalid field. */
  readonly invalid: readonly { readonly why: string; readonly status: unknown; readonly field: string }[];
}

export interface Need {
  /** The path of the collection. */
  readonly path: string;
  readonly body: unknown;
}

/** An object without apiVersion, kind and name. `{name}` in its texts is replaced by its name. */
export interface Example {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, unknown>>;
    readonly annotations?: Readonly<Record<string, unknown>>;
  };
  readonly spec?: unknown;
}
