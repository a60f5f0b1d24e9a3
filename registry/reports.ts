import type { KubeObject } from '../pkg/meta/types.js';
import type { ApiError } from '../pkg/status/status.js';

/** Something that people should be told about an object. */
export interface Happening {
  /** One word for programs, such as `Deleted`. */
  readonly reason: string;
  readonly type: 'Normal' | 'Warning';
  readonly message: string;
}

/** A write that was committed. */
export interface ReportedWrite {
  readonly verb: 'create' | 'update' | 'delete';
  readonly object: KubeObject;
  /** The name of the caller. */
  readonly by: string;
  /** What was deleted together with the object: the number of objects by kind. */
  readonly took: ReadonlyMap<string, number>;
}

/** Which writes to objects of a kind people are told about. Nothing may depend on it, because a busy server leaves reports out. */
export interface Reports {
  written?(write: ReportedWrite): Happening | undefined;
  /** `error` refused a write. */
  refused?(error: ApiError): Happening | undefined;
}

/** A happening, and the object that it is about. */
export interface Report extends Happening {
  readonly about: Pick<KubeObject, 'apiVersion' | 'kind'> & { readonly namespace: string; readonly name: string };
  readonly uid?: string;
}
