import { nameProblems } from '../pkg/meta/names.js';
import { badRequest, invalid } from '../pkg/status/errors.js';
import type { Kind } from './kind.js';

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
