import type { Input } from './inputs.js';
import { type DashboardModel, member } from './model.js';

/** A library element, as exported dashboards have it. */
export interface ExportedElement {
  readonly uid: string;
  readonly name: string;
  readonly kind: number;
  readonly model: unknown;
}

/** Names that stand for no data source of a server, and texts with a variable. */
const NO_SOURCE = /^(?:-- .* --|grafana|default|)$|\$/;

/**
 * The dashboard for another server: each data source becomes an input, for which the import asks, and the library
 * elements come along.
 */
export function shared(dashboard: DashboardModel, elements: readonly ExportedElement[]): DashboardModel {
  const sources = new Sources();
  const content = sources.without(dashboard) as DashboardModel;
  const along = elements.map((element) => [element.uid, sources.without(element)] as const);
  return {
    __inputs: sources.inputs,
    ...(along.length > 0 && { __elements: Object.fromEntries(along) }),
    ...content,
  };
}

/** Replaces data sources by placeholders, and remembers for which inputs they stand. */
class Sources {
  readonly #inputs = new Map<string, Input>();

  get inputs(): readonly Input[] {
    return [...this.#inputs.values()];
  }

  without(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((element: unknown) => this.without(element));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, of]) => [name, name === 'datasource' ? this.#source(of) : this.without(of)]),
    );
  }

  /** A data source is named by its uid, with its type, or by its name alone in dashboards of older versions. */
  #source(source: unknown): unknown {
    if (typeof source === 'string') return NO_SOURCE.test(source) ? source : this.#placeholder(source, '');
    const [uid, type] = [member(source, 'uid'), member(source, 'type')];
    if (typeof uid !== 'string' || NO_SOURCE.test(uid)) return source;
    return { ...(source as object), uid: this.#placeholder(uid, typeof type === 'string' ? type : '') };
  }

  #placeholder(source: string, type: string): string {
    const input = this.#inputs.get(source) ?? this.#newInput(source, type);
    this.#inputs.set(source, input);
    return `\${${input.name}}`;
  }

  #newInput(source: string, type: string): Input {
    const word = `DS_${(type || source).toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
    const taken = new Set(this.inputs.map(({ name }) => name));
    let name = word;
    for (let count = 2; taken.has(name); count++) name = `${word}_${count}`;
    return { name, label: source, description: '', type: 'datasource', pluginId: type, value: '' };
  }
}
