import { expect } from 'chai';
import { parseCommand } from './options.js';
import { checkWhom } from './reset.js';
import { UsageError } from './usage.js';

describe('the options of adminctl', () => {
  const parse = (...argv: readonly string[]) => parseCommand(argv, {});

  it('say what to rotate', () => {
    const { settings, ...rest } = (parse('rotate', 'ca', '--finish', '--paths.data=here') as { rotate: object })
      .rotate as {
      settings: { paths: { data: string } };
    };
    expect(rest).to.deep.equal({ what: 'ca', isFinish: true, fromStdin: false });
    expect(settings.paths.data).to.equal('here');
  });

  it('are refused if they do not belong to the command', () => {
    const WRONG = [
      ['rotate'],
      ['rotate', 'frog'],
      ['rotate', 'admin-token', '--finish'],
      ['rotate', 'admin-certificate', '--finish'],
      ['rotate', 'ca', '--key-stdin'],
      ['rotate', 'secret-key', '--finish', '--key-stdin'],
      ['reset-password', '--user='],
      ['frog'],
    ];
    for (const argv of WRONG) expect(() => parse(...argv), argv.join(' ')).to.throw(UsageError);
    expect(() => parse('rotate', 'ca', '--finnish')).to.throw('--finnish');
    expect(() => parse('reset-password', '--finish')).to.throw('--finish');
  });

  it('mean a server administrator unless they name a user', () => {
    const whom = (...argv: readonly string[]) =>
      (parse('reset-password', ...argv) as { reset: { mustAdminister: boolean } }).reset;
    expect([whom().mustAdminister, whom('--user=admin').mustAdminister]).to.deep.equal([true, false]);
    expect(() => checkWhom({ login: 'admin', mustAdminister: true }, false)).to.throw('not a server administrator');
    expect(() => checkWhom({ login: 'admin', mustAdminister: false }, false)).to.not.throw();
    expect(() => checkWhom({ login: 'admin', mustAdminister: true }, true)).to.not.throw();
  });
});
