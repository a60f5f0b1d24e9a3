import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { StatusCause } from '../../pkg/kube/status/status.js';
import type { Kind } from '../kinds/kind.js';
import { withAnnotation } from '../kinds/with-annotation.js';

/** The most characters of a message. */
const LONGEST = 5000;

type Messaged = Pick<Kind, 'ownedKeys' | 'history'>;

/** The text that the author of a version wrote about it. */
export function messageOf({ ownedKeys }: Pick<Kind, 'ownedKeys'>, { metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[ownedKeys.message];
}

/** The object with this message, or without one. */
export function withMessage(kind: Messaged, object: KubeObject, message: string | undefined): KubeObject {
  return withAnnotation(object, kind.ownedKeys.message, message);
}

/** The object with the stored message, if a client sent none. To leave out the message is not a change by itself. */
export function withKeptMessage(kind: Messaged, object: KubeObject, old: KubeObject): KubeObject {
  const stored = messageOf(kind, old);
  if (kind.history === undefined || stored === undefined || messageOf(kind, object) !== undefined) return object;
  return withMessage(kind, object, stored);
}

/**
 * The first write of a version does not keep the message of the version before. Clients send back what they have read,
 * so the same message counts as none.
 */
export function withNewMessage(kind: Messaged, object: KubeObject, old: KubeObject): KubeObject {
  const stored = messageOf(kind, old);
  if (kind.history === undefined || stored === undefined || messageOf(kind, object) !== stored) return object;
  return withMessage(kind, object, undefined);
}

export function messageCauses(kind: Messaged, object: KubeObject): readonly StatusCause[] {
  const length = kind.history === undefined ? 0 : (messageOf(kind, object)?.length ?? 0);
  if (length <= LONGEST) return [];
  const field = `metadata.annotations[${kind.ownedKeys.message}]`;
  return [{ reason: 'FieldValueTooLong', message: `Too long: may not be more than ${LONGEST} characters`, field }];
}

const RESTORED = 'Restored from version ';

/** The message of a version that was restored. */
export function restoredMessage(version: number): string {
  return `${RESTORED}${version}`;
}

/** The version that a message says was restored. 0: none. */
export function restoredVersion(message: string | undefined): number {
  const text = message?.startsWith(RESTORED) === true ? message.slice(RESTORED.length) : '';
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}
