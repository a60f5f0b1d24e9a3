import type { Stats } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { release, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Settings } from '../../../pkg/config/schema.js';
import { messageOf } from '../../../pkg/system/errors/message.js';
import { replaceFile } from '../../../pkg/system/files/replace-file.js';
import { unwritable } from '../../../pkg/system/files/unwritable.js';
import { resourceOf } from '../../../storage/key.js';
import { shownSettings } from '../../apiserver/shown-settings.js';
import { productVersion } from '../../apiserver/version.js';
import { ask, expectOk, serverOf } from '../by-server.js';
import { nameOf, placeOf } from '../store/place.js';
import { openSnapshot } from '../store/stores.js';
import { type TarEntry, tarOf } from './tar.js';

export interface SupportBundleCommand {
  readonly file: string;
  readonly settings: Settings;
  /** The file that the log of the server is written to, if there is one. */
  readonly log: string | undefined;
}

/** Bytes of the end of the log. */
const TAIL = 1024 * 1024;
const FOLDER = 'support-bundle';

/**
 * Collects files that help to find an error, without secrets and without objects. If something cannot be read, the
 * bundle and the returned text have the reason in its place. Throws if a setting names a file that does not exist,
 * because the reason would then be overlooked.
 */
export async function supportBundle({ file, settings, log }: SupportBundleCommand): Promise<string> {
  await checkNamed(settings, log);
  const parts = await collected({
    'settings.json': async () => json(shownSettings(settings)),
    'versions.json': async () => json(versions()),
    'store.json': async () => json(await storeOf(settings)),
    'metrics.txt': () => fromServer(settings, '/metrics'),
    'readyz.txt': () => fromServer(settings, '/readyz?verbose'),
    ...(log !== undefined && { 'server.log': () => tailOf(log) }),
  });
  const entries = parts.map(({ name, text }): TarEntry => ({ name: `${FOLDER}/${name}`, text }));
  const archive = gzipSync(tarOf(entries, Math.floor(Date.now() / 1000)));
  await replaceFile(file, (target) => target.writeFile(archive)).catch((error: unknown) => {
    throw unwritable(file, error);
  });
  return toldOf(file, parts);
}

async function checkNamed({ paths }: Settings, log: string | undefined): Promise<void> {
  const data = resolve(paths.data);
  await found(data, `The data folder ${data} cannot be read. Set --paths.data to the data folder of the server.`);
  if (log === undefined) return;
  const noLog = `The log ${log} cannot be read. Set --log to the file that the log of the server is written to.`;
  if (!(await found(log, noLog)).isFile()) throw new Error(`${noLog} It is no file.`);
}

/** Throws the message with the reason if there is nothing at the path. */
async function found(path: string, message: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (cause) {
    throw new Error(`${message} ${messageOf(cause)}`, { cause });
  }
}

interface Part {
  readonly name: string;
  readonly text: string;
  /** Why its content could not be read. */
  readonly missing?: string;
}

async function collected(sources: Readonly<Record<string, () => Promise<string>>>): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (const [name, source] of Object.entries(sources)) {
    try {
      parts.push({ name, text: await source() });
    } catch (error) {
      const missing = messageOf(error);
      parts.push({ name, text: `Not available: ${missing}\n`, missing });
    }
  }
  return parts;
}

function toldOf(file: string, parts: readonly Part[]): string {
  const names = parts.filter(({ missing }) => missing === undefined).map(({ name }) => name);
  const missing = parts.filter((part) => part.missing !== undefined);
  return [
    `${file}: ${names.join(', ')}. Secret settings are masked. Read it before you send it to others: logs have names and addresses.`,
    ...missing.map((part) => `${part.name} is missing: ${part.missing}`),
  ].join('\n');
}

function versions(): object {
  const { node, openssl = '' } = process.versions;
  return {
    product: productVersion(),
    node,
    openssl,
    system: `${process.platform} ${release()} ${process.arch}`,
    memory: totalmem(),
  };
}

/** How much there is of each resource. */
async function storeOf(settings: Settings): Promise<object> {
  const place = placeOf(settings);
  const snapshot = await openSnapshot(place);
  try {
    const resources: Record<string, { objects: number; bytes: number }> = {};
    for await (const chunk of snapshot.objects()) {
      for (const { key, value } of chunk) {
        const own = resources[resourceOf(key)] ?? { objects: 0, bytes: 0 };
        resources[resourceOf(key)] = { objects: own.objects + 1, bytes: own.bytes + value.byteLength };
      }
    }
    const { domain, end, compacted, at } = snapshot.head;
    return { store: nameOf(place), domain, end, compacted, lastCommit: new Date(at).toISOString(), resources };
  } finally {
    await snapshot.close();
  }
}

/**
 * Asks the server of the data folder. The errors of `serverOf` and `ask` assume that it runs, so only their causes are
 * shown.
 */
async function fromServer({ paths }: Settings, path: string): Promise<string> {
  const data = resolve(paths.data);
  const answer = await serverOf(data)
    .then((server) => ask(server, 'GET', path))
    .catch((error: Error) => {
      throw new Error(`The server of ${data} cannot be asked: ${messageOf(error.cause ?? error)}`, { cause: error });
    });
  return expectOk(answer);
}

async function tailOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size <= TAIL) return await readFile(path, 'utf8');
    const bytes = Buffer.alloc(TAIL);
    await file.read(bytes, 0, TAIL, size - TAIL);
    return bytes.toString().replace(/^[^\n]*\n/, '');
  } finally {
    await file.close();
  }
}

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;
