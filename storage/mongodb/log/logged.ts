import { randomUUID } from 'node:crypto';
import type { Change } from '../../backend.js';
import type { LoggedCommit } from '../../transfer/snapshot.js';
import { type ChangeDocument, counterField, type StagedDocument, stagedId, textOf } from '../format/documents.js';
import { stagedValueId } from './staged.js';

/** A document may have 16 MiB, so larger values are staged. */
const STAGE_ABOVE = 7 * 1024 * 1024;

interface LogDocuments {
  readonly changes: readonly ChangeDocument[];
  readonly staged: readonly StagedDocument[];
}

/** The documents of commits that another store has made. */
export function logDocuments(commits: readonly LoggedCommit[]): LogDocuments {
  const staged: StagedDocument[] = [];
  const changes = commits.flatMap(({ end, at, counters, changes }) => {
    const commit = randomUUID();
    const counted = Object.fromEntries([...counters].map(([resource, n]) => [counterField(resource), n]));
    return changes.map((change): ChangeDocument => {
      const isLast = change.revision === end;
      return {
        _id: change.revision,
        end,
        commit,
        at: new Date(at),
        key: change.key,
        ...valuesOf(change, commit, staged),
        ...(isLast && counters.size > 0 && { counters: counted }),
      };
    });
  });
  return { changes, staged };
}

function valuesOf(
  { key, revision, value, previous }: Change,
  commit: string,
  staged: StagedDocument[],
): Pick<ChangeDocument, 'body' | 'staged' | 'previous'> {
  const isLarge = (value?.byteLength ?? 0) + (previous?.value.byteLength ?? 0) > STAGE_ABOVE;
  const keep = (_id: string, bytes: Uint8Array): string => {
    staged.push({ _id, body: textOf(bytes), change: revision });
    return _id;
  };
  if (isLarge && previous !== undefined) keep(stagedId(key, previous.revision), previous.value);
  return {
    ...(value && (isLarge ? { staged: keep(stagedValueId(commit, revision), value) } : { body: textOf(value) })),
    ...(previous && {
      previous: { revision: previous.revision, ...(!isLarge && { body: textOf(previous.value) }) },
    }),
  };
}
