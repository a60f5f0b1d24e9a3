import { expect } from 'chai';
import { accessWarning } from '../../pkg/console/client/pages/folders/actions/access-warnings.js';
import { warningsIn } from '../../pkg/system/text/warning-header.js';
import type { Answer } from '../harness/answer.js';
import { bodyOf, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { peopleOf } from '../legacy-api/people.js';

const BINDINGS = '/apis/iam.svc.app/v1beta1/namespaces/default/rolebindings';
const SETS = '/apis/apply.svc.app/v1beta1/namespaces/default/applysets';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const WHERE = 'the organization "default"';
const UNWANTED = '. If they should not, delete their RoleBindings';
const WANTED = '. If they should keep it, give them a RoleBinding';

// Promise: security rights
oneStore('the answer to a write of role bindings', (server) => {
  const people = peopleOf(server);
  const { made } = iam(server);
  const textsOf = ({ headers }: Pick<Answer, 'headers'>): readonly string[] =>
    [headers['warning'] ?? []].flat().flatMap((line) => warningsIn(line).map(({ text }) => text));
  const builtIn = (name: string) => ({ kind: 'BuiltIn', name });
  const binding = (subject: object, roleRef: object, scope?: object) => ({
    apiVersion: 'iam.svc.app/v1beta1',
    kind: 'RoleBinding',
    metadata: { name: freshName() },
    spec: { subject, roleRef, ...(scope && { scope }) },
  });
  const write = async (body: ReturnType<typeof binding>, query: Record<string, string> = {}) => {
    const answer = await server().call('POST', BINDINGS, { body, query });
    bodyOf(answer, 201);
    return textsOf(answer);
  };
  const person = async (role: string) => {
    const { uid } = await people.person({ role });
    return { subject: { kind: 'User', name: uid }, named: `User/${uid} "Name of ${uid}"` };
  };
  const role = async (...permissions: readonly object[]) => {
    const name = freshName();
    await made('Role', name, { title: `Title of ${name}`, permissions });
    return name;
  };

  it('names who has another role in the whole organization, also in a dry run', async () => {
    const { subject, named } = await person('Viewer');
    const given = binding(subject, builtIn('Editor'));
    const changed = `these change their access to ${WHERE}: ${named} (Viewer -> Editor)`;
    expect(await write(given, { dryRun: 'All' })).to.deep.equal([changed]);
    expect(await write(given)).to.deep.equal([changed]);
    expect(await write(binding(subject, builtIn('Viewer'))), 'it gives nothing more').to.deep.equal([]);
    const path = `${BINDINGS}/${given.metadata.name}`;
    const body = { spec: { roleRef: builtIn('Admin') } };
    expect(textsOf(await server().call('PATCH', path, { body, headers: MERGE }))).to.deep.equal([
      `these change their access to ${WHERE}: ${named} (Editor -> Admin)`,
    ]);
    expect(textsOf(await server().call('DELETE', path))).to.deep.equal([
      `these change their access to ${WHERE}: ${named} (Admin -> Viewer)`,
    ]);
    expect(accessWarning(changed)?.changes).to.deep.equal([
      {
        subject,
        ...{ title: `Name of ${subject.name}`, detail: subject.name, from: 'Viewer', to: 'Editor' },
      },
    ]);
  });

  it('names who gains and loses a role, and a team with its people', async () => {
    const { subject, named } = await person('None');
    const team = freshName();
    await made('Team', team, { title: team });
    await made('TeamBinding', `${team}.${subject.name}`, {
      teamRef: { name: team },
      userRef: { name: subject.name },
      permission: 'member',
    });
    const given = binding({ kind: 'Team', name: team }, builtIn('Viewer'));
    expect(await write(given)).to.deep.equal([
      `these gain access to ${WHERE}: Team/${team} (Viewer, 1 person)${UNWANTED}`,
    ]);
    const own = binding(subject, builtIn('Editor'));
    expect(await write(own)).to.deep.equal([`these change their access to ${WHERE}: ${named} (Viewer -> Editor)`]);
    const gone = (name: string) => server().call('DELETE', `${BINDINGS}/${name}`);
    expect(textsOf(await gone(given.metadata.name)), 'they keep what they have by themselves').to.deep.equal([]);
    expect(textsOf(await gone(own.metadata.name))).to.deep.equal([
      `these lose access to ${WHERE}: ${named} (Editor)${WANTED}`,
    ]);
  });

  it('names a custom role that gives more by its title, and none that gives nothing more', async () => {
    const { subject, named } = await person('Editor');
    const narrow = await role({ action: 'folders.permissions:write', scope: 'folders:uid:some' });
    expect(await write(binding(subject, { kind: 'Role', name: narrow }))).to.deep.equal([
      `these change their access to ${WHERE}: ${named} (Editor -> Editor and "Title of ${narrow}")`,
    ]);
    const { subject: admin } = await person('Admin');
    expect(await write(binding(admin, { kind: 'Role', name: narrow }))).to.deep.equal([]);
    const open = await role({ action: 'folders:read', scope: 'folders:*' });
    const { subject: viewer, named: seeing } = await person('Viewer');
    expect(await write(binding(viewer, { kind: 'Role', name: open })), 'also in private folders').to.deep.equal([
      `these change their access to ${WHERE}: ${seeing} (Viewer -> Viewer and "Title of ${open}")`,
    ]);
  });

  it('says that a role names an action that the server does not know, and stores it', async () => {
    const name = freshName();
    const permissions = [{ action: 'nonsense:foo' }, { action: 'folders:*', scope: 'folders:*' }];
    const body = { apiVersion: 'iam.svc.app/v1beta1', kind: 'Role', metadata: { name }, spec: { permissions } };
    const made = await server().call('POST', BINDINGS.replace('rolebindings', 'roles'), { body });
    bodyOf(made, 201);
    expect(textsOf(made)).to.deep.equal([
      'spec.permissions[0].action: this server knows no action nonsense:foo, so it allows nothing',
    ]);
  });

  it('says once what several bindings of one request change together', async () => {
    const [one, other] = [await person('Viewer'), await person('Viewer')];
    const folder = freshName();
    const place = {
      apiVersion: 'folder.svc.app/v1beta1',
      kind: 'Folder',
      metadata: { name: folder },
      spec: { title: folder },
    };
    bodyOf(
      await server().call('POST', '/apis/folder.svc.app/v1beta1/namespaces/default/folders', { body: place }),
      201,
    );
    const on = { folder };
    const former = binding(one.subject, builtIn('Admin'), on);
    await write(former);
    const apply = (objects: readonly object[], query = {}) => {
      const spec = { objects, prune: { enabled: true } };
      const body = { apiVersion: 'apply.svc.app/v1beta1', kind: 'ApplyRequest', spec };
      return server().call('POST', `${SETS}/${folder}/apply`, { body, query: { force: 'true', ...query } });
    };
    const both = [
      former,
      binding(one.subject, builtIn('View'), on),
      binding(other.subject, builtIn('View'), on),
      binding(other.subject, builtIn('Edit'), on),
    ];
    const where = `the folder "${folder}" and what lies in it`;
    const gained = `these change their access to ${where}: ${other.named} (View -> Edit)`;
    for (const query of [{ dryRun: 'All' }, {}]) {
      const answer = await apply(both, query);
      expect(answer.status, answer.text).to.be.oneOf([200, 201]);
      expect(textsOf(answer)).to.deep.equal([gained]);
    }
    const swapped = [binding(one.subject, builtIn('Admin'), on), binding(other.subject, builtIn('Edit'), on)];
    expect(textsOf(await apply(swapped)), 'others in place of the same').to.deep.equal([]);
  });
});
