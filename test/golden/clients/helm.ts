import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Session } from './session.js';

const run = promisify(execFile);

/** Two folders, a dashboard, and a role binding. Helm sends the objects in another order. */
const manifest = (title: string): string => `
apiVersion: folder.svc.app/v1beta1
kind: Folder
metadata: {name: helm-top}
spec: {title: ${title}}
---
apiVersion: dashboard.svc.app/v1beta1
kind: Dashboard
metadata: {name: helm-dash, annotations: {svc.app/folder: helm-top}}
spec: {title: ${title}}
---
apiVersion: iam.svc.app/v1beta1
kind: RoleBinding
metadata: {name: helm-binding}
spec: {subject: {kind: Team, name: helm-team}, roleRef: {kind: BuiltIn, name: View}, scope: {folder: helm-top}}
---
apiVersion: iam.svc.app/v1beta1
kind: Team
metadata: {name: helm-team}
spec: {title: helm-team}
`;

/** The program that `HELM` names, or the one on PATH. */
export function helmOf(version: string): Session {
  return async ({ kubeconfig, folder }) => {
    const program = process.env['HELM'] ?? 'helm';
    const helm = (...args: readonly string[]) =>
      run(program, args, { env: { ...process.env, KUBECONFIG: kubeconfig } });
    const chart = join(folder, 'chart');
    await mkdir(join(chart, 'templates'), { recursive: true });
    await writeFile(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: tree\nversion: 0.1.0\n');
    const write = (title: string) => writeFile(join(chart, 'templates/tree.yaml'), manifest(title));
    await write('One');
    await helm('install', 'tree', chart, '--namespace=space', '--create-namespace');
    await write('Two');
    await helm('upgrade', 'tree', chart, '--namespace=space');
    await helm('rollback', 'tree', '1', '--namespace=space');
    await helm('history', 'tree', '--namespace=space');
    await helm('uninstall', 'tree', '--namespace=space');
    return `helm ${version}`;
  };
}
