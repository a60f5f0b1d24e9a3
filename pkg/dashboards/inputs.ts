import { type DashboardModel, member } from './model.js';

/** A value that an exported dashboard asks for. Its texts have the placeholder `${NAME}` for it. */
export interface Input {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** `datasource`, or `constant`. */
  readonly type: string;
  /** The type of the data source. */
  readonly pluginId: string;
  /** The value that it has if nobody chooses another one. */
  readonly value: string;
}

/** The inputs that a dashboard asks for, each once. */
export function inputsOf(dashboard: DashboardModel): readonly Input[] {
  const declared = member(dashboard, '__inputs');
  const inputs = (Array.isArray(declared) ? declared : []).flatMap(inputOf);
  return [...new Map(inputs.map((input) => [input.name, input])).values()];
}

function inputOf(declared: unknown): readonly Input[] {
  const text = (name: string): string => {
    const value = member(declared, name);
    return typeof value === 'string' ? value : '';
  };
  const name = text('name');
  if (name === '') return [];
  const [label, description, type] = [text('label') || name, text('description'), text('type')];
  return [{ name, label, description, type, pluginId: text('pluginId'), value: text('value') }];
}
