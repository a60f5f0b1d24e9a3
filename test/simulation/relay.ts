import { Caller } from './caller.js';
import type { Door } from './door.js';
import type { History, Intent, Operation } from './history.js';
import { applyRequest, applySetPath, GROUP, objectFor, pathOf } from './objects.js';
import type { Random } from './random.js';

/** The name of a folder and of its dashboard. Only the relay writes them. */
const NAME = 'relay';

/**
 * Makes a folder and a dashboard in it, reads the dashboard, removes its label, and deletes the folder. Each step
 * follows at once on any server. That server must not answer from a state before the last step. At the end, it lists
 * the state before the deletion, and applies objects that are refused.
 */
export async function relay(
  history: History,
  doors: readonly Door[],
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const caller = new Caller(NAME, history, doors);
  for (let round = 0; !signal.aborted; round++) {
    const steps = [
      (server: number) => create(caller, server, 'folders', round),
      (server: number) => create(caller, server, 'dashboards', round),
      (server: number) => got(caller, server),
      (server: number) => leave(caller, server),
      (server: number) => remove(caller, server),
      (server: number) => got(caller, server),
    ];
    let before = 0;
    for (const step of steps) {
      const { status, verb, revision } = await step(random.below(doors.length));
      if (verb === 'patch' && revision !== undefined) before = revision;
      if (status === 0 || status >= 500) await random.pause(100);
    }
    await refused(caller, random.below(doors.length));
    if (before > 0) await listAt(caller, random.below(doors.length), before);
    await random.pause(60);
  }
}

function create(caller: Caller, server: number, resource: 'folders' | 'dashboards', round: number): Promise<Operation> {
  const labels = { [GROUP]: 'g1', round: String(round) };
  const content = { name: NAME, title: NAME, parent: resource === 'folders' ? undefined : NAME, labels };
  const intent: Intent = { kind: 'replace', labels };
  return caller.one({ verb: 'create', resource, name: NAME, intent }, server, (op) => ({
    method: 'POST',
    path: pathOf(resource),
    body: objectFor(resource, { ...content, op }),
  }));
}

function got(caller: Caller, server: number): Promise<Operation> {
  const plan = { verb: 'get' as const, resource: 'dashboards' as const, name: NAME };
  const path = pathOf('dashboards', NAME);
  return caller.one({ ...plan, asked: { mode: 'newest' } }, server, () => ({ method: 'GET', path }));
}

function leave(caller: Caller, server: number): Promise<Operation> {
  const intent: Intent = { kind: 'set', label: GROUP, value: 'g2' };
  return caller.one({ verb: 'patch', resource: 'dashboards', name: NAME, intent }, server, (op) => ({
    method: 'PATCH',
    path: pathOf('dashboards', NAME),
    type: 'application/merge-patch+json',
    body: { metadata: { labels: { [GROUP]: 'g2' }, annotations: { 'sim/op': String(op) } } },
  }));
}

function remove(caller: Caller, server: number): Promise<Operation> {
  const plan = { verb: 'delete' as const, resource: 'folders' as const, name: NAME };
  return caller.one(plan, server, () => ({ method: 'DELETE', path: pathOf('folders', NAME) }));
}

/**
 * An atomic apply of two dashboards with one title. It fails after both were written in the transaction, and nothing of
 * it may stay.
 */
function refused(caller: Caller, server: number): Promise<Operation> {
  const members = ['relay-a', 'relay-b'].map((name) => ['dashboards', name] as const);
  const objects = (op: number) =>
    members.map(([resource, name]) => objectFor(resource, { name, title: 'same', labels: { [GROUP]: 'g1' }, op }));
  return caller.one({ verb: 'applyset', resource: 'folders', name: NAME, members }, server, (op) => ({
    method: 'POST',
    path: `${applySetPath(NAME)}?force=true&fieldManager=${NAME}`,
    type: 'application/json',
    body: applyRequest(objects(op), false),
  }));
}

async function listAt(caller: Caller, server: number, revision: number): Promise<void> {
  const asked = { mode: 'exact' as const, revision };
  const path = `${pathOf('dashboards')}?resourceVersion=${revision}&resourceVersionMatch=Exact`;
  await caller.list({ verb: 'list', resource: 'dashboards', name: '', asked }, server, path, 0, async () => server);
}
