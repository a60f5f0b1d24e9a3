import { lexer, type Tokens, walkTokens } from 'marked';

/** A script of a page, and what it prints. */
export interface Script {
  readonly kind: 'script';
  readonly heading: string;
  readonly text: string;
  /** If it is absent, anything may be printed. */
  readonly expected?: string;
  /** The exit code of the last command. */
  readonly exit: number;
  /** Whether it runs in the background, and prints `expected` when it is ready. */
  readonly isServer: boolean;
  /** The other test that runs it. */
  readonly testedBy?: string;
  /** Why no test can run it. */
  readonly notRun?: string;
}

/** A file that a page tells its readers to write. */
export interface PageFile {
  readonly kind: 'file';
  readonly path: string;
  readonly text: string;
}

/** A block that is none of the others. */
interface Unknown {
  readonly kind: 'unknown';
  readonly heading: string;
  readonly language: string;
  readonly text: string;
}

export type Step = Script | PageFile | Unknown;

/** The languages of blocks without commands. */
const SHOWN = new Set(['text', 'yaml', 'json', 'ini', 'toml', 'ts', 'hcl', 'promql', 'js', 'python']);
/** The first line of a block that is a file. */
const NAMED = /^(?:#|\/\/) ([\w./-]+\.\w+)\n/;

/**
 * What a reader of a page does, in order. A block `sh` is a script. A block `text` after it is what the script prints.
 * In it, `…` stands for any text in a line, or, alone in a line, for any lines. A block whose first line is a comment
 * with a file name is that file. The words after `sh`: `exit=N`, `server`, `tested-by=PATH`, `not-run="WHY"`.
 */
export function stepsOf(page: string): readonly Step[] {
  const steps: Step[] = [];
  let heading = '';
  let last: string | undefined;
  walkTokens(lexer(page), (token) => {
    if (token.type === 'heading') heading = (token as Tokens.Heading).text;
    if (token.type !== 'code') return;
    const { lang = '', text } = token as Tokens.Code;
    const language = lang.split(' ')[0] ?? '';
    if (language === 'sh') steps.push(scriptOf(heading, lang, text));
    else if (!SHOWN.has(language)) steps.push({ kind: 'unknown', heading, language, text });
    else if (language === 'text') expect(steps, last, text);
    else if (NAMED.test(text)) steps.push({ kind: 'file', path: NAMED.exec(text)?.[1] ?? '', text: `${text}\n` });
    last = language;
  });
  return steps;
}

function scriptOf(heading: string, info: string, text: string): Script {
  const testedBy = /\btested-by=(\S+)/.exec(info)?.[1];
  const notRun = /\bnot-run="([^"]+)"/.exec(info)?.[1];
  return {
    kind: 'script',
    heading,
    text,
    exit: Number(/\bexit=(\d+)/.exec(info)?.[1] ?? 0),
    isServer: /\bserver\b/.test(info),
    ...(testedBy === undefined ? {} : { testedBy }),
    ...(notRun === undefined ? {} : { notRun }),
  };
}

function expect(steps: Step[], last: string | undefined, text: string): void {
  const script = steps.at(-1);
  if (last === 'sh' && script?.kind === 'script') steps[steps.length - 1] = { ...script, expected: text };
}

/** Matches the output that a page shows. */
export function patternOf(expected: string): RegExp {
  const lines = expected.split('\n').map((line) => {
    if (line.trim() === '…') return '(?:.*\\n)*?';
    const words = line.trimEnd().split('…');
    return `${words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*')}[ \\t]*\\n`;
  });
  return new RegExp(`^${lines.join('')}$`);
}
