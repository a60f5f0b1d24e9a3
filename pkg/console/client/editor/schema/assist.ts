import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { type EditorView, hoverTooltip, type Tooltip } from '@codemirror/view';
import { type Cursor, cursorAt, lineOf } from './cursor.js';
import { type KindSchema, type SchemaNode, typeOf } from './openapi.js';

/** Proposes the keys and values of the schema. */
export function completer(schema: KindSchema): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    if (before.includes('#')) return null;
    const value = /^( *(?:- +)*[^\s:#][^:]*:\s+)(["']?[\w.-]*)$/.exec(before);
    const cursor = cursorAt(context.state.doc, line.number);
    if (value !== null) {
      const [, head = ''] = value;
      const key = lineOf(before)?.key ?? '';
      const part = schema.at([...cursor.parents, key]);
      return part === undefined ? null : { from: line.from + head.length, options: values(part) };
    }
    const item = /^( *(?:- +)+)(["']?[\w.-]*)$/.exec(before);
    const own = item === null ? undefined : schema.at(cursor.parents);
    const typed = /[\w.-]*$/.exec(before)?.[0] ?? '';
    const isKey = /^ *(?:- +)*[\w.-]*$/.test(before);
    if (!isKey || (typed === '' && !context.explicit)) return null;
    const options = own?.enum === undefined ? keys(schema, cursor) : values(own);
    return { from: context.pos - typed.length, options, validFor: /^[\w.-]*$/ };
  };
}

function values({ enum: allowed, type, default: usual }: SchemaNode): readonly Completion[] {
  const all = allowed ?? (type === 'boolean' ? [true, false] : []);
  return all.map((one) => ({
    label: typeof one === 'string' && /^[A-Za-z][\w.-]*$/.test(one) ? one : JSON.stringify(one),
    type: 'enum',
    ...(one === usual && { detail: 'default' }),
  }));
}

function keys(schema: KindSchema, cursor: Cursor): readonly Completion[] {
  const part = schema.at(cursor.parents);
  const required = new Set(part?.required);
  const inner = ' '.repeat(cursor.column + 2);
  return Object.entries(part?.properties ?? {})
    .filter(([name]) => !cursor.siblings.has(name))
    .map(([name, node]) => {
      const whole = schema.whole(node);
      return {
        label: name,
        type: 'property',
        detail: `${typeOf(schema, whole)}${required.has(name) ? ', required' : ''}`,
        apply: `${name}:${FOLLOWS[whole.type ?? '']?.replace('\n', `\n${inner}`) ?? ' '}`,
        boost: required.has(name) ? 1 : 0,
        ...(whole.description !== undefined && { info: () => described(schema, name, whole) }),
      };
    });
}

/** The text after the colon of a new key, by type. */
const FOLLOWS: Readonly<Record<string, string>> = { object: '\n', array: '\n- ' };

/** Describes a key when the pointer rests on it. */
export function hover(schema: KindSchema): ReturnType<typeof hoverTooltip> {
  return hoverTooltip((view: EditorView, at: number): Tooltip | null => {
    const line = view.state.doc.lineAt(at);
    const parts = lineOf(line.text);
    if (parts?.key === undefined) return null;
    const from = line.from + parts.column;
    const to = from + parts.key.length;
    if (at < from || at > to) return null;
    const cursor = cursorAt(view.state.doc, line.number);
    const node = schema.at([...cursor.parents, parts.key]);
    const name = parts.key;
    return node === undefined
      ? null
      : { pos: from, end: to, above: true, create: () => ({ dom: described(schema, name, node) }) };
  });
}

/** The key with its type, its description, and its limits. */
function described(schema: KindSchema, name: string, node: SchemaNode): HTMLElement {
  const box = document.createElement('div');
  box.className = 'about';
  const add = (text: string, own: string): void => {
    const line = document.createElement('div');
    line.className = own;
    line.textContent = text;
    box.append(line);
  };
  add(`${name}: ${typeOf(schema, node)}`, 'about-type');
  if (node.description !== undefined) add(node.description, 'about-text');
  const limits = limitsOf(node);
  if (limits !== '') add(limits, 'about-limits');
  return box;
}

function limitsOf(node: SchemaNode): string {
  const { minLength, maxLength, minimum, maximum, maxItems, pattern, default: usual } = node;
  const facts = {
    'at least': minimum,
    'at most': maximum,
    'least characters': minLength,
    'most characters': maxLength,
    'most items': maxItems,
    matches: pattern,
    default: usual === undefined ? undefined : JSON.stringify(usual),
  };
  return Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([words, value]) => `${words}: ${value}`)
    .join(' · ');
}
