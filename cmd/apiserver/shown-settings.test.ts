import { expect } from 'chai';
import { loadConfig } from '../../pkg/config/load.js';
import { shownSettings } from './shown-settings.js';

describe('the settings that the server shows', () => {
  const shown = (...argv: readonly string[]) =>
    shownSettings(loadConfig({ argv, env: {}, readFile: () => '' }).settings);

  it('contain all values as text, by section and name', () => {
    const settings = shown('--server.http_port=0', '--server.cert_names=a,b', '--auth.anonymous.enabled=true');
    expect(settings['server']).to.include({ http_port: '0', cert_names: 'a,b' });
    expect(settings['server']).not.to.have.any.keys('root_url', 'cert_file');
    expect(settings['auth.anonymous']).to.deep.equal({ enabled: 'true' });
    expect(settings['features']).to.include({ nested_folders: 'true', max_folder_depth: '4' });
    expect(settings['auth']).to.have.all.keys('oauth_allow_insecure_email_lookup', 'provider_networks');
  });

  it('can be given to another server, with durations as people write them', () => {
    const given = ['--storage.history=90m', '--auth.session.max_lifetime=36h', '--limits.request_timeout=1500ms'];
    const settings = shown(...given);
    expect(settings['storage']).to.include({ history: '1h30m' });
    expect(settings['auth.session']).to.include({ max_lifetime: '1d12h', max_inactive: '7d' });
    expect(settings['limits']).to.include({ request_timeout: '1s500ms' });
    const argv = Object.entries(settings).flatMap(([section, values]) =>
      Object.entries(values).flatMap(([key, value]) => (value === '*********' ? [] : `--${section}.${key}=${value}`)),
    );
    expect(shown(...argv)).to.deep.equal(settings);
  });

  // Promise: security tools
  it('contain no secrets', () => {
    const words = [
      'hidden-password',
      'hidden-key-of-16-signs',
      'hidden-client',
      'hidden-uri',
      'hidden-collector',
      'hidden-api-key',
    ];
    const settings = shown(
      `--security.admin_password=${words[0]}`,
      `--security.secret_key=${words[1]}`,
      `--auth.github.client_secret=${words[2]}`,
      '--storage.backend=mongodb',
      `--storage.mongodb_uri=mongodb://me:${words[3]}@127.0.0.1/`,
      `--tracing.endpoint=https://me:${words[4]}@collector.example/`,
      `--server.root_url=https://example.com/?api_key=${words[5]}`,
    );
    const text = JSON.stringify(settings);
    for (const word of words) expect(text).not.to.include(word);
    expect(settings['security']).to.include({
      admin_password: '*********',
      admin_user: 'admin',
      min_password_length: '4',
    });
  });
});
