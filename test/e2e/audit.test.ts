import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AuditEvent } from '../../pkg/http/audit/event.js';
import { eventually, type Program, programOf, startProgram } from './process.js';

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';

const eventsIn = (text: string): readonly AuditEvent[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{"kind":"Event"'))
    .map((line) => JSON.parse(line) as AuditEvent);

describe('the audit log of the program', function () {
  this.timeout(120_000);
  let data = '';
  let program: Program | undefined;

  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'apiserver-audit-'));
  });
  afterEach(async () => {
    await program?.stop('SIGKILL');
    await rm(data, { recursive: true, force: true });
  });

  const start = async (...settings: string[]): Promise<Program> => {
    const ports = ['--server.http_port=0', '--server.https_port=-1'];
    const args = [...programOf('apiserver'), `--paths.data=${data}`, ...ports, ...settings];
    program = await startProgram(process.execPath, args, { env: process.env });
    return program;
  };
  /** Waits until the server is ready. Returns its URL, and a function that sends it a request. */
  const ready = async (started: Program) => {
    const url = await eventually(
      () => /HTTP (http:\S+),/.exec(started.stdout())?.[1],
      () => `not listening: ${started.stderr()}`,
    );
    const token = (await readFile(join(data, 'admin.token'), 'utf8')).trim();
    return async (method: string, path: string, body?: object): Promise<string> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const options = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(url + path, { method, headers, ...options });
      expect(answer.ok).to.equal(true);
      return answer.text();
    };
  };

  it('is written to a file that only its owner may read, whole when the server has stopped', async () => {
    const started = await start();
    const ask = await ready(started);
    const names = Array.from({ length: 50 }, (_, index) => `n${index}`);
    await Promise.all(names.map((name) => ask('POST', FOLDERS, { metadata: { name }, spec: { title: name } })));
    const metrics = await ask('GET', '/metrics');
    expect(metrics)
      .to.match(/^apiserver_audit_event_total 50$/m)
      .and.match(/^apiserver_audit_error_total 0$/m);
    await started.stop();
    const path = join(data, 'audit', 'audit.log');
    const events = eventsIn(await readFile(path, 'utf8'));
    expect(events.map(({ objectRef }) => objectRef?.name)).to.have.members(names);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
  });

  it('is written to the standard output, by a policy in YAML', async () => {
    const policy = join(data, 'policy.yaml');
    await writeFile(
      policy,
      `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
# Bodies of folders only.
- level: Request
  resources:
  - group: folder.svc.app
    resources: [folders]
- level: None
`,
    );
    const started = await start('--audit.output=stdout', `--audit.policy_file=${policy}`);
    const ask = await ready(started);
    const body = { metadata: { name: 'ops' }, spec: { title: 'Ops' } };
    await ask('POST', FOLDERS, body);
    await ask('GET', `${FOLDERS}/ops`);
    await ask('POST', '/api/teams', { name: 'Team' });
    await started.stop();
    const events = eventsIn(started.stdout());
    expect(events.map(({ verb }) => verb)).to.deep.equal(['create', 'get']);
    expect(events[0]?.requestObject).to.deep.equal(body);
    expect(events[0]).to.not.have.property('responseObject');
  });

  it('is refused with a sentence if its policy or its file is wrong', async () => {
    const policy = join(data, 'policy.yaml');
    await writeFile(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Everything}]\n');
    const wrong = await start(`--audit.policy_file=${policy}`);
    expect(await wrong.ended).to.equal(1);
    expect(wrong.stderr()).to.match(/audit\.policy_file: .*policy\.yaml is not an audit policy: rules\.0\.level: /);
    const missing = await start('--audit.policy_file=/nowhere.yaml');
    expect(await missing.ended).to.equal(1);
    expect(missing.stderr()).to.include('audit.policy_file: cannot read /nowhere.yaml');
    const folder = await start(`--audit.file=${data}`);
    expect(await folder.ended).to.equal(1);
    expect(folder.stderr()).to.include(`audit.file: cannot write ${data}`);
  });
});
