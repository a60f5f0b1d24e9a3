import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { objectsOf, type TreeObjects } from './objects.js';
import { NOBODY, type People } from './people.js';
import { sorted } from './sort.js';
import { BACKUP, EXPORTS, GDG, GRIZZLY, RULE, type Tree, writeTree } from './testing/trees.js';
import { uidOfPath, walk } from './walk.js';

/** A server with one user and no team. */
const SERVER: People = {
  user: ({ title }) => (title === 'admin' ? 'root' : undefined),
  team: () => undefined,
  unknown: 'the server does not know them',
};

describe('a tree of saved objects', () => {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tree-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const read = (tree: Tree, people = SERVER, options: { folder?: string; inputs?: object } = {}): TreeObjects => {
    writeTree(folder, tree);
    const inputs = new Map(Object.entries(options.inputs ?? {})) as ReadonlyMap<string, string>;
    return objectsOf(sorted(walk(folder)), { domain: 'svc.app', ...options, inputs }, people);
  };
  /** Each object with its folder, `!` if it is private, and for bindings with what they say. */
  const shown = ({ objects }: TreeObjects): readonly string[] =>
    objects.map(({ manifest }) => {
      const { kind, metadata, spec } = manifest as unknown as Shown;
      const at = metadata.annotations?.['svc.app/folder'];
      const isPrivate = metadata.annotations?.['svc.app/basic-roles'] === 'none';
      const level = spec.roleRef && `${spec.subject?.kind} ${spec.subject?.name} ${spec.roleRef.name}`;
      return [`${kind} ${metadata.name}${isPrivate ? '!' : ''}`, at && `in ${at}`, level].filter(Boolean).join(' ');
    });
  const spec = (tree: TreeObjects, name: string): unknown =>
    tree.objects.find(({ manifest }) => manifest.metadata.name === name)?.manifest['spec'];
  const rows = ({ leftOut }: TreeObjects): readonly string[] =>
    leftOut.map(({ origin, reason }) => `${origin}: ${reason}`);

  it('of grafana-backup-tool keeps uids, nesting, private folders, members and who may do what', () => {
    const tree = read(BACKUP);
    expect(shown(tree)).to.deep.equal([
      'Team oncall1',
      'TeamBinding oncall1.root',
      'Folder inc1 in ops1',
      'Folder open1',
      'Folder ops1!',
      'LibraryElement lib1 in ops1',
      'Dashboard latency1 in ops1',
      'Dashboard start1',
      'AlertRule rule1 in ops1',
      'RoleBinding ops1.user.root User root Admin',
      'RoleBinding ops1.team.oncall1 Team oncall1 Edit',
    ]);
    expect(rows(tree)).to.deep.equal([
      'dashboards/202403011000/dashboards_202403011000.txt: this is neither JSON nor YAML',
      'datasources/202403011000/prom.datasource: there is no kind for data sources, so their server keeps them',
      'users/202403011000/1.user: people are not made from files: they sign in, or an administrator adds them',
    ]);
    expect(tree.warnings).to.deep.equal([]);
    expect(spec(tree, 'oncall1.root')).to.deep.equal({
      teamRef: { name: 'oncall1' },
      userRef: { name: 'root' },
      permission: 'admin',
    });
    expect(spec(tree, 'rule1')).to.deep.include({
      keepFiringFor: '10m0s',
      ruleGroup: 'Group',
      notificationSettings: { receiver: 'mail' },
    });
  });

  it('of gdg lies in the folders of its paths, and an empty list of permissions makes a folder private', () => {
    const tree = read(GDG);
    expect(shown(tree)).to.deep.equal([
      'Team engineers',
      'TeamBinding engineers.root',
      'Folder inc1 in ops1',
      'Folder ops1!',
      'LibraryElement lib1 in ops1',
      'Dashboard new1 in inc1',
      'Dashboard latency1 in ops1',
      'Dashboard start1',
      'AlertRule rule1 in ops1',
      'RoleBinding dashboard.latency1.team.engineers Team engineers Edit',
    ]);
    expect(rows(tree)).to.deep.equal([
      'org_main-org/alerting/contacts.json: there is no kind for notifications, so their server keeps them',
      'org_main-org/alerting/rules.json: the files in alerting-rules have the rules',
      'org_main-org/connections/prom.json: there is no kind for data sources, so their server keeps them',
      'users/bob.json: people are not made from files: they sign in, or an administrator adds them',
      'org_main-org/dashboards-permissions/A%2FB+ops/latency.json: the user nobody: the server does not know them',
    ]);
    expect(tree.warnings.join()).to.match(/no permissions of 1 folders, such as "Incidents"/);
  });

  it('of gdg without files of folders has them by the paths, with the uids and the access of their permissions', () => {
    const list = [{ uid: 'ops1', role: 'Editor', permission: 2 }];
    const tree = read({
      'org_a/dashboards/A%2FB+ops/in/x.json': { uid: 'x', title: 'X', panels: [] },
      'org_a/folders-permissions/a-2fb-ops.json': list,
    });
    expect(shown(tree)).to.deep.equal([
      'Folder ops1!',
      'Folder a-2fb-ops-in-c6fd57c8 in ops1',
      'Dashboard x in a-2fb-ops-in-c6fd57c8',
      'RoleBinding ops1.basicrole.Editor BasicRole Editor Edit',
    ]);
    expect(tree.objects[0]?.manifest['spec']).to.deep.equal({ title: 'A/B ops' });
  });

  it('of an older gdg has the folders whose files are named by slugs', () => {
    const tree = read({
      'org_a/folders/night-watch.json': { id: 4, uid: 'watch1', title: 'Night watch' },
      'org_a/dashboards/Night watch/x.json': { uid: 'x', title: 'X', panels: [] },
    });
    expect(shown(tree)).to.deep.equal(['Folder watch1', 'Dashboard x in watch1']);
  });

  it('of Grizzly has the folders and groups that its resources name', () => {
    const tree = read(GRIZZLY);
    expect(shown(tree)).to.deep.equal([
      'Folder inc1 in ops1',
      'Folder ops1',
      'LibraryElement lib1 in ops1',
      'Dashboard start1',
      'Dashboard latency1 in ops1',
      'AlertRule rule1 in ops1',
      'AlertRule rule2 in ops1',
    ]);
    expect(spec(tree, 'rule2')).to.deep.include({ ruleGroup: 'Group', interval: 180, groupIndex: 1 });
    expect(rows(tree)).to.have.length(2);
  });

  it('of exports makes folders of its own, uids of paths, and fills in what it is given', () => {
    const tree = read(EXPORTS, NOBODY, { folder: 'top', inputs: { DS_PROM: 'prom1' } });
    const size = 'team-a-inner-gr-e-';
    expect(shown(tree).map((line) => line.replace(/(?<=gr-e-)[0-9a-f]{8}/, ''))).to.deep.equal([
      'Folder team-a in top',
      'Folder team-a-inner in team-a',
      'LibraryElement lib1 in team-a',
      'Dashboard start in top',
      `Dashboard ${size} in team-a-inner`,
      'Dashboard web1 in team-a',
    ]);
    expect(spec(tree, 'web1')).to.deep.equal({
      title: 'Web',
      panels: [{ datasource: { uid: 'prom1' }, title: 'prod', libraryPanel: { uid: 'lib1' } }],
    });
    expect(spec(tree, 'lib1')).to.deep.equal({
      name: 'Requests',
      kind: 1,
      type: 'graph',
      model: { type: 'graph', datasource: 'prom1' },
    });
    expect(read(EXPORTS).warnings.join('\n')).to.contain(
      `web.json has placeholders without values, such as $\{DS_PROM}`,
    );
  });

  it('gives nobody more than they had: who has less in a folder inside loses what they have above', () => {
    const list = (...items: readonly object[]) => items.map((item) => ({ uid: 'in', ...item }));
    const tree = (...items: readonly object[]): Tree => ({
      'a/out.folder': { uid: 'out', title: 'Out', canSave: true },
      'a/out.folder_permission': [
        { uid: 'out', role: 'Editor', permission: 4 },
        { uid: 'out', role: 'Viewer', permission: 1 },
      ],
      'a/in.folder': { uid: 'in', title: 'In', parentUid: 'out' },
      'a/in.folder_permission': list(...items),
    });
    const editors = 'RoleBinding out.basicrole.Editor BasicRole Editor Admin';
    const viewer = { role: 'Viewer', permission: 1, inherited: true };
    const same = read(tree({ role: 'Editor', permission: 4, inherited: true }, viewer));
    expect(shown(same)).to.deep.equal(['Folder in in out', 'Folder out', editors]);
    const less = read(tree({ role: 'Editor', permission: 2, inherited: true }, viewer));
    expect(shown(less)).to.have.members([
      'Folder in! in out',
      'Folder out',
      editors,
      'RoleBinding in.basicrole.Editor BasicRole Editor Edit',
      'RoleBinding in.basicrole.Viewer BasicRole Viewer View',
    ]);
  });

  it('names people only by what the server knows, and without a server nobody but the teams of the tree', () => {
    const offline = read(BACKUP, NOBODY);
    expect(shown(offline)).to.include('RoleBinding ops1.team.oncall1 Team oncall1 Edit');
    expect(shown(offline).filter((line) => line.includes('user') || line.includes('TeamBinding'))).to.deep.equal([]);
    expect(rows(offline).join('\n'))
      .to.contain('1_7.team_member: the user admin: only a server knows who they are there')
      .and.contain('ops1.folder_permission: the user admin: only a server knows');
  });

  it('is refused with the names of both files if two have one uid or one title in a place', () => {
    const two = (one: object, other: object) => () => read({ 'a/x.json': one, 'a/y.json': other });
    expect(two({ uid: 'u', title: 'X' }, { uid: 'u', title: 'Y' })).to.throw(
      'a/x.json and a/y.json have the same uid u',
    );
    expect(two({ uid: 'u', title: 'Same' }, { uid: 'v', title: 'same' })).to.throw(
      'a/x.json and a/y.json have the same title "same" in one place (Dashboard)',
    );
  });

  it('is refused with the lines of all files that cannot be read', () => {
    const wrong = () => read({ 'a.json': '{"title": "A",\n "x": }', 'b.yaml': 'a: 1\nb: [', 'c.json': { title: 'C' } });
    expect(wrong).to.throw(
      /^2 files cannot be read\. Nothing was changed\.\na\.json: .*line 2, column 7.*\nb\.yaml: .*line /,
    );
  });

  it('says which object is wrong: a uid, a rule, a permission, a folder that no file describes', () => {
    const wrong = (tree: Tree) => () => {
      rmSync(folder, { recursive: true });
      return read(tree);
    };
    expect(wrong({ 'a.json': { uid: 'a/b', title: 'A' } })).to.throw('a.json: "a/b" cannot be a uid');
    expect(wrong({ 'a.alert_rule': { ...RULE, for: 5 } })).to.throw('a.alert_rule: this is no alert rule: for: ');
    const list = {
      'f.folder': { uid: 'f', title: 'F' },
      'f.folder_permission': [{ uid: 'f', role: 'Viewer', permission: 3 }],
    };
    expect(wrong(list)).to.throw('f.folder_permission, item 1: 3 is no permission. It is View, Edit or Admin.');
    const lost = { dashboard: { title: 'A' }, meta: { folderId: 4, folderTitle: 'Lost' } };
    expect(wrong({ 'a.dashboard': lost })).to.throw('a.dashboard: its folder "Lost" has only the number 4');
    expect(wrong({ 'org_a/teams/x/team.json': { name: 'A' }, 'org_b/teams/x/team.json': { name: 'A' } })).to.throw(
      'org_a and org_b are two organizations',
    );
  });

  it('is refused beyond its limits, and if it has a link that leads out of it', () => {
    writeTree(folder, { 'a/b/c.json': { title: 'C' }, 'a/d.json': { title: 'D' } });
    const limits = { files: 9, depth: 9, fileBytes: 2 ** 20, bytes: 2 ** 20 };
    expect(walk(folder, limits).files.map(({ name }) => name)).to.deep.equal(['a/b/c.json', 'a/d.json']);
    expect(() => walk(folder, { ...limits, files: 1 })).to.throw('has more than 1 files');
    expect(() => walk(folder, { ...limits, depth: 1 })).to.throw(/a\/b lies more than 1 folders deep/);
    expect(() => walk(folder, { ...limits, fileBytes: 3 })).to.throw(/c\.json has more than/);
    expect(() => walk(folder, { ...limits, bytes: 20 })).to.throw('MiB of files');
    symlinkSync(join(folder, 'a'), join(folder, 'inside'));
    expect(walk(folder, limits).others).to.deep.equal(['inside']);
    writeFileSync(`${folder}.json`, '{}');
    symlinkSync(`${folder}.json`, join(folder, 'out.json'));
    expect(() => walk(folder, limits)).to.throw(/out\.json is a link to what is not below/);
    rmSync(`${folder}.json`);
    expect(() => walk(folder, limits)).to.throw(/out\.json is a link that leads nowhere/);
  });

  it('has uids that depend on nothing but the path', () => {
    expect(['a', 'team-a/web', 'Team A'].map(uidOfPath)).to.deep.equal(['a', 'team-a-web', 'team-a-e18d322f']);
    expect(uidOfPath(`${'x'.repeat(50)}/y`)).to.match(/^x{31}-[0-9a-f]{8}$/);
    expect(uidOfPath('日本')).to.match(/^[0-9a-f]{8}$/);
  });
});

interface Shown {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly roleRef?: { readonly name: string };
    readonly subject?: { readonly kind: string; readonly name: string };
  };
}
