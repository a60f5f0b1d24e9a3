import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { bodyOf, type Connection } from '../../cmd/adminctl/gitops/connection.js';
import { type ExportOptions, exportBy } from '../../cmd/adminctl/gitops/export.js';
import { parseImport } from '../../cmd/adminctl/gitops/import-options.js';
import { type SyncOptions, syncBy } from '../../cmd/adminctl/gitops/sync.js';
import { runImport, type StoreOptions, storeTree } from '../../cmd/adminctl/tree/run.js';
import { warningsIn } from '../../pkg/system/text/warning-header.js';
import type { Server } from '../harness/server.js';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The commands for manifests, on the server of a suite, with a new folder for each test. */
export interface GitOps {
  readonly folder: string;
  /** Paths of the requests of the last command. */
  readonly requests: readonly string[];
  /** What the last sync printed to the standard output, also if it was refused. */
  readonly printed: string;
  /** Files below the folder with their texts, in order. */
  files(): Promise<Readonly<Record<string, string>>>;
  export(options?: Partial<ExportOptions>): Promise<Ran>;
  sync(options?: Partial<SyncOptions>, input?: string): Promise<Ran>;
  /** Stores a folder of files. */
  import(path: string, options?: Partial<StoreOptions>): Promise<Ran>;
  /** Writes manifests of a folder of files to the folder of the test. */
  write(path: string, ...flags: readonly string[]): Promise<Ran>;
}

const FLAGS = { prune: false, check: false, dryRun: false, force: false };
const MORE_FLAGS = { strict: false, allowEmpty: false, allowLargePrune: false };
const SYNC = { applySet: 'tests', namespace: 'default', ...FLAGS, ...MORE_FLAGS };

/** Makes and removes the folder of each test. */
export function gitOps(server: () => Server): GitOps {
  let folder = '';
  let requests: string[] = [];
  let printed = { out: '', err: '' };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gitops-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const connection: Connection = {
    ask: async (method, path, { accept, body, onWarning } = {}) => {
      requests.push(path);
      const headers = { ...(accept && { accept }), ...(body !== undefined && { 'content-type': 'application/json' }) };
      const answer = await server().call(method, path, { headers, ...(body !== undefined && { body }) });
      for (const { text } of [answer.headers['warning'] ?? []].flat().flatMap(warningsIn)) onWarning?.(text);
      return bodyOf(answer.status, answer.text);
    },
    close: () => undefined,
  };
  return {
    get folder() {
      return folder;
    },
    get requests() {
      return requests;
    },
    get printed() {
      return printed.out;
    },
    files: () => filesOf(folder),
    export: (options = {}) => {
      requests = [];
      return running(async (terminal) => {
        await exportBy(connection, { folder, namespace: 'default', prune: false, ...options } as Exporting, terminal);
        return 0;
      });
    },
    import: (path, options = {}) => {
      requests = [];
      const flags = { dryRun: false, force: false, overwrite: false, inputs: new Map<string, string>() };
      return running((terminal) =>
        storeTree(connection, { path, namespace: 'default', ...flags, ...options }, terminal),
      );
    },
    write: (path, ...flags) =>
      running((terminal) => runImport(parseImport([path, `--to=${folder}`, ...flags]), terminal)),
    sync: (options = {}, input = '') => {
      requests = [];
      printed = { out: '', err: '' };
      const stdin = Readable.from([Buffer.from(input)]);
      const command = (terminal: Parameters<typeof syncBy>[3]) =>
        syncBy(connection, { ...SYNC, path: folder, ...options } as Syncing, stdin, terminal);
      return running(command, printed);
    },
  };
}

type Exporting = Parameters<typeof exportBy>[1];
type Syncing = Parameters<typeof syncBy>[1];

async function running(
  command: (terminal: Parameters<typeof exportBy>[2]) => Promise<number>,
  texts = { out: '', err: '' },
): Promise<Ran> {
  const writer = (name: 'out' | 'err') =>
    new Writable({
      write: (chunk, _, done) => {
        texts[name] += String(chunk);
        done();
      },
    });
  const code = await command({ out: writer('out'), err: writer('err'), env: {} });
  return { code, ...texts };
}

async function filesOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.yaml')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, i) => [name, texts[i] ?? '']));
}
