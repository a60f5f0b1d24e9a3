import { expect } from 'chai';
import { kinds } from '../../apis/kinds.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import type { Kind } from '../../registry/kinds/kind.js';
import { ENVIRONMENT } from '../harness/server.js';

/** The most columns of text that a table may take, with rather long names, titles and addresses. Other columns belong to `-o wide`. */
const SCREEN = 100;
/** The spaces that kubectl prints between two columns. */
const GAP = 3;
const AGE = '2y3d'.length;

const [NAME, TITLE, EMAIL] = ['operations-network-1', 'Network of the old sites', 'network.team@example.com'];
const person = { userRef: { name: NAME } };

/** The spec, or the members, of an object of each kind whose table depends on them. */
const SAMPLES: Readonly<Record<string, object>> = {
  AlertRule: { title: TITLE, ruleGroup: NAME, isPaused: false, for: '1h30m' },
  Annotation: { text: TITLE.repeat(9), time: 1_700_000_000_000, timeEnd: 1_700_000_000_000, dashboardUID: NAME },
  ApplySet: {},
  CustomResourceDefinition: {},
  Dashboard: { title: TITLE, tags: [NAME, NAME] },
  Folder: { title: TITLE },
  Lease: { holderIdentity: `${NAME}_6ad7a3a4-4a5e-4a0c-9c0e-000000000000` },
  LibraryElement: { name: TITLE, kind: 2, type: 'state-timeline', model: {} },
  Organization: { title: TITLE },
  OrganizationBinding: { ...person, role: 'Viewer' },
  Preferences: { theme: 'system', timezone: 'America/Argentina/Buenos_Aires', homeDashboardUID: NAME },
  QueryHistory: { datasourceUid: NAME, starred: false, comment: TITLE, queries: [] },
  Role: { title: TITLE },
  RoleBinding: {
    subject: { kind: 'Team', name: NAME },
    roleRef: { kind: 'BuiltIn', name: 'Edit' },
    scope: { folder: NAME },
  },
  Service: {},
  ServiceAccount: { title: TITLE, role: 'Viewer', disabled: false },
  SSOSetting: { settings: { enabled: true, clientId: '123456789012-abcdefghijkl.apps.example.com', name: TITLE } },
  Stars: { resource: [] },
  Team: { title: TITLE, email: EMAIL },
  TeamBinding: { ...person, teamRef: { name: NAME }, permission: 'member' },
  User: { login: 'ada.lovelace', email: EMAIL, disabled: false, grafanaAdmin: false },
};

function widthOf(kind: Kind, spec: object): number {
  const metadata = { name: NAME, namespace: 'default', annotations: { 'svc.app/folder': NAME } };
  const object = { apiVersion: kind.apiVersion, kind: kind.kind, metadata, spec } as KubeObject;
  const columns = (kind.columns ?? []).filter(({ priority }) => priority === 0);
  const widths = columns.map(({ name, cell }) => Math.max(name.length, String(cell(object, new Date())).length));
  return [NAME.length, ...widths, AGE].reduce((sum, width) => sum + width) + GAP * (widths.length + 1);
}

describe('the tables of kubectl get', () => {
  const served = kinds(ENVIRONMENT).filter(({ served, spec, conversion }) => served && spec && !conversion);

  it('have a sample of each kind with a spec', () => {
    expect(Object.keys(SAMPLES)).to.have.members(served.map(({ kind }) => kind));
  });

  for (const kind of served)
    it(`show ${kind.resource} in ${SCREEN} columns`, () => {
      expect(widthOf(kind, SAMPLES[kind.kind] ?? {})).to.be.at.most(SCREEN);
    });
});
