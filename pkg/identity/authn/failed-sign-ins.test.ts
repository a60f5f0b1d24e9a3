import { expect } from 'chai';
import { type FailedSignIn, failedSignIns } from './failed-sign-ins.js';

describe('failed sign-ins in the log', () => {
  const failure = (more: Partial<FailedSignIn> = {}): FailedSignIn => ({
    ...{ by: 'password', login: 'ada', address: '198.51.100.1', why: 'the password is wrong' },
    ...more,
  });
  let now = 0;
  const make = () => {
    const lines: (FailedSignIn & { leftOut?: number })[] = [];
    return {
      lines,
      failed: failedSignIns(
        (line) => void lines.push(line),
        () => now,
      ),
    };
  };

  it('have one line a minute for the same account, address and reason', () => {
    const { lines, failed } = make();
    for (let i = 0; i < 5; i++) failed(failure());
    failed(failure({ address: '198.51.100.2' }));
    now += 60_000;
    failed(failure());
    expect(lines).to.deep.equal([failure(), failure({ address: '198.51.100.2' }), failure()]);
  });

  it('have twenty lines a minute, and the next line says how many were left out', () => {
    const { lines, failed } = make();
    for (let i = 0; i < 1000; i++) failed(failure({ login: `user-${i}` }));
    expect(lines).to.have.length(20);
    now += 60_000;
    failed(failure());
    failed(failure({ login: 'bob' }));
    expect(lines.slice(20).map(({ leftOut }) => leftOut)).to.deep.equal([980, undefined]);
  });

  it('are logged in the next minute if they were left out in this one', () => {
    const { lines, failed } = make();
    for (let i = 0; i < 20; i++) failed(failure({ login: `user-${i}` }));
    now += 59_000;
    failed(failure({ login: 'bob' }));
    now += 1_000;
    failed(failure({ login: 'bob' }));
    expect(lines.slice(20)).to.deep.equal([{ ...failure({ login: 'bob' }), leftOut: 1 }]);
  });

  it('of an account are logged beside any number of failures without one', () => {
    const { lines, failed } = make();
    for (let i = 0; i < 1000; i++)
      failed(failure({ login: undefined, address: `198.51.100.${i % 250}`, why: `state ${i}` }));
    failed(failure());
    expect(lines).to.have.length(21);
    expect(lines[20]).to.deep.equal(failure());
  });

  // Promise: security tools
  it('show no characters that a terminal obeys, and no long texts', () => {
    const { lines, failed } = make();
    failed(failure({ login: 'a\u001b[2J\nb\u202e', why: 'x'.repeat(10_000) }));
    expect(lines[0]?.login).to.equal('a\\u001b[2J\\u000ab\\u202e');
    expect(lines[0]?.why).to.have.length(500);
  });
});
