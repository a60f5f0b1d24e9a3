import { expect } from 'chai';
import { ConfigError, loadConfig } from './load.js';
import { usualPlaces } from './places.js';

const user = (env: Readonly<Record<string, string>> = {}) =>
  usualPlaces({ env, isRoot: false, home: () => '/home/ada' });

describe('the usual places', () => {
  it('of a user are the XDG base directories', () => {
    expect(user()).to.deep.equal({
      data: '/home/ada/.local/share/dashboard-apiserver',
      settings: '/home/ada/.config/dashboard-apiserver/settings.ini',
    });
    expect(user({ XDG_DATA_HOME: '/d', XDG_CONFIG_HOME: '/c' })).to.deep.equal({
      data: '/d/dashboard-apiserver',
      settings: '/c/dashboard-apiserver/settings.ini',
    });
    for (const path of ['', 'relative', './here'])
      expect(user({ XDG_DATA_HOME: path, XDG_CONFIG_HOME: path })).to.deep.equal(user());
  });

  it('of root are those of the service, whatever the environment says about the home of a user', () => {
    const env = { XDG_DATA_HOME: '/home/ada/d', XDG_CONFIG_HOME: '/home/ada/c' };
    expect(usualPlaces({ env, isRoot: true, home: () => '/root' })).to.deep.equal({
      data: '/var/lib/dashboard-apiserver',
      settings: '/etc/dashboard-apiserver/settings.ini',
    });
  });

  it('of a service are those that systemd names', () => {
    const env = { STATE_DIRECTORY: '/var/lib/one:/var/lib/two', CONFIGURATION_DIRECTORY: '/etc/one' };
    expect(user(env)).to.deep.equal({ data: '/var/lib/one', settings: '/etc/one/settings.ini' });
    expect(user({ STATE_DIRECTORY: 'relative' })).to.deep.equal(user());
    const homeless = (): string => expect.fail('nobody may ask for the home of a user of a container');
    expect(usualPlaces({ env, isRoot: false, home: homeless }).data).to.equal('/var/lib/one');
  });
});

describe('settings of an installed program', () => {
  const places = user();
  const FILE = '/home/ada/.config/dashboard-apiserver/settings.ini';
  const load = (argv: readonly string[], files: Readonly<Record<string, string | Error>>) =>
    loadConfig({
      argv,
      env: {},
      places,
      readFile: (path) => {
        const found = files[path] ?? Object.assign(new Error('no such file'), { code: 'ENOENT' });
        if (found instanceof Error) throw found;
        return found;
      },
    });

  it('come from the usual file if it is there, and data goes to the usual folder', () => {
    const config = load([], { [FILE]: '[server]\nhttp_port = 8080\n' });
    expect(config.settings.server.http_port).to.equal(8080);
    expect([config.settings.paths.data, config.sourceOf('paths.data')]).to.deep.equal([places.data, 'default']);
    expect(load([], {}).settings.server.http_port).to.equal(3000);
  });

  it('come from the file and the folder that are named instead', () => {
    const files = { [FILE]: '[server]\nhttp_port = 8080\n', '/s.ini': '[paths]\ndata = /elsewhere\n' };
    const { settings } = load(['--config=/s.ini'], files);
    expect([settings.server.http_port, settings.paths.data]).to.deep.equal([3000, '/elsewhere']);
    expect(load(['--paths.data=/d'], files).settings.paths.data).to.equal('/d');
  });

  it('are refused if the usual file cannot be read, or the named one is not there', () => {
    const denied = Object.assign(new Error('permission denied'), { code: 'EACCES' });
    expect(() => load([], { [FILE]: denied })).to.throw(ConfigError, `${FILE}: permission denied`);
    expect(() => load(['--config=/s.ini'], {})).to.throw(ConfigError, '/s.ini: no such file');
  });
});
