/** One value of a metric, with its labels. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Reads the text format of Prometheus, without its comments. */
export function samplesOf(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, key = '', one = '']) => [key, one.replace(/\\(.)/g, '$1')]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}
