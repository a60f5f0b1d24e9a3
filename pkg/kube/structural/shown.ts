import { isNumber } from '../json/exact.js';
import { beginning } from '../status/causes.js';
import { printedJson, printedNumber, printedStruct, printedValue, quoted } from './go-text.js';

/** Values as causes show them. A client chooses how long they are, so they are cut before they are printed. */

/** The most characters of a value that are shown. */
const LONGEST = 1000;
const MARK = '…';

/** What is left of a value that was cut. */
interface Cut {
  readonly value: unknown;
  readonly isCut: boolean;
}

/** `%q` of a text. */
export function shownText(text: string): string {
  return text.length <= LONGEST ? quoted(text) : `${quoted(beginning(text, LONGEST))}${MARK}`;
}

/** A value as `Invalid value: ` shows it. */
export function shownBad(value: unknown): string {
  if (typeof value === 'string') return shownText(value);
  return isNumber(value) ? printedNumber(value) : marked(value, printedJson);
}

export function shownStruct(value: unknown): string {
  return marked(value, printedStruct);
}

/** `%v` of a value that was read from JSON. */
export function shownValue(value: unknown): string {
  return marked(value, printedValue);
}

/** The values of a list in words, as many as have a place. */
export function shownList(values: readonly unknown[]): string {
  let text = '';
  for (const [i, value] of values.entries()) {
    if (text.length > LONGEST) return `${text}, and ${values.length - i} more`;
    text += `${i === 0 ? '' : ', '}${shownText(typeof value === 'string' ? value : marked(value, printedJson))}`;
  }
  return text;
}

/** A text of a schema in a cause, such as a pattern. */
export function shownPart(text: string): string {
  return text.length <= LONGEST ? text : `${beginning(text, LONGEST)}${MARK}`;
}

function marked(value: unknown, print: (value: unknown) => string): string {
  const { value: kept, isCut } = cut(value);
  return isCut ? `${print(kept)}${MARK}` : print(kept);
}

function cut(value: unknown): Cut {
  const budget = { remaining: LONGEST, isCut: false };
  return { value: kept(value, budget), isCut: budget.isCut };
}

interface Budget {
  remaining: number;
  isCut: boolean;
}

function kept(value: unknown, budget: Budget): unknown {
  budget.remaining--;
  if (typeof value === 'string') return keptText(value, budget);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return keptItems(value, budget);
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (isOver(budget)) break;
    members.push([keptText(name, budget), kept(member, budget)]);
  }
  return Object.fromEntries(members);
}

function keptItems(list: readonly unknown[], budget: Budget): unknown[] {
  const items: unknown[] = [];
  for (const item of list) {
    if (isOver(budget)) break;
    items.push(kept(item, budget));
  }
  return items;
}

function keptText(text: string, budget: Budget): string {
  const most = Math.max(0, budget.remaining);
  budget.remaining -= text.length;
  if (text.length <= most) return text;
  budget.isCut = true;
  return beginning(text, most);
}

function isOver(budget: Budget): boolean {
  if (budget.remaining > 0) return false;
  budget.isCut = true;
  return true;
}
