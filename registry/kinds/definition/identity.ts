import type { z } from 'zod';
import type { NameRule } from '../../../pkg/kube/meta/names.js';
import type { ObjectSchema } from '../object-schema.js';

/** What a kind is called, and what its objects look like. */
export interface KindIdentity<Spec> {
  /**
   * Without the domain: `folder` for `folder.svc.app`. The domain is not added to Kubernetes' own groups, such as
   * `coordination.k8s.io`.
   */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Plural, lower case. */
  readonly resource: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** The kind of lists. Absent: the kind and `List`. */
  readonly listKind?: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly description: string;
  readonly names?: NameRule;
  /**
   * Type, validation and OpenAPI of `spec`. A strict object, so that unknown fields are found, or a loose one that
   * keeps them.
   */
  readonly spec?: z.ZodType<Spec>;
  /** In place of `spec`: the members beside the metadata, for kinds of Kubernetes that have no spec. */
  readonly members?: z.ZodObject;
  /** Type, validation and OpenAPI of `status`. Only the subresource `status` sets it. */
  readonly status?: z.ZodType;
  /**
   * In place of `spec`, `members` and `status`: the schema of whole objects, for kinds that are not declared in code.
   */
  readonly schema?: ObjectSchema;
}
