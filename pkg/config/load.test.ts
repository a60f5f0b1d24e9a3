import { expect } from 'chai';
import { ConfigError, loadConfig } from './load.js';

interface Sources {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

function load({ argv = [], env = {}, files = {} }: Sources) {
  const readFile = (path: string): string => {
    const content = files[path];
    if (content === undefined) throw new Error('no such file');
    return content;
  };
  return loadConfig({ argv, env, readFile });
}

function problemsOf(sources: Sources): readonly string[] {
  try {
    load(sources);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('loadConfig', () => {
  it('has a default for everything', () => {
    const { settings, sourceOf } = load({});
    expect(settings.server).to.deep.include({ http_addr: '127.0.0.1', http_port: 3000, https_port: 6443 });
    expect(settings.server.cert_names).to.deep.equal(['localhost']);
    expect(settings.storage).to.deep.include({ backend: 'embedded', history: 300_000 });
    expect(settings.limits).to.deep.equal({
      max_in_flight: 400,
      max_mutating_in_flight: 200,
      max_watches: 20_000,
      max_queued: 200,
      max_connections: 10_000,
      anonymous_idle: 10_000,
      request_timeout: 60_000,
      apply_bytes: 32 * 2 ** 20,
      body_bytes: 16_777_216,
      yaml_bytes: 3 * 2 ** 20,
      write_rate: 8 * 2 ** 20,
      write_burst: 256 * 2 ** 20,
      personal_bytes: 64 * 2 ** 20,
    });
    expect(settings.features).to.deep.equal({
      nested_folders: true,
      alerting: true,
      query_history: true,
      max_folder_depth: 4,
    });
    expect(settings.security.admin_password).to.equal(undefined);
    expect(settings.auth.anonymous.enabled).to.equal(false);
    expect(sourceOf('server.http_port')).to.equal('default');
  });

  it('prefers arguments to the environment, the environment to the file, and the file to defaults', () => {
    const files = { '/etc/s.ini': '[server]\nhttp_port = 1001\nhttps_port = 1002\nhttp_addr = 10.0.0.1\n' };
    const env = { APISERVER_SERVER_HTTP_PORT: '2001', APISERVER_SERVER_HTTPS_PORT: '2002' };
    const config = load({ argv: ['--config=/etc/s.ini', '--server.http_port=3001'], env, files });
    expect(config.settings.server).to.deep.include({ http_port: 3001, https_port: 2002, http_addr: '10.0.0.1' });
    const sources = ['server.http_port', 'server.https_port', 'server.http_addr', 'log.level'].map(config.sourceOf);
    expect(sources).to.deep.equal(['argument', 'environment', 'file', 'default']);
    expect(config.given('file', 'server.http_port')).to.equal('1001');
  });

  it('reads durations, sizes, flags and lists', () => {
    const { settings } = load({
      argv: [
        '--storage.history=1h30m',
        '--limits.body_bytes=512 KiB',
        '--features.alerting=off',
        '--server.cert_names=a.example, 10.0.0.7',
      ],
    });
    expect(settings.storage.history).to.equal(5_400_000);
    expect(settings.limits.body_bytes).to.equal(524_288);
    expect(settings.features.alerting).to.equal(false);
    expect(settings.server.cert_names).to.deep.equal(['a.example', '10.0.0.7']);
  });

  it('reads the networks of trusted proxies, and refuses what is none or trusts everyone', () => {
    const { settings } = load({ argv: ['--server.trusted_proxies=10.0.0.0/8, 192.0.2.1,fd00::/8'] });
    expect(settings.server.trusted_proxies).to.deep.equal(['10.0.0.0/8', '192.0.2.1', 'fd00::/8']);
    expect(load({}).settings.server.trusted_proxies).to.deep.equal([]);
    for (const wrong of ['proxy.example', '10.0.0.0/33', '0.0.0.0/0']) {
      expect(problemsOf({ argv: [`--server.trusted_proxies=${wrong}`] })[0]).to.contain('IP addresses and networks');
    }
  });

  it('refuses an empty address, which would listen on all interfaces', () => {
    const expected = 'expected an address, such as 127.0.0.1, or 0.0.0.0 or :: for all interfaces.';
    for (const name of ['server.http_addr', 'server.https_addr']) {
      expect(problemsOf({ argv: [`--${name}=`] })).to.deep.equal([`--${name}: ${expected}`]);
      expect(problemsOf({ argv: [`--${name}= `] })).to.deep.equal([`--${name}: ${expected}`]);
      expect(problemsOf({ argv: [`--${name}=::`] })).to.deep.equal([]);
    }
    const files = { f: '[server]\nhttp_addr =\n' };
    expect(problemsOf({ argv: ['--config=f'], files })).to.deep.equal([`server.http_addr: ${expected}`]);
    const env = { APISERVER_SERVER_HTTP_ADDR__FILE: 'empty' };
    const [problem] = problemsOf({ env, files: { empty: '\n' } });
    expect(problem).to.equal(`APISERVER_SERVER_HTTP_ADDR: ${expected}`);
  });

  it('refuses a root URL that is no absolute URL of the web', () => {
    const expected = 'expected a URL that begins with http:// or https://, such as https://dashboards.example.com.';
    for (const wrong of ['', 'foo', 'dash.example', 'dash.example:3000', '/path', 'http:foo', 'http://', 'ftp://a/']) {
      expect(problemsOf({ argv: [`--server.root_url=${wrong}`] }), wrong).to.deep.equal([
        `--server.root_url: ${expected}`,
      ]);
    }
    for (const right of ['https://dash.example', 'http://dash.example:3000/path/', 'HTTPS://[::1]:1/']) {
      expect(load({ argv: [`--server.root_url=${right}`] }).settings.server.root_url).to.equal(right);
    }
  });

  it('refuses to send traces to what is no URL of the web', () => {
    const expected = 'expected a URL that begins with http:// or https://, such as http://127.0.0.1:4318/v1/traces.';
    for (const wrong of ['foo', 'ftp://x', '127.0.0.1:4318']) {
      expect(problemsOf({ argv: [`--tracing.endpoint=${wrong}`] }), wrong).to.deep.equal([
        `--tracing.endpoint: ${expected}`,
      ]);
    }
  });

  it('names sizes and durations that it would accept when it refuses one', () => {
    const told = (argument: string) => problemsOf({ argv: [argument] })[0];
    expect(told('--audit.max_size=20KiB')).to.contain('expected a size from 1 MiB to 16 GiB, such as 3 MiB.');
    expect(told('--limits.body_bytes=1')).to.contain('expected a size from 1 KiB to 64 MiB, such as 3 KiB.');
    expect(told('--storage.history=1s')).to.contain('expected a duration of at least 75s, such as 90s, 5m or 1h30m.');
    expect(told('--security.max_token_lifetime=1m')).to.contain('a duration of at least 600s, such as 1h30m.');
  });

  it('suggests the nearest setting for an unknown one in the arguments or the file', () => {
    const files = { f: '[server]\nhttp_prot = 1\n' };
    expect(problemsOf({ argv: ['--server.htp_port=1'] })).to.deep.equal([
      'Unknown setting --server.htp_port in the arguments: did you mean server.http_port?',
    ]);
    expect(problemsOf({ argv: ['--config=f'], files })).to.deep.equal([
      'Unknown setting server.http_prot in f: did you mean server.http_port?',
    ]);
    expect(problemsOf({ argv: ['--auth.gogle.client_id=x'] })[0]).to.contain('did you mean auth.google.client_id?');
  });

  it('suggests no setting for a name that is like none', () => {
    expect(problemsOf({ argv: ['--force'] })).to.deep.equal([
      'Unexpected argument --force: write settings as --section.name=value.',
    ]);
    expect(problemsOf({ argv: ['--tls.x=1'] })).to.deep.equal([
      'Unknown setting --tls.x in the arguments: dashboard-apiserver --help=all lists all settings.',
    ]);
    expect(problemsOf({ argv: ['--http_port'] })[0]).to.contain('--server.http_port=');
  });

  it('reads a file that begins with a byte order mark', () => {
    const files = { f: '\uFEFF[server]\nhttp_port = 7\n' };
    expect(load({ argv: ['--config=f'], files }).settings.server.http_port).to.equal(7);
  });

  it('refuses sign-on settings that no sign-in could use, and says where they are and why', () => {
    expect(problemsOf({ argv: ['--auth.github.role_attribute_path=((('] })).to.deep.equal([
      '--auth.github.role_attribute_path: roleAttributePath is not a JMESPath expression. Check its operators, quotes and brackets.',
    ]);
    const files = { f: '[auth.google]\norg_mapping = ops:1:Editor, ops:2:Boss\n' };
    expect(problemsOf({ argv: ['--config=f'], files })[0]).to.contain('auth.google.org_mapping: Entry 2 of orgMapping');
    expect(load({ argv: ['--auth.github.org_mapping=ops:Main Org.:Editor *:2'] }).warnings).to.deep.equal([]);
  });

  it('only warns about an unknown environment variable', () => {
    const { warnings } = load({ env: { APISERVER_SERVICE_HOST: '10.0.0.1', APISERVER_PORT_443_TCP: 'x', HOME: '/' } });
    expect(warnings).to.deep.equal([
      'APISERVER_SERVICE_HOST in the environment is not a setting of this server.',
      'APISERVER_PORT_443_TCP in the environment is not a setting of this server.',
    ]);
  });

  it('ignores an empty environment variable', () => {
    expect(load({ env: { APISERVER_SERVER_HTTP_PORT: '' } }).settings.server.http_port).to.equal(3000);
  });

  it('reads the value of __FILE settings from a file, in all sources', () => {
    const files = { pw: 'pass=of=16=signs\n', ini: '[security]\nsecret_key__FILE = pw\n' };
    const { settings, sourceOf } = load({
      argv: ['--config=ini', '--storage.mongodb_uri__FILE=pw'],
      env: { APISERVER_SECURITY_ADMIN_PASSWORD__FILE: 'pw' },
      files,
    });
    expect(settings.security).to.deep.include({ admin_password: 'pass=of=16=signs', secret_key: 'pass=of=16=signs' });
    expect(settings.storage.mongodb_uri).to.equal('pass=of=16=signs');
    expect(sourceOf('security.admin_password')).to.equal('environment');
  });

  it('refuses a short secret key without showing it', () => {
    const [problem = ''] = problemsOf({ argv: ['--security.secret_key=fifteen signs..'] });
    expect(problem).to.contain('security.secret_key').and.to.contain('at least 16 characters');
    expect(problem).to.not.contain('fifteen');
  });

  it('refuses a file that it cannot read, and a setting that is given both ways', () => {
    expect(problemsOf({ argv: ['--security.secret_key__FILE=gone'] })).to.deep.equal([
      '--security.secret_key__FILE: cannot read gone: no such file.',
    ]);
    const both = ['--security.secret_key=a', '--security.secret_key__FILE=b'];
    expect(problemsOf({ argv: both })[0]).to.contain('either as a value or as __FILE');
  });

  it('accepts settings of sign-on providers in every source', () => {
    const { settings } = load({
      argv: ['--config=f', '--auth.google.client_id=a'],
      env: { APISERVER_AUTH_GENERIC_OAUTH_CLIENT_SECRET: 'b', APISERVER_AUTH_ANONYMOUS_ENABLED: 'true' },
      files: { f: '[auth.google]\nenabled = true\n' },
    });
    expect(settings.auth.google).to.deep.equal({ client_id: 'a', enabled: true });
    expect(settings.auth.generic_oauth).to.deep.equal({ client_secret: 'b' });
    expect(settings.auth.anonymous.enabled).to.equal(true);
  });

  it('names the source of a wrong value without showing the value', () => {
    const problems = problemsOf({
      argv: ['--server.http_port=99999'],
      env: { APISERVER_STORAGE_HISTORY: '5 parsecs' },
    });
    expect(problems).to.deep.equal([
      '--server.http_port: expected a port: 1 to 65535, 0 for any free one, or -1 for none.',
      'APISERVER_STORAGE_HISTORY: expected a duration of at least 75s, such as 90s, 5m or 1h30m.',
    ]);
  });

  it('refuses settings that contradict each other', () => {
    expect(problemsOf({ argv: ['--storage.backend=mongodb'] })[0]).to.contain('storage.mongodb_uri is needed');
    expect(problemsOf({ argv: ['--server.cert_file=a'] })[0]).to.contain('go together');
    const off = ['--server.http_port=-1', '--server.https_port=-1'];
    expect(problemsOf({ argv: off })[0]).to.contain('would not listen at all');
  });

  it('accepts an issuer of JSON Web Tokens only with an audience and keys from a safe source', () => {
    const issuer = '--auth.jwt.issuer=https://issuer.example';
    const audience = '--auth.jwt.audience=dash';
    const told = (...argv: readonly string[]) => problemsOf({ argv }).join(' ');
    expect(told(audience)).to.contain('auth.jwt.issuer is needed');
    expect(told(issuer, '--auth.jwt.jwks_file=a')).to.contain('auth.jwt.audience is needed');
    expect(told(issuer, audience)).to.contain('either auth.jwt.jwks_url or auth.jwt.jwks_file');
    const file = '--auth.jwt.jwks_file=a';
    expect(told(issuer, audience, file, '--auth.jwt.jwks_url=https://a')).to.contain('but not both');
    expect(told(issuer, audience, '--auth.jwt.jwks_url=http://issuer.example/keys')).to.contain('https://');
    expect(told(issuer, audience, '--auth.jwt.jwks_url=rubbish')).to.contain('https://');
    expect(load({ argv: [issuer, audience, '--auth.jwt.jwks_url=http://127.0.0.1:1/keys'] }).warnings).to.deep.equal(
      [],
    );
  });

  it('refuses unexpected arguments, arguments without a value, and a missing settings file', () => {
    expect(problemsOf({ argv: ['serve'] })[0]).to.contain('Unexpected argument serve');
    expect(problemsOf({ argv: ['--features.alertin'] })).to.deep.equal([
      '--features.alertin needs a value: --features.alerting=….',
    ]);
    expect(problemsOf({ argv: ['--config=gone'] })[0]).to.contain('Cannot read the settings file gone');
  });

  it('returns frozen settings', () => {
    const { settings } = load({});
    expect(Object.isFrozen(settings.server.cert_names)).to.equal(true);
    expect(Object.isFrozen(settings.auth.anonymous)).to.equal(true);
  });
});
