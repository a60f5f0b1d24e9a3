import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { targetOf } from './kubeconfig.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a kubeconfig', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  });
  after(() => rm(folder, { recursive: true }));

  const written = async (name: string, config: object): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, JSON.stringify(config));
    return path;
  };
  const configOf = (user: object, cluster: object = {}) => ({
    'current-context': 'here',
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [
      { name: 'here', context: { cluster: 'c', user: 'u' } },
      { name: 'there', context: { cluster: 'c', user: 'u', namespace: 'org-2' } },
    ],
  });
  const target = async (user: object, cluster: object = {}, context?: string) =>
    targetOf({ path: await written('config', configOf(user, cluster)), context, env: {} });

  it('gives the token, the password or the certificate of its user, and the authority of its cluster', async () => {
    await writeFile(join(folder, 'token'), 'from-file\n');
    expect((await target({ token: 'abc' })).authorization).to.equal('Bearer abc');
    expect((await target({ tokenFile: 'token' })).authorization).to.equal('Bearer from-file');
    expect((await target({ username: 'ann', password: 'p' })).authorization).to.equal(`Basic ${base64('ann:p')}`);
    const certificate = { 'client-certificate-data': base64('cert'), 'client-key-data': base64('key') };
    expect(await target(certificate, { 'certificate-authority-data': base64('ca') })).to.deep.equal({
      url: 'https://127.0.0.1:1',
      tls: { ca: Buffer.from('ca'), cert: Buffer.from('cert'), key: Buffer.from('key') },
    });
  });

  it('is read at its current context, or at another one, with the namespace of that', async () => {
    expect(await target({ token: 'abc' })).to.not.have.property('namespace');
    expect((await target({ token: 'abc' }, {}, 'there')).namespace).to.equal('org-2');
  });

  it('may consist of several files, of which some do not exist, and the first that has a name wins', async () => {
    const { users, ...config } = configOf({ token: 'first' });
    const first = await written('first', { users });
    const second = await written('second', { ...config, users: [{ name: 'u', user: { token: 'second' } }] });
    const KUBECONFIG = [join(folder, 'absent'), first, second].join(delimiter);
    expect(targetOf({ env: { KUBECONFIG } }).authorization).to.equal('Bearer first');
  });

  it('is refused with the reason if it cannot be used', async () => {
    const refusals: readonly (readonly [object, object, string | undefined, string])[] = [
      [{ exec: { command: 'aws' } }, {}, undefined, 'another program'],
      [{ tokenFile: 'absent' }, {}, undefined, 'absent, which the kubeconfig names, cannot be read'],
      [{}, { server: 'ftp://x' }, undefined, 'clusters.0.cluster.server: must be an http or https URL'],
      [{}, {}, 'nowhere', 'no context "nowhere"'],
    ];
    for (const [user, cluster, context, why] of refusals) {
      const error = await target(user, cluster, context).catch((cause: unknown) => cause);
      expect(String(error)).to.contain(why);
    }
    const path = join(folder, 'list');
    await writeFile(path, '[1]\n');
    expect(() => targetOf({ path, env: {} })).to.throw(
      `The kubeconfig ${path} cannot be used: its content: must be an object with clusters`,
    );
  });

  it('is named in the error if it does not exist, however it was named', () => {
    const [one, two] = [join(folder, 'absent'), join(folder, 'missing')];
    const how = 'Name one that exists with --kubeconfig or KUBECONFIG.';
    expect(() => targetOf({ path: one, env: {} })).to.throw(`There is no kubeconfig ${one}. ${how}`);
    const KUBECONFIG = [one, two].join(delimiter);
    expect(() => targetOf({ env: { KUBECONFIG } })).to.throw(`There is no kubeconfig ${one} or ${two}. ${how}`);
  });
});
