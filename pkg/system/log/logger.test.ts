import { expect } from 'chai';
import { createLogger, type LogOptions } from './logger.js';

function logged(options: Partial<LogOptions>, say: (log: ReturnType<typeof createLogger>) => void): readonly string[] {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  say(createLogger({ level: 'info', format: 'auto', isTerminal: false, write, ...options }));
  return lines;
}

describe('createLogger', () => {
  it('writes JSON with the level by name if there is no terminal', () => {
    const [line] = logged({}, (log) => log.warn({ auditId: 'a' }, 'careful'));
    const record = JSON.parse(line ?? '');
    expect(record).to.include({ level: 'warn', msg: 'careful', auditId: 'a' });
    expect(record.time).to.match(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('writes one readable line on a terminal or if the format is text', () => {
    const say = (log: ReturnType<typeof createLogger>) => log.info({ path: '/a', what: 'b c' }, 'two\nlines');
    for (const options of [{ isTerminal: true }, { format: 'text' as const }]) {
      const [line] = logged(options, say);
      expect(line).to.match(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}two lines path=\/a what="b c"\n$/);
    }
    expect(logged({ format: 'json', isTerminal: true }, say)[0]).to.match(/^\{/);
  });

  // Promise: security tools
  it('shows people no characters that a terminal obeys: some of the texts come from strangers', () => {
    const err = Object.assign(new Error('x'), { stack: 'Error: \u009b2J\n at' });
    const [line] = logged({ format: 'text' }, (log) => log.info({ err, login: 'a\u202eb' }, 'no\u001b[2J'));
    expect(line).to.contain('INFO  no\\u001b[2J login="a\\u202eb"\n    Error: \\u009b2J\n     at');
  });

  it('shows an error with its stack', () => {
    const [line] = logged({ format: 'text' }, (log) => log.error({ err: new Error('boom') }, 'failed'));
    expect(line).to.contain('ERROR failed\n    Error: boom\n        at ');
  });

  it('drops lines below its level', () => {
    expect(logged({ level: 'warn' }, (log) => log.info('quiet'))).to.deep.equal([]);
    expect(logged({ level: 'silent' }, (log) => log.fatal('quiet'))).to.deep.equal([]);
  });
});
