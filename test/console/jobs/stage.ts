import type { Locator, Page } from 'playwright-core';
import { type Console, type Person, STILL, visit } from '../console.js';
import { DASHBOARDS, PASSWORD, type Writer, writerOn } from '../content.js';
import { CALLERS, type Caller, LOGINS, type Scene, type StoredObject } from './job.js';

/** Milliseconds. A job that is refused shows nothing that could be waited for, so a mistake is noticed early. */
const PATIENCE = 15_000;
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const IAM = '/apis/iam.svc.app/v1beta1/namespaces/default';

/** Fills the server for all jobs, and lets each caller come in a browser of their own. */
export async function openStage(running: Console): Promise<(caller: Caller) => Scene> {
  const write = writerOn(() => running.server);
  await write.user(LOGINS.viewer, 'Viewer');
  const { uid } = await write.user(LOGINS.editor, 'Editor');
  for (const caller of CALLERS) await fill(write, caller);
  await write.create(`${IAM}/rolebindings`, 'RoleBinding', 'own.edith', {
    roleRef: { kind: 'BuiltIn', name: 'Admin' },
    subject: { kind: 'User', name: uid },
    scope: { folder: 'own-editor' },
  });
  await write.create(`${IAM}/teams`, 'Team', 'crew', { title: 'Crew' });
  await write.folder('private', 'Private matters', { 'svc.app/basic-roles': 'none' });
  await write.send('POST', DEFINITIONS, WORKSPACES);
  const people = new Map<Caller, Person>();
  for (const caller of CALLERS) people.set(caller, await arrive(running, caller));
  return (caller) => {
    const person = people.get(caller);
    if (person === undefined) throw new Error(`${caller} has not come`);
    return sceneOf(caller, person, running, write);
  };
}

async function fill(write: Writer, caller: Caller): Promise<void> {
  const own = `own-${caller}`;
  await write.folder(own, `Folder of ${caller}`);
  await write.dashboard(`board-${caller}`, `First board of ${caller}`, own);
  await write.rename(`${DASHBOARDS}/board-${caller}`, `Board of ${caller}`);
  await write.dashboard(`gone-${caller}`, `Gone of ${caller}`, own);
  await write.remove(`${DASHBOARDS}/gone-${caller}`);
}

/** A kind that is not compiled. */
const WORKSPACES = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'workspaces.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'workspaces', singular: 'workspace', kind: 'Workspace', listKind: 'WorkspaceList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
          },
        },
      },
    ],
  },
};

async function arrive(running: Console, caller: Caller): Promise<Person> {
  const person = await (caller === 'guest' ? comeAsGuest(running) : signIn(running, caller));
  person.page.setDefaultTimeout(PATIENCE);
  await person.goTo('/');
  return person;
}

export function signIn(running: Console, caller: keyof typeof LOGINS): Promise<Person> {
  return running.person(caller === 'administrator' ? {} : { user: LOGINS[caller], password: PASSWORD });
}

/** Somebody without credentials. */
export async function comeAsGuest({ browser, server }: Console): Promise<Person> {
  const context = await browser.newContext(STILL);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  const goTo = async (place: string): Promise<void> => {
    await page.goto(`${server.httpUrl}/console${place}`);
    await page.locator('h1').first().waitFor();
  };
  return { page, context, complaints, goTo, visit: (place) => visit(page, place) };
}

function sceneOf(caller: Caller, person: Person, running: Console, write: Writer): Scene {
  const { page } = person;
  const press = (name: string | RegExp, around: Page | Locator = page): Promise<void> =>
    around.getByRole('button', { name, exact: true }).click();
  return {
    caller,
    person,
    page,
    running,
    write,
    own: `own-${caller}`,
    board: `board-${caller}`,
    stored: async <Body = StoredObject>(path: string) => (await write.send('GET', path)).json<Body>(),
    visit: (place) => person.visit(place),
    press,
    choose: async (button, item) => {
      await press(button);
      await page.getByRole('menuitem', { name: item }).click();
    },
    reads: (text) => page.getByText(text).last().waitFor(),
    main: page.getByRole('main'),
    dialog: page.getByRole('dialog'),
  };
}
