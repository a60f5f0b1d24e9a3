import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { expect } from 'chai';
import { ROOT } from '../e2e/process.js';
import { importsOf, mutualRooms, type Source } from './rooms.js';

/** The layers that have rooms. */
const LAYERS = ['pkg', 'registry', 'apis', 'storage'];

/** The pairs of rooms that stay, with the reason. */
const PAIRS: Readonly<Record<string, string>> = {
  'apis/authentication, apis/iam':
    'the adapters of users and service accounts end sessions and make tokens; no kind imports authentication',
  'apis/authorization, apis/iam':
    'permissions are read from the schemas of users, roles and bindings, and their rules ask what their callers may do',
  'storage/cacher, storage/tables':
    'the cacher opens the files and reads from them, and what writes the files follows the commits of the cacher',
  'storage/state, storage/tables':
    'a state looks entries up in memtables and in tables, and a table has the entries of a state',
};

const sources = (): readonly Source[] =>
  LAYERS.flatMap((layer) =>
    readdirSync(join(ROOT, layer), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !/(^|\/)testing(\/|\.)/.test(file))
      .map((file): Source => {
        const path = join(layer, file);
        return { path, imports: importsOf(path, readFileSync(join(ROOT, path), 'utf8')) };
      }),
  );

const planted = (path: string, text: string): Source => ({ path, imports: importsOf(path, text) });

describe('the rooms of a layer', () => {
  it('do not import each other, also by types, with a few exceptions that have a reason', () => {
    const all = sources();
    expect(all.length).to.be.greaterThan(200);
    expect([...mutualRooms(all).keys()].sort()).to.deep.equal(Object.keys(PAIRS).sort());
  });

  it('are found if they import each other, with the files that do', () => {
    const there = planted('registry/light/switch.ts', "import { lamp } from '../lamp/lamp.js';");
    const back = planted('registry/lamp/lamp.ts', "import type {\n  Switch,\n} from '../light/deep/switch.js';");
    expect([...mutualRooms([there, back])]).to.deep.equal([
      [
        'registry/lamp, registry/light',
        [
          'registry/lamp/lamp.ts imports registry/light/deep/switch',
          'registry/light/switch.ts imports registry/lamp/lamp',
        ],
      ],
    ]);
    const exported = planted('registry/lamp/lamp.ts', "export type { Switch } from '../light/switch.js';");
    expect(mutualRooms([there, exported]).size).to.equal(1);
    const late = planted('registry/lamp/lamp.ts', "const { on } = await import('../light/switch.js');");
    expect(mutualRooms([there, late]).size).to.equal(1);
  });

  it('may import each other in one direction, and the files beside them', () => {
    const files = [
      planted(
        'registry/light/switch.ts',
        "import { lamp } from '../lamp/lamp.js';\nimport { own } from './deep/own.js';",
      ),
      planted('registry/lamp/lamp.ts', "import { key } from '../../storage/key.js';\nimport { lit } from '../lit.js';"),
      planted('storage/key.ts', "import { expect } from 'chai';"),
    ];
    expect(mutualRooms(files).size).to.equal(0);
  });
});
