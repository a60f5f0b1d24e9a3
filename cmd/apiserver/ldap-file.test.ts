import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfig } from '../../pkg/config/load.js';
import { ldapFile } from './ldap-file.js';

const FILE = `
[[servers]]
host = "127.0.0.1"
port = 3389
bind_dn = "cn=reader,dc=example,dc=com"
bind_password = "\${READER_PASSWORD}"
search_filter = "(cn=%s)"
search_base_dns = ["dc=example,dc=com"]
root_ca_cert = "/etc/ssl/ca.pem"

[servers.attributes]
member_of = "memberOf"
email =  "mail"

[[servers.group_mappings]]
group_dn = "cn=admins,dc=example,dc=com"
org_role = "Admin"
grafana_admin = true
`;

describe('the file of a directory', () => {
  let folder: string;
  let clock = 0;
  const open = async (text: string) => {
    const path = join(folder, 'ldap.toml');
    await writeFile(path, text);
    const argv = ['--auth.ldap.enabled=true', `--auth.ldap.config_file=${path}`, '--auth.ldap.sync_cron=@hourly'];
    const { settings } = loadConfig({ argv, env: {}, readFile: () => '' });
    return { path, file: ldapFile(settings.auth.ldap, () => clock) };
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ldap-file-'));
    process.env['READER_PASSWORD'] = 'of-the-environment';
  });
  after(async () => {
    delete process.env['READER_PASSWORD'];
    await rm(folder, { recursive: true });
  });

  it('has the servers, with variables of the environment, beside the settings', async () => {
    const { file } = await open(FILE);
    const { enabled, syncCron, config } = file.values();
    expect({ enabled, syncCron }).to.deep.equal({ enabled: true, syncCron: '@hourly' });
    expect(config?.servers).to.deep.equal([
      {
        host: '127.0.0.1',
        port: 3389,
        bind_dn: 'cn=reader,dc=example,dc=com',
        bind_password: 'of-the-environment',
        search_filter: '(cn=%s)',
        search_base_dns: ['dc=example,dc=com'],
        root_ca_cert: '/etc/ssl/ca.pem',
        attributes: { member_of: 'memberOf', email: 'mail' },
        group_mappings: [{ group_dn: 'cn=admins,dc=example,dc=com', org_role: 'Admin', grafana_admin: true }],
      },
    ]);
    expect(file.values()).to.equal(file.values());
  });

  it('is read again when it has changed, and is kept as it was while it is wrong', async () => {
    const { path, file } = await open(FILE);
    const port = () => file.values().config?.servers[0]?.port;
    expect(port()).to.equal(3389);
    await writeFile(path, FILE.replace('3389', '33890'));
    expect(port()).to.equal(3389);
    clock += 5000;
    expect(port()).to.equal(33_890);
    await writeFile(path, '[[servers]');
    clock += 5000;
    expect(port()).to.equal(33_890);
    expect(() => file.reload()).to.throw('line 1, column 11: it is no TOML');
  });

  it('is refused with a reason that has no values', async () => {
    const wrong: readonly (readonly [string, string])[] = [
      [FILE.replace('READER_PASSWORD', 'UNKNOWN'), 'the variable UNKNOWN is not set'],
      [FILE.replace('port = 3389', 'port = "x"'), 'servers.0.port: '],
      [FILE.replace('(cn=%s)', '(cn=admin)'), 'servers[0].search_filter: It must be a filter'],
      [FILE.replace('bind_password = ', 'bind_password = secret'), 'line 6, column '],
      ['', 'servers: '],
    ];
    for (const [text, expected] of wrong) {
      const { file } = await open(text);
      expect(() => file.reload())
        .to.throw(expected)
        .and.not.match(/secret|of-the-environment/);
    }
  });
});
