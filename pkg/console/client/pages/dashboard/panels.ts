import { jsonText } from '../../../../dashboards/json-text.js';
import { member } from '../../../../dashboards/model.js';

/** A panel of a dashboard, in words. */
export interface Panel {
  readonly title: string;
  readonly type: string;
  readonly description: string;
  /** The data source: its uid or its name, and its type. */
  readonly source: string;
  readonly queries: readonly Query[];
  /** The library element that it shows. */
  readonly element?: { readonly uid: string; readonly name: string };
}

export interface Query {
  readonly refId: string;
  readonly text: string;
  readonly isHidden: boolean;
}

/** Panels below a row, or before the first one, which has no title. */
export interface Section {
  readonly title: string;
  readonly isClosed: boolean;
  readonly panels: readonly Panel[];
}

/** The panels of a dashboard in the order in which they lie, by rows. Members of other forms are left out. */
export function sectionsOf(spec: unknown): readonly Section[] {
  const rows = listOf(member(spec, 'rows'));
  // Dashboards of old versions have their panels in rows.
  if (rows.length > 0) return rows.map((row) => sectionOf(row, listOf(member(row, 'panels'))));
  const sections: Section[] = [];
  let panels: Panel[] = [];
  const first = { title: '', isClosed: false, panels };
  for (const panel of placed(listOf(member(spec, 'panels')))) {
    if (textOf(panel, 'type') !== 'row') {
      panels.push(panelOf(panel));
      continue;
    }
    const section = sectionOf(panel, placed(listOf(member(panel, 'panels'))));
    panels = [...section.panels];
    sections.push({ ...section, panels });
  }
  return first.panels.length === 0 ? sections : [first, ...sections];
}

function sectionOf(row: unknown, panels: readonly unknown[]): Section {
  const isClosed = member(row, 'collapsed') === true || member(row, 'collapse') === true;
  return { title: textOf(row, 'title') || 'Row', isClosed, panels: panels.map(panelOf) };
}

export function panelOf(panel: unknown): Panel {
  const library = member(panel, 'libraryPanel');
  const [uid, name] = [textOf(library, 'uid'), textOf(library, 'name')];
  return {
    title: textOf(panel, 'title') || name,
    type: textOf(panel, 'type'),
    description: textOf(panel, 'description'),
    source: sourceOf(member(panel, 'datasource')),
    queries: listOf(member(panel, 'targets')).map(queryOf),
    ...(uid !== '' && { element: { uid, name: name || uid } }),
  };
}

/** Members in which data sources have the text of a query, the most common first. */
const TEXTS = ['expr', 'query', 'rawSql', 'rawQuery', 'queryText', 'expression', 'target', 'url'];
/** Members that are no part of a query. */
const OTHERS = new Set(['refId', 'datasource', 'hide']);

export function queryOf(target: unknown): Query {
  const text = TEXTS.map((name) => textOf(target, name)).find((one) => one !== '');
  const rest = Object.entries(typeof target === 'object' && target !== null ? target : {});
  return {
    refId: textOf(target, 'refId'),
    text: text ?? jsonText(Object.fromEntries(rest.filter(([name]) => !OTHERS.has(name)))),
    isHidden: member(target, 'hide') === true,
  };
}

export function sourceOf(source: unknown): string {
  if (typeof source === 'string') return source;
  const [uid, type] = [textOf(source, 'uid'), textOf(source, 'type')];
  if (uid === '' || uid.startsWith('-- ')) return type === 'datasource' ? uid : type;
  return type === '' || type === uid ? uid : `${type}: ${uid}`;
}

/** By their places in the grid: from the top, and from the left. */
function placed(panels: readonly unknown[]): readonly unknown[] {
  const at = (panel: unknown, name: string): number => {
    const value = member(member(panel, 'gridPos'), name);
    return typeof value === 'number' ? value : 0;
  };
  return [...panels].sort((a, b) => at(a, 'y') - at(b, 'y') || at(a, 'x') - at(b, 'x'));
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A member that is a text. Empty if it is not. */
export function textOf(value: unknown, name: string): string {
  const text = member(value, name);
  return typeof text === 'string' ? text.trim() : '';
}
