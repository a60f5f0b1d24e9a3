import type { Steps } from '../../system/yielding/steps.js';
import { Work } from '../../system/yielding/work.js';
import { MOST_CAUSES } from '../status/causes.js';
import type { StatusCause } from '../status/status.js';
import { pathText } from './element.js';
import { countSteps, type Fields, firstPaths } from './fields.js';
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

  constructor(conflicts: readonly Conflict[], listed: readonly Listed[], count: number) {
    super(messageOf(listed, count));
    this.conflicts = conflicts;
    this.causes = listed.flatMap(({ who, paths }) =>
      paths.map((field) => ({ reason: 'FieldManagerConflict' as const, message: `conflict with ${who}`, field })),
    );
  }
}

/** One more than an answer has, so that the answer says that there are more. */
const MOST_PATHS = MOST_CAUSES + 1;

/** The error for conflicts, in steps: there may be many thousands. It counts all of them, and names the first. */
export function* conflictError(conflicts: readonly Conflict[]): Steps<ConflictError> {
  const work = new Work();
  const sorted = conflicts.toSorted((a, b) => (identity(a.by) < identity(b.by) ? -1 : 1));
  const listed: Listed[] = [];
  let [count, left] = [0, MOST_PATHS];
  for (const { by, fields } of sorted) {
    count += yield* countSteps(fields, work);
    if (left === 0) continue;
    const paths = (yield* firstPaths(fields, left, work)).map(pathText);
    listed.push({ who: described(by), paths });
    left -= paths.length;
  }
  return new ConflictError(sorted, listed, count);
}

/** The first fields of a manager. */
interface Listed {
  readonly who: string;
  readonly paths: readonly string[];
}

function messageOf(listed: readonly Listed[], count: number): string {
  const [first] = listed;
  if (count === 1) return `Apply failed with 1 conflict: conflict with ${first?.who}: ${first?.paths[0]}`;
  const lines = listed.flatMap(({ who, paths }) => [`conflicts with ${who}:`, ...paths.map((path) => `- ${path}`)]);
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`;
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
