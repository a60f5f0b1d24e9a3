import { DEFINITIONS, definitionOf } from '../custom/definition.js';
import { Caller } from './caller.js';
import { GRANT } from './check-rules.js';
import type { Door } from './door.js';
import type { History } from './history.js';
import { GROUP, grantFor, objectFor, pathOf } from './objects.js';
import type { Random } from './random.js';

/** The folder in which only the robot writes, while it has the permission. */
export const BOX = 'box';
const NAMES = ['r0', 'r1', 'r2'];

/** Writes a few objects as the robot, one after another. */
export async function robot(
  name: string,
  history: History,
  doors: readonly Door[],
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const caller = new Caller(name, history, doors);
  let count = 0;
  while (!signal.aborted) {
    const server = random.below(doors.length);
    const target = random.pick(NAMES);
    const value = String(count++);
    const plan = { verb: 'patch' as const, resource: 'dashboards' as const, name: target, byRobot: true };
    await caller.one({ ...plan, intent: { kind: 'set', label: name, value } }, server, (op) => ({
      method: 'PATCH',
      path: pathOf('dashboards', target),
      type: 'application/merge-patch+json',
      body: { metadata: { labels: { [name]: value }, annotations: { 'sim/op': String(op) } } },
      as: 'robot',
    }));
    await random.pause(12);
  }
}

/** Gives and takes the permission of the robot. */
export async function granting(
  history: History,
  doors: readonly Door[],
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const caller = new Caller('granter', history, doors);
  const plan = { resource: 'rolebindings' as const, name: GRANT };
  while (!signal.aborted) {
    const [first, second] = [random.below(doors.length), random.below(doors.length)];
    await caller.one({ ...plan, verb: 'create' }, first, (op) => ({
      method: 'POST',
      path: pathOf('rolebindings'),
      body: grantFor(GRANT, BOX, op),
    }));
    await random.pause(40);
    await caller.one({ ...plan, verb: 'delete' }, second, () => ({
      method: 'DELETE',
      path: pathOf('rolebindings', GRANT),
    }));
    await random.pause(30);
  }
}

/** Defines the custom kind. */
export async function defineReports(door: Door): Promise<void> {
  await made(door, DEFINITIONS, definitionOf());
}

/** Makes the account of the robot, its folder, and the dashboards that it writes. */
export async function prepareRobot(door: Door): Promise<void> {
  const iam = '/apis/iam.svc.app/v1beta1/namespaces/default';
  const account = {
    apiVersion: 'iam.svc.app/v1beta1',
    kind: 'ServiceAccount',
    metadata: { name: 'robot' },
    spec: { title: 'robot', role: 'None' },
  };
  await made(door, `${iam}/serviceaccounts`, account);
  await made(door, pathOf('folders'), objectFor('folders', { name: BOX, title: BOX, labels: {}, op: 0 }));
  for (const name of NAMES) {
    const labels = { [GROUP]: 'g1' };
    await made(door, pathOf('dashboards'), objectFor('dashboards', { name, title: name, parent: BOX, labels, op: 0 }));
  }
}

/** Creates an object, unless it exists. Tries again if the store fails. */
async function made(door: Door, path: string, body: unknown): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { status, text } = await door.send({ method: 'POST', path, body });
    if (status === 201 || status === 409) return;
    if (status < 500 || tries > 20) throw new Error(`the run cannot begin: POST ${path}: ${status} ${text}`);
  }
}
