import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Repository {
  /** Writes files by their paths, removes those that are `null`, and commits. Returns the hash of the commit. */
  commit(message: string, files: Readonly<Record<string, object | null>>): Promise<string>;
}

/** A Git repository with manifests in JSON, which is YAML, too. Flux reads only files whose names say YAML. */
export async function makeRepository(folder: string): Promise<Repository> {
  const git = async (...args: string[]): Promise<string> => {
    const identity = ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.com', '-c', 'commit.gpgsign=false'];
    return (await run('git', [...identity, '-C', folder, ...args])).stdout.trim();
  };
  await mkdir(folder, { recursive: true });
  await git('init', '--quiet', '--initial-branch=main');
  return {
    commit: async (message, files) => {
      for (const [path, content] of Object.entries(files)) await put(join(folder, path), content);
      await git('add', '--all');
      await git('commit', '--quiet', '--message', message);
      return git('rev-parse', 'HEAD');
    },
  };
}

async function put(path: string, content: object | null): Promise<void> {
  if (content === null) return rm(path);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(content, undefined, 2)}\n`);
}

export function folder(name: string, title: string, parent?: string): object {
  return { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', metadata: metadata(name, parent), spec: { title } };
}

export function dashboard(name: string, title: string, parent: string): object {
  return {
    apiVersion: 'dashboard.svc.app/v1beta1',
    kind: 'Dashboard',
    metadata: metadata(name, parent),
    spec: { title, panels: [] },
  };
}

/** A kind of the repository's own, whose objects lie in folders. */
export function definition(): object {
  const spec = {
    type: 'object',
    properties: { title: { type: 'string' }, objective: { type: 'number', minimum: 0, maximum: 100 } },
  };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'slos.boards.example.com', labels: { 'svc.app/containment': 'folders' } },
    spec: {
      group: 'boards.example.com',
      scope: 'Namespaced',
      names: { plural: 'slos', singular: 'slo', kind: 'SLO' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

export function slo(name: string, title: string, parent: string): object {
  const spec = { title, objective: 99.5 };
  return { apiVersion: 'boards.example.com/v1', kind: 'SLO', metadata: metadata(name, parent), spec };
}

function metadata(name: string, parent?: string): object {
  return { name, ...(parent === undefined ? {} : { annotations: { 'svc.app/folder': parent } }) };
}
