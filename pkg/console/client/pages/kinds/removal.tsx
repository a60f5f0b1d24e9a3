import { call, wordsOf } from '../../lib/api.js';
import { objectPath, type Resource } from '../../lib/discovery.js';
import { newOperation } from '../../lib/operation.js';
import { isTitle } from '../../lib/table-titles.js';
import { confirm } from '../../ui/confirm.js';
import { report, tell } from '../../ui/toasts.js';
import type { Column, Row } from './table.js';

/** The most names in the question, and deletions at the same time. */
const [NAMED, AT_ONCE] = [8, 3];

/** Deletes objects after a question, and reports the result. Resolves to whether the person agreed. */
export async function remove(resource: Resource, rows: readonly Row[], columns: readonly Column[]): Promise<boolean> {
  const title = columns.findIndex(isTitle);
  const count =
    rows.length === 1 ? `1 ${resource.kind}` : `${rows.length.toLocaleString()} objects of ${resource.kind}`;
  const isConfirmed = await confirm({
    title: `Delete ${count}?`,
    text: <Question rows={rows} title={title} hasTrash={resource.subresources.includes('restore')} />,
    action: `Delete ${rows.length.toLocaleString()}`,
    isDangerous: true,
  });
  if (!isConfirmed) return false;
  const failures = await removeAll(resource, rows);
  const done = rows.length - failures.length;
  if (done > 0) tell(`Deleted ${done.toLocaleString()} of ${rows.length.toLocaleString()}.`);
  if (failures.length > 0)
    report(`${failures.length} could not be deleted. ${[...new Set(failures)].slice(0, 3).join(' ')}`);
  return true;
}

interface QuestionProps {
  readonly rows: readonly Row[];
  /** The place of the cell with the title, or -1. */
  readonly title: number;
  readonly hasTrash: boolean;
}

function Question({ rows, title, hasTrash }: QuestionProps) {
  return (
    <>
      <ul class="kind-names">
        {rows.slice(0, NAMED).map(({ metadata: { name }, key, cells }) => (
          <li key={key} dir="auto" title={name}>
            {cells[title] || name}
          </li>
        ))}
      </ul>
      {rows.length > NAMED && <p>And {(rows.length - NAMED).toLocaleString()} more.</p>}
      <p>
        What they contain is deleted, too.{' '}
        {hasTrash ? 'They can be restored from the trash.' : 'This cannot be undone.'}
      </p>
    </>
  );
}

async function removeAll(resource: Resource, rows: readonly Row[]): Promise<readonly string[]> {
  const waiting = [...rows];
  const query = rows.length > 1 ? { operation: newOperation() } : {};
  const failures: string[] = [];
  const work = async (): Promise<void> => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const { namespace, name, uid } = row.metadata;
      const body = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid } };
      await call('DELETE', objectPath(resource, namespace, name), { query, body }).catch((error: unknown) => {
        failures.push(wordsOf(error));
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failures;
}
