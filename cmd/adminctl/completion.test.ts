import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { completionScript } from './completion.js';

const run = promisify(execFile);

/** What bash offers after a line. */
async function offered(line: string): Promise<readonly string[]> {
  const [name = ''] = line.split(' ');
  const script = [
    completionScript('bash'),
    `COMP_LINE='${line}' COMP_POINT=${line.length}`,
    // Bash divides words at these characters.
    `COMP_WORDS=(${line.replaceAll(/=/g, ' = ')}${line.endsWith(' ') ? ' ""' : ''})`,
    'COMP_CWORD=$(( ' + '$' + '{#COMP_WORDS[@]} - 1 ))',
    `_${name.replaceAll('-', '_')}`,
    `printf '%s\\n' "\${COMPREPLY[@]}"`,
  ].join('\n');
  const { stdout } = await run('bash', ['--noprofile', '--norc', '-c', script]);
  return stdout.split('\n').filter(Boolean);
}

describe('the completion for bash', () => {
  it('offers the commands, and what belongs to a command', async () => {
    expect(await offered('adminctl re')).to.deep.equal(['reset-password', 'restore']);
    expect(await offered('adminctl users ')).to.include.members(['list', 'enable', '--paths.data=']);
    expect(await offered('adminctl rotate s')).to.deep.equal(['secret-key']);
    expect(await offered('adminctl sync --che')).to.deep.equal(['--check']);
    expect(await offered('adminctl export --paths')).to.deep.equal([]);
    expect(await offered('adminctl completion ')).to.deep.equal(['bash', 'zsh']);
  });

  it('offers how to find the server, to the commands that talk to a running one', async () => {
    expect(await offered('adminctl sync --kube')).to.deep.equal(['--kubeconfig=']);
    expect(await offered('adminctl export --con')).to.deep.equal(['--context=']);
    expect(await offered('adminctl import --kube')).to.deep.equal(['--kubeconfig=']);
    expect(await offered('adminctl completion --kube')).to.deep.equal([]);
    expect(await offered('adminctl sync --kubeconfig=/va')).to.deep.equal([]);
  });

  it('offers the settings of the server, and the topics of its help', async () => {
    expect(await offered('dashboard-apiserver --server.http_p')).to.deep.equal(['--server.http_port=']);
    expect(await offered('dashboard-apiserver --log.level=warn --paths.d')).to.deep.equal(['--paths.data=']);
    // Bash replaces only what follows the equals sign.
    expect(await offered('dashboard-apiserver --help=st')).to.deep.equal(['storage']);
  });

  it('offers nothing after a setting, so that the shell completes file names', async () => {
    expect(await offered('adminctl backup --paths.data=/va')).to.deep.equal([]);
  });
});

describe('the completion for zsh', () => {
  it('is a script that zsh reads', async function readable() {
    const checked = await run('zsh', ['-n', '-c', completionScript('zsh')]).catch(
      (error: NodeJS.ErrnoException) => error,
    );
    if ('code' in checked && checked.code === 'ENOENT') return this.skip();
    expect(checked).to.deep.equal({ stdout: '', stderr: '' });
  });

  it('has the same words', () => {
    const script = completionScript('zsh');
    expect(script)
      .to.contain('compdef _adminctl adminctl')
      .and.contain('compdef _dashboard_apiserver dashboard-apiserver');
    for (const word of ['reset-password', 'secret-key', '--paths.data=', '--help=storage'])
      expect(script).to.contain(word);
  });
});
