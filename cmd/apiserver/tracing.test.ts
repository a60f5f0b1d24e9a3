import { expect } from 'chai';
import type { Logger } from 'pino';
import { failureLog } from './tracing.js';

describe('the log of failed traces', () => {
  it('names the setting and the reason, at most once a minute', () => {
    const logged: unknown[] = [];
    let now = 0;
    const log = { warn: (fields: unknown, message: string) => void logged.push([fields, message]) };
    const failed = failureLog(log as Pick<Logger, 'warn'>, () => now);
    const [first, second, third] = [new Error('1'), new Error('2'), new Error('3')];
    failed(first);
    now = 59_999;
    failed(second);
    now = 60_000;
    failed(third);
    const message = 'traces cannot be sent to tracing.endpoint and are lost: check the URL and the collector';
    expect(logged).to.deep.equal([
      [{ err: first }, message],
      [{ err: third }, message],
    ]);
  });
});
