import { expect } from 'chai';
import { examplePath } from '../e2e/harness.js';
import type { Kubectl } from '../e2e/kubectl-client.js';

export const MANIFESTS = [
  '-f',
  examplePath('company/base/manifests'),
  '-f',
  examplePath('company/sign-in/sso-setting.yaml'),
];
/** The alert rules, which must be deleted before their folders. */
export const ALERT_RULES = examplePath('company/base/manifests/5-alert-rules.yaml');
const KINDS = 'folders,teams,roles,rolebindings,dashboards,alertrules,ssosettings';
/** The annotations that say where an object is, and whether it is private. */
const KEPT = ['svc.app/folder', 'svc.app/basic-roles'];

interface Listed {
  readonly items: readonly {
    readonly kind: string;
    readonly metadata: {
      readonly name: string;
      readonly resourceVersion: string;
      readonly labels?: Readonly<Record<string, string>>;
      readonly annotations?: Readonly<Record<string, string>>;
    };
    readonly spec: unknown;
    readonly status?: { readonly conditions?: readonly { readonly status: string }[] };
  }[];
}

/** The fields of each object that people set, by kind and name. */
export type Company = Readonly<Record<string, unknown>>;

function companyOf({ items }: Listed): Company {
  return Object.fromEntries(
    items.map(({ kind, metadata: { name, annotations = {} }, spec }) => {
      const kept = Object.entries(annotations).filter(([key]) => KEPT.includes(key));
      return [`${kind}/${name}`, { annotations: Object.fromEntries(kept), spec }];
    }),
  );
}

/** The company that the manifests describe, with the defaults of the server. */
export async function describedCompany(kubectl: Kubectl): Promise<Company> {
  return companyOf(await kubectl.json<Listed>(['apply', '--dry-run=server', ...MANIFESTS]));
}

export function listCompany(kubectl: Kubectl, namespace = 'default'): Promise<Listed> {
  return kubectl.json<Listed>(['get', KINDS, '-n', namespace]);
}

/** Throws if an object waits, because then it names one that does not exist. */
export async function storedCompany(kubectl: Kubectl, namespace?: string): Promise<Company> {
  const listed = await listCompany(kubectl, namespace);
  const waiting = listed.items.filter(({ status }) => status?.conditions?.some((one) => one.status === 'False'));
  expect(
    waiting.map(({ metadata }) => metadata.name),
    'objects that wait',
  ).to.deep.equal([]);
  return companyOf(listed);
}

/** Throws if the command writes an object of the company. */
export async function changingNothing(kubectl: Kubectl, command: () => Promise<unknown>, namespace?: string) {
  const versions = async () =>
    (await listCompany(kubectl, namespace)).items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`);
  const before = await versions();
  await command();
  expect(await versions()).to.deep.equal(before);
}
