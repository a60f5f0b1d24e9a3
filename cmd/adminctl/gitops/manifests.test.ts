import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { readManifests } from './manifests.js';

const team = (name: string): string => JSON.stringify({ apiVersion: 'v1', kind: 'Team', metadata: { name } });

describe('the manifests of a folder', () => {
  let root = '';
  const { PATH } = process.env;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'manifests-'));
  });
  afterEach(async () => {
    process.env['PATH'] = PATH;
    await rm(root, { recursive: true });
  });

  const write = async (path: string, text: string): Promise<string> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
    return join(root, path);
  };
  const read = async (path = root, input = ''): Promise<readonly string[]> => {
    const found = await readManifests(path, Readable.from([Buffer.from(input)]), () => undefined);
    return found.map(({ manifest, origin }) => `${manifest.metadata.name} ${origin}`);
  };
  const failure = (path?: string): Promise<string> => read(path).then(String, String);

  it('are in its YAML and JSON files at any depth, in the order of their paths; hidden ones are left out', async () => {
    await write('b.json', team('b'));
    await write('a/deep/a.yaml', team('a'));
    await write('a/c.YML', team('c'));
    await write('a/README.md', 'no manifest');
    await write('.git/x.json', 'hidden');
    expect(await read()).to.deep.equal(['c a/c.YML', 'a a/deep/a.yaml', 'b b.json']);
    expect(await read(join(root, 'b.json'))).to.deep.equal([`b ${join(root, 'b.json')}`]);
  });

  it('can come from the standard input', async () => {
    expect(await read('-', `${team('a')}\n---\n${team('b')}`)).to.have.length(2);
  });

  it('include links to files, as mounted volumes have them, but not links to folders', async () => {
    await write('real/a.yaml', team('a'));
    await symlink(join(root, 'real', 'a.yaml'), join(root, 'link.yaml'));
    await symlink(root, join(root, 'loop'));
    expect(await failure()).to.contain('Team "a" is there twice: link.yaml and real/a.yaml');
  });

  // Promise: security tools
  it('are refused if one is a link out of the folder, as a repository of somebody else may have', async () => {
    await write('outside/secret.yaml', team('secret'));
    await write('inside/a.yaml', team('a'));
    await symlink(join(root, 'outside', 'secret.yaml'), join(root, 'inside', 'b.yaml'));
    const told = await failure(join(root, 'inside'));
    expect(told).to.contain('inside/b.yaml is a link to a file that is not below').and.not.contain('Team');
    await rm(join(root, 'inside', 'b.yaml'));
    await symlink(join(root, 'inside'), join(root, 'link'));
    expect(await read(join(root, 'link'))).to.deep.equal(['a a.yaml']);
  });

  it('are refused if one is there twice, also in another version', async () => {
    await write('a.yaml', '{apiVersion: g/v1, kind: Team, metadata: {name: a}}');
    await write('b.yaml', '{apiVersion: g/v2, kind: Team, metadata: {name: a}}');
    expect(await failure()).to.contain('Team "a" is there twice: a.yaml and b.yaml');
  });

  it('are what kubectl builds, if the folder is a kustomization', async () => {
    await write('kustomization.yaml', 'resources: []');
    const kubectl = await write(
      'bin/kubectl',
      `#!/bin/sh\n[ "$1 $2" = "kustomize ${root}" ] && echo '${team('built')}'\n`,
    );
    await chmod(kubectl, 0o755);
    process.env['PATH'] = dirname(kubectl);
    expect(await read()).to.deep.equal([`built the output of kubectl kustomize ${root}`]);
    process.env['PATH'] = join(root, 'nothing');
    expect(await failure()).to.contain('there is no kubectl on PATH');
  });

  it('are not read from a folder that has a kustomization somewhere below', async () => {
    await write('overlays/prod/kustomization.yaml', 'resources: []');
    expect(await failure()).to.contain('overlays/prod/kustomization.yaml is for kustomize');
    expect(await failure(join(root, 'absent'))).to.contain('absent cannot be read');
  });
});
