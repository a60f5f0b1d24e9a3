import { z } from 'zod';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { HIDDEN_CHARACTERS, hasHiddenBesideJoiners } from '../../pkg/system/text/look-alike.js';
import type { Column } from './kind.js';
import { ownedKeys } from './owned-keys.js';

/** One line of text: trimmed, without control characters. */
export function line(maxLength: number) {
  return z
    .string()
    .trim()
    .max(maxLength)
    .refine((value) => !/\p{Cc}/u.test(value), 'must not hold control characters');
}

/**
 * The name of something that people trust, such as a team: a line without characters that are not shown, such as U+200B
 * and U+202E. They would make a second name that looks the same. Joiners stay, which emoji and several scripts need.
 */
export function shownName(maxLength: number) {
  return line(maxLength).refine((value) => !hasHiddenBesideJoiners(value), HIDDEN_CHARACTERS);
}

/** The name of another object. The commit checks whether the object exists. */
export function objectName(maxLength = 253) {
  return z
    .string()
    .min(1, 'must not be empty')
    .max(maxLength)
    .refine((value) => !/[/%\p{Cc}]/u.test(value), 'must not hold "/", "%" or control characters');
}

export function localReference(id: string, what: string) {
  return z.strictObject({ name: objectName().describe(`metadata.name of the ${what}.`) }).meta({ id });
}

/** A column that shows one value of the spec. */
export function column<Spec>(
  name: string,
  description: string,
  value: (spec: Spec) => string | boolean | undefined,
  priority = 0,
): Column {
  return {
    name,
    type: 'string',
    description,
    priority,
    cell: ({ spec }) => (spec === undefined ? '' : String(value(spec as Spec) ?? '')),
  };
}

/** A field selector on one value of the spec. */
export function field<Spec>(value: (spec: Spec) => string | undefined): (object: KubeObject) => string {
  return ({ spec }) => (spec === undefined ? '' : (value(spec as Spec) ?? ''));
}

/** The integer id of an object of a kind that has them. */
export function internalIdOf({ metadata }: KubeObject, domain: string): number {
  return Number(metadata.labels?.[ownedKeys(domain).internalId]);
}

/** The scopes of one object: `teams:uid:ops`, and `teams:id:7` if it has an integer id. */
export function uidAndIdScopes(prefix: string, domain: string): (object: KubeObject) => readonly string[] {
  const { internalId } = ownedKeys(domain);
  return ({ metadata }) => {
    const id = metadata.labels?.[internalId];
    const byUid = `${prefix}:uid:${metadata.name}`;
    return id === undefined ? [byUid] : [byUid, `${prefix}:id:${id}`];
  };
}
