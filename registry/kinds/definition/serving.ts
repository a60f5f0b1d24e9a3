import type { z } from 'zod';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { RestConventions } from '../conventions.js';
import type { Report } from '../reports.js';
import type { Subresource } from '../subresource.js';

/** A column of `kubectl get` (metav1.TableColumnDefinition). The server adds `Name` and `Age`. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** A more precise type, such as `int64`. */
  readonly format?: string;
  readonly description: string;
  /** kubectl prints columns with priority 0 always, and others only with `-o wide`. */
  readonly priority: number;
  /** Clients print the cells of a date as they are. Absent: the table makes an age of a time. */
  readonly isPrinted?: boolean;
  cell(object: KubeObject, now: Date): string | number | bigint | boolean | null;
}

/** A request for a list, as a kind sees it that makes some of its objects. */
export interface Question {
  /** The time of the request. */
  readonly time: string;
  /** The only value that a field can have, by the field selector. */
  required(field: string): string | undefined;
  /** The reports about an object of a kind, if the caller may view it. */
  describe(about: { readonly kind: string; readonly name: string; readonly uid: string }): readonly Report[];
}

/** How a kind is served: its tables, selectors, searches, subresources, and where it differs from Kubernetes. */
export interface KindServing {
  /** Absent is true. Internal kinds, and kinds of a feature that is switched off, are stored but not served. */
  readonly served?: boolean;
  readonly columns?: readonly Column[];
  /** The columns of tables are the name and those of `columns` only. Absent: they end with the age. */
  readonly hasOwnAge?: boolean;
  /** Field selectors beyond metadata.name and metadata.namespace. */
  readonly selectableFields?: Readonly<Record<string, (object: KubeObject) => string>>;
  /**
   * The text of an object that searches look in, in lower case. It is stored beside the object, so that a search parses
   * no object.
   */
  readonly searchText?: (object: KubeObject) => string;
  /**
   * What searches show of an object. It is stored beside the object, so that a page of a search parses no object. It
   * should be small.
   */
  readonly summary?: (object: KubeObject) => unknown;
  /** Objects that a list has beside the stored ones. They are made for it, and stored nowhere. */
  readonly madeFor?: (question: Question) => readonly KubeObject[];
  /** The subresources from `defineSubresource`. The server adds `status`. */
  readonly subresources?: readonly Subresource[];
  /** Absent: the conventions of Kubernetes. */
  readonly conventions?: RestConventions;
  /**
   * PATCH also takes strategic merge patches, which Go's recorders of events send, and kubectl for the kinds of
   * Kubernetes that are compiled into it. Finalizers and owners are merged, and other lists replaced.
   */
  readonly acceptsStrategicMerge?: boolean;
  /** The query parameters of DELETE that this kind has, with their schemas. */
  readonly deleteOptions?: Readonly<Record<string, z.ZodType<string>>>;
  /** The answers to requests for this version have this as a warning. */
  readonly deprecation?: string;
  /** The labels of the definition that shows a compiled kind. */
  readonly shownLabels?: Readonly<Record<string, string>>;
}
