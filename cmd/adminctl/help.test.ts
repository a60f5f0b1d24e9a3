import { expect } from 'chai';
import { COMMANDS, HELP, helpOf, usageOf } from './help.js';

const NAMES = [
  'reset-password',
  'rotate',
  'backup',
  'restore',
  'copy',
  'check',
  'compact',
  'support-bundle',
  'users',
  'sessions',
  'tokens',
  'sync',
  'export',
  'import',
  'completion',
];

/** The commands that a text describes. */
const described = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/^adminctl (\S+)/gm)].map(([, name = '']) => name)),
];

describe('the help of adminctl', () => {
  it('describes all commands', () => {
    expect(described(HELP)).to.deep.equal(NAMES);
    expect(helpOf('all')).to.equal(HELP);
  });

  it('without a command shows how each is written, on one screen, with exit codes', () => {
    const overview = helpOf(undefined);
    expect(helpOf('--help')).to.equal(overview);
    expect(described(overview).filter((name) => name !== '--version' && name !== 'help')).to.deep.equal(NAMES);
    expect(overview.split('\n').length).to.be.lessThan(35);
    expect(overview).to.contain('Exit codes: 0 done, 1 failed, 2 wrong usage');
  });

  it('says what a shell can complete', () => {
    const wordsOf = (name: string) => COMMANDS.find((one) => one.name === name);
    expect(wordsOf('users')).to.deep.equal({
      name: 'users',
      words: ['list', 'disable', 'enable', '--id='],
      takesSettings: true,
    });
    expect(wordsOf('rotate')?.words).to.include.members(['ca', 'secret-key', '--finish', '--key-stdin']);
    expect(wordsOf('sync')?.words)
      .to.include.members(['--applyset=', '--check', '--prune'])
      .and.not.include('--applyset');
    expect(wordsOf('sync')?.takesSettings).to.equal(false);
    expect(wordsOf('completion')?.words).to.deep.equal(['bash', 'zsh']);
  });

  it('about a command describes only that, in all its forms, and what holds for its kind of command', () => {
    expect(described(helpOf('backup'))).to.deep.equal(['backup']);
    expect(helpOf('backup')).to.contain('\n\n[settings] are those of the server').and.contain('2 wrong usage\n');
    expect(helpOf('rotate').match(/^adminctl rotate/gm)).to.have.length(4);
    expect(described(helpOf('sessions'))).to.deep.equal(['users', 'sessions', 'tokens']);
    expect(described(helpOf('sync'))).to.deep.equal(['sync']);
    expect(helpOf('sync')).to.contain('--kubeconfig=FILE').and.not.contain('[settings] are');
    for (const name of NAMES) expect(helpOf(name).length, name).to.be.lessThan(HELP.length / 2);
  });

  it('for wrong usage is that about the command, or the names of all commands', () => {
    expect(usageOf('check')).to.equal(helpOf('check'));
    for (const name of ['frog', undefined])
      expect(usageOf(name)).to.equal(`The commands are ${NAMES.join(', ')}. adminctl --help describes them.\n`);
  });
});
