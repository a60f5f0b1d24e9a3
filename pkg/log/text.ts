/** One JSON line of the log for people: time, level, message, then the rest as `name=value`, then a stack. */
export function textLine(json: string): string {
  const record: unknown = JSON.parse(json);
  const { time, level, msg, err, ...rest } = record as Readonly<Record<string, unknown>>;
  const clock = String(time).slice(11, 23);
  const fields = Object.entries(rest).map(([name, value]) => `${name}=${valueText(value)}`);
  const head = [clock, String(level).toUpperCase().padEnd(5), oneLine(String(msg ?? '')), ...fields].join(' ');
  return `${head}${errorText(err)}\n`;
}

const oneLine = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ');

const valueText = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value);

function errorText(error: unknown): string {
  if (error === null || typeof error !== 'object') return '';
  const { stack, message } = error as { readonly stack?: unknown; readonly message?: unknown };
  return `\n    ${String(stack ?? message ?? '').replaceAll('\n', '\n    ')}`;
}
