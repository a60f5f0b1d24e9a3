import { CALLERS, type Caller } from '../../apis/testing/callers.js';

/**
 * The outcome of a request. `yes` is success (2xx), and a list contains the object of the row. `none` is success
 * without this object. A number is the status of a refusal.
 */
export type Outcome = 'yes' | 'none' | number;

export interface Row {
  /** The first columns: the request. */
  readonly what: string;
  readonly expected: Readonly<Record<Caller, Outcome>>;
}

/**
 * Parses a table. Each line is a row, and the last columns are the outcomes of the callers. Lines that begin with `#`
 * are headings. The first heading names the columns. Throws for a line with a wrong number of columns.
 */
export function rowsOf(table: string): readonly Row[] {
  const lines = table.split('\n').map((line) => line.trim());
  const [heading = '', ...rest] = lines.filter((line) => line !== '');
  const named = heading.split(/\s+/).slice(-CALLERS.length).join(' ');
  if (named !== CALLERS.join(' ')) throw new Error(`the columns are ${CALLERS.join(' ')}, not ${named}`);
  return rest.filter((line) => !line.startsWith('#')).map(rowOf);
}

function rowOf(line: string): Row {
  const cells = line.split(/\s+/);
  const own = cells.slice(-CALLERS.length);
  if (cells.length <= CALLERS.length || own.some((cell) => !/^(yes|none|\d{3})$/.test(cell)))
    throw new Error(`a row needs a name and ${CALLERS.length} cells: ${line}`);
  const outcomes = CALLERS.map((caller, index) => [caller, outcomeFrom(own[index] ?? '')] as const);
  return {
    what: cells.slice(0, -CALLERS.length).join(' '),
    expected: Object.fromEntries(outcomes) as Record<Caller, Outcome>,
  };
}

function outcomeFrom(cell: string): Outcome {
  return cell === 'yes' || cell === 'none' ? cell : Number(cell);
}
