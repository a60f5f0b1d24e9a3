import type { Need } from './kind-examples.js';

const IAM = 'iam.svc.app/v1beta1';
/** More names than one run of the suite uses. */
const MANY = 600;

export function userNeeded(name: string): Need {
  const spec = { login: name, email: `${name}@example.com` };
  return { path: `/apis/${IAM}/users`, body: { apiVersion: IAM, kind: 'User', metadata: { name }, spec } };
}

export function dashboardNeeded(name: string): Need {
  const apiVersion = 'dashboard.svc.app/v1beta1';
  const body = { apiVersion, kind: 'Dashboard', metadata: { name }, spec: { title: name } };
  return { path: `/apis/${apiVersion}/namespaces/default/dashboards`, body };
}

export function teamNeeded(name: string): Need {
  const path = `/apis/${IAM}/namespaces/default/teams`;
  return { path, body: { apiVersion: IAM, kind: 'Team', metadata: { name }, spec: { title: name } } };
}

export function many(make: (number: number) => Need): readonly Need[] {
  return Array.from({ length: MANY }, (_, index) => make(index + 1));
}
