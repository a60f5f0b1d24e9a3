import { styleText } from 'node:util';
import { printable } from '../../../pkg/system/text/printable.js';
import { type Action, actionOf, type Counts, countsOf, type Planned } from './plan.js';

type Style = Parameters<typeof styleText>[0];

interface Look {
  readonly sign: string;
  readonly style: Style;
}

const LOOKS: Readonly<Record<Exclude<Action, 'unchanged'>, Look>> = {
  created: { sign: '+', style: 'green' },
  configured: { sign: '~', style: 'yellow' },
  adopted: { sign: '=', style: 'cyan' },
  pruned: { sign: '-', style: 'red' },
  conflict: { sign: '!', style: 'magenta' },
};

/** A longer value of a field is cut. */
const LONGEST = 120;

/**
 * The plan as text for people: what changes, each with its fields, and the numbers. Objects that stay as they are are
 * only counted.
 */
export function showPlan(plan: readonly Planned[], isColoured: boolean): string {
  const lines = plan.flatMap((planned) => {
    const action = actionOf(planned);
    return action === 'unchanged' ? [] : linesOf(planned, LOOKS[action], action, isColoured);
  });
  return `${[...lines, summaryOf(countsOf(plan))].join('\n')}\n`;
}

function linesOf(planned: Planned, { sign, style }: Look, action: Action, isColoured: boolean): readonly string[] {
  const { kind, namespace, name, diff, message } = planned;
  const paint = (text: string): string => (isColoured ? styleText(style, text, { validateStream: false }) : text);
  const object = printable(namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`);
  const why = message === undefined ? '' : `: ${printable(message)}`;
  // The fields of a new object are those of its manifest.
  const fields = action === 'configured' ? diff.map(fieldOf) : [];
  return [paint(`${sign} ${object} ${action}${why}`), ...fields.map((field) => `    ${field}`)];
}

function fieldOf({ path, from, to }: Planned['diff'][number]): string {
  return `${printable(path)}: ${shownValue(from)} → ${shownValue(to)}`;
}

function shownValue(value: unknown): string {
  if (value === undefined) return '(absent)';
  const text = JSON.stringify(value);
  return printable(text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`);
}

function summaryOf({ conflict, ...counts }: Counts): string {
  const { adopted, ...others } = counts;
  const shown = { ...others, ...(adopted > 0 && { adopted }), conflicts: conflict };
  return Object.entries(shown)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
