import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { ApiError } from '../../pkg/kube/status/status.js';
import type { Reader } from '../read/reader.js';

/** Something that people should be told about an object. */
export interface ReportedEvent {
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

/** What `described` may look at. */
export interface Described {
  readonly reader: Reader;
  readonly namespace: string;
  /** How many objects of each resource, by its plural, lie directly in the object. */
  readonly contents: ReadonlyMap<string, number>;
  /** Whether the caller has the action on the object. */
  may(action: string): boolean;
}

/**
 * Which writes to objects of a kind people are told about. Nothing may depend on it, because a busy server leaves
 * reports out.
 */
export interface Reports {
  written?(write: ReportedWrite): ReportedEvent | undefined;
  /** `error` refused a write. */
  refused?(error: ApiError): ReportedEvent | undefined;
  /** More about an object, for callers who may view it and ask for its events (docs/adr/0030). Pure. */
  described?(object: KubeObject, about: Described): readonly ReportedEvent[];
}

/** A happening, and the object that it is about. */
export interface Report extends ReportedEvent {
  readonly about: Pick<KubeObject, 'apiVersion' | 'kind'> & { readonly namespace: string; readonly name: string };
  readonly uid?: string;
}
