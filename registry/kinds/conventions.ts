import type { ApiRequest, ApiResponse } from '../../pkg/http/handler.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { conflict, invalid, MODIFIED } from '../../pkg/kube/status/errors.js';
import type { ApiError, StatusCause } from '../../pkg/kube/status/status.js';

/** The names of a kind in errors. */
export interface KindNames {
  readonly group: string;
  readonly kind: string;
  readonly resource: string;
  readonly singular: string;
}

/**
 * The parts of reading and answering requests in which plain HTTP callers and Kubernetes clients differ. Kinds use
 * `kubernetesConventions`, those of `builtInConventions` or `plainConventions`.
 */
export interface RestConventions {
  /** The error for missing or wrong fields. */
  invalid(kind: KindNames, name: string, causes: readonly StatusCause[]): ApiError;
  /** The error for a new object with neither name nor generateName. */
  nameRequired(kind: KindNames): ApiError;
  /**
   * The error for a PUT whose version is not the current one. The body is bare if it has neither apiVersion nor kind.
   */
  staleVersion(kind: KindNames, name: string, request: ApiRequest, isBare: boolean): Error;
  /** POST and PUT accept bare bodies. */
  readonly acceptsBareBodies: boolean;
  /** Adds to the bare body of a PUT the parts of the stored object that a bare body may leave out. */
  completeBare(body: KubeObject, old: KubeObject): KubeObject;
  /** DELETE answers with the deleted object and not with a Status. */
  readonly returnsDeletedObject: boolean;
}

export const NAME_REQUIRED = 'Required value: name or generateName is required';

export const kubernetesConventions: RestConventions = {
  invalid,
  nameRequired: (kind) =>
    invalid(kind, '', [{ reason: 'FieldValueRequired', message: NAME_REQUIRED, field: 'metadata.name' }]),
  staleVersion: (kind, name) => conflict(kind, name, MODIFIED),
  acceptsBareBodies: false,
  completeBare: (body) => body,
  returnsDeletedObject: false,
};

/** The conventions of the kinds that Kubernetes itself defines. Its typed clients may leave out apiVersion and kind. */
export const builtInConventions: RestConventions = { ...kubernetesConventions, acceptsBareBodies: true };

/** An error with its own answer, for callers who depend on more than the members of a Status. */
export class AnsweredError extends Error {
  readonly response: ApiResponse;

  constructor(message: string, response: ApiResponse) {
    super(message);
    this.name = 'AnsweredError';
    this.response = response;
  }
}
