import { expect } from 'chai';
import { loadConfig } from './load.js';
import { isExposed, isSecret } from './secrets.js';

describe('secrets in settings', () => {
  it('are known by the name of the setting, or by what the value is', () => {
    for (const [name, value] of [
      ['admin_password', 'x'],
      ['secret_key', 'x'],
      ['client_secret', 'x'],
      ['mongodb_uri', 'mongodb://db'],
      ['endpoint', 'https://me:hidden@collector/'],
      ['endpoint', 'https://hidden@collector/'],
      ['endpoint', 'https://collector/v1?api_key=hidden'],
      ['endpoint', 'https://me:hid/den@collector/'],
    ] as const)
      expect(isSecret(name, value), `${name} ${value}`).to.equal(true);
    for (const [name, value] of [
      ['admin_password', ''],
      ['min_password_length', '4'],
      ['refuse_common_passwords', 'true'],
      ['root_url', 'https://example.com/dashboards?theme=dark'],
      ['admin_email', 'admin@localhost'],
    ] as const)
      expect(isSecret(name, value), `${name} ${value}`).to.equal(false);
    expect([isExposed('mongodb_uri', 'mongodb://db'), isExposed('mongodb_uri', 'mongodb://me:x@db')]).to.deep.equal([
      false,
      true,
    ]);
  });

  // Promise: security tools
  it('are warned about in arguments, which other users see, with a better way and without the value', () => {
    const warned = (...argv: readonly string[]) =>
      loadConfig({ argv: ['--storage.backend=mongodb', ...argv], env: {}, readFile: () => 'mongodb://me:hidden@db' })
        .warnings;
    expect(warned('--storage.mongodb_uri=mongodb://me:hidden@db')).to.deep.equal([
      '--storage.mongodb_uri has a secret, and other users of this machine see arguments in the list of processes. Give it in the settings file, as APISERVER_STORAGE_MONGODB_URI, or as --storage.mongodb_uri__FILE=FILE.',
    ]);
    expect(warned('--storage.mongodb_uri__FILE=/run/uri', '--security.min_password_length=8')).to.deep.equal([]);
    expect(warned('--storage.mongodb_uri=mongodb://db')).to.deep.equal([]);
  });
});
