import type { Client } from './client.js';
import type { Made } from './fill-store.js';
import { FOLDERS } from './fixtures.js';

const DASHBOARDS = '/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards';
const DASHBOARD = 'dashboard.svc.app/v1beta1';
const MERGE = 'application/merge-patch+json';
const APPLY = 'application/apply-patch+yaml';
/** The folder that is deleted with all its dashboards. */
export const BIG_FOLDER = 'folder-0000000';
const CLIENTS = 4;

/** One way to use a server. */
export interface StallCase {
  readonly name: string;
  /** Is not measured. */
  prepare?(): Promise<unknown>;
  run(): Promise<unknown>;
}

export function folder(i: number): Made {
  const spec = { title: `Folder ${i}`, description: 'What the folder is for. '.repeat(14) };
  return { name: `folder-${i.toString().padStart(7, '0')}`, author: 'admin', at: Date.now(), annotations: {}, spec };
}

export function dashboardIn(name: string): (i: number) => Made {
  const panels = [1, 2].map((id) => ({ id, type: 'timeseries', title: `Panel ${id}`, gridPos: { h: 8, w: 12 } }));
  return (i) => ({
    name: `dashboard-${i.toString().padStart(7, '0')}`,
    author: 'admin',
    at: Date.now(),
    annotations: { folder: name },
    spec: { title: `Dashboard ${i}`, tags: ['measured'], panels },
  });
}

export function casesOf(admin: Client): readonly StallCase[] {
  return [...lists(admin), ...trees(admin), ...waiting(admin), ...bodies(admin)];
}

function lists({ send }: Client): readonly StallCase[] {
  const list = (query: string) => () => many(CLIENTS, () => send({ method: 'GET', path: `${FOLDERS}${query}` }));
  return [
    { name: 'list of all folders', run: list('') },
    { name: 'list of all folders of the past', run: list('?resourceVersion=0') },
    { name: 'list by label', run: list('?labelSelector=missing=label') },
    { name: 'list by field', run: list('?fieldSelector=metadata.name=missing') },
  ];
}

function trees({ send }: Client): readonly StallCase[] {
  const path = `${FOLDERS}/${BIG_FOLDER}`;
  const remove = () => send({ method: 'DELETE', path });
  const restore = () => send({ method: 'POST', path: `${path}/restore`, body: {} });
  return [
    { name: 'dry run of the deletion of a tree', run: () => send({ method: 'DELETE', path: `${path}?dryRun=All` }) },
    { name: 'deletion of a tree', prepare: () => restore().catch(() => undefined), run: remove },
    { name: 'restoring of a tree', prepare: () => remove().catch(() => undefined), run: restore },
  ];
}

/** How many dashboards wait for one folder. */
const WAITING = 10_000;

function waiting({ send }: Client): readonly StallCase[] {
  const name = 'awaited';
  const make = dashboardIn(name);
  const wait = (i: number): Promise<unknown> => {
    const { spec } = make(i);
    const metadata = { name: `waiting-${i}`, annotations: { 'svc.app/folder': name } };
    return send({
      method: 'POST',
      path: DASHBOARDS,
      body: { apiVersion: DASHBOARD, kind: 'Dashboard', metadata, spec },
    });
  };
  const prepare = async (): Promise<void> => {
    await send({ method: 'DELETE', path: `${FOLDERS}/${name}` }).catch(() => undefined);
    let next = 0;
    await many(16, async () => {
      while (next < WAITING) await wait(next++);
    });
  };
  const body = { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', metadata: { name }, spec: { title: name } };
  return [
    {
      name: 'creation of a folder that objects wait for',
      prepare,
      run: () => send({ method: 'POST', path: FOLDERS, body }),
    },
  ];
}

/** Bodies of almost 3 MiB with almost as many values as a document may have. */
function bodies(admin: Client): readonly StallCase[] {
  const name = 'stalls';
  const path = `${DASHBOARDS}/${name}`;
  const of = (panels: number, round: number) => ({
    apiVersion: 'dashboard.svc.app/v1beta1',
    kind: 'Dashboard',
    metadata: { name },
    spec: { title: `Large ${round}`, panels: panelsOf(panels) },
  });
  const remove = () => admin.send({ method: 'DELETE', path }).catch(() => undefined);
  const create = (): Promise<unknown> => admin.send({ method: 'POST', path: DASHBOARDS, body: of(PANELS, 0) });
  const anew = async () => {
    await remove();
    await create();
  };
  let round = 0;
  const write = (method: string, type: string, panels: number, query = ''): (() => Promise<unknown>) => {
    return () => admin.send({ method, path: `${path}${query}`, type, body: of(panels, ++round) });
  };
  const applied = write('PATCH', APPLY, MERGE_PANELS, '?fieldManager=stalls&force=true');
  return [
    { name: 'POST of 3 MiB', prepare: remove, run: create },
    { name: 'PUT of 3 MiB', prepare: anew, run: write('PUT', 'application/json', PANELS) },
    { name: 'merge patch of 3 MiB', prepare: anew, run: write('PATCH', MERGE, MERGE_PANELS) },
    { name: 'apply of 3 MiB', prepare: remove, run: applied },
    { name: 'apply of 3 MiB again', prepare: applied, run: applied },
  ];
}

const PANELS = 3200;
const MERGE_PANELS = 1800;

/** Twelve values each. */
function panelsOf(count: number): readonly unknown[] {
  const text = 'x'.repeat(Math.floor((3 * 2 ** 20 - 8192) / count) - 190);
  return Array.from({ length: count }, (_, id) => ({
    id,
    type: 'timeseries',
    title: `Panel ${id}`,
    gridPos: { x: 0, y: id, w: 12, h: 8 },
    options: { legend: true, content: text },
    transparent: false,
  }));
}

function many(count: number, one: () => Promise<unknown>): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, one));
}
