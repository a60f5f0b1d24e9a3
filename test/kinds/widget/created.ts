import type { Body } from '../../harness/body.js';
import { bodyOf } from '../../harness/resource.js';
import { objectOf, type Subject } from '../suite/subject.js';

export const VERSION = 'widget.svc.app/v1beta1';
/** The body of the subresource `size`. */
export const size = (value: unknown): object => ({ spec: { size: value } });

/** A new Widget with every field. */
export async function created(subject: Subject, more: object = {}): Promise<Body> {
  const object = objectOf(subject, subject.examples.full, subject.name());
  return bodyOf(await subject.resource.create({ ...object, metadata: { ...object.metadata, ...more } }), 201);
}
