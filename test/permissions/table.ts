/** The callers that every table has a column for. */
export const CALLERS = [
  'anon',
  'viewer',
  'editor',
  'admin',
  'root',
  'botV',
  'botA',
  'member',
  'lead',
  'outsider',
] as const;
export type Caller = (typeof CALLERS)[number];

/**
 * What an answer comes to: `yes` is done (2xx), and of a list that it shows the object in question; `none` is a list without it;
 * a number is the status.
 */
export type Outcome = 'yes' | 'none' | number;

export interface Row {
  /** The first columns: what is tried. */
  readonly what: string;
  readonly expected: Readonly<Record<Caller, Outcome>>;
}

/**
 * Reads a table: one line a row, the last columns are the callers'. Lines that begin with `#` are headings, the first one names the columns.
 * Throws for a line that is not as long as it should be.
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
