import type { ObjectMeta } from '../../../pkg/kube/meta/types.js';
import type { Body } from '../../harness/body.js';
import { bodyOf } from '../../harness/resource.js';
import { objectOf, type Subject } from './subject.js';

/**
 * The object without its status, and without the resourceVersion and managedFields, which a write of the status
 * changes.
 */
export function beside(object: Body): unknown {
  const { status: _, ...rest } = object as Body & { status?: unknown };
  const { resourceVersion: __, managedFields: ___, ...metadata } = rest.metadata as ObjectMeta;
  return { ...rest, metadata };
}

export const statusOf = (object: Body): unknown => (object as { readonly status?: unknown }).status;

export async function created(subject: Subject, more: object = {}): Promise<Body> {
  const object = objectOf(subject, subject.examples.full, subject.name());
  const metadata = { ...object.metadata, ...more };
  return bodyOf(await subject.resource.create({ ...object, metadata }), 201);
}

export async function withStatus(subject: Subject, value: unknown, more: object = {}): Promise<Body> {
  const { metadata } = await created(subject, more);
  return bodyOf(await subject.resource.subresource('status').merge(metadata.name, { status: value }), 200);
}
