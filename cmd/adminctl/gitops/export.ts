import { join } from 'node:path';
import { z } from 'zod';
import { progressBar, type Terminal } from '../terminal.js';
import { type Connection, connect, Refused } from './connection.js';
import { exported, type Listed } from './exported.js';
import { ExportFolder, removeAll } from './files.js';
import { chosenKinds, folderOf, pathOf, type ServedKind, servedKinds } from './kinds.js';
import { targetOf } from './kubeconfig.js';

export interface ExportOptions {
  readonly folder: string;
  readonly namespace?: string | undefined;
  /** Plural names. Absent: all kinds of the namespace that are configuration. */
  readonly kinds?: readonly string[] | undefined;
  /** Removes files whose objects are not there any more. */
  readonly prune: boolean;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** Objects of one page. Only one page is in memory. */
const PAGE = 250;

const List = z.object({
  metadata: z.object({ continue: z.string().optional(), remainingItemCount: z.number().optional() }),
  items: z.array(
    z.custom<Listed>(
      (item) => z.looseObject({ metadata: z.looseObject({ name: z.string() }) }).safeParse(item).success,
    ),
  ),
});
type List = z.infer<typeof List>;

/** What an export did to the files of one kind. */
interface Outcome {
  readonly count: number;
  readonly stale: readonly string[];
}

/** Writes one file for each object, and prints how many there are. Throws errors for people. */
export async function exportTo(options: ExportOptions, terminal: Terminal): Promise<void> {
  const target = targetOf({ path: options.kubeconfig, context: options.context, env: terminal.env });
  const connection = connect(target);
  try {
    const namespace = options.namespace ?? target.namespace ?? 'default';
    await exportBy(connection, { ...options, namespace }, terminal);
  } finally {
    connection.close();
  }
}

type Placed = ExportOptions & { readonly namespace: string };

/** The same by a connection that is open. */
export async function exportBy(connection: Connection, options: Placed, terminal: Terminal): Promise<void> {
  const { namespace, folder } = options;
  const served = await servedKinds(connection);
  const kinds = chosenKinds(served, options.kinds);
  if (kinds.some(({ isNamespaced }) => isNamespaced)) await checkNamespace(connection, namespace);
  for (const kind of kinds) {
    const name = folderOf(served, kind);
    const source = { connection, kind, name, namespace, domain: served.domain };
    finish(name, await exportKind(source, folder, terminal), options, terminal);
  }
}

/**
 * The lists of a namespace that does not exist are empty, so that --prune would remove all files. Callers who may not
 * read namespaces pass.
 */
async function checkNamespace(connection: Connection, namespace: string): Promise<void> {
  try {
    await connection.ask('GET', `/api/v1/namespaces/${encodeURIComponent(namespace)}`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.status === 403) return;
    if (error.status !== 404) throw error;
    throw new Error(`There is no namespace ${namespace}. Name one that exists with --namespace. No file is changed.`, {
      cause: error,
    });
  }
}

interface Source {
  readonly connection: Connection;
  readonly kind: ServedKind;
  /** Of its folder, and for people. */
  readonly name: string;
  readonly namespace: string;
  readonly domain: string;
}

async function exportKind(source: Source, folder: string, terminal: Terminal): Promise<Outcome> {
  const { kind, name, domain } = source;
  const bar = progressBar(terminal, name);
  const files = new ExportFolder(join(folder, name));
  let count = 0;
  try {
    for await (const { items, metadata } of pagesOf(source)) {
      const total = count + items.length + (metadata.remainingItemCount ?? 0);
      for (const object of items) {
        if (object.metadata.deletionTimestamp !== undefined || isBuiltIn(object, domain)) continue;
        files.write(object.metadata.name, exported(kind, object, domain));
        bar.update(++count, total);
      }
    }
    return { count, stale: files.stale() };
  } finally {
    bar.stop();
  }
}

/** Whether it is the definition of a kind that each server has by itself. */
function isBuiltIn({ metadata: { labels } }: Listed, domain: string): boolean {
  return labels?.[`${domain}/built-in`] !== undefined;
}

/** The pages of a list, all of the same revision. */
async function* pagesOf({ connection, kind, namespace }: Source): AsyncGenerator<List, void, undefined> {
  let token: string | undefined;
  do {
    const query = new URLSearchParams({ limit: String(PAGE), ...(token && { continue: token }) });
    const page = List.parse(await listed(connection, `${pathOf(kind, namespace)}?${query}`));
    yield page;
    token = page.metadata.continue;
  } while (token);
}

async function listed(connection: Connection, path: string): Promise<unknown> {
  try {
    return await connection.ask('GET', path);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 403) throw error;
    throw new Error(`${error.message}. Name the kinds that you may read with --kinds.`, { cause: error });
  }
}

function finish(name: string, { count, stale }: Outcome, { prune }: ExportOptions, { out, err }: Terminal): void {
  if (count > 0 || stale.length > 0) out.write(`${name}: ${count}\n`);
  if (stale.length === 0) return;
  if (!prune) {
    const some = stale.slice(0, 5).join(', ');
    err.write(
      `${stale.length} files are of objects that are not there any more, such as ${some}. --prune removes them.\n`,
    );
    return;
  }
  removeAll(stale);
  out.write(`${name}: removed ${stale.length} files of objects that are not there any more\n`);
}
