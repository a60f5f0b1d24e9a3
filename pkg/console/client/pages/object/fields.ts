import { parseJson } from '../../../../kube/json/parse.js';

/** The paths of the fields that a manager owns, as people read them: `spec.panels[id=3].title`. */
export function fieldsOf(fieldsV1: unknown): readonly string[] {
  const paths: string[] = [];
  collect(fieldsV1, '', paths);
  return paths;
}

/** A field is named if it is owned itself, or has no fields below. */
function collect(value: unknown, path: string, paths: string[]): void {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const below = members.filter(([name]) => name !== '.');
  if (path !== '' && (below.length === 0 || below.length < members.length)) paths.push(path);
  for (const [name, member] of below) collect(member, path + stepOf(name, path === ''), paths);
}

function stepOf(name: string, isFirst: boolean): string {
  const [kind, rest] = [name.slice(0, 2), name.slice(2)];
  if (kind === 'f:') return rest.includes('.') || rest.includes('/') ? `["${rest}"]` : `${isFirst ? '' : '.'}${rest}`;
  if (kind === 'k:') return `[${keysOf(rest)}]`;
  if (kind === 'v:') return `[=${rest}]`;
  return kind === 'i:' ? `[${rest}]` : `.${name}`;
}

function keysOf(text: string): string {
  try {
    const keys = parseJson(text) as Readonly<Record<string, unknown>>;
    return Object.entries(keys)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join(', ');
  } catch {
    return text;
  }
}
