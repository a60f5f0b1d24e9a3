import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);
const biome = resolve('node_modules/.bin/biome');

type Import = readonly [file: string, imported: string];

/** Imports that each layer must not have. The check must fail on all of them. */
const LAYER_VIOLATIONS: readonly Import[] = [
  ['pkg/a/planted.ts', '../../storage/x.js'],
  ['pkg/a/planted.ts', '../../registry/x.js'],
  ['storage/a/planted.ts', '../../registry/x.js'],
  ['storage/a/planted.ts', '../../apis/x.js'],
  ['registry/a/planted.ts', '../../apis/x.js'],
  ['registry/a/planted.ts', '../../cmd/x.js'],
  ['apis/a/planted.ts', '../../storage/x.js'],
  ['apis/a/planted.ts', '../../cmd/x.js'],
  ['cmd/a/planted.ts', '../../hack/x.js'],
  ['cmd/a/planted.ts', '../../test/x.js'],
];

/** Imports past the door of a room that others use by a few names. */
const DOOR_VIOLATIONS: readonly Import[] = [
  ['cmd/a/planted.ts', '../../storage/tables/work/table-maintenance.js'],
  ['cmd/a/planted.ts', '../../pkg/console/files.js'],
  ['cmd/a/planted.ts', '../../pkg/kube/cel/run.js'],
  ['cmd/a/planted.ts', '../../apis/apiextensions/customresource/kinds.js'],
  ['registry/a/planted.ts', '../../storage/tables/folder/folder.js'],
  ['registry/a/planted.ts', '../../pkg/console/endpoints.js'],
  ['registry/a/planted.ts', '../../pkg/kube/cel/run.js'],
  ['cmd/a/planted.ts', '../../pkg/kube/structural/structural.js'],
];

/** Imports against the order inside apis, from the bottom of the order to the top. */
const ORDER_VIOLATIONS: readonly Import[] = [
  ['apis/iam/names.ts', './user/kind.js'],
  ['apis/iam/names.ts', './legacy/services.js'],
  ['apis/iam/names.ts', '../folder/folder/strategy.js'],
  ['apis/iam/names.ts', '../authorization/grants.js'],
  ['apis/iam/names.ts', '../authentication/directory.js'],
  ['apis/iam/user/schema.ts', './kind.js'],
  ['apis/iam/user/schema.ts', '../team/strategy.js'],
  ['apis/iam/user/schema.ts', '../../internal/session/kind.js'],
  ['apis/iam/user/schema.ts', '../../authorization/grants.js'],
  ['apis/authorization/grants.ts', '../iam/role/kind.js'],
  ['apis/authorization/grants.ts', '../iam/legacy/services.js'],
  ['apis/authorization/grants.ts', '../authentication/directory.js'],
  ['apis/authorization/grants.ts', '../index.js'],
  ['apis/iam/user/kind.ts', '../../authentication/directory.js'],
  ['apis/iam/user/strategy.ts', '../legacy/services.js'],
  ['apis/iam/user/strategy.ts', './legacy/router.js'],
  ['apis/iam/user/kind.ts', '../../index.js'],
  ['apis/iam/user/kind.ts', '../team/index.js'],
  ['apis/iam/user/kind.ts', './examples.js'],
  ['apis/iam/user/index.ts', './legacy/examples.js'],
  ['cmd/a/planted.ts', '../../apis/iam/user/examples.js'],
  ['apis/iam/user/access.ts', './kind.js'],
  ['apis/authentication/directory.ts', '../iam/legacy/services.js'],
  ['apis/authentication/directory.ts', '../iam/user/legacy/router.js'],
  ['apis/authentication/directory.ts', '../system/search.js'],
  ['apis/iam/user/legacy/router.ts', '../../../system/search.js'],
  ['apis/iam/user/legacy/router.ts', '../../../kinds.js'],
  ['apis/iam/legacy/services.ts', '../../index.js'],
];

/** Allowed imports: one example for each step down the order. */
const ALLOWED: readonly Import[] = [
  ['registry/a/planted.ts', '../../storage/x.js'],
  ['cmd/a/planted.ts', '../../storage/tables/index.js'],
  ['cmd/a/planted.ts', '../../pkg/console/endpoints.js'],
  ['cmd/a/planted.ts', '../../apis/apiextensions/index.js'],
  ['apis/iam/names.ts', './organization-role.js'],
  ['apis/iam/names.ts', './user/schema.js'],
  ['apis/iam/names.ts', '../../registry/kind.js'],
  ['apis/iam/user/schema.ts', '../names.js'],
  ['apis/iam/user/schema.ts', '../team/schema.js'],
  ['apis/internal/token/schema.ts', '../../iam/names.js'],
  ['apis/authorization/grants.ts', './permissions.js'],
  ['apis/authorization/grants.ts', '../iam/user/schema.js'],
  ['apis/authorization/grants.ts', '../iam/team/access.js'],
  ['apis/iam/user/access.ts', '../../access.js'],
  ['apis/iam/user/strategy.ts', '../../authorization/escalation.js'],
  ['apis/iam/user/kind.ts', '../organization/kind.js'],
  ['apis/authentication/directory.ts', '../iam/user/kind.js'],
  ['apis/iam/user/legacy/router.ts', '../../../authentication/directory.js'],
  ['apis/iam/user/legacy/router.ts', '../../legacy/services.js'],
  ['apis/system/router.ts', '../iam/legacy/services.js'],
  ['apis/iam/user/index.ts', './legacy/router.js'],
];

describe('layers', () => {
  let folder: string;
  /** The report of Biome on all planted files. */
  let report: string;
  const refused = [...LAYER_VIOLATIONS, ...DOOR_VIOLATIONS, ...ORDER_VIOLATIONS];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'layers-'));
    await cp('biome.json', join(folder, 'biome.json'));
    await run('git', ['init', '-q'], { cwd: folder });
    for (const [file, lines] of linesByFile([...refused, ...ALLOWED])) await plant(file, lines.join('\n'));
    report = await lint('style/noRestrictedImports', '.');
  });

  after(() => rm(folder, { recursive: true, force: true }));

  const plant = async (file: string, source: string): Promise<void> => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), `${source}\n`);
  };

  const lint = async (rule: string, ...files: readonly string[]): Promise<string> => {
    const args = ['lint', `--only=${rule}`, '--reporter=github', '--max-diagnostics=none', ...files];
    const result = await run(biome, args, { cwd: folder }).catch((error: { stdout: string; stderr: string }) => error);
    return result.stdout + result.stderr;
  };

  /** Whether the report contains the lines of this import: the import of a value, and the import of a type. */
  const reported = ([file, imported]: Import): readonly boolean[] => {
    const lines = linesByFile([...refused, ...ALLOWED]).get(file) ?? [];
    return [valueImport(imported), typeImport(imported)].map((text) =>
      report.includes(`/${file},line=${lines.indexOf(text) + 1},`),
    );
  };

  for (const one of refused) {
    it(`refuse an import of ${one[1]} in ${one[0]}, also a type import`, () => {
      expect(reported(one)).to.deep.equal([true, true]);
    });
  }

  for (const one of ALLOWED) {
    it(`allow an import of ${one[1]} in ${one[0]}`, () => {
      expect(reported(one)).to.deep.equal([false, false]);
    });
  }

  it('refuse two files that import each other, also by type imports', async () => {
    const files = ['registry/cycle/a.ts', 'registry/cycle/b.ts'] as const;
    await plant(files[0], "import { b } from './b.js';\nexport const a = (): unknown => b;");
    await plant(files[1], "import { a } from './a.js';\nexport const b = (): unknown => a;");
    expect(await lint('suspicious/noImportCycles', ...files)).to.include('noImportCycles');
    await plant(files[0], "import type { B } from './b.js';\nexport interface A {\n  readonly b: B;\n}");
    await plant(files[1], "import type { A } from './a.js';\nexport interface B {\n  readonly a: A;\n}");
    expect(await lint('suspicious/noImportCycles', ...files)).to.include('noImportCycles');
  });

  it('allow two files if only one of them imports the other', async () => {
    await plant('registry/line/a.ts', "import type { B } from './b.js';\nexport type A = B;");
    await plant('registry/line/b.ts', 'export type B = string;');
    expect(await lint('suspicious/noImportCycles', 'registry/line')).not.to.include('noImportCycles');
  });
});

const valueImport = (imported: string): string => `import { value } from '${imported}';`;
const typeImport = (imported: string): string => `import type { Type } from '${imported}';`;

function linesByFile(imports: readonly Import[]): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const [file, imported] of imports) {
    const lines = files.get(file) ?? [];
    files.set(file, lines);
    lines.push(valueImport(imported), typeImport(imported));
  }
  return files;
}
