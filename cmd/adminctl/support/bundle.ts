import { open, readFile, writeFile } from 'node:fs/promises';
import { release, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Settings } from '../../../pkg/config/schema.js';
import { messageOf } from '../../../pkg/errors/message.js';
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

/** Collects what helps to find out what is wrong, without secrets and without objects. What cannot be read is left out, and the reason is in its place. */
export async function supportBundle({ file, settings, log }: SupportBundleCommand): Promise<string> {
  const parts: Readonly<Record<string, () => Promise<string>>> = {
    'settings.json': async () => json(shownSettings(settings)),
    'versions.json': async () => json(versions()),
    'store.json': async () => json(await storeOf(settings)),
    'metrics.txt': () => fromServer(settings, '/metrics'),
    'readyz.txt': () => fromServer(settings, '/readyz?verbose'),
    ...(log !== undefined && { 'server.log': () => tailOf(log) }),
  };
  const entries: TarEntry[] = [];
  for (const [name, text] of Object.entries(parts)) {
    const found = await text().catch((error: unknown) => `Not available: ${messageOf(error)}\n`);
    entries.push({ name: `${FOLDER}/${name}`, text: found });
  }
  await writeFile(file, gzipSync(tarOf(entries, Math.floor(Date.now() / 1000))), { mode: 0o600 });
  return `${file}: ${Object.keys(parts).join(', ')}. Secret settings are masked. Read it before you send it to others: logs have names and addresses.`;
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

/** From the server of the data folder. */
async function fromServer({ paths }: Settings, path: string): Promise<string> {
  return expectOk(await ask(await serverOf(resolve(paths.data)), 'GET', path));
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
