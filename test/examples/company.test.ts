import { mkdtemp, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { type GoProgram, goProgramOrSkip, removeGoProgram } from '../../hack/go-programs.js';
import { examplePath, startServer, type TestServer } from '../e2e/harness.js';
import type { Kubectl } from '../e2e/kubectl-client.js';
import { ONE_SERVER_STORE, storeSettings } from '../e2e/stores.js';
import {
  ALERT_RULES,
  type Company,
  changingNothing,
  describedCompany,
  listCompany,
  MANIFESTS,
  storedCompany,
} from './company.js';
import { findTerraform, helmFor, terraformFor } from './programs.js';

for (const store of ONE_SERVER_STORE) {
  describe(`the company of the examples (${store})`, function () {
    this.timeout(120_000);
    let server: TestServer;
    let kubectl: Kubectl;
    let company: Company;
    const programs: string[] = [];

    before(async function () {
      const secret = { 'auth.generic_oauth.client_secret': 'known to the server only' };
      server = await startServer({ settings: { ...(await storeSettings(this, store)), ...secret } });
      kubectl = await server.kubectl();
      company = await describedCompany(kubectl);
      await kubectl.ok(['apply', '-f', '-'], { input: JSON.stringify(PEOPLE) });
    });

    after(async () => {
      await server?.stop();
      for (const program of programs) await removeGoProgram(program);
    });

    const built = async (context: Mocha.Context, name: GoProgram): Promise<string> => {
      // The program may have to be built first.
      context.timeout(20 * 60_000);
      const program = await goProgramOrSkip(context, name);
      programs.push(program);
      return program;
    };
    const may = async (person: string, ...what: readonly string[]): Promise<boolean> =>
      (await kubectl.run(['auth', 'can-i', ...what, `--as=${person}`])).code === 0;
    const expectCompany = async (): Promise<void> => {
      expect(await storedCompany(kubectl)).to.deep.equal(company);
      expect(await (await fetch(`${server.httpUrl}/login`)).text()).to.contain('Example Company');
      expect(await may('vera', 'get', 'folder/shop-checkout'), 'vera sees the shop').to.equal(true);
      expect(await may('vera', 'get', 'folder/finance'), 'vera does not see finance').to.equal(false);
    };
    const expectNothing = async (): Promise<void> => {
      expect((await listCompany(kubectl)).items).to.deep.equal([]);
    };

    it('is made by kubectl of plain manifests, changed by nothing when they are applied again, and removed', async () => {
      const applied = await kubectl.run(['apply', ...MANIFESTS]);
      expect(applied).to.have.property('code', 0);
      expect(applied.stderr, 'the files are in an order in which nothing waits').to.not.contain('no effect');
      await expectCompany();
      await changingNothing(kubectl, () => kubectl.ok(['apply', ...MANIFESTS]));
      const member = { teamRef: { name: 'accountants' }, userRef: { name: 'carol' } };
      await kubectl.ok(['apply', '-f', '-'], {
        input: JSON.stringify(iam('TeamBinding', 'accountants.carol', member)),
      });
      expect(await may('carol', 'update', 'folder/finance'), 'an accountant sees finance').to.equal(true);
      await kubectl.ok(['diff', '-k', examplePath('company/overlays/production')]);
      await kubectl.ok(['delete', '--ignore-not-found', '-f', ALERT_RULES, ...MANIFESTS]);
      await expectNothing();
    });

    it('is made by kustomize in an organization of its own, with paused alert rules, and gone with it', async () => {
      const apply = () => kubectl.ok(['apply', '-k', examplePath('company/overlays/staging')]);
      await apply();
      const { 'SSOSetting/generic_oauth': _, ...others } = company;
      const stored = await storedCompany(kubectl, 'staging');
      expect(Object.keys(stored)).to.have.members(Object.keys(others));
      expect(stored['AlertRule/checkout-slow']).to.have.nested.property('spec.isPaused', true);
      const labels = (await listCompany(kubectl, 'staging')).items.map(
        ({ metadata }) => metadata.labels?.['environment'],
      );
      expect(new Set(labels)).to.deep.equal(new Set(['staging']));
      await changingNothing(kubectl, apply, 'staging');
      await kubectl.ok(['delete', 'namespace', 'staging']);
    });

    it('is renamed by an overlay with namePrefix, with all names by which its objects name each other', async () => {
      const overlay = await mkdtemp(join(server.folder, 'overlay-'));
      const base = relative(overlay, examplePath('company/base'));
      const text = JSON.stringify({ namePrefix: 'next-', namespace: 'next', resources: [base, 'namespace.yaml'] });
      await writeFile(join(overlay, 'kustomization.yaml'), text);
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'next' } };
      await writeFile(join(overlay, 'namespace.yaml'), JSON.stringify(namespace));
      await kubectl.ok(['apply', '-k', overlay]);
      const stored = await storedCompany(kubectl, 'next');
      expect(stored['Folder/next-shop-checkout']).to.have.deep.property('annotations', {
        'svc.app/folder': 'next-shop',
      });
      await kubectl.ok(['delete', 'namespace', 'next']);
    });

    it('is made by Helm, changed by nothing at an upgrade, and uninstalled', async function () {
      const helm = helmFor(await built(this, 'helm'), server);
      const chart = examplePath('company/helm');
      await helm('lint', chart);
      await helm('install', 'company', chart);
      await expectCompany();
      await changingNothing(kubectl, () => helm('upgrade', 'company', chart));
      await helm('upgrade', 'company', chart, '--set', 'alerts.paused=true', '--set', 'signIn.enabled=false');
      const changed = await storedCompany(kubectl);
      expect(changed['AlertRule/checkout-slow']).to.have.nested.property('spec.isPaused', true);
      expect(changed).to.not.have.property('SSOSetting/generic_oauth');
      await helm('rollback', 'company', '1');
      await expectCompany();
      await helm('uninstall', 'company');
      await expectNothing();
    });

    it('is made by Terraform, planned without a difference afterwards, changed, and destroyed', async function () {
      const program = await findTerraform();
      // Neither Terraform nor OpenTofu can be had from a package registry.
      if (program === undefined) return this.skip();
      const terraform = await terraformFor(program, await built(this, 'terraform-provider-kubectl'), server);
      await terraform('apply', '-auto-approve');
      await expectCompany();
      await changingNothing(kubectl, () => terraform('plan', '-detailed-exitcode'));
      await terraform('apply', '-auto-approve', '-var=alerts_paused=true');
      const changed = await storedCompany(kubectl);
      expect(changed['AlertRule/checkout-slow']).to.have.nested.property('spec.isPaused', true);
      await terraform('plan', '-detailed-exitcode', '-var=alerts_paused=true');
      await terraform('destroy', '-auto-approve');
      await expectNothing();
    });
  });
}

function iam(kind: string, name: string, spec: object): object {
  return { apiVersion: 'iam.svc.app/v1beta1', kind, metadata: { name }, spec };
}

/** Two users, who exist because they have signed in before. */
const PEOPLE = {
  apiVersion: 'v1',
  kind: 'List',
  items: ['vera', 'carol'].flatMap((login) => [
    iam('User', login, { login, email: `${login}@example.com` }),
    iam('OrganizationBinding', login, { userRef: { name: login }, role: 'Viewer' }),
  ]),
};
