import type { Answer } from '../harness/answer.js';
import { bodyOf } from '../harness/resource.js';
import type { CallOptions, Server } from '../harness/server.js';

const SETS = '/apis/apply.svc.app/v1beta1/namespaces/default/applysets';
const GROUPS: Readonly<Record<string, string>> = { folders: 'folder', dashboards: 'dashboard', teams: 'iam' };

interface Applied {
  readonly resourceVersion?: string;
  readonly summary: Readonly<Record<string, number>>;
  readonly plan: readonly Readonly<Record<string, unknown>>[];
}

/** The status in the answer to an apply. Throws unless the answer has this code. */
export function appliedBy(answer: Answer, code: number): Applied {
  return bodyOf(answer, code).status as unknown as Applied;
}

export function actionsOf({ plan }: Applied): readonly unknown[] {
  return plan.map(({ action }) => action);
}

interface ApplyOptions extends Pick<CallOptions, 'query' | 'user'> {
  readonly prune?: { readonly enabled: boolean; readonly selector?: string };
}

/** Calls for tests of apply sets. */
export function applySets(server: () => Server) {
  const pathOf = (resource: string, name: string) =>
    `/apis/${GROUPS[resource]}.svc.app/v1beta1/namespaces/default/${resource}/${name}`;
  return {
    /** Applies objects, as the manager that the set has by default. */
    apply: (name: string, objects: readonly unknown[], { prune, ...options }: ApplyOptions = {}): Promise<Answer> => {
      const spec = { objects, ...(prune && { prune }) };
      const body = { apiVersion: 'apply.svc.app/v1beta1', kind: 'ApplyRequest', spec };
      return server().call('POST', `${SETS}/${name}/apply`, { body, ...options });
    },
    /** The set, or one of its subresources. */
    set: (name: string, part = ''): Promise<Answer> => server().call('GET', `${SETS}/${name}${part}`),
    get: (resource: string, name: string) => server().call('GET', pathOf(resource, name)),
    put: (resource: string, name: string, body: unknown) => server().call('PUT', pathOf(resource, name), { body }),
    remove: (resource: string, name: string) => server().call('DELETE', pathOf(resource, name)),
  };
}

export function summary(more: object): object {
  return { created: 0, configured: 0, unchanged: 0, pruned: 0, conflicts: 0, ...more };
}

const inFolder = (parent: string | undefined) => parent !== undefined && { annotations: { 'svc.app/folder': parent } };
const iam = (kind: string, name: string, spec: object) => ({
  apiVersion: 'iam.svc.app/v1beta1',
  kind,
  metadata: { name },
  spec,
});

export function folder(name: string, title: string, parent?: string) {
  const metadata = { name, ...inFolder(parent) };
  return { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', metadata, spec: { title } };
}

export function dashboard(name: string, title: string, parent?: string) {
  const metadata = { name, ...inFolder(parent) };
  return { apiVersion: 'dashboard.svc.app/v1beta1', kind: 'Dashboard', metadata, spec: { title } };
}

export function team(name: string, title = `team ${name}`) {
  return iam('Team', name, { title });
}

export function user(name: string) {
  return iam('User', name, { login: name, email: `${name}@example.com` });
}

/** The membership of a user in the organization. */
export function member(name: string) {
  return iam('OrganizationBinding', name, { userRef: { name }, role: 'Viewer' });
}

export function teamBinding(crew: string, who: string, name = `${crew}.${who}`) {
  return iam('TeamBinding', name, { teamRef: { name: crew }, userRef: { name: who }, permission: 'member' });
}
