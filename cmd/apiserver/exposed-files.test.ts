import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { exposedFiles } from './exposed-files.js';

describe('exposedFiles', () => {
  let data: string;
  const file = async (name: string, mode: number) => {
    await writeFile(join(data, name), 'x');
    await chmod(join(data, name), mode);
  };

  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'exposed-'));
    await mkdir(join(data, 'pki'), { mode: 0o700 });
    await mkdir(join(data, 'store'), { mode: 0o700 });
    for (const name of ['admin.token', 'kubeconfig', 'secret.key', 'pki/ca.key', 'store/data.mdb'])
      await file(name, 0o600);
    await file('pki/ca.crt', 0o644);
  });
  afterEach(() => rm(data, { recursive: true }));

  it('is empty if only the owner may read the secrets', async () => {
    expect(await exposedFiles(data)).to.deep.equal([]);
    expect(await exposedFiles(join(data, 'missing'))).to.deep.equal([]);
  });

  it('names a folder that others may open, its mode and what to do', async () => {
    for (const mode of [0o777, 0o755, 0o750, 0o701]) {
      await chmod(data, mode);
      const [problem] = await exposedFiles(data);
      expect(problem)
        .to.contain(`${data} (mode 0${mode.toString(8)})`)
        .and.to.contain(`chmod 0700 ${data}`);
    }
  });

  it('names each file with a secret that others may read or change', async () => {
    const secrets = ['admin.token', 'kubeconfig', 'secret.key', 'pki/ca.key', 'store/data.mdb'];
    for (const name of secrets) await file(name, 0o644);
    const problems = await exposedFiles(data);
    expect(problems).to.have.length(secrets.length);
    for (const name of secrets) expect(problems.join('\n')).to.contain(`chmod 0600 ${join(data, name)}`);
    await Promise.all(secrets.map((name) => file(name, 0o620)));
    expect(await exposedFiles(data)).to.have.length(secrets.length);
  });
});
