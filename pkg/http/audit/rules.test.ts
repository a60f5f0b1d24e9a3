import { expect } from 'chai';
import { defaultPolicy } from './default-policy.js';
import { Policy } from './policy.js';
import { type AuditAttributes, decisionsOf, quietPaths } from './rules.js';

const policy = (rules: readonly object[], more: object = {}): Policy =>
  Policy.parse({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules, ...more });

const ANN = { name: 'ann', groups: ['system:authenticated', 'ops'] };
const GET: AuditAttributes = {
  user: ANN,
  verbs: ['get'],
  object: { resource: 'folders', namespace: 'default', name: 'a', apiGroup: 'folder.svc.app' },
  path: undefined,
};
const STATUS = { ...GET, object: { resource: 'widgets', apiGroup: 'x.io', name: 'w', subresource: 'status' } };
const VERSION: AuditAttributes = { user: ANN, verbs: ['get'], object: undefined, path: '/version' };

const levelOf = (rule: object, attributes = GET): string =>
  decisionsOf(policy([{ level: 'Request', ...rule }]))(attributes).level;

describe('the paths that need no look at the rules', () => {
  const isQuiet = (rules: readonly object[], path = '/apis/x') => quietPaths(policy(rules))(path);
  const READS = { level: 'None', verbs: ['get', 'list', 'watch'] };
  const REST = { level: 'Metadata' };

  it('are those whose reads no rule records, whoever reads', () => {
    expect(isQuiet([READS, REST])).to.equal(true);
    expect(isQuiet([{ level: 'None' }])).to.equal(true);
    expect(isQuiet([{ level: 'None', users: ['ann'] }, READS, REST])).to.equal(true);
    expect(isQuiet([REST, READS])).to.equal(false);
    expect(isQuiet([REST])).to.equal(false);
    expect(isQuiet([{ level: 'Request', users: ['ann'] }, READS])).to.equal(false);
    expect(isQuiet([{ ...READS, verbs: ['get'] }, REST])).to.equal(false);
    expect(isQuiet([{ ...READS, users: ['ann'] }, REST])).to.equal(false);
    expect(isQuiet([{ level: 'Request', nonResourceURLs: ['/apis*'] }, READS])).to.equal(false);
    const asking = [{ level: 'Request', nonResourceURLs: ['/api/*', '/a.b', '/c'] }, READS];
    for (const path of ['/apis/x', '/api', '/axb', '/c/', '/cc']) expect(isQuiet(asking, path), path).to.equal(true);
    for (const path of ['/api/', '/api/x\n', '/a.b', '/c']) expect(isQuiet(asking, path), path).to.equal(false);
    expect(isQuiet([{ level: 'Request', nonResourceURLs: ['*'] }, READS])).to.equal(false);
  });
});

describe('the rules of an audit policy', () => {
  it('match by user, group, verb and namespace', () => {
    expect(levelOf({})).to.equal('Request');
    expect(levelOf({ users: ['ann'] })).to.equal('Request');
    expect(levelOf({ users: ['bob'] })).to.equal('None');
    expect(levelOf({ userGroups: ['ops', 'dev'] })).to.equal('Request');
    expect(levelOf({ userGroups: ['dev'] })).to.equal('None');
    expect(levelOf({ verbs: ['list', 'get'] })).to.equal('Request');
    expect(levelOf({ verbs: ['list'] })).to.equal('None');
    expect(levelOf({ namespaces: ['default'] })).to.equal('Request');
    expect(levelOf({ namespaces: [''] })).to.equal('None');
    expect(levelOf({ namespaces: [''] }, STATUS)).to.equal('Request');
    expect(levelOf({ namespaces: [''] }, VERSION)).to.equal('None');
    expect(levelOf({ users: ['ann'], verbs: ['list'] })).to.equal('None');
  });

  it('match resources as Kubernetes does', () => {
    const folders = (one: object) => levelOf({ resources: [{ group: 'folder.svc.app', ...one }] });
    expect(folders({})).to.equal('Request');
    expect(folders({ resources: ['folders'] })).to.equal('Request');
    expect(folders({ resources: ['*'] })).to.equal('Request');
    expect(folders({ resources: ['folders'], resourceNames: ['a'] })).to.equal('Request');
    expect(folders({ resources: ['folders'], resourceNames: ['b'] })).to.equal('None');
    expect(folders({ resources: ['users'] })).to.equal('None');
    expect(levelOf({ resources: [{ resources: ['folders'] }] })).to.equal('None');
    const widgets = (resource: string) =>
      levelOf({ resources: [{ group: 'x.io', resources: [resource] }] }, STATUS as AuditAttributes);
    for (const yes of ['widgets/status', 'widgets/*', '*/status', '*']) expect(widgets(yes), yes).to.equal('Request');
    for (const no of ['widgets', 'widgets/scale', '*/scale']) expect(widgets(no), no).to.equal('None');
  });

  it('match paths outside of the resource API', () => {
    const urls = (...nonResourceURLs: string[]) => levelOf({ nonResourceURLs }, VERSION);
    expect(urls('/version')).to.equal('Request');
    expect(urls('/vers*')).to.equal('Request');
    expect(urls('*')).to.equal('Request');
    expect(urls('/versions', '/api/*')).to.equal('None');
    expect(levelOf({ nonResourceURLs: ['*'] })).to.equal('None');
  });

  it('match a legacy call by its path, its method, and the object that it wrote', () => {
    const legacy = { ...GET, verbs: ['create', 'post'], path: '/api/folders' };
    for (const rule of [
      { nonResourceURLs: ['/api/*'], verbs: ['post'] },
      { resources: [{ group: 'folder.svc.app', resources: ['folders'] }], verbs: ['create'] },
    ])
      expect(levelOf(rule, legacy)).to.equal('Request');
  });

  it('are tried in order, and the first that matches decides', () => {
    const decide = decisionsOf(
      policy(
        [
          { level: 'None', users: ['ann'], verbs: ['list'] },
          { level: 'Metadata', users: ['ann'], omitStages: ['ResponseStarted'] },
          { level: 'RequestResponse' },
        ],
        { omitStages: ['RequestReceived'] },
      ),
    );
    const decision = decide(GET);
    expect(decision.level).to.equal('Metadata');
    expect([...decision.omitStages]).to.have.members(['RequestReceived', 'ResponseStarted']);
    expect(decide({ ...GET, verbs: ['list'] }).level).to.equal('None');
    expect(decide({ ...GET, user: { name: 'bob', groups: [] } }).level).to.equal('RequestResponse');
  });

  it('are refused if they are not as Kubernetes has them', () => {
    const problems = (value: object): string =>
      Policy.safeParse({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', ...value }).error?.message ?? '';
    expect(problems({ rules: [] })).to.include('at least one rule');
    expect(problems({ rules: [{ level: 'All' }] })).to.include('level');
    expect(problems({ rules: [{ level: 'None', nonResourceURLs: ['/a*b'] }] })).to.include('at its end only');
    expect(problems({ rules: [{ level: 'None', nonResourceURLs: ['/a'], namespaces: ['b'] }] })).to.include('either');
    expect(problems({ rules: [{ level: 'None', resources: [{ resourceNames: ['a'] }] }] })).to.include(
      'needs resources',
    );
    expect(problems({ rules: [{ level: 'None', verb: ['get'] }] })).to.include('verb');
    expect(problems({ rules: [{ level: 'None', users: null }] })).to.equal('');
  });

  it('of the default record writes, sign-ins and sign-outs', () => {
    const decide = decisionsOf(defaultPolicy('svc.app'));
    const level = (attributes: Partial<AuditAttributes>) => decide({ ...GET, ...attributes }).level;
    for (const verb of ['create', 'update', 'patch', 'delete', 'deletecollection'])
      expect(level({ verbs: [verb] }), verb).to.equal('Metadata');
    for (const verb of ['get', 'list', 'watch']) expect(level({ verbs: [verb] }), verb).to.equal('None');
    const asked = { resource: 'authorreviews', apiGroup: 'iam.svc.app' };
    expect(level({ verbs: ['create'], object: asked }), 'a question about what one may view').to.equal('None');
    for (const path of ['/livez', '/readyz/ping', '/version', '/api/health', '/api/folders', '/apis'])
      expect(level({ object: undefined, path }), path).to.equal('None');
    for (const path of ['/logout', '/logout/']) expect(level({ object: undefined, path }), path).to.equal('Metadata');
    for (const path of ['/login', '/login/okta']) {
      expect(level({ object: undefined, path, verbs: ['post'] }), path).to.equal('Metadata');
      expect(level({ object: undefined, path }), path).to.equal('None');
    }
  });
});
