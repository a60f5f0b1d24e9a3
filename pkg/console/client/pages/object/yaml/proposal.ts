import { yamlOf } from '../../../editor/yaml.js';
import { ownKey } from '../../../lib/discovery.js';
import type { KubeObject } from '../../../lib/object.js';
import { edited } from './saving.js';
import { isEqual } from './three-way.js';

/** The stored text, and the one that would be stored. */
export interface Proposal {
  readonly before: string;
  readonly after: string;
  /** Whether nothing would be stored. */
  readonly isUnchanged: boolean;
  readonly warnings: readonly string[];
  readonly object: Readonly<Record<string, unknown>>;
  /** The message about the new version, if somebody has written one into the text. */
  readonly message: string;
  /** Why it cannot be saved: others have changed the object since it was made. */
  readonly obstacle?: string;
  /** Whether it was made again, because others have changed the object. */
  readonly isRenewed?: boolean;
}

/** The texts of the stored object and of the one that would be stored, without what each write changes. */
export function proposalOf(base: KubeObject | undefined, body: KubeObject) {
  const [before, after] = [base === undefined ? {} : edited(base), edited(body)];
  return {
    before: base === undefined ? '' : yamlOf(plain(before)),
    after: yamlOf(plain(after)),
    isUnchanged: base !== undefined && isEqual(before, after),
  };
}

type Texts = Readonly<Record<string, string>>;

function annotationsOf(object: Readonly<Record<string, unknown>> | undefined): Texts {
  return ((object?.['metadata'] as Record<string, unknown> | undefined)?.['annotations'] ?? {}) as Texts;
}

/** The object with a message about this version, which its history shows, or without one. */
export function withMessage(object: Readonly<Record<string, unknown>>, message: string): Record<string, unknown> {
  const metadata = (object['metadata'] ?? {}) as Record<string, unknown>;
  const { [ownKey('message')]: before, ...others } = annotationsOf(object);
  if (message === '' && before === undefined) return { ...object };
  const annotations = message === '' ? others : { ...others, [ownKey('message')]: message };
  return { ...object, metadata: { ...metadata, annotations } };
}

/** The message in a text, unless it is that of the version before. */
export function newMessage(
  object: Readonly<Record<string, unknown>>,
  base: Readonly<Record<string, unknown>> | undefined,
): string {
  const message = annotationsOf(object)[ownKey('message')];
  return typeof message !== 'string' || message === annotationsOf(base)[ownKey('message')] ? '' : message;
}

/** An object without what the server sets at each write, and without the message of the version before. */
function plain(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { generation: _, annotations: __, ...metadata } = (object['metadata'] ?? {}) as Record<string, unknown>;
  const ofWrite = ['updatedBy', 'updatedTimestamp', 'message'].map(ownKey);
  const kept = Object.entries(annotationsOf(object)).filter(([key]) => !ofWrite.includes(key));
  return { ...object, metadata: { ...metadata, ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }) } };
}
