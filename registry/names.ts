import { nameProblems } from '../pkg/meta/names.js';
import type { KubeObject } from '../pkg/meta/types.js';
import { badRequest, invalid } from '../pkg/status/errors.js';
import type { View } from '../storage/transaction.js';
import type { Kind } from './kind.js';
import { objectKey } from './registry.js';

/** Throws Invalid for a name that the kind cannot have, 400 when there is neither a name nor a generateName. */
export function checkName(kind: Kind, name: string, generateName: string): void {
  if (name === '' && generateName === '') throw required(kind);
  const problems = nameProblems(name, kind.names ?? {});
  if (problems.length === 0) return;
  const causes = problems.map((problem) => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${JSON.stringify(name.slice(0, 100))}: ${problem}`,
    field: 'metadata.name',
  }));
  throw invalid(kind, name.slice(0, 300), causes, kind.invalidCode);
}

function required(kind: Kind): Error {
  const message = 'Required value: name or generateName is required';
  if (kind.invalidCode === 400) {
    return invalid(kind, '', [{ reason: 'FieldValueRequired', message, field: 'metadata.name' }], 400);
  }
  return badRequest(message);
}

/** The commit names it after its number. */
export function isNumbered(kind: Kind, { metadata }: KubeObject): boolean {
  return kind.nameOf !== undefined && metadata.name === '' && (metadata.generateName ?? '') === '';
}

/** Name and number of a new object. A dry run uses no number up, and gives one only where the name needs it. */
export function nameAndId(
  kind: Kind,
  object: KubeObject,
  view: View,
  dryRun: boolean,
): { readonly name: string; readonly id?: number } {
  const { name } = object.metadata;
  const sequence = kind.idSequence ?? kind.qualified;
  if (!isNumbered(kind, object)) {
    return dryRun || kind.internalId !== true ? { name } : { name, id: view.nextId(sequence) };
  }
  for (;;) {
    const id = view.nextId(sequence);
    const made = kind.nameOf?.(id) ?? '';
    // Someone may have taken that name by hand.
    if (view.get(objectKey(kind, object.metadata.namespace ?? '', made)) === undefined) return { name: made, id };
  }
}
