import type { Page } from 'playwright-core';
import type { TestServer } from '../e2e/harness.js';
import { DASHBOARDS, within, writerOn } from './content.js';

export const RULES = '/apis/rules.alerting.svc.app/v1beta1/namespaces/default/alertrules';

/** Opens the dialog for a new folder in the one that is shown, or at the root. */
export async function beginFolder(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Folder…' }).click();
}

/** Writes and reads folders and their contents by the API. */
export function foldersOn(server: () => TestServer) {
  const { send, create, ...write } = writerOn(server);
  return {
    create,
    folder: (name: string, title: string, parent?: string, more = {}) =>
      write.folder(name, title, { ...within(parent), ...more }),
    dashboard: (name: string, title: string, parent?: string, tags: readonly string[] = []) =>
      create(DASHBOARDS, 'Dashboard', name, { title, tags }, within(parent)),
    rule: (name: string, parent: string) => {
      const spec = { title: name, ruleGroup: 'g', condition: 'A', data: [{ refId: 'A' }] };
      return create(RULES, 'AlertRule', name, spec, within(parent));
    },
    patch: (path: string, body: unknown) => send('PATCH', path, body, 'application/merge-patch+json'),
    stored: async (path: string) => JSON.parse((await send('GET', path)).text),
  };
}
