import { open } from 'node:fs/promises';
import { parseJson } from '../../kube/json/parse.js';

/** Bytes at the end of the file in which events are looked for. */
const LOOKED_THROUGH = 1024 * 1024;

/**
 * At most `limit` events from the end of the file of an audit log, the newest last. None if there is no file. Lines
 * that are cut or not JSON are left out.
 */
export async function newestEvents(path: string, limit: number): Promise<readonly unknown[]> {
  const text = await endOf(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text
    .split('\n')
    .slice(-limit - 1)
    .flatMap(parsed);
}

async function endOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const length = Math.min(size, LOOKED_THROUGH);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function parsed(line: string): readonly unknown[] {
  if (line === '') return [];
  try {
    return [parseJson(line)];
  } catch {
    return [];
  }
}
