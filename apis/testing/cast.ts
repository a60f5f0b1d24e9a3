import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Caller } from './callers.js';

export const IAM = 'iam.svc.app/v1beta1';

/** The callers of the tables of permissions, on a server with all of them. */
export interface Cast {
  /** Sends a request as this caller. */
  call(caller: Caller, method: string, path: string, options?: Request): Promise<Answered>;
  /** Creates an object that a request needs. Its creator is none of the callers. Throws unless the answer is 201. */
  made(apiVersion: string, kind: string, name: string, spec: unknown, more?: MakeOptions): Promise<Made>;
  /** A name that no other request uses. */
  fresh(prefix: string): string;
}

export type Made = Pick<KubeObject, 'metadata'>;

export interface Answered {
  readonly status: number;
  readonly text: string;
  /** The body, which is an object of the resource API, or what the legacy API answers. */
  json(): Made;
}

export interface Request {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

export interface MakeOptions {
  readonly namespace?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The members of kinds without spec. */
  readonly members?: object | undefined;
}

type Making = Pick<Cast, 'made' | 'fresh'>;

export const nameOf = async (made: Promise<Made>): Promise<string> => (await made).metadata.name;

/** A team with `member` as member and `lead` as Admin. */
export async function addTeam({ made, fresh }: Making): Promise<Made> {
  const name = fresh('team');
  const team = await made(IAM, 'Team', name, { title: name });
  for (const [user, permission] of [
    ['member', 'member'],
    ['lead', 'admin'],
  ] as const)
    await made(IAM, 'TeamBinding', `${name}.${user}`, { teamRef: { name }, userRef: { name: user }, permission });
  return team;
}

/** A user who is a viewer of the organization. */
export async function addUser({ made, fresh }: Making): Promise<Made> {
  const name = fresh('user');
  const user = await made(IAM, 'User', name, { login: name, email: `${name}@example.com` });
  await made(IAM, 'OrganizationBinding', name, { userRef: { name }, role: 'Viewer' });
  return user;
}

export const addFolder = ({ made, fresh }: Making): Promise<Made> =>
  made('folder.svc.app/v1beta1', 'Folder', fresh('folder'), { title: 'Folder' });

export const addDashboard = ({ made, fresh }: Making): Promise<Made> =>
  made('dashboard.svc.app/v1beta1', 'Dashboard', fresh('dashboard'), { title: fresh('Dashboard') });
