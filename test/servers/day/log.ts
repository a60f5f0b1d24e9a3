import type { Log } from './check.js';
import { DayClient, FOLDERS, type Folder } from './client.js';
import type { Seen } from './follower.js';

/** The folders of a server now. It asks again while the server answers 503. */
export async function listOn(url: string, onAnswer: (status: number) => void = () => undefined): Promise<Log> {
  const client = new DayClient(() => url, false);
  for (;;) {
    const { status, text } = await client.send('GET', FOLDERS);
    onAnswer(status);
    if (status === 503) continue;
    if (status !== 200) throw new Error(`${status} for a list: ${text}`);
    const { metadata, items } = JSON.parse(text) as Folder & { readonly items: readonly Folder[] };
    const folders = new Map(items.map((item) => [item.metadata.name, item.spec.title]));
    return { from: Number(metadata.resourceVersion), folders, events: [] };
  }
}

/** A write that changes nothing of what others look at. Returns its revision. */
export async function mark(url: string, name: string): Promise<number> {
  const client = new DayClient(() => url, false);
  const { status, text } = await client.send('POST', FOLDERS, { metadata: { name }, spec: { title: name } });
  if (status !== 201) throw new Error(`${status} for a mark: ${text}`);
  return Number((JSON.parse(text) as Folder).metadata.resourceVersion);
}

/** All changes of the folders after a state, up to a revision, as the server has them in its log. */
export async function logFrom(url: string, { from, folders }: Log, until: number): Promise<Log> {
  const client = new DayClient(() => url, false);
  const events: Seen[] = [];
  let end = (): void => undefined;
  const path = `${FOLDERS}?watch=true&resourceVersion=${from}&timeoutSeconds=60`;
  for await (const line of client.lines(path, (close) => {
    end = close;
  })) {
    const { type, object } = JSON.parse(line) as { type: string; object: Folder };
    if (type === 'ERROR') throw new Error(line);
    const { name, resourceVersion } = object.metadata;
    events.push({ revision: Number(resourceVersion), type, name, title: object.spec.title });
    if (Number(resourceVersion) >= until) break;
  }
  end();
  return { from, folders, events };
}
