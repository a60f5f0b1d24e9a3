import type { StatusCause } from '../status/status.js';
import { compareElements, pathText } from './element.js';
import { type Fields, pathsOf } from './fields.js';
import type { ManagerId } from './managers.js';

/** Fields of another manager that an apply would change. */
export interface Conflict {
  readonly by: ManagerId;
  readonly fields: Fields;
}

/** An apply would change fields of other managers. The texts are those of Kubernetes, which people and tools know. */
export class ConflictError extends Error {
  readonly conflicts: readonly Conflict[];
  readonly causes: readonly StatusCause[];

  constructor(conflicts: readonly Conflict[]) {
    const sorted = conflicts.toSorted((a, b) => (identity(a.by) < identity(b.by) ? -1 : 1));
    const listed = sorted.map(({ by, fields }) => ({ who: described(by), paths: textsOf(fields) }));
    super(messageOf(listed));
    this.conflicts = sorted;
    this.causes = listed.flatMap(({ who, paths }) =>
      paths.map((field) => ({ reason: 'FieldManagerConflict' as const, message: `conflict with ${who}`, field })),
    );
  }
}

interface Listed {
  readonly who: string;
  readonly paths: readonly string[];
}

function messageOf(listed: readonly Listed[]): string {
  const count = listed.reduce((sum, { paths }) => sum + paths.length, 0);
  const [first] = listed;
  if (count === 1) return `Apply failed with 1 conflict: conflict with ${first?.who}: ${first?.paths[0]}`;
  const lines = listed.flatMap(({ who, paths }) => [`conflicts with ${who}:`, ...paths.map((path) => `- ${path}`)]);
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`;
}

function textsOf(fields: Fields): readonly string[] {
  return [...pathsOf(fields, compareElements)].map(pathText);
}

function described({ manager, operation, apiVersion, subresource }: ManagerId): string {
  const who =
    JSON.stringify(manager) + (subresource === undefined ? '' : ` with subresource ${JSON.stringify(subresource)}`);
  return operation === 'Update' ? `${who} using ${apiVersion}` : who;
}

/** Kubernetes sorts managers by the JSON of their identity. */
function identity({ manager, operation, apiVersion, subresource }: ManagerId): string {
  return JSON.stringify({
    manager,
    operation,
    apiVersion: operation === 'Apply' ? undefined : apiVersion,
    subresource,
  });
}
